"""Plain values as callers pass them: amounts to be rounded, days at a month's end, worn texts."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from tracetwin.emit.select.likely_values import LikelyValues
from tracetwin.emit.select.telling.constants import LONGEST, TextConstants
from tracetwin.emit.select.telling.shapes import NUMBER, WORD
from tracetwin.emit.select.variants import other_values
from tracetwin.model.recipe import Call, Recipe, Reference, Scalar, ScalarValue

_DAYS: Final = ((2024, 2, 29), (2024, 1, 31), (2023, 12, 29), (2024, 5, 17), (2024, 6, 1), (2024, 3, 4))
_APART: Final = (0, 0, 1, -1, 1, 2, 3, 6, 7, 8, 14, 15, 21, 30, 31, 45, 60, -7, 100, 365)
_TIMES: Final = ((9, 0), (9, 30), (10, 0), (13, 15), (8, 0), (16, 45), (0, 0), (23, 59))
_AMOUNTS: Final = ("19.99", "10.005", "0.05", "100", "2.345", "49.95", "7.777", "1234.56", "0.125", "0")
_FLOATS: Final = (2.5, 1.25, 3.75, 7.5, 0.5, 4.25)
_WORDS: Final = ("Apple", "pear", "plum", "Fig tree", "cherry", "a/b c")
_NUMERALS: Final = ("12", "7", "2.5", "30", "1.5", "0", "8080")
_BETWEEN: Final = ("\n\n", "\n", ",", ", ", ";", " ")

_NUMBER: Final = re.compile(r"[-+0-9.]+")
_PART: Final = r"(?:[^%]|%[YymdbBjaAHMSp])*"
_DAY_FORMAT: Final = re.compile(f"{_PART}%[YymbBj]{_PART}")  # "%d" alone is one of numbers, too
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

SHAPED: Final = 0.6
"""Part of the texts that are as the module asks, where it asks something of them."""

AT_ONCE: Final = 0.35
"""Part of the moments that are the same as an earlier one."""

OUR_TIME: Final = range(1900, 2100)
"""Years of days that others are near to."""

DAY: Final = 3
"""Numbers of a day."""

NUMBERED_AGAIN: Final = 0.25
"""Part of the numbers that are an earlier one, or the next to it."""

LARGEST_AGAIN: Final = 10**6
"""Numbers beyond it are none that somebody counts by."""

NAMED_AGAIN: Final = 0.35
"""Part of the lists of texts that consist of earlier ones."""

FORMATTED: Final = 0.4
"""Part of the texts that are days in a format that the function knows."""

LONGEST_LIST: Final = 12
"""Things in a list of which somebody may count so many."""

COUNTED: Final = 0.1
"""Part of the lists that are about as long as a number of the function."""

FEW_WORDS: Final = 3
"""Words of a text of which some may be left out."""

OF_LINES: Final = 0.6
"""Part of the texts like one of several lines that differ from it in these."""

LISTED: Final = 0.3
"""Part of the texts that have another one behind them, where the code looks for what stands between."""

BELOW_ZERO: Final = 0.1
"""Part of the numbers that are less than zero where the function knows zero."""

MOST_PARTS: Final = 8
"""Fields of a text, and numbers in it, which others may speak of as well."""

_PARTED: Final = re.compile(r"[\n\t|;,:=]")
"""Signs that stand between the fields of a text."""

_DIGITS: Final = re.compile(r"[0-9]{1,7}")

MOST_NEAR: Final = 40
"""Texts like another one of which one is taken."""


class Values:
    """The plain values of one case, which has some of its texts and days several times."""

    def __init__(
        self,
        chance: random.Random,
        constants: TextConstants,
        examples: Sequence[str],
        times: Sequence[tuple[int, int]],
        shapes: Mapping[str, Sequence[str]],
        *,
        dated: bool = False,
    ) -> None:
        """Nothing was drawn yet.

        Args:
            chance: chooses.
            constants: those of the function that is called.
            examples: texts that its documentation quotes.
            times: times of day that the module names.
            shapes: shapes of texts by what they are for.
            dated: whether the module reads days that stand in texts.
        """
        self.chance = chance
        self._constants = constants
        self._examples = examples
        self._times = times
        self._shapes = shapes
        self._day = dt.date(*chance.choice(_DAYS))
        self._dated = dated
        self._aware = chance.random() < 0.2
        self._day_formats = [one for one in constants.texts if one.isascii() and _DAY_FORMAT.fullmatch(one)]
        self._texts: list[str] = []
        self._numbers: list[int] = []
        self._drawn: list[int] = []  # for the argument that is made now
        self._moments: list[tuple[int, ...]] = []
        self._likely = LikelyValues()
        signs = [sign.strip() for sign in constants.texts if len(sign) < FEW_WORDS]
        signs = [sign for sign in signs if sign and not sign[0].isalnum()]
        self._between = [text for sign in signs for text in (sign, f"{sign} ", f" {sign} ", f"{sign} {sign}")]

    @property
    def knows_texts(self) -> bool:
        """Return whether the function that is called looks for texts."""
        return bool(self._constants.texts)

    @property
    def known_numbers(self) -> list[int]:
        """Return the numbers that were given, and those of the function that is called."""
        return [*self._numbers, *self._constants.ints]

    def length(self) -> int:
        """Return how many things a list holds: a few, or about as many as the function has a number for."""
        known = [one for one in self._constants.ints if 0 < one <= LONGEST_LIST]
        if known and self.chance.random() < COUNTED:
            return self.chance.choice(known) + self.chance.choice((0, 1))
        return self.chance.choice((1, 2, 2, 3, 3))

    def known_text(self) -> str:
        """Return a text that the function that is called looks for."""
        return self.chance.choice(self._constants.texts)

    def integer(self, name: str) -> Recipe:
        """Return a number for a parameter, maybe one of an argument before, or the next to it.

        Within one argument they are different: `[1, 4]` tells more than `[2, 2]`.
        """
        if self._numbers and self.chance.random() < NUMBERED_AGAIN:
            return Scalar(self.chance.choice(self._numbers) + self.chance.choice((0, 0, 0, 1, -1)))
        self._drawn.append(self._signed(self._integer(name)))
        return Scalar(self._drawn[-1])

    def _signed(self, number: int) -> int:
        """The number, or where the function looks for zero maybe one below it."""
        return -number if 0 in self._constants.ints and self.chance.random() < BELOW_ZERO else number

    def next_argument(self) -> None:
        """From here on numbers may be like those of the argument until now, and of those before it."""
        self._numbers += self._drawn
        self._drawn.clear()

    def again(self, value: ScalarValue) -> ScalarValue:
        """Return an earlier text or number in the place of one, which stays where there is none."""
        known: Sequence[ScalarValue] = ()
        if isinstance(value, str):
            known = self._texts
        elif type(value) is int:
            known = self._numbers
        return self.chance.choice(known) if known else value

    def _integer(self, name: str) -> int:
        ints, roll = self._constants.ints, self.chance.random()
        if ints and roll < 0.5:
            return self.chance.choice(ints) + self.chance.choice((0, 0, 1, -1))
        if roll < 0.75:
            likely = next(self._likely.of(name, 0, self.chance.randrange(6)))
            return likely if isinstance(likely, int) else 0
        return self.chance.randint(0, 12)

    def real(self, _name: str) -> Recipe:
        """Return a number with a fraction."""
        known = [*self._constants.floats, *map(float, self._constants.ints)]
        if known and self.chance.random() < 0.4:
            return Scalar(self.chance.choice(known) + self.chance.choice((0, 0, 0.5, -0.5)))
        return Scalar(self.chance.choice(_FLOATS))

    def truth(self, _name: str) -> Recipe:
        """Return true or false."""
        return Scalar(self.chance.random() < 0.5)

    def decimal(self, _name: str) -> Recipe:
        """Return an amount, of which some have to be rounded."""
        ints = [str(one) for one in self._constants.ints]
        text = self.chance.choice(ints if ints and self.chance.random() < 0.2 else _AMOUNTS)
        return Call("decimal", "Decimal", (Scalar(text),))

    def raw(self, _name: str) -> Recipe:
        """Return some bytes."""
        return Scalar(self.chance.choice(_WORDS).encode())

    # -- texts

    def text(self, name: str) -> Recipe:
        """Return a text for a parameter, maybe like one before."""
        return Scalar(self.new_text(name))

    def new_text(self, name: str) -> str:
        """Return a text for a name, which others may be like."""
        self._texts.append(self._text(name))
        return self._texts[-1]

    def some_again(self) -> list[str]:
        """Return texts that were given before, as lists name what is there; none at other times."""
        known = list(dict.fromkeys(self._texts))
        if not known or self.chance.random() >= NAMED_AGAIN:
            return []
        return self.chance.sample(known, self.chance.randint(1, min(3, len(known))))

    def _text(self, name: str) -> str:
        chance, roll = self.chance, self.chance.random()
        if self._dated and roll < 0.15:
            return self._some_day().isoformat()
        if self._day_formats and chance.random() < FORMATTED:
            return self._some_day().strftime(chance.choice(self._day_formats))
        if (shapes := self._shapes.get(name)) and chance.random() < SHAPED:
            return self._shaped(chance.choice(shapes))
        if (told := self._likely.text(name)) is not None and chance.random() < 0.3:
            return told
        if self._texts and roll < 0.45:  # who looks for a name looks for the very same
            known = chance.choice(self._texts)
            longer = known + "s" * known[-1:].isalpha()
            return chance.choice((known, known, self._worn(known), longer))
        if self._constants.texts and roll < 0.6:
            return self._worn(chance.choice(self._constants.texts))
        if self._examples and roll < 0.8:
            return self.near(chance.choice(self._examples))
        number = chance.randrange(len(_WORDS))
        likely = str(next(self._likely.of(name, "", number)))
        text = self._worn(likely if chance.random() < 0.6 else _WORDS[number])
        if self._between and chance.random() < LISTED:
            text += chance.choice(self._between) + self._worn(self._short())
        return text

    def _shaped(self, shape: str) -> str:
        """A text of a shape; behind a number may come what the code looks for, as units do."""
        if shape != NUMBER:
            return shape.replace(WORD, self._short())
        unit = self.chance.choice(["", "", *self._constants.texts])
        return self.chance.choice(_NUMERALS) + (unit if len(unit) < FEW_WORDS else "")

    def _short(self) -> str:
        """A word, of a text that was given before maybe."""
        known = [text for text in self._texts if text.isalnum()] or _WORDS
        return self.chance.choice((self.chance.choice(known), "apple", "plum"))

    def _worn(self, text: str) -> str:
        """A text as somebody may write it."""
        lower = text.lower()
        return self.chance.choice((text, text, text.title(), text.upper(), lower, f" {text} ", f"{lower} "))

    def near(self, text: str) -> str:
        """Return a text like another one."""
        roll = self.chance.random()
        if "\n" in text and roll < OF_LINES:
            return self._other_lines(text)
        if roll < 0.25:
            return self._worn(text)
        if roll < 0.4 and len(text) <= LONGEST:  # several of its kind, the way texts list them
            return self.near(text) + self.chance.choice((*_BETWEEN, *self._between)) + text
        if roll < 0.45 and text:  # the first sign once more, as those that count have it
            return text[0] + text
        if roll < 0.6 and (fewer := self._fewer_words(text)) != text:
            return fewer
        if roll < 0.68 and (other := self._another_word(text)) != text:
            return other
        if roll < 0.74 and _DAY.search(text):
            return _DAY.sub(lambda _: self._some_day().isoformat(), text)
        options = [one for one in other_values(text, self._constants) if isinstance(one, str)]
        return self.chance.choice(options[:MOST_NEAR]) if options else text

    def _other_lines(self, text: str) -> str:
        """A text of which a line is left out, stands twice or elsewhere, or is another one."""
        lines, known = text.split("\n"), [*self._texts, *self._examples]
        place, other = self.chance.randrange(len(lines)), self.chance.randrange(len(lines))
        match self.chance.randrange(6):
            case 0:
                del lines[place]
            case 1:
                lines.insert(other, lines[place])
            case 2:
                lines[place], lines[other] = lines[other], lines[place]
            case 3 if known:
                lines.insert(place + 1, self.chance.choice(known))
            case 4:
                lines = lines * 2
            case _:
                lines[place] = self.near(lines[place])
        return "\n".join(lines)

    def _another_word(self, text: str) -> str:
        """A text of which a word is one that the code looks for."""
        words = text.split(" ")
        if len(words) < FEW_WORDS - 1 or not self._constants.texts:
            return text
        words[self.chance.randrange(len(words))] = self._worn(self.chance.choice(self._constants.texts))
        return " ".join(words)

    def _fewer_words(self, text: str) -> str:
        """A text of which some words are left out, or the first and another one change places."""
        words = text.split(" ")
        if len(words) < FEW_WORDS:
            return text
        if self.chance.random() < 0.2:
            place = self.chance.randrange(1, len(words))
            words[0], words[place] = words[place], words[0]
        kept = [word for word in words if self.chance.random() < 0.7]
        return " ".join(kept or words[-1:])

    # -- days and times

    def _some_day(self) -> dt.date:
        ints = [one for one in self._constants.ints if 0 < one < 400]
        if ints and self.chance.random() < 0.15:  # so many years before or after, to the day or nearly
            year = self._day.year + self.chance.choice((-1, 1)) * self.chance.choice(ints)
            if dt.MINYEAR < year < dt.MAXYEAR:
                day = dt.date(year, self._day.month, min(self._day.day, 28))
                return day + dt.timedelta(days=self.chance.choice((0, 0, 1, -1)))
        apart = self.chance.choice(ints if ints and self.chance.random() < 0.3 else _APART)
        return self._day + dt.timedelta(days=apart + self.chance.choice((0, 0, 0, 1)))

    def _some_time(self) -> tuple[int, int]:
        own = bool(self._times) and self.chance.random() < 0.5
        hour, minute = self.chance.choice(self._times if own else _TIMES)
        shifted = hour * 60 + minute + self.chance.choice((0, 0, 0, 1, -1, 15, 30, 60))
        return divmod(shifted % (24 * 60), 60)

    def date(self, _name: str) -> Recipe:
        """Return a day near the others of the case."""
        day = self._some_day()
        return Call("datetime", "date", tuple(map(Scalar, (day.year, day.month, day.day))))

    def time(self, _name: str) -> Recipe:
        """Return a time of day."""
        return Call("datetime", "time", tuple(map(Scalar, self._some_time())))

    def moment(self, _name: str) -> Recipe:
        """Return a day and a time, mostly of the same day; all of a case have a time zone, or none has."""
        if self._moments and self.chance.random() < AT_ONCE:  # the very moment of something else
            numbers = self.chance.choice(self._moments)
        else:
            day = self._day if self.chance.random() < 0.7 else self._some_day()
            numbers = (day.year, day.month, day.day, *self._some_time())
            self._moments.append(numbers)
        aware = (("tzinfo", Reference("datetime", "timezone.utc")),) if self._aware else ()
        return Call("datetime", "datetime", tuple(map(Scalar, numbers)), aware)

    def remember(self, parts: Iterable[Recipe]) -> None:
        """Take note of texts, numbers and moments that are there: others may be the same, or near them."""
        for part in parts:
            match part:
                case Scalar(str() as text):
                    self._remember_text(text)
                case Scalar(int() as number) if type(number) is int and abs(number) <= LARGEST_AGAIN:
                    self._numbers += [number] * (number not in self._numbers)
                case Call("datetime", "date" | "datetime" as kind, args, kwargs):
                    values = [one.value for one in args if isinstance(one, Scalar)]
                    numbers = tuple(one for one in values if type(one) is int)
                    if DAY <= len(numbers) == len(args) and numbers[0] in OUR_TIME:
                        with suppress(ValueError):  # there may be no such day
                            self._day = dt.date(*numbers[:DAY])
                            self._moments += [numbers] if kind == "datetime" else []
                            self._aware = self._aware or bool(kwargs)
                case _:
                    pass

    def _remember_text(self, text: str) -> None:
        if 0 < len(text) <= LONGEST and text not in self._texts and not _NUMBER.fullmatch(text):
            self._texts.append(text)
        if not _PARTED.search(text):
            return
        fields = [one for one in map(str.strip, _PARTED.split(text)) if not _NUMBER.fullmatch(one)]
        some = [one for one in dict.fromkeys(fields) if FEW_WORDS <= len(one) <= LONGEST]
        self._texts += some[:MOST_PARTS]
        numbers = dict.fromkeys(int(one[0]) for one in _DIGITS.finditer(text))
        self._numbers += [one for one in numbers if one <= LARGEST_AGAIN][:MOST_PARTS]

    def span(self, _name: str) -> Recipe:
        """Return a time between two moments."""
        unit, number = (
            self.chance.choice(("days", "hours", "minutes")),
            self.chance.choice((1, 2, 7, 15, 30, 90)),
        )
        return Call("datetime", "timedelta", (), ((unit, Scalar(number)),))
