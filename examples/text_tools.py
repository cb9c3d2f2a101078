"""Shape text for web addresses and narrow screens."""


def slugify(title: str) -> str:
    """Reduce a title to lower-case letters and digits, with a hyphen for whatever lies between."""
    slug = ""
    gap = False
    for char in title.lower():
        if "a" <= char <= "z" or "0" <= char <= "9":
            if gap and slug:
                slug += "-"
            slug += char
            gap = False
        else:
            gap = True
    return slug


def truncate(text: str, width: int) -> str:
    """Cut a text to `width` characters, the last three of them dots."""
    if width < 3:
        raise ValueError("width must be at least 3")
    if len(text) <= width:
        return text
    return text[: width - 3] + "..."


def wrap(text: str, width: int) -> list[str]:
    """Break a text between words into lines of at most `width`; only a longer word exceeds it."""
    if width < 1:
        raise ValueError("width must be positive")
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if not word:
            continue
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def unquote(text: str) -> str:
    """Take off a pair of quotes of one kind."""
    if len(text) < 2:
        return text
    if text[0] != text[-1]:
        return text
    if text[0] == '"' or text[0] == "'":
        return text[1:-1]
    return text
