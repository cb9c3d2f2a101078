"""The coin box of a vending machine, with the known fault: returning the coins does not forbid the sale."""


class CoinBox:
    """Counts the quarters of the current customer and those of all sales; a drink costs two."""

    def __init__(self) -> None:
        self.total_qtrs = 0
        self.allow_vend = 0
        self.cur_qtrs = 0

    def return_qtrs(self) -> None:
        """Give the customer's coins back."""
        self.cur_qtrs = 0

    def add_qtr(self) -> None:
        """Take one coin."""
        self.cur_qtrs = self.cur_qtrs + 1
        if self.cur_qtrs > 1:
            self.allow_vend = 1

    def vend(self) -> None:
        """Sell a drink if enough was paid."""
        if self.allow_vend:
            self.total_qtrs = self.total_qtrs + self.cur_qtrs
            self.cur_qtrs = 0
            self.allow_vend = 0
