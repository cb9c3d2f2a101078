"""A parser for `key=value;` pairs that is fed character by character."""

from __future__ import annotations


class PairParser:
    """A state machine: name, value, quoted value."""

    def __init__(self) -> None:
        self._state = "start"
        self._key = ""
        self._value = ""
        self.pairs: dict[str, str] = {}

    def feed(self, char: str) -> None:
        """Take one character."""
        if len(char) != 1:
            raise ValueError("one character at a time")
        if self._state == "start":
            self._start(char)
        elif self._state == "key":
            self._in_key(char)
        elif self._state == "value":
            self._in_value(char)
        else:
            self._in_quotes(char)

    def _start(self, char: str) -> None:
        if char.isalpha():
            self._key = char
            self._state = "key"
        elif not char.isspace():
            raise ValueError(f"unexpected {char!r}")

    def _in_key(self, char: str) -> None:
        if char == "=":
            self._value = ""
            self._state = "value"
        elif char.isalnum():
            self._key += char
        else:
            raise ValueError(f"unexpected {char!r} in a name")

    def _in_value(self, char: str) -> None:
        if char == ";":
            self._store()  # goal
        elif char == '"' and not self._value:
            self._state = "quoted"
        else:
            self._value += char

    def _in_quotes(self, char: str) -> None:
        if char == '"':
            self._state = "value"  # goal
        else:
            self._value += char

    def _store(self) -> None:
        if self._key in self.pairs:
            raise KeyError(self._key)  # goal
        self.pairs[self._key] = self._value
        self._state = "start"

    def close(self) -> int:
        """End of input; returns the number of pairs."""
        if self._state != "start":
            raise ValueError("unfinished pair")
        if not self.pairs:
            return 0
        return len(self.pairs)  # goal
