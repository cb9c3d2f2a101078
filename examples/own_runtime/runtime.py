"""The runtime of a film: how long it lasts, in minutes and as `1h30`."""


def to_text(minutes: int) -> str:
    """Write a runtime in hours and minutes."""
    if minutes < 0:
        raise ValueError("a runtime is not negative")
    if minutes < 60:
        return f"{minutes}min"
    return f"{minutes // 60}h{minutes % 60:02}"


def length_class(minutes: int) -> str:
    """Name the class in which festivals put a film."""
    if minutes <= 0:
        raise ValueError("a film lasts at least a minute")
    if minutes <= 40:
        return "short"
    if minutes > 210:
        return "epic"
    return "feature"
