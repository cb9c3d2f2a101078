"""Exceptions that are passed have what the code reads of them."""

from __future__ import annotations

from tests.explore.support import assert_paths


def test_numbers_of_system_errors_that_the_code_names() -> None:
    assert_paths(
        """
        import errno
        def f(error: OSError) -> str:
            if error.errno == errno.EAGAIN:
                return "again"
            if error.errno == errno.ECONNRESET:
                return type(error).__name__
            return "other"
        """,
        "f", "again", "ConnectionResetError", "other",
    )  # fmt: skip


def test_arguments_that_the_code_looks_at_may_be_numbers() -> None:
    assert_paths(
        """
        def f(error: Exception) -> str:
            if error.args[0] == 404:
                return "missing"
            return "gone" if error.args[0] == "gone" else "other"
        """,
        "f", "missing", "gone", "other",
    )  # fmt: skip


def test_those_of_unicode_and_of_leaving() -> None:
    assert_paths(
        """
        def f(error: UnicodeDecodeError, leaving: SystemExit) -> object:
            if leaving.code == 3:
                return error.object[error.start : error.end]
            return "other"
        """,
        "f", b"\xff", "other",
    )  # fmt: skip
