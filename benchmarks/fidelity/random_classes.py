"""Random small classes with state, for comparing what is said of definition-use pairs with what runs do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

INTS: Final = ("_a", "_b", "_c", "limit")
FLAGS: Final = ("_on", "_open")
LISTS: Final = ("_items", "_log")
WORDS: Final = ("''", "'a'")
_DEPTH: Final = 3


class _Writer:
    """Writes one class; every choice is drawn from its generator."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)  # noqa: S311 - reproducible test data
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.methods = 0
        self.loops = 0
        self.generated = False

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def pick(self, *options: str) -> str:
        return self.draw.choice(options)

    # Expressions

    def number(self, deep: int = 0) -> str:
        plain = [
            f"self.{self.pick(*INTS)}", str(self.draw.randint(0, 3)), "n", f"self.{self.pick(*INTS)}",
            "len(self._items)", "len(self._name)",
        ]  # fmt: skip
        if deep >= 2 or self.draw.random() < 0.5:
            return self.draw.choice(plain)
        one, other = self.number(deep + 1), self.number(deep + 1)
        return self.pick(
            f"{one} + {other}",
            f"{one} - {other}",
            f"min({one}, {other})",
            f"({one} if {self.test(deep + 1)} else {other})",
            f"{one} // {other}",
            f"self._items[{one}]",
            f"sum(x + {one} for x in self._items)",
            f"max([self.{self.pick(*INTS)} for _ in range(2)])",
            *(f"self.{helper}({one})" for helper in self.helpers),
        )

    def test(self, deep: int = 0) -> str:
        plain = [
            f"self.{self.pick(*FLAGS)}",
            f"not self.{self.pick(*FLAGS)}",
            f"self.{self.pick(*INTS)} {self.pick('>', '<', '==', '>=', '!=')} {self.draw.randint(0, 3)}",
            f"self.{self.pick(*INTS)} > self.{self.pick(*INTS)}",
            "n > 1",
            "self._items",
            f"self._name {self.pick('==', '!=')} {self.pick(*WORDS)}",
            f"self.{self.pick(*INTS)} is None",
            f"{self.draw.randint(0, 2)} in self._items",
        ]
        if deep >= 2 or self.draw.random() < 0.6:
            return self.draw.choice(plain)
        one, other = self.test(deep + 1), self.test(deep + 1)
        return self.pick(f"({one} and {other})", f"({one} or {other})", f"not ({one})")

    # Statements

    def block(self, depth: int, most: int, level: int = 0) -> None:
        for _ in range(self.draw.randint(1, most)):
            self.statement(depth, level)

    def statement(self, depth: int, level: int) -> None:
        simple = level >= _DEPTH or self.draw.random() < 0.6
        kinds = self._simple() if simple else self._compound()
        self.draw.choice(kinds)(depth, level)

    def _simple(self) -> list[Callable[[int, int], None]]:
        return [
            lambda d, _: self.put(d, f"self.{self.pick(*INTS)} = {self.number()}"),
            lambda d, _: self.put(d, f"self.{self.pick(*INTS)} = {self.draw.randint(0, 2)}"),
            lambda d, _: self.put(d, f"self.{self.pick(*INTS)} {self.pick('+=', '-=')} {self.number(1)}"),
            lambda d, _: self.put(
                d, f"self.{self.pick(*FLAGS)} = {self.pick('True', 'False', self.test(1))}"
            ),
            lambda d, _: self.put(d, f"self._items.append({self.number(1)})"),
            lambda d, _: self.put(
                d, self.pick("self._items.pop()", "self._items.clear()", "self._items = []")
            ),
            lambda d, _: self.put(d, self.pick("self._log = self._items", "self._items = self._log")),
            lambda d, _: self.put(d, self.pick("self._items = list(self._log)", "self._log.append(n)")),
            lambda d, _: self.put(d, "self._a, self._b = self._b, self._a"),
            lambda d, _: self.put(d, f"self._name = {self.pick('self._name + str(n)', *WORDS)}"),
            lambda d, _: self.put(d, f"return {self.pick(self.number(), self.test(), 'None', 'self')}"),
            lambda d, _: self.put(d, self._odd()),
            *([self._help] if self.helpers else []),
        ]

    def _help(self, depth: int, _level: int) -> None:
        self.put(depth, f"self.{self.draw.choice(self.helpers)}({self.number(1)})")

    def _odd(self) -> str:
        """Ways to define or use that are rarer."""
        name = self.pick(*INTS)
        return self.pick(
            f"setattr(self, {name!r}, {self.number(1)})",
            f"self.__dict__[{name!r}] = n",
            f"vars(self).update({name}=1)",
            f"other = self; other.{name} = {self.number(1)}",
            f"n = getattr(self, {name!r})",
            f"self.limit = self.limit; self.{name} = None",
            f"assert {self.test(1)}",
            f"self._items.sort(key=lambda x: x + self.{name})",
            f"self._items[0] = self.{name}",
            f"self._log.extend(self._items); self.{name} = len(self._log)",
            f"n = [self.{name} for _ in self._items]; n = len(n)",
            f"self.count = self.count + 1; self.{name} = self.count",
            f"type(self).count += 1; self.{name} = type(self).count",
            f"peer = type(self)(n) if n == 2 else self; peer.{name} = 5; n = self.{name}",
            f"do = self.__class__.bump if n else type(self).bump; do(self); n = self.{name}",
            f"(lambda me: me.bump())(self); n = self.{name}",
            f"self.level = self.{name}; n = self.level",
            f"del self.{name}",
        )

    def _compound(self) -> list[Callable[[int, int], None]]:
        return [self._if, self._if, self._while, self._for, self._try, self._finally, self._raise, self._with]

    def _if(self, depth: int, level: int) -> None:
        self.put(depth, f"if {self.test()}:")
        self.block(depth + 1, 2, level + 1)
        if self.draw.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, 2, level + 1)

    def _while(self, depth: int, level: int) -> None:
        self.loops += 1
        turn = f"turn{self.loops}"
        self.put(depth, f"{turn} = 0")
        self.put(depth, f"while {turn} < 2 and {self.test(1)}:")
        self.put(depth + 1, f"{turn} += 1")
        self.block(depth + 1, 2, level + 1)
        self.put(depth + 1, self.pick("pass", "continue", f"if {self.test(1)}: break"))

    def _for(self, depth: int, level: int) -> None:
        self.put(
            depth, self.pick("for n in self._items[:3]:", "for self._c in (1, 2):", "for n in range(2):")
        )
        self.block(depth + 1, 2, level + 1)

    def _try(self, depth: int, level: int) -> None:
        self.put(depth, "try:")
        self.block(depth + 1, 2, level + 1)
        self.put(depth, self.pick("except ValueError:", "except (ZeroDivisionError, IndexError):"))
        self.block(depth + 1, 2, level + 1)
        if self.draw.random() < 0.3:
            self.put(depth, "else:")
            self.block(depth + 1, 1, level + 1)

    def _finally(self, depth: int, level: int) -> None:
        self.put(depth, "try:")
        self.block(depth + 1, 2, level + 1)
        self.put(depth, "finally:")
        self.block(depth + 1, 1, level + 1)

    def _raise(self, depth: int, _level: int) -> None:
        self.put(depth, f"if {self.test(1)}:")
        self.put(depth + 1, "raise ValueError(n)")

    def _with(self, depth: int, level: int) -> None:
        self.put(depth, "with contextlib.suppress(ZeroDivisionError, ValueError):")
        self.block(depth + 1, 2, level + 1)

    # Classes

    def method(self, name: str, *, default: str = "1") -> None:
        self.put(1, f"def {name}(self, n: int = {default}):")
        self.block(2, 4)
        self.put(0, "")

    def shared(self) -> None:
        """A class variable, a way to count, and perhaps a property with a setter."""
        self.put(1, f"count = {self.draw.randint(0, 1)}")
        self.put(1, f"limit = {self.draw.randint(0, 2)}")
        self.put(0, "")
        self.put(1, "def bump(self):")
        self.block(2, 2, _DEPTH)
        self.put(0, "")
        self.put(1, "@property")
        self.put(1, "def level(self):")
        self.block(2, 2, _DEPTH)
        self.put(2, f"return self.{self.pick(*INTS)}")
        self.put(0, "")
        self.put(1, "@level.setter")
        self.put(1, "def level(self, n):")
        self.block(2, 2, _DEPTH)
        self.put(0, "")

    def constructor(self) -> None:
        self.put(1, "def __init__(self, n: int = 1):")
        for name in INTS[:3]:
            self.put(2, f"self.{name} = {self.pick('0', '0', '1', 'n')}")
        if self.draw.random() < 0.5:
            self.put(2, "self.limit = n")
        for name in FLAGS:
            self.put(2, f"self.{name} = {self.pick('False', 'False', 'True', 'n > 1')}")
        self.put(2, "self._items = []")
        self.put(2, f"self._log = {self.pick('[]', 'self._items')}")
        self.put(2, 'self._name = ""')
        if self.draw.random() < 0.3:
            self.statement(2, _DEPTH)
        self.put(0, "")


