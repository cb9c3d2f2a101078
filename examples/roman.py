"""Roman numerals from 1 (I) to 3999 (MMMCMXCIX)."""

NUMERALS = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def to_roman(number: int) -> str:
    """Write a number as a Roman numeral."""
    if not 1 <= number <= 3999:
        raise ValueError("number must be in 1..3999")
    numeral = ""
    for value, letters in NUMERALS:
        while number >= value:
            numeral += letters
            number -= value
    return numeral


def from_roman(numeral: str) -> int:
    """Read a Roman numeral; only its usual form is accepted."""
    if not numeral:
        raise ValueError("empty numeral")
    total = 0
    following = 0
    for letter in numeral[::-1]:
        if letter not in LETTERS:
            raise ValueError("not a Roman letter")
        value = LETTERS[letter]
        if value < following:
            total -= value
        else:
            total += value
            following = value
    if to_roman(total) != numeral:
        raise ValueError("not the usual form")
    return total
