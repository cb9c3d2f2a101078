"""Functions of dates."""

from datetime import date


def late(due: date, today: date) -> int:
    if today > due:
        return (today - due).days
    return 0


def era(day: date) -> str:
    if day < date(1582, 10, 15):
        return "julian"
    return "gregorian"


def letter(day: date) -> str:
    return day.isoformat()
