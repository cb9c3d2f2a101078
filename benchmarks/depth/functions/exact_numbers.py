"""`decimal`, `fractions`, `statistics`."""

import statistics
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from fractions import Fraction


def vat(net: Decimal) -> Decimal:
    """A tax rounded to cents that ends on a given cent."""
    gross = (net * Decimal("1.19")).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
    if gross == Decimal("118.99"):
        return Decimal(0)  # reach
    return gross


def decimal_text(text: str) -> str:
    """A decimal number that was typed."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return "not a number"
    if value == Decimal("12.50") and len(text) == 5:
        return "twelve and a half"  # reach
    return "a number"


def cents_to_decimal(cents: int) -> str:
    """An amount in cents as a decimal number."""
    amount = Decimal(cents) / 100
    if amount == Decimal("-73.21"):
        return "refund"  # reach
    return str(amount)


def third(numerator: int, denominator: int) -> str:
    """A fraction in lowest terms."""
    if denominator == 0:
        return "undefined"
    value = Fraction(numerator, denominator)
    if value == Fraction(3, 7) and denominator > 50:
        return "three sevenths"  # reach
    return str(value)


def sum_of_fractions(a: int, b: int) -> bool:
    """Egyptian fractions: two different unit fractions with a given sum."""
    if a < 1 or b < 1:
        return False
    if Fraction(1, a) + Fraction(1, b) == Fraction(5, 18) and a < b:
        return True  # reach
    return False


def fraction_of(value: Fraction) -> bool:
    """A fraction between two others with a small denominator."""
    if Fraction(5, 11) < value < Fraction(6, 13) and value.denominator < 30:
        return True  # reach
    return False


def mean_of_three(values: list[int]) -> str:
    """Numbers with a given mean and median."""
    if len(values) != 3:
        return "three"
    if statistics.mean(values) == 50 and statistics.median(values) == 20:
        return "skewed"  # reach
    return "other"


def modal(values: list[int]) -> bool:
    """The most frequent value of five is none of the outer ones."""
    if len(values) == 5 and statistics.mode(values) == 42 and min(values) < 42 < max(values):
        return True  # reach
    return False


def spread(values: list[float]) -> str:
    """Two values with a given deviation."""
    if len(values) != 2:
        return "two"
    if statistics.pstdev(values) == 2.5 and values[0] > 10:
        return "spread"  # reach
    return "narrow"
