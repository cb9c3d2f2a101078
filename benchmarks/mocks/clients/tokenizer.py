"""Parses sums from a stream of tokens, and text that a scanner hands out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["number", "op", "open", "close", "end"]


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str = ""


class TokenStream(Protocol):
    def next_token(self) -> Token: ...

    @property
    def line(self) -> int: ...


class Scanner(Protocol):
    def peek(self, ahead: int = 0) -> str: ...

    def advance(self) -> str: ...


class ParseError(Exception):
    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Parser:
    """Looks one token ahead."""

    def __init__(self, stream: TokenStream, max_depth: int = 3) -> None:
        self.stream = stream
        self.current = stream.next_token()
        self.depth = 0
        self.max_depth = max_depth

    def _advance(self) -> Token:
        token, self.current = self.current, self.stream.next_token()
        return token

    def parse(self) -> int:
        value = self._sum()
        if self.current.kind != "end":
            raise ParseError("more than a sum", self.stream.line)
        return value

    def _sum(self) -> int:
        value = self._atom()
        while self.current.kind == "op":
            operator = self._advance().text
            if operator == "+":
                value += self._atom()
            elif operator == "-":
                value -= self._atom()
            else:
                raise ParseError("operator " + operator, self.stream.line)
        return value

    def _atom(self) -> int:
        token = self._advance()
        if token.kind == "number":
            if not token.text.isdigit():
                raise ParseError("number", self.stream.line)
            return int(token.text)
        if token.kind == "open":
            self.depth += 1
            if self.depth > self.max_depth:
                raise ParseError("too deep", self.stream.line)
            value = self._sum()
            if self._advance().kind != "close":
                raise ParseError("not closed", self.stream.line)
            self.depth -= 1
            return value
        raise ParseError("expected a value", self.stream.line)


def quoted(scanner: Scanner) -> str:
    """Read a quoted text; two quotes stand for one."""
    if scanner.advance() != '"':
        raise ValueError("no quote")
    result = ""
    while True:
        char = scanner.advance()
        if char == "":
            raise EOFError
        if char == '"':
            if scanner.peek() != '"':
                return result
            scanner.advance()
        result += char
