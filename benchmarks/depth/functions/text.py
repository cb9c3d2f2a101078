"""Texts: comparing, slicing, searching, splitting, formatting, converting."""


def licence_plate(text: str) -> bool:
    """Two letters, a dash, four digits, and a letter, in upper case."""
    if len(text) != 8 or text[2] != "-":
        return False
    head, number, tail = text[:2], text[3:7], text[7]
    if head.isalpha() and head.isupper() and number.isdigit() and number != "0000" and tail == "Q":
        return True  # reach
    return False


def reversed_twin(first: str, second: str) -> bool:
    """Two different words, one the other read backwards, with every second letter given."""
    if len(first) == 6 and first != second and first[::-1] == second and first[::2] == "abc":
        return True  # reach
    return False


def between_words(word: str) -> bool:
    """A word between two others in the dictionary, ending in -ing."""
    if "monday" < word < "month" and word.endswith("ing"):
        return True  # reach
    return False


def repeated_pattern(text: str) -> bool:
    """A text that is its first three characters four times over."""
    if len(text) == 12 and text == text[:3] * 4 and text[0] < text[1] < text[2]:
        return True  # reach
    return False


def parse_assignment(line: str) -> str:
    """`name = value`, with blanks around both and quotes around the value."""
    name, sign, value = line.partition("=")
    name, value = name.strip(), value.strip()
    is_quoted = len(value) > 2 and value.startswith('"') and value.endswith('"')
    if sign and name == "colour" and is_quoted and value.strip('"') == "red":
        return "red it is"  # reach
    return name


def csv_total(row: str) -> int:
    """Three numbers between commas."""
    fields = row.split(",")
    if len(fields) != 3:
        return -1
    a, b, c = (int(field) for field in fields)
    if a + b == c and c == 125 and a > b > 9:
        return c  # reach
    return 0


def file_kind(path: str) -> str:
    """The kind of a file by its last suffix."""
    stem, _, suffix = path.rpartition(".")
    if suffix.lower() in ("jpeg", "jpg") and stem.count("/") == 2 and not stem.startswith("/"):
        return "nested picture"  # reach
    return "other"


def title_case(heading: str) -> bool:
    """A heading of two words in title case that is longer than ten characters."""
    if heading.title() == heading and heading.count(" ") == 1 and heading.find(" ") == 4 and len(heading) > 9:
        return True  # reach
    return False


def sharp_s(name: str) -> bool:
    """A name that grows when its case is folded."""
    if len(name.casefold()) == len(name) + 2 and name.startswith("Gr"):
        return True  # reach
    return False


def caesar(message: str) -> str:
    """Shift lower-case letters by three."""
    shifted = "".join(chr((ord(c) - 97 + 3) % 26 + 97) if "a" <= c <= "z" else c for c in message)
    if shifted == "dwwdfn!":
        return "now"  # reach
    return shifted


def code_of_letters(word: str) -> int:
    """The sum of the letters' places in the alphabet."""
    if len(word) != 5 or not (word.isascii() and word.islower()):
        return 0
    total = sum(ord(c) - ord("a") + 1 for c in word)
    if total == 101 and word[0] == "z":
        return -1  # reach
    return total


def invoice_number(year: int, number: int) -> str:
    """A number with leading zeros."""
    text = f"{year:04d}/{number:05d}"
    if text == "0987/00042":
        return "first"  # reach
    return text


def padded_line(label: str, amount: int) -> str:
    """A line of a receipt, old style."""
    line = "%-8s%6d" % (label, amount)
    if line == "tea       -250":
        return "refund"  # reach
    return line


def formatted_amount(amount: float) -> str:
    """An amount with separators and two places."""
    text = f"{amount:,.2f}"
    if text == "12,345.68":
        return "jackpot"  # reach
    return text


def hex_dump(value: int) -> str:
    """Hexadecimal digits in upper case."""
    text = f"{value:#010X}"
    if text.endswith("BADF") and value > 0x10000:
        return "bad"  # reach
    return text


def slug(title: str) -> str:
    """The address of an article."""
    made = title.strip().lower().replace(" ", "-").replace("--", "-")
    if made == "on-the-road" and title != made:
        return "classic"  # reach
    return made


def translate_digits(number: str) -> str:
    """Letters instead of digits, some left out."""
    table = str.maketrans("0123456789", "abcdefghij", "-. ")
    word = number.translate(table)
    if word == "bad" and "-" in number:
        return "bad word"  # reach
    return word


def strip_marks(text: str) -> str:
    """Take the marks off both ends, and a prefix."""
    bare = text.strip("*_").removeprefix("note:").removesuffix(";")
    if bare == "x*y" and len(text) == 14:
        return "product"  # reach
    return bare


def framed(text: str, width: int) -> bool:
    """A title in the middle of a line of stars."""
    if text.center(width, "*") == "***plan**" and len(text) == 4:
        return True  # reach
    return False


def zero_filled(text: str) -> bool:
    """Zeros go between the sign and the digits."""
    if text.zfill(6) == "-00042":
        return True  # reach
    return False


def two_lines(document: str) -> str:
    """A document of exactly two lines, the second one empty of everything but blanks."""
    lines = document.splitlines()
    if len(lines) == 2 and lines[0].startswith(("From ", "To ")) and lines[1].isspace():
        return "mail"  # reach
    return "text"


def joined_name(parts: list[str]) -> bool:
    """Parts that give a dotted name when they are joined."""
    if len(parts) == 3 and ".".join(parts) == "os.path.join":
        return True  # reach
    return False


def quoted(text: str) -> bool:
    """A text whose representation needs double quotes, since it has an apostrophe."""
    shown = repr(text)
    if shown.startswith('"') and len(shown) == 9 and "\\n" in shown:
        return True  # reach
    return False


def number_as_text(number: int) -> bool:
    """A number whose digits contain another one, at a given place."""
    digits = str(number)
    if digits.find("808") == 3 and len(digits) == 8:
        return True  # reach
    return False


def swap_case(word: str) -> bool:
    """A word that is another one with the cases swapped."""
    if word.swapcase() == "pYTHON" and word != "PYTHON":
        return True  # reach
    return False


def last_field(line: str) -> str:
    """The two last fields of a line of a log."""
    parts = line.rsplit(" ", 2)
    if len(parts) == 3 and parts[1] == "404" and parts[2].isdecimal() and int(parts[2]) > 9000:
        return "large and missing"  # reach
    return "ok"


def aligned(name: str, count: int) -> bool:
    """A row of a table by `str.format` and justification."""
    row = "{:>4}|{}".format(count, name.ljust(6, ".")) + name[:1].rjust(2)
    if row == "  -7|salt.. s":
        return True  # reach
    return False
