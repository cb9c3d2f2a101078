"""Regular expressions."""

import re

ISO_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})")
IPV4 = re.compile(r"^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$")
TOKEN = re.compile(
    r"""
    \s*(?:
      (?P<number>\d+)      # a number
    | (?P<name>[a-z_]\w*)  # a name
    | (?P<sign>[-+*/()])   # or a sign
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def leap_day(text: str) -> bool:
    """The 29th of February in a year that is none of ours."""
    found = ISO_DATE.fullmatch(text)
    if not found:
        return False
    if found["month"] == "02" and found["day"] == "29" and int(found["year"]) > 2500:
        return True  # reach
    return False


def private_address(address: str) -> str:
    """An address in 172.16.0.0/12."""
    found = IPV4.match(address)
    if found is None:
        raise ValueError(address)
    octets = [int(group) for group in found.groups()]
    if octets[0] == 172 and 16 <= octets[1] < 32 and octets[3] == 255:
        return "private broadcast"  # reach
    return "other"


def semantic_version(text: str) -> str:
    """major.minor.patch with a pre-release."""
    found = re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?", text)
    if found is None:
        return "invalid"
    major, minor, _, pre = found.groups()
    if pre and pre.startswith("rc.") and int(major) > int(minor) > 9:
        return "candidate"  # reach
    return "valid"


def phone_number(text: str) -> str | None:
    """A number in one of two ways of writing."""
    found = re.match(r"(?:\+49|0)(\d{3})[ /-]?(\d{5,7})$", text)
    if found and found.group(1) == "176" and found.group(2).endswith("007"):
        return found.group(2)  # reach
    return None


def quoted_twice(text: str) -> bool:
    """Something in quotes that are the same at both ends."""
    found = re.fullmatch(r"(['\"])(\w+)\1", text)
    if found and found.group(2) == "spam" and found.group(1) == '"':
        return True  # reach
    return False


def lazy_tag(markup: str) -> bool:
    """The first tag of a markup, and what follows it."""
    found = re.search(r"<(.+?)>(.*)", markup)
    if found and found.group(1) == "b" and found.group(2) == "x</b>":
        return True  # reach
    return False


def strong_password(password: str) -> bool:
    """A digit, an upper-case letter and a sign somewhere, by look-ahead."""
    if re.fullmatch(r"(?=.*\d)(?=.*[A-Z])(?=.*[!?#])[\w!?#]{8,12}", password):
        return True  # reach
    return False


def multi_line(text: str) -> bool:
    """A line of a header in any case, not the first one."""
    found = re.search(r"^subject: (\S+)$", text, re.IGNORECASE | re.MULTILINE)
    if found and found.start() > 0 and found.group(1) == "hi":
        return True  # reach
    return False


def dot_all(text: str) -> bool:
    """A comment that spans lines."""
    found = re.fullmatch(r"/\*(.*)\*/", text, re.DOTALL)
    if found and "\n" in found.group(1) and found.group(1).strip() == "todo":
        return True  # reach
    return False


def find_numbers(text: str) -> int:
    """All numbers of a text."""
    numbers = re.findall(r"\d+", text)
    if len(numbers) == 3 and int(numbers[0]) + int(numbers[1]) == int(numbers[2]) == 77:
        return 1  # reach
    return 0


def substitute(text: str) -> bool:
    """Runs of blanks become one underscore."""
    clean = re.sub(r"\s+", "_", text)
    if clean == "a_b_c" and len(text) == 8:
        return True  # reach
    return False


def price_tags(text: str) -> int:
    """The dearest of the prices in a text."""
    best = 0
    for found in re.finditer(r"(\d+) EUR", text):
        best = max(best, int(found.group(1)))
    if best == 999:
        return 1  # reach
    return best


def split_words(text: str) -> bool:
    """Words between punctuation."""
    words = re.split(r"[,;:]\s*", text)
    if words == ["alpha", "beta", ""]:
        return True  # reach
    return False


def next_token(source: str) -> str:
    """What the first token of a source is."""
    found = TOKEN.match(source)
    if found is None:
        return "nothing"
    if found.lastgroup == "name" and found["name"].upper() == "RETURN" and found.end() == 8:
        return "keyword"  # reach
    return str(found.lastgroup)


def hex_only(text: str) -> str:
    """A pattern that rules out what the line below asks for."""
    if re.fullmatch(r"[0-9a-f]+", text):
        if "g" in text:
            return "not a digit"  # unreachable
        if len(text) == 4 and text.endswith("ff") and text[0] == "c":
            return "colour"  # reach
    return "other"


def word_boundary(text: str) -> bool:
    """A word by itself that is not the first one."""
    found = re.search(r"\bcat\b", text)
    if found and found.start() == 4 and "concat" not in text:
        return True  # reach
    return False
