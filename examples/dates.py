"""Calendar arithmetic from before the datetime module."""

# mypy: allow-untyped-defs, allow-untyped-calls


def is_leap_year(year):
    """Tell whether February has 29 days in this year."""
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


def days_in_month(year, month):
    """Count the days of a month."""
    if month < 1 or month > 12:
        raise ValueError("month must be in 1..12")
    if month == 2:
        return 29 if is_leap_year(year) else 28
    if month in (4, 6, 9, 11):
        return 30
    return 31


def is_valid_date(year, month, day):
    """Tell whether the calendar has this day."""
    if year < 1 or month < 1 or month > 12 or day < 1:
        return False
    return day <= days_in_month(year, month)


def day_of_year(year, month, day):
    """Number a day within its year, 1 January being 1."""
    if not is_valid_date(year, month, day):
        raise ValueError("no such date")
    number = day
    for earlier in range(1, month):
        number += days_in_month(year, earlier)
    return number


def next_day(year, month, day):
    """Return the day after as a (year, month, day) tuple."""
    if not is_valid_date(year, month, day):
        raise ValueError("no such date")
    if day < days_in_month(year, month):
        return year, month, day + 1
    if month < 12:
        return year, month + 1, 1
    return year + 1, 1, 1
