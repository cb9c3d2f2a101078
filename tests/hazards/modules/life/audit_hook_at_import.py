"""Adds an audit hook while being imported that refuses everything to everybody."""

# import: fails
# report: audit_hook_at_import:
# alone: no

import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def _hook(event: str, args: tuple) -> None:
    if event != "import":
        raise RuntimeError(f"no {event} here")


sys.addaudithook(_hook)
