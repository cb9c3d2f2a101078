"""What is known to differ, and why. Whoever closes a gap takes it out of here; a test says so."""

from __future__ import annotations

RUNTIME: dict[tuple[str, str], str] = {
    **dict.fromkeys(
        (
            ("bisect.bisect_left", "lost decision"),
            ("builtins.str.endswith", "lost decision"),
            ("str.translate", "lost decision"),
        ),
        "what C code does with a traced argument is no condition",
    ),
    **dict.fromkeys(
        (
            ("builtins.bytes", "lost decision"),
            ("builtins.chr", "lost decision"),
            ("builtins.int.__repr__", "lost decision"),
            ("builtins.str", "lost decision"),
        ),
        "a value taken as plain without being held",
    ),
    **dict.fromkeys(
        (
            ("builtins.enumerate", "lost decision"),
            ("builtins.list", "lost decision"),
            ("set.pop", "lost decision"),
            ("twin.iterate", "lost decision"),
        ),
        "the order of a set depends on hashes, which no condition speaks of",
    ),
    **dict.fromkeys(
        (
            ("csv.reader", "outcome"),
        ),
        "its class has another name, and characters are decided late",
    ),
    **dict.fromkeys(
        (("twin.not_in", "lost decision"),),
        "differs in a corner; see the test's message",
    ),
}
"""By operation and kind of mismatch."""

_LOOSE = "characters beyond ASCII are left open"

SOLVER: dict[tuple[str, str], str] = {
    **dict.fromkeys(
        (
            (f"str.{name}", "characters")
            for name in (
                "isalnum isalpha isdecimal isdigit isidentifier islower isnumeric isprintable isspace "
                "istitle isupper isascii"
            ).split()
        ),
        _LOOSE,
    ),
    **dict.fromkeys(((name, "characters") for name in ("int_ok", "float_ok", "int", "float")), _LOOSE),
    **dict.fromkeys(
        ((f"str.{name}", "sequences") for name in ("startswith", "endswith")), "characters beyond z3's"
    ),
}
"""By operator and theory: z3 allows more than Python's value there without saying so."""
