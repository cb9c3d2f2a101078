"""Reading arithmetic by hand: a scanner over characters, recursive descent, and evaluation of the tree."""

from __future__ import annotations

SIZE, SMALL = 100, 2

_SPACES = " \t\n"
_NAMES = "abcdefghijklmnopqrstuvwxyz_"


class ParseError(ValueError):
    """The text is no program."""


class Token:
    """A piece of text and what it is."""

    __slots__ = ("kind", "place", "text")

    def __init__(self, kind, text, place):
        self.kind = kind
        self.text = text
        self.place = place


def tokens_of(source):
    """Split a program into tokens."""
    tokens = []
    place = 0
    while place < len(source):
        character = source[place]
        start = place
        if character in _SPACES:
            place += 1
            continue
        if character.isdigit():
            while place < len(source) and (source[place].isdigit() or source[place] == "."):
                place += 1
            tokens.append(Token("number", source[start:place], start))
        elif character.lower() in _NAMES:
            while place < len(source) and (source[place].lower() in _NAMES or source[place].isdigit()):
                place += 1
            tokens.append(Token("name", source[start:place], start))
        elif character in "+-*/()=;,":
            place += 1
            tokens.append(Token(character, character, start))
        else:
            raise ParseError(f"unexpected {character!r} at {place}")
    tokens.append(Token("end", "", place))
    return tokens


class Parser:
    """Makes nested tuples of tokens."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.place = 0

    def peek(self):
        """The kind of the next token."""
        return self.tokens[self.place].kind

    def take(self, kind=None):
        """The next token, which must be of a kind."""
        token = self.tokens[self.place]
        if kind is not None and token.kind != kind:
            raise ParseError(f"expected {kind}, not {token.kind} at {token.place}")
        self.place += 1
        return token

    def program(self):
        """Statements until the end."""
        statements = []
        while self.peek() != "end":
            name = self.take("name").text
            self.take("=")
            statements.append((name, self.sum()))
            self.take(";")
        return statements

    def sum(self):
        """Terms, added or subtracted."""
        left = self.term()
        while self.peek() in ("+", "-"):
            left = (self.take().kind, left, self.term())
        return left

    def term(self):
        """Factors, multiplied or divided."""
        left = self.factor()
        while self.peek() in ("*", "/"):
            left = (self.take().kind, left, self.factor())
        return left

    def factor(self):
        """A number, a name, a call, or something in parentheses."""
        kind = self.peek()
        if kind == "-":
            self.take()
            return ("neg", self.factor())
        if kind == "number":
            text = self.take().text
            return ("const", float(text) if "." in text else int(text))
        if kind == "(":
            self.take()
            inner = self.sum()
            self.take(")")
            return inner
        name = self.take("name").text
        if self.peek() != "(":
            return ("name", name)
        self.take()
        arguments = [self.sum()]
        while self.peek() == ",":
            self.take()
            arguments.append(self.sum())
        self.take(")")
        return ("call", name, arguments)


FUNCTIONS = {"max": max, "min": min, "abs": abs}


def value_of(node, names):
    """The value of a tree."""
    kind = node[0]
    if kind == "const":
        return node[1]
    if kind == "name":
        return names[node[1]]
    if kind == "neg":
        return -value_of(node[1], names)
    if kind == "call":
        return FUNCTIONS[node[1]](*[value_of(argument, names) for argument in node[2]], 0)
    left, right = value_of(node[1], names), value_of(node[2], names)
    if kind == "+":
        return left + right
    if kind == "-":
        return left - right
    if kind == "*":
        return left * right
    return left / right if right else 0


PROGRAM = """
alpha = 1 + 2 * (3 - 4) / 5;
beta_2 = alpha * -alpha + max(alpha, 10, 2.5) - (((7)));
gamma = min(beta_2, alpha) + 100 / (1 + 2 + 3 + 4 + 5 * 6 * 7);
delta = (alpha + beta_2) * (gamma - 1.5) / -(2 + alpha);
epsilon = max(alpha * 2, beta_2 - 3, gamma + delta) + min(4, 5) - 12 / 3 * 1.25;
"""


def run(size):
    """The values of all names, after the program was read and evaluated `size` times."""
    names = {}
    for _ in range(size):
        statements = Parser(tokens_of(PROGRAM)).program()
        for name, tree in statements:
            names[name] = value_of(tree, names)
    try:
        tokens_of("a = 1 ? 2")
    except ParseError as error:
        return names, str(error)
    return names, ""
