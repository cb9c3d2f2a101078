"""The coin box of a vending machine that sells at two quarters.

This is class `CoinBox` of Buy, Orso and Pezze ("Automated Testing of Classes", 2000) together with its
well-known defect: `return_qtrs` hands the coins back but leaves `allow_vend` set.
"""


class CoinBox:
    """Counts the quarters of the current customer and of all sales."""

    def __init__(self) -> None:
        """Start empty, with nothing for sale."""
        self.total_qtrs = 0
        self.cur_qtrs = 0
        self.allow_vend = False

    def add_qtr(self) -> None:
        """Accept a quarter; the second one allows a sale."""
        self.cur_qtrs += 1
        if self.cur_qtrs > 1:
            self.allow_vend = True

    def return_qtrs(self) -> None:
        """Give the customer's quarters back."""
        self.cur_qtrs = 0

    def vend(self) -> None:
        """Sell an item, if enough quarters were accepted."""
        if self.allow_vend:
            self.total_qtrs += self.cur_qtrs
            self.cur_qtrs = 0
            self.allow_vend = False
