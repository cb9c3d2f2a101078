"""Run-length encoding: `aaab` becomes `3a1b`."""

# mypy: allow-untyped-defs

LONGEST_RUN = 99


def encode(text):
    """Write each run of equal characters as its length and the character."""
    if not text:
        return ""
    encoded = ""
    current = text[0]
    count = 0
    for char in text:
        if char == current and count < LONGEST_RUN:
            count += 1
        else:
            encoded += "%d%s" % (count, current)
            current = char
            count = 1
    return encoded + "%d%s" % (count, current)


def decode(encoded):
    """Expand what `encode` wrote."""
    text = ""
    count = 0
    for char in encoded:
        if "0" <= char <= "9":
            count = 10 * count + int(char)
            if count > LONGEST_RUN:
                raise ValueError("run is too long")
        elif count == 0:
            raise ValueError("character without a count")
        else:
            text += char * count
            count = 0
    if count != 0:
        raise ValueError("count without a character")
    return text
