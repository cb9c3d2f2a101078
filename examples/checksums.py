"""Check digits of payment cards and books."""

# mypy: allow-untyped-defs, allow-untyped-calls


def luhn_checksum(digits):
    """Add the digits, every second one from the right doubled, and keep the last digit of the sum."""
    total = 0
    double = False
    for char in digits[::-1]:
        digit = int(char)
        if double:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
        double = not double
    return total % 10


def is_card_number(text):
    """Tell whether a text of digits and blanks passes the Luhn check."""
    digits = text.replace(" ", "")
    if len(digits) < 2:
        return False
    for char in digits:
        if char not in "0123456789":
            return False
    return luhn_checksum(digits) == 0


def is_isbn10(text):
    """Tell whether a text of ten characters is an ISBN; the last one may be X for ten."""
    if len(text) != 10:
        return False
    total = 0
    for position, char in enumerate(text):
        if "0" <= char <= "9":
            value = ord(char) - ord("0")
        elif char == "X" and position == 9:
            value = 10
        else:
            return False
        total += (10 - position) * value
    return total % 11 == 0


def isbn13_check_digit(digits):
    """Compute the digit that makes the weighted sum of all thirteen a multiple of ten."""
    if len(digits) != 12:
        raise ValueError("twelve digits are needed")
    total = 0
    for position, char in enumerate(digits):
        weight = 3 if position % 2 else 1
        total += weight * int(char)
    return (10 - total % 10) % 10
