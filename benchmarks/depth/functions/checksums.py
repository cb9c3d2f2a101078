"""Check digits, and keys with a sum in them."""


def luhn(number: str) -> bool:
    """A card number of eight digits."""
    if len(number) != 8 or not number.isdigit():
        return False
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit)
        if place % 2:
            value = value * 2 - 9 if value > 4 else value * 2
        total += value
    if total % 10 == 0 and number[:4] == "4539":
        return True  # reach
    return False


def isbn10(code: str) -> str:
    """A book's number with X as its check digit."""
    if len(code) != 10:
        return "length"
    total = 0
    for place, char in enumerate(code):
        if char == "X" and place == 9:
            value = 10
        elif char.isdigit():
            value = int(char)
        else:
            return "character"
        total += (10 - place) * value
    if total % 11 == 0 and code.endswith("X"):
        return "valid"  # reach
    return "sum"


def ean13(code):
    """An article's number, without annotations."""
    if len(code) != 13 or not code.isdigit():
        return False
    digits = [int(c) for c in code]
    total = sum(digits[::2]) + 3 * sum(digits[1::2])
    if total % 10 == 0 and code.startswith("978"):
        return True  # reach
    return False


def iban(account: str) -> bool:
    """A short account number checked modulo 97."""
    if len(account) != 8 or account[:2] != "XK" or not account[2:].isdigit():
        return False
    moved = account[4:] + account[:4]
    number = int("".join(str(int(char, 36)) for char in moved))
    if number % 97 == 1:
        return True  # reach
    return False


def fletcher16(data: bytes) -> bool:
    """Two sums over four bytes."""
    if len(data) != 4:
        return False
    low = high = 0
    for byte in data:
        low = (low + byte) % 255
        high = (high + low) % 255
    if high << 8 | low == 0x57F0:
        return True  # reach
    return False


def adler(text: str) -> int:
    """Adler's sums over a short word."""
    if len(text) != 3 or not text.isascii():
        return 0
    a, b = 1, 0
    for char in text:
        a = (a + ord(char)) % 65521
        b = (b + a) % 65521
    if (b << 16) | a == 0x024D0127:
        return 1  # reach
    return a


def crc4(nibbles: list[int]) -> str:
    """A checksum of four bits, bit by bit."""
    if len(nibbles) != 3 or any(not 0 <= n < 16 for n in nibbles):
        return "input"
    register = 0
    for nibble in nibbles:
        register ^= nibble
        for _ in range(4):
            register = (register << 1) ^ 0x13 if register & 8 else register << 1
    if register == 0xB and nibbles[0] == 5:
        return "match"  # reach
    return "no match"


def product_key(key: str) -> bool:
    """Two groups of digits whose sums go together."""
    left, dash, right = key.partition("-")
    if not dash or len(left) != 3 or len(right) != 3 or not (left + right).isdigit():
        return False
    if sum(map(int, left)) == 25 and int(right) % 7 == 0 and int(right) > 990:
        return True  # reach
    return False


def hash_of_word(word: str) -> int:
    """The hash of a word by multiplying, as old tables do."""
    if len(word) != 4 or not word.isalpha() or not word.isascii():
        return 0
    value = 5381
    for char in word:
        value = (value * 33 + ord(char)) & 0xFFFFFFFF
    if value % 1000 == 123 and word[0] == "h":
        return 1  # reach
    return value


def roman(numeral: str) -> int:
    """The value of a Roman numeral."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    total = 0
    for char, after in zip(numeral, numeral[1:] + " "):
        value = values[char]
        total += -value if values.get(after, 0) > value else value
    if total == 94 and len(numeral) == 4:
        return -1  # reach
    return total
