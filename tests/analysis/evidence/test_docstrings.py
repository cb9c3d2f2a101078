"""Types in docstrings: their forms, and how they are worded."""

from __future__ import annotations

import pytest

from tracetwin.analysis.evidence.docstrings import by_docstring, described, documented
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.drawing.typing.ranking import Ranking

GOOGLE = """Ship it.

    Args:
        parcel (str): what.
            lines (of text): continue it.
        *weights (list[int], optional): how heavy.

        rush (bool): whether it hurries.
        plain: without a type.

    Returns:
        cost (float): not a parameter.
"""
NUMPY = """Ship it.

    Parameters
    ----------
    parcel : str
        What.
    width, height : float, optional
        How large.
    *rest : {'a', 'b'}

    Returns
    -------
    cost : int
"""
SPHINX = """Ship it.

    :param int weight: how heavy
    :param rush: whether it hurries
    :type rush: bool
    :type parcel: list of str
        or None
    :returns: cost
    :rtype: int
"""
DASHED = """Ship it.

    parcel -- bytes-like object
    weight -- positive integer, at least 1
    names -- a list of strings (may be empty)
    done -- function taking a pair (parcel, cost)
    kind -- string: what it is
    rush -- what to do where there is nothing to be done
    limits -- dict of names -> the most of each
"""
EPYTEXT = """Ship it.

    @type parcel: C{str}
    @param parcel: what
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            DASHED,
            {
                "parcel": "bytes-like", "weight": "integer", "names": "list of strings", "done": "function",
                "kind": "string", "limits": "dict of names",
            },
        ),
        (GOOGLE, {"parcel": "str", "weights": "list[int], optional", "rush": "bool"}),
        (
            NUMPY,
            {"parcel": "str", "width": "float, optional", "height": "float, optional", "rest": "{'a', 'b'}"},
        ),
        (SPHINX, {"weight": "int", "rush": " bool", "parcel": " list of str or None"}),
        (EPYTEXT, {"parcel": " C{str}"}),
    ],
    ids=["PEP 257", "Google", "NumPy", "Sphinx", "Epytext"],
)
def test_each_form_names_the_types_of_parameters(text: str, expected: dict[str, str]) -> None:
    found = dict(documented(__import__("inspect").cleandoc(text)))
    assert {name: said.strip() for name, said in expected.items()} == {
        name: said.strip() for name, said in found.items()
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("int", "int"),
        ("str, optional", "str"),
        ("list of str", "list[str]"),
        ("list of list of int", "list[list[int]]"),
        ("dict[str, int]", "dict[str, int]"),
        ("Optional[float]", "float | None"),
        ("int or None", "int | None"),
        ("None, int or str", "int | str | None"),
        ("{'up', 'down'}, optional", "Literal['up', 'down'] | str"),
        ("a positive integer", "int"),
        ("number", "int | float"),
        ("dict of str to int", "dict[str, int]"),
        ("dict(str: float)", "dict[str, float]"),
        ("tuple of (int, str)", "tuple[int, str]"),
        ("(int, str)", "tuple[int, str]"),
        ("sequence of (int, int)", "list[tuple[int, int]]"),
        ("callable", "function of -1"),
        ("Callable[[int, str], bool]", "function of 2"),
        ("file-like object", "StringIO"),
        ("``bool``, default: True", "bool"),
        (":class:`~datetime.timedelta`", "timedelta"),
        ("set[str] | frozenset[str]", "set[str] | frozenset[str]"),
        ("whatever", ""),
        ("list[", "list"),
        ("", ""),
    ],
)
def test_words_mean_types(words: str, expected: str) -> None:
    facts = ValueFacts()
    assert described(words, facts) is bool(expected)
    assert " | ".join(map(str, Ranking({}).guesses(facts))) == expected


def test_classes_of_the_module_are_known_by_name() -> None:
    class Parcel: ...

    facts = {"p": ValueFacts(), "q": ValueFacts()}
    text = "Do.\n\nArgs:\n  p (post.Parcel): it.\n  q (list of Parcel): more."
    by_docstring(text, facts, {"Parcel": Parcel})
    assert [[str(guess) for guess in Ranking({}).guesses(found)] for found in facts.values()] == [
        [Parcel.__qualname__],
        [f"list[{Parcel.__qualname__}]"],
    ]


def test_a_type_that_is_plainly_wrong_still_gives_guesses() -> None:
    facts = ValueFacts()
    assert not described("List[int, str, (", facts) or Ranking({}).guesses(facts)


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        (":param x: The datetime at which to start.", "datetime"),
        (":param x:\n    A list of strings\n    to look for", "list[str]"),
        (":arg x: an optional string", "str"),
        (":param x: the number of lines", "int | float"),
        ("Args:\n    x: a :class:`Parcel` instance which is sent", "Parcel"),
        ("Args:\n    x: a dict of words, by their lengths", "dict"),
        (":param x: the name of the file", ""),
        ("Returns:\n    x: a string", ""),
    ],
)
def test_what_prose_calls_a_parameter_tells_its_type(prose: str, expected: str) -> None:
    facts = {"x": ValueFacts()}
    by_docstring(f"Do.\n\n{prose}\n\nSo.", facts, {"Parcel": type("Parcel", (), {})})
    assert " | ".join(map(str, Ranking({}).guesses(facts["x"]))) == expected
