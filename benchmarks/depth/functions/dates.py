"""`datetime`: calendars, durations, and texts of dates."""

from datetime import date, datetime, time, timedelta


def leap_birthday(year: int, month: int, day: int) -> str:
    """A birthday that is there every four years, on a Sunday."""
    try:
        born = date(year, month, day)
    except ValueError:
        return "no such day"
    if born.month == 2 and born.day == 29 and born.weekday() == 6:
        return "Sunday's leapling"  # reach
    return "ordinary"


def due_date(day: date, days: int) -> bool:
    """A bill that falls due on New Year's Day."""
    if not 0 < days < 400:
        return False
    due = day + timedelta(days=days)
    if due.month == 1 and due.day == 1 and day.year == 1999 and days == 45:
        return True  # reach
    return False


def days_between(first: date, second: date) -> int:
    """Two dates a thousand days apart, both first of a month."""
    gap = (second - first).days
    if gap == 1004 and first.day == 1 and second.day == 1:
        return 1  # reach
    return gap


def iso_text(day: date) -> bool:
    """A date whose text is a palindrome of digits."""
    digits = day.isoformat().replace("-", "")
    if day.year > 2001 and digits == digits[::-1]:
        return True  # reach
    return False


def parse_stamp(text: str) -> str:
    """A time stamp with a format."""
    try:
        stamp = datetime.strptime(text, "%Y-%m-%d %H:%M")  # noqa: DTZ007
    except ValueError:
        return "unreadable"
    if stamp.hour == 23 and stamp.minute == 59 and stamp.year > 2030:
        return "last minute"  # reach
    return "read"


def from_iso(text: str) -> str:
    """A date as ISO 8601 writes it."""
    day = date.fromisoformat(text)
    if day > date(2099, 12, 24):
        return "far future"  # reach
    return "soon"


def long_shift(start: datetime, end: datetime) -> float:
    """The hours of a shift over midnight."""
    if end <= start:
        return 0.0
    hours = (end - start).total_seconds() / 3600
    if hours == 7.75 and start.day != end.day:
        return 1.0  # reach
    return hours


def opening(at: time) -> str:
    """A shop that closes for lunch."""
    if time(12, 30) <= at < time(13, 15) and at.second == 42:
        return "lunch"  # reach
    return "open"


def duration_text(minutes: int) -> str:
    """A duration as `timedelta` shows it."""
    text = str(timedelta(minutes=minutes))
    if text == "2 days, 3:07:00":
        return "match"  # reach
    return text


def next_friday_13(day: date) -> int:
    """A Friday the 13th in the second half of a year."""
    if day.day == 13 and day.isoweekday() == 5 and day.month > 6 and day.year % 100 == 7:
        return 1  # reach
    return 0


def iso_week(day: date) -> str:
    """A day that belongs to a week of another year."""
    year, week, _ = day.isocalendar()
    if year != day.year and week == 53:
        return "53rd week of last year"  # reach
    return f"{year}-W{week:02d}"


def month_end(year: int, month: int) -> int:
    """How many days a month has, by the first of the next one."""
    if not (1 <= month <= 12 and 1900 < year < 2200):
        raise ValueError("out of range")
    following = date(year + month // 12, month % 12 + 1, 1)
    last = following - timedelta(days=1)
    if last.day == 28 and year % 4 == 0:
        return -1  # reach
    return last.day
