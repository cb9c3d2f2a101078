"""What an observation says of things that are hard to look at."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import case, function, method, step, target
from tracetwin.model.case import Case
from tracetwin.model.observation import Raised, Root, ValuePath
from tracetwin.model.recipe import Dictionary, Reference, Scalar, SeriesKind, list_of
from tracetwin.model.snapshot import Attributes, Built, Iterated, Opaque
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.observe.snap import Camera
from tracetwin.replay.session import Replay, replay

ODD = target("odd", Path(__file__).parent / "data")


def call(name: str, *args: Any, **kwargs: Any) -> Case:
    return function("odd", name, *args, **kwargs)


CASES = {
    "slots": call("make", "Slots"),
    "celsius": call("make", "Celsius", 1.5),
    "names": call("make", "Names", [1]),
    "evil": call("make", "Evil"),
    "worse": call("make", "Worse"),
    "bad": call("boom", "bad"),
    "local": call("boom", "local"),
    "cycle": call("cycle"),
    "deep": call("deep", 20),
    "wide": call("wide", 300),
    "huge": call("huge"),
    "standard": call("standard"),
    "swallow": call("swallow"),
    "sockets": call("sockets"),
    "thread": call("printed_in_thread"),
    "recurse": call("recurse"),
    "interrupt": call("interrupt"),
    "add": method("odd", "Counter.add", step(("method", "box", "add"))),
    "add again": method("odd", "Counter.add", step(("method", "box", "add"))),
    "secret": method("odd", "Counter.__secret", step(("method", "box", "__secret"))),
    "setup": case("odd", "Counter.add", "method", step(("call", "odd", "boom"), "bad", bind="box")),
    "no such": call("nothing"),
    "failing setup": method("odd", "Counter.add", step(("method", "box", "add")), made=(1, 2)),
}


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return replay(ODD, list(CASES.values()), limits=Limits())


@pytest.fixture
def seen(replayed: Replay, request: pytest.FixtureRequest) -> Any:
    return dict(zip(CASES, replayed.observations, strict=True))


def test_attributes_in_slots_without_the_private_ones(seen: Any) -> None:
    assert seen["slots"].value == Attributes("odd", "Slots", (("a", Scalar(1)),))


def test_subclasses_of_builtins_show_their_plain_value(seen: Any) -> None:
    assert seen["celsius"].value.attributes == (("", Scalar(1.5)), ("unit", Scalar("C")))
    assert seen["names"].value == Attributes("odd", "Names", (("", list_of(Scalar(1))),))


def test_an_object_that_raises_when_looked_at_is_still_described(seen: Any) -> None:
    assert seen["evil"].outcome == "returned"
    assert ("fine", Scalar(1)) in seen["evil"].value.attributes
    assert seen["worse"].outcome == "returned"


def test_exceptions_are_named_where_they_can_be_imported(seen: Any) -> None:
    assert seen["bad"].raised == Raised("odd", "BadError", "<its message raised RuntimeError>")
    assert seen["local"].raised.place == ("", "Local")
    assert ("builtins", "ValueError") in seen["local"].bases
    assert seen["interrupt"].raised.place == ("builtins", "KeyboardInterrupt")
    assert seen["recurse"].raised.place == ("builtins", "RecursionError")


def test_what_is_too_large_or_endless_is_opaque(seen: Any) -> None:
    assert seen["cycle"].value == list_of(Opaque("builtins:list", "contains itself"))
    assert seen["wide"].value == Opaque("builtins:list", "too large")
    assert seen["huge"].value == Opaque("builtins:str", "too large")
    assert "too large" in repr(seen["deep"].value)


def test_standard_types_are_described_by_the_call_that_builds_them(seen: Any) -> None:
    standard = seen["standard"].value
    assert standard.kind is SeriesKind.LIST
    assert [(part.module, part.qualname) if isinstance(part, Built) else part for part in standard.items] == [
        ("collections", "deque"),
        ("collections", "OrderedDict"),
        Dictionary(((Scalar("a"), list_of(Scalar(1))),)),
        ("pathlib", "PurePosixPath"),
        ("re", "compile"),
        ("builtins", "range"),
        ("builtins", "bytearray"),
        Iterated("dict_keys", (Scalar("b"),), True),
        Reference("typing", "NamedTuple"),
        Reference("builtins", "len"),
        Opaque("builtins:module", "a module"),
        Opaque("builtins:function", "no name to import it by"),
    ]


def test_a_module_that_is_returned_is_known_by_its_name() -> None:
    seen = Camera(types.ModuleType("home")).take(types.ModuleType("made"))
    assert seen == Attributes("types", "ModuleType", (("__name__", Scalar("made")),))


def test_what_the_sandbox_refuses_is_no_outcome_even_where_it_was_swallowed(seen: Any) -> None:
    assert seen["swallow"].outcome == "refused"
    assert seen["sockets"].outcome == "refused"
    assert "never-written" in seen["swallow"].why


def test_what_a_thread_prints_is_seen(seen: Any) -> None:
    assert seen["thread"].stdout == "from a thread\n"


def test_cases_do_not_see_what_others_did(seen: Any) -> None:
    assert seen["add"].value == seen["add again"].value == Scalar(1)
    assert seen["add"].touched == (ValuePath(Root.VAR, "box"),)


def test_a_class_private_method_is_found(seen: Any) -> None:
    assert seen["secret"].value == Scalar(5)


def test_an_input_that_can_not_be_built_is_a_failed_setup(seen: Any) -> None:
    assert {seen[name].outcome for name in ("no such", "failing setup")} == {"failed_setup"}
    assert "TypeError" in seen["failing setup"].why


def test_lines_and_arcs_are_those_of_the_case_and_not_of_looking(seen: Any) -> None:
    source = Path(ODD.file).read_text().splitlines()
    ran = [source[line - 1].strip() for line in seen["add"].lines]
    assert ran == ["self._count = 0", "self._count += 1", "Counter.total += 1", "return Counter.total"]
    assert all(isinstance(end, int) for arc in seen["add"].arcs for end in arc)


def test_importing_executes_the_definitions(replayed: Replay) -> None:
    source = Path(ODD.file).read_text().splitlines()
    ran = [source[line - 1] for line in sorted(replayed.import_lines)]
    assert "LIMIT = 3" in ran
    assert "def recurse():" in ran
    assert "    return recurse()" not in ran


def test_a_case_that_eats_all_memory_costs_only_itself() -> None:
    limits = Limits(memory_bytes=200 << 20)
    first, second = replay(ODD, [call("eat"), call("wide", 1)], limits=limits).observations
    assert first.outcome == "died"
    assert second.value == list_of(Scalar(0))
