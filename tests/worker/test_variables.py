"""Definition-use pairs of variables that runs of originals and twins execute are those of the text."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Set as AbstractSet

import pytest

from runtime import trace
from tests.analysis.flow.flows import SCALE, TOTAL
from tests.worker.test_flow import FILE, module
from tracetwin.analysis.flow.variables import variable_pairs
from tracetwin.worker.dataflow.flow import FlowObserver

Pairs = AbstractSet[tuple[str, str, int, int]]


def executed(source: str, *calls: str, twin: bool = False) -> Pairs:
    """The pairs that some calls execute, one after the other."""
    names = module(source, twin=twin)
    observer = FlowObserver(FILE, source)
    trace.start()
    observer.start()
    try:
        for call in calls:
            try:
                eval(call, names, {"run": asyncio.run})
            except ZeroDivisionError:
                continue
    finally:
        observed = observer.stop()
        trace.stop()
    return set(observed.variables)


def listed(source: str) -> Pairs:
    return set(variable_pairs(source.encode(), "sample"))


SAMPLES = {
    "branches": (SCALE, ["scale(1, 1)", "scale(11, 1)", "scale(1, 6)", "scale(11, 6)"]),
    "loops": (TOTAL, ["total([])", "total([3, 2])", "total([3, -1, 9, 10])", "total([-1, -1, 1])",
                      "total([-1])"]),
    "handlers": ("""\
        def safe(a, b, *rest, **named):
            result = 0
            try:
                result = a / b
            except ZeroDivisionError as error:
                result = str(error)
            else:
                result += 1
            finally:
                done = (result, rest,
                        named)
            return done
    """, ["safe(1, 0)", "safe(1, 2, 3, c=4)"]),
    "targets": ("""\
        def unpack(pair, n):
            (a, b), *c = pair, n
            if (d := a + b) > 3:
                a, b = b, a
            del n
            return [a + e for e in c if e], {b: x for x in [d]}, sum(y * a for y in c)
    """, ["unpack((1, 2), 3)", "unpack((3, 2), 3)"]),
    "types": ("""\
        def words(n, p):
            if not isinstance(n, int):
                return p
            if not (-1 < n
                    < 50):
                n = 3
            if n == 0:
                return n
            if isinstance(p, str) and p:
                p = n
            return p
    """, ["words('a', 1)", "words(0, 1)", "words(70, 'a')", "words(3, '')", "words(60, '')"]),
    "generators": ("""\
        def every(n):
            last = 0
            while n > last:
                got = yield last
                last = last + 2 if got else last + 1

        def twice(n):
            first, second = every(n), every(n + 1)
            return [*zip(first, second)]
    """, ["twice(2)", "twice(0)"]),
    "globals": ("""\
        seen = 0

        def note(n):
            global seen
            if n:
                seen = n
            return last()

        def last():
            return seen
    """, ["last()", "note(0)", "note(3)", "last()"]),
    "inner": ("""\
        def outer(n):
            step = n + 1

            def inner(m):
                return m + step

            return inner(n) + step
    """, ["outer(1)"]),
    "coroutines": ("""\
        import asyncio

        async def wait(n):
            before = n
            await asyncio.sleep(0)
            n = before + 1
            return n

        async def both(n):
            a, b = await asyncio.gather(wait(n), wait(n + 1))
            return a + b
    """, ["run(both(1))"]),
    "resources": ("""\
        import contextlib

        def read(texts):
            found = None
            with contextlib.suppress(IndexError):
                found = texts[0]
                with contextlib.nullcontext(texts[1]) as found:
                    other = found
                return other
            return found
    """, ["read([])", "read(['a'])", "read(['a', 'b'])"]),
}  # fmt: skip


@pytest.mark.parametrize("twin", [False, True], ids=["original", "twin"])
@pytest.mark.parametrize("name", SAMPLES)
def test_what_runs_execute_is_listed(name: str, twin: bool) -> None:
    source, calls = textwrap.dedent(SAMPLES[name][0]), SAMPLES[name][1]
    found = executed(source, *calls, twin=twin)
    names = {pair[:2] for pair in listed(source)}
    assert found
    assert {pair for pair in found if pair[:2] in names} <= listed(source)


@pytest.mark.parametrize("twin", [False, True], ids=["original", "twin"])
@pytest.mark.parametrize("name", ["branches", "loops", "globals"])
def test_calls_that_take_every_way_execute_all_that_is_listed(name: str, twin: bool) -> None:
    source, calls = textwrap.dedent(SAMPLES[name][0]), SAMPLES[name][1]
    assert listed(source) <= executed(source, *calls, twin=twin)


def test_one_way_executes_the_pairs_of_that_way() -> None:
    assert executed(TOTAL, "total([3])") == {
        ("total", "items", 0, 3), ("total", "item", 3, 4), ("total", "best", 2, 4), ("total", "item", 3, 5),
        ("total", "best", 5, 8),
    }  # fmt: skip


def test_a_comprehension_within_a_function_is_part_of_it() -> None:
    source = "def f(a):\n    b = a\n    return [b for _ in a]\n"
    assert ("f", "b", 2, 3) in executed(source, "f([1])")
