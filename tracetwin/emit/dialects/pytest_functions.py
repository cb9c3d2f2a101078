"""`--style pytest-functions`: plain functions for pytest, without classes."""

from __future__ import annotations

from tracetwin.emit.dialects.pytest import PytestDialect


class PytestFunctionsDialect(PytestDialect):
    """Writes what `pytest` writes, each test as a function of the file."""

    in_classes = False


DIALECT = PytestFunctionsDialect