def source_of(seed: int) -> str:
    """The text of a module with a class `Thing`, the same for the same seed."""
    writer = _Writer(seed)
    writer.put(0, "import contextlib")
    writer.put(0, "")
    inherits = writer.draw.random() < 0.4
    writer.put(0, f"class {'Base' if inherits else 'Thing'}:")
    writer.shared()
    writer.constructor()
    for name in ("_help", "_more")[: writer.draw.randint(0, 2)]:
        writer.method(name)
        writer.helpers.append(name)
    for name in ("one", "two"):
        writer.method(name)
    if inherits:
        writer.put(0, "class Thing(Base):")
        if writer.draw.random() < 0.3:
            writer.put(1, "def __init__(self, n: int = 0):")
            writer.put(2, "super().__init__(n)")
            writer.statement(2, _DEPTH)
        for name in writer.draw.sample(["_help", "one", "bump"], 2):
            known = name in writer.helpers or not name.startswith("_")
            if known:
                writer.put(1, f"def {name}(self, n: int = 1):")
                writer.block(2, 3)
                if writer.draw.random() < 0.5:
                    writer.put(2, f"super().{name}()")
                writer.put(0, "")
    writer.method("three")
    return "\n".join(writer.lines) + "\n"


def simple_source_of(seed: int) -> str:
    """A class of numbers and flags only, small enough for proofs by search."""
    draw = random.Random(seed)  # noqa: S311 - reproducible test data
    numbers, flags = ("_a", "_b"), ("_on", "_open")

    def value() -> str:
        return draw.choice(
            ["0", "1", "2", "n", f"self.{draw.choice(numbers)}", f"self.{draw.choice(numbers)} + 1", "None"]
        )

    def test() -> str:
        name = draw.choice(numbers)
        return draw.choice(
            [
                f"self.{draw.choice(flags)}", f"not self.{draw.choice(flags)}",
                f"self.{name} == {draw.randint(0, 3)}",
                f"self.{name} is None", "n > 1",
                f"self.{name} is not None and self.{name} > {draw.randint(0, 2)}",
            ]
        )  # fmt: skip

    def plain() -> str:
        return draw.choice(
            [
                f"self.{draw.choice(numbers)} = {value()}",
                f"self.{draw.choice(flags)} = {draw.choice(['True', 'False', 'n > 2'])}",
                f"return self.{draw.choice(numbers)}",
                "raise ValueError",
                "self._help()",
            ]
        )

    lines = ["class Thing:"]
    if draw.random() < 0.3:
        lines += ["    level = 0", ""]
    lines += ["    def __init__(self) -> None:"]
    lines += [f"        self.{name} = {draw.choice(['0', '1', 'None'])}" for name in numbers]
    lines += [f"        self.{name} = {draw.choice(['True', 'False', 'False'])}" for name in flags]
    lines += [
        "",
        "    def _help(self) -> None:",
        f"        self.{draw.choice(numbers)} = {draw.randint(0, 2)}",
    ]
    for name in ("one", "two", "three"):
        lines += ["", f"    def {name}(self, n: int = 1) -> object:"]
        for _ in range(draw.randint(1, 2)):
            lines += [f"        if {test()}:", *(f"            {plain()}" for _ in range(draw.randint(1, 2)))]
        if draw.random() < 0.3:
            lines += [
                "        type(self).level = n",
                "        if self._on and self.level > 1:",
                f"            {plain()}",
            ]
        lines += [f"        {plain()}"]
    if draw.random() < 0.5:
        lines += [
            "", "    @property", "    def size(self) -> object:", "        return self._a", "",
            "    @size.setter", "    def size(self, n: int) -> None:", f"        if {test()}:",
            f"            {plain()}", f"        {plain()}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"
