"""What docstrings show in lines of their own."""

from __future__ import annotations

import ast
import textwrap

from tracetwin.analysis.displays import displays, lines_of_display


def shown(source: str) -> list[str]:
    return list(displays(ast.parse(textwrap.dedent(source))))


def test_blocks_further_in_are_shown_with_their_own_indentation() -> None:
    source = '''
        """Reads a small format.

            # a comment
            job backup
              every: day
            end

        Nothing else.
        """
        '''
    (display,) = shown(source)
    assert display == "# a comment\njob backup\n  every: day\nend"
    assert list(lines_of_display(display)) == ["# a comment", "job backup", "every: day", "end"]


def test_blocks_behind_a_colon_are_shown_and_sections_and_sessions_are_not() -> None:
    source = '''
        """Sizes, such as:

        10MB
        5 kB

        Args:

            text: what is read.

        For example:

            >>> size("1kB")
        """
        '''
    assert shown(source) == ["10MB\n5 kB"]
