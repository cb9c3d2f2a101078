"""The evening programme of a cinema, which has a module called `runtime` of its own."""

import runtime

BREAK = 15
LONGEST_EVENING = 300


def total(films: list[int]) -> int:
    """Add up the runtimes, with a break after each film but the last."""
    minutes = 0
    for index, film in enumerate(films):
        if index > 0:
            minutes += BREAK
        minutes += film
    return minutes


def announce(first: int, second: int) -> str:
    """Announce two films, or one where both would last too long."""
    if runtime.length_class(first) == "epic":
        return f"only {runtime.to_text(first)}"
    evening = total([first, second])
    if evening > LONGEST_EVENING:
        return f"only {runtime.to_text(first)}"
    return f"both {runtime.to_text(evening)}"
