"""Nothing that is modelled goes untested: each operator and each model says what it takes."""

from __future__ import annotations

from collections import Counter

import pytest

from runtime import twin
from runtime.models.registry import CALLEES, METHODS
from runtime.ops import MEANINGS, TAKES
from tests.differential.gaps import RUNTIME, SOLVER
from tests.differential.more import EXEMPT, MADE
from tests.differential.operations import (
    NOT_OPERATIONS,
    RECEIVERS,
    callee_takes,
    method_takes,
    name_of,
    operations,
    public,
)
from tests.differential.signatures import Constant, SignatureError, Word, signatures
from tests.differential.values import rows
from tracetwin.solving.smt.theories import theories


def test_every_operator_says_what_it_takes():
    assert set(MEANINGS) == set(TAKES)


def test_every_model_of_a_callable_says_what_it_takes():
    silent = {name_of(function) for function in CALLEES if not callee_takes(function)}
    of_methods = {name for name in silent if name.rpartition(".")[0] in ("re.Pattern", "re.Match")}
    assert set() == silent - of_methods - set(EXEMPT)


def test_every_model_of_a_method_says_what_it_takes_and_has_a_receiver():
    silent = {
        f"{owner.__name__}.{name}"
        for owner, name in METHODS
        if owner not in (*RECEIVERS, *MADE) or method_takes(owner, name) is None
    }
    assert set() == silent - set(EXEMPT)


def test_every_method_of_a_traced_type_is_tested():
    assert set() == {
        (kind, name) for kind in RECEIVERS for name in public(kind) if method_takes(kind, name) is None
    }


def test_every_function_that_a_twin_calls_is_tested():
    tested = {each.name.split()[0] for each in operations() if each.name.startswith("twin.")}
    literal = {name for name in twin.__all__ if name.endswith("_const")}  # Python's own, "dispatched" here
    assert set() == {f"twin.{name}" for name in set(twin.__all__) - literal - NOT_OPERATIONS} - tested


def test_every_operation_has_examples():
    for each in operations():
        assert len(list(rows(each.name, signatures(each.takes), 5))) == 5


def test_no_operation_hides_another():
    names = Counter(name_of(function) for function in CALLEES)
    assert set() == {name for name, times in names.items() if times > 1}


def test_gaps_are_of_operations_that_there_are():
    assert set() == {name for name, _ in RUNTIME} - {each.name for each in operations()}
    assert set() == {op for op, _ in SOLVER} - set(MEANINGS)
    assert {theory for _, theory in SOLVER} <= {theory.name for theory in theories()}


def test_a_signature_is_read_into_its_words():
    (first, second) = signatures("int|'a|b;' list[str]? ; base=small?")
    assert first.arguments[0].choices == (Word("int"), Constant("a|b;"))
    assert (first.arguments[1].optional, first.arguments[1].choices) == (
        True,
        (Word("list", ((Word("str"),),)),),
    )
    assert (second.arguments[0].keyword, second.arguments[0].optional) == ("base", True)


def test_a_word_that_nobody_knows_is_refused():
    with pytest.raises(SignatureError):
        signatures("integer")
