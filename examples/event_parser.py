"""Read events from lines such as `name=login;level=3`."""

from dataclasses import dataclass

HIGHEST_LEVEL = 5


class EventError(ValueError):
    """A line that does not describe an event."""


@dataclass(frozen=True)
class Event:
    """Something that happened, and how much it matters."""

    name: str
    level: int = 0


def parse_level(text: str) -> int:
    """Read a level between 0 and the highest one."""
    if not text.isdecimal():
        raise EventError("level is not a number")
    level = int(text)
    if level > HIGHEST_LEVEL:
        raise EventError("level is too high")
    return level


def parse_event(line: str) -> Event:
    """Read the fields of one line, of which `name` must be present."""
    name = ""
    level = 0
    for field in line.split(";"):
        key, equals, value = field.partition("=")
        if not equals:
            raise EventError("field without '='")
        if key == "name":
            name = value
        elif key == "level":
            level = parse_level(value)
        else:
            raise EventError("unknown key")
    if not name:
        raise EventError("event without a name")
    return Event(name, level)


def parse_log(lines: list[str]) -> tuple[list[Event], list[str]]:
    """Read many lines; return the events and, for each line that is wrong, a message with its number."""
    events: list[Event] = []
    errors: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        try:
            events.append(parse_event(line))
        except EventError as error:
            errors.append(f"line {number}: {error}")
    return events, errors
