"""Texts of several lines that docstrings show are first values."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.seeds.constants import NearConstants

MakeModule = Callable[..., ModuleType]


def test_the_format_that_a_docstring_shows_is_a_first_value(make_module: MakeModule) -> None:
    text = """
        '''Reads jobs.

            job backup
            end

        And nothing else.
        '''
        """
    module = make_module(text)
    assert "job backup\nend" in NearConstants(module).of()["str"]
