"""Building text: concatenation, joins, f-strings, `%`, methods of str, characters one by one."""

from __future__ import annotations

SIZE, SMALL = 150, 2

WORDS = "the quick brown fox jumps over the lazy dog while seven wizards make toxic brew".split()
ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;"}


def escaped(text):
    """The text as HTML wants it."""
    return "".join([ENTITIES.get(character, character) for character in text])


def caesar(text, shift):
    """Each letter moved along the alphabet."""
    result = ""
    for character in text:
        if "a" <= character <= "z":
            result += chr((ord(character) - ord("a") + shift) % 26 + ord("a"))
        else:
            result += character
    return result


def camel(words):
    """words to camelCase."""
    return words[0].lower() + "".join(word.capitalize() for word in words[1:])


def wrapped(words, width):
    """Lines of words, as wide as they may be."""
    lines = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return lines


def table(rows):
    """Rows as a table with aligned columns."""
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [f"{cell!s:<{width}}" for cell, width in zip(row, widths)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def counted(text):
    """How often each letter occurs, as text."""
    counts = {}
    for character in text:
        if character.isalpha():
            counts[character] = counts.get(character, 0) + 1
    return ",".join("%s=%d" % (letter, counts[letter]) for letter in sorted(counts))


def is_palindrome(text):
    """Whether the letters are the same from both ends."""
    letters = [c for c in text.lower() if c.isalnum()]
    return letters == letters[::-1]


def run(size):
    """One text of everything."""
    pieces = []
    for number in range(size):
        words = WORDS[number % 7 :] + WORDS[: number % 5]
        text = " ".join(words)
        pieces.append(caesar(text, number))
        pieces.append(escaped(f'<p class="{number}">{text} & more</p>'))
        pieces.append(camel(words))
        pieces.extend(wrapped(words, 30))
        pieces.append(table([(i, word, len(word), word.upper()[::-1]) for i, word in enumerate(words)]))
        pieces.append(counted(text))
        pieces.append(f"{number:04d} {number / 7:.3f} {is_palindrome(text)} {text.replace('o', '0').title()!r}")
    return "\n".join(pieces)
