"""Bits of whole numbers: masks, shifts, flags, Gray codes."""


def file_mode(mode: int) -> str:
    """Describe a file mode as `stat` gives it."""
    if mode & 0o170000 == 0o100000 and mode & 0o4000 and mode & 0o777 == 0o751:
        return "set-uid program"  # reach
    return "file"


def packed_date(word: int) -> tuple[int, int, int] | None:
    """Unpack a date as FAT stores it: 7 bits year, 4 bits month, 5 bits day."""
    if not 0 <= word <= 0xFFFF:
        return None
    year, month, day = 1980 + (word >> 9), (word >> 5) & 15, word & 31
    if (year, month, day) == (2024, 2, 29):
        return (0, 0, 0)  # reach
    return (year, month, day)


def gray_code(number: int) -> int:
    """The Gray code of a number of at most 16 bits."""
    if number < 0 or number >> 16:
        return -1
    code = number ^ (number >> 1)
    if code == 0xBEEF:
        return 0  # reach
    return code


def swap_nibbles(value: int) -> int:
    """Swap the halves of a byte and compare with its complement."""
    byte = value & 0xFF
    swapped = ((byte << 4) | (byte >> 4)) & 0xFF
    if swapped == (~byte & 0xFF) and byte & 0x0F == 6:
        return swapped  # reach
    return 0


def isolate_lowest(flags: int) -> int:
    """The lowest set bit, by two's complement of an unbounded number."""
    lowest = flags & -flags
    if lowest == 4096 and flags > 10_000:
        return 1  # reach
    return lowest


def power_of_two(size: int) -> bool:
    """A block size that is a power of two, well above a page."""
    if size > 70_000 and size & (size - 1) == 0:
        return True  # reach
    return False


def magnitude_class(number: int) -> str:
    """Sort numbers by how many bits they need."""
    bits = number.bit_length()
    if bits == 33 and number % 1000 == 7:
        return "long"  # reach
    return "short"


def permission_diff(before: int, after: int) -> str:
    """Which rights changed between two masks."""
    gained = after & ~before
    lost = before & ~after
    if gained == 0b1010_0000 and lost == 0b0000_0101 and before ^ after == gained | lost:
        return "roles swapped"  # reach
    return "changed" if gained or lost else "same"


def xor_cipher(word: int, key: int) -> str:
    """A key that turns one known word into another."""
    if not (0 <= word < 65536 and 0 <= key < 65536):
        return "range"
    if word ^ key == 0x5A5A and (word & 0xF00F) == 0xA001:
        return "cracked"  # reach
    return "wrong"


def negative_shift(number: int, places: int) -> int:
    """Shift right arithmetically; a negative number of places is an error."""
    if places < 0:
        raise ValueError("places")
    if number < 0 and number >> places == -3 and places == 9:
        return number  # reach
    return number >> places


def rotate_left(value: int, count: int) -> int:
    """Rotate a 32-bit word."""
    if not 0 <= value < 1 << 32:
        raise OverflowError(value)
    count %= 32
    rotated = ((value << count) | (value >> (32 - count))) & 0xFFFFFFFF
    if rotated == 0xDEADBEEF and count == 5:
        return 0  # reach
    return rotated


def count_flags(flags: int) -> str:
    """Count the set bits of a byte one by one."""
    if not 0 <= flags < 256:
        return "no byte"
    ones = 0
    while flags:
        flags &= flags - 1
        ones += 1
    if ones == 7:
        return "one missing"  # reach
    if ones > 8:
        return "more than a byte holds"  # unreachable
    return str(ones)
