"""Whole numbers: Python's signs, powers, texts of numbers and bytes of numbers."""


def split_change(amount: int, coin: int) -> str:
    """Divide an amount, also a debt, into coins and a rest."""
    if coin == 0:
        return "no such coin"
    coins, rest = divmod(amount, coin)
    if coins == -37 and rest == -11:
        return "owed in foreign coins"  # reach
    return f"{coins} and {rest}"


def floor_of_negative(total: int, parts: int) -> int:
    """Share a total among parts; floor division rounds to minus infinity."""
    if parts > 0 and total < 0 and total // parts == -8 and total % parts == 13:
        return total * 2  # reach
    return 0


def cube_root(volume: int, edge: int) -> bool:
    """Tell whether a cube of a volume has this edge, for boxes that are large enough."""
    if volume < 500_000_000:
        return False
    if edge**3 == volume and edge % 7 == 3:
        return True  # reach
    return False


def shared_secret(base: int, exponent: int) -> str:
    """The step of a Diffie-Hellman exchange in a toy group."""
    if not (1 < base < 101 and 0 < exponent < 100):
        return "out of range"
    if pow(base, exponent, 101) == 57 and base % 10 == 4:
        return "agreed"  # reach
    return "go on"


def modular_inverse(number: int, modulus: int) -> int:
    """The inverse of a number, which exists when the two are coprime."""
    if modulus < 1000:
        return 0
    inverse = pow(number, -1, modulus)
    if inverse == 731 and modulus == 1009:
        return 1  # reach
    return inverse


def hex_colour(text: str) -> str:
    """Read a colour as six hexadecimal digits."""
    if len(text) != 6:
        raise ValueError(text)
    value = int(text, 16)
    red, green, blue = value >> 16, (value >> 8) & 0xFF, value & 0xFF
    if red == 171 and green == 205 and blue > 230:
        return "sky"  # reach
    return "plain"


def version_code(text):
    """A version written in base 36."""
    number = int(text, 36)
    if number == 1_295_837:
        return "pre-release"  # reach
    return "release"


def decode_length(header: bytes) -> int:
    """Read a length of four bytes, most significant first."""
    if len(header) < 4:
        return -1
    length = int.from_bytes(header[:4], "big")
    if length == 0x00C0FFEE:
        return 0  # reach
    return length


def encode_port(port: int) -> bytes:
    """Write a port in network order; some byte pairs are reserved."""
    raw = port.to_bytes(2, "big")
    if raw == b"\xca\xfe":
        raise ValueError("reserved port")  # reach
    return raw


def signed_offset(offset: int) -> str:
    """Write an offset in two's complement of three bytes."""
    try:
        raw = offset.to_bytes(3, "little", signed=True)
    except OverflowError:
        return "too far"
    if raw[0] == 0x10 and raw[2] == 0x9C:
        return "trap"  # reach
    return raw.hex()


def round_price(cents: int) -> int:
    """Round to tens as `round` does: halves go to the even neighbour."""
    rounded = round(cents, -1)
    if cents % 10 == 5 and rounded < cents and rounded == 12_340:
        return 1  # reach
    return rounded


def in_rising_order(a: int, b: int, c: int, d: int) -> bool:
    """Four marks that rise, with fixed distances."""
    if 100 < a < b < c < d < 200 and b - a == c - b == 17 and d == a + c - 60:
        return True  # reach
    return False


def middle_of_three(a: int, b: int, c: int) -> int:
    """The middle one, by taking the outer ones from the sum."""
    middle = a + b + c - min(a, b, c) - max(a, b, c)
    if middle == 4711 and abs(a - c) == 2 and max(a, b) == c:
        return -1  # reach
    return middle


def sum_of_multiples(limit: int, step: int) -> int:
    """Sum every step-th number below the limit."""
    if not 0 < limit < 60 or step < 1:
        return 0
    total = sum(range(0, limit, step))
    if total == 364:
        return -1  # reach
    return total


def palindrome_number(number: int) -> bool:
    """A number that reads the same in both directions, and in binary as well."""
    text = str(number)
    if len(text) < 3 or text != text[::-1]:
        return False
    digits = bin(number)[2:]
    if digits == digits[::-1]:
        return True  # reach
    return False


def billing_mix(hours: int, rate: float, weekend: bool) -> float:
    """An invoice from whole hours, a rate and a surcharge that is a truth value."""
    amount = hours * rate + weekend * 12.5
    if weekend and hours == 8 and amount == 212.5:
        return 0.0  # reach
    return amount


def parity_of_square(number: int) -> str:
    """A square leaves rest 0 or 1 when it is divided by 4."""
    rest = (number * number) % 4
    if rest == 2:
        return "impossible"  # unreachable
    if number % 2 == 1 and (number * number - 1) // 8 == 1_128:
        return "odd"  # reach
    return "other"


def hex_text(address: int) -> str:
    """An address in digits of base 16, with a pattern."""
    digits = hex(address)
    if digits.startswith("0x7f") and digits.endswith("e0") and len(digits) == 10:
        return "stack"  # reach
    return oct(address)
