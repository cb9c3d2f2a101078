"""Calls with no traced value in sight do what Python does, in order, result and message."""

from __future__ import annotations

import builtins
import sys
import textwrap
from typing import Any

import pytest

from instrumenter.build import build
from runtime import trace, twin
from tests.instrumenter.alike import FILE, NAME, assert_alike, observed


def test_replaced_builtins_do_not_reach_the_runtime():
    assert_alike("""
        import builtins
        asked = []
        before = builtins.len, builtins.isinstance, builtins.any
        def noted(function):
            def call(*args):
                asked.append(function.__name__)
                return function(*args)
            return call
        builtins.len, builtins.isinstance, builtins.any = map(noted, before)
        try:
            sizes = [len([1, 2])]
            found = 1 in {1: 2}, {1: 2}[1], max(3, 4), "%s" % 5
        finally:
            builtins.len, builtins.isinstance, builtins.any = before
    """)


def test_a_program_may_take_getframe_away():
    assert_alike("""
        import sys
        before = sys._getframe
        del sys._getframe
        try:
            made = type("A", (), {}).__module__, type("B", (tuple,), {"x": 1}).x, len([1, 2])
        finally:
            sys._getframe = before
        print(made)
    """)


def test_a_class_made_by_type_belongs_to_the_module_that_makes_it():
    assert_alike("""
        import types
        make = type
        print(type("A", (), {}).__module__, make("B", (), {"__module__": "m"}).__module__)
        print(types.new_class("C", (), {}, lambda names: names.update(x=1)).__module__)
        class Seen:
            def __init_subclass__(cls):
                print(cls.__module__)
        type("D", (Seen,), {})
        type("E", (1,), {})
    """)


def test_compile_takes_future_statements_from_the_module_only():
    program = """
        make = compile
        names = {}
        exec(make("def f(x: int): pass", "f", "exec"), names)
        print(names.pop("f").__annotations__)
        names.clear()
    """
    assert_alike(program)
    assert_alike("\nfrom __future__ import annotations\n" + program.replace("\n        ", "\n"))


def test_functions_about_the_interpreter_see_their_caller():
    assert_alike("""
        import gc, sys, threading
        def count():
            value = object()
            return sys.getrefcount(value), len(gc.get_referrers(value))
        def innermost():
            return sys._current_frames()[threading.get_ident()].f_code.co_name
        print(count(), innermost())
    """)


def test_min_and_max_take_no_element_too_early():
    assert_alike("""
        class Loud:
            def __init__(self, value):
                self.value = value
            def __lt__(self, other):
                print(self.value, "<", other.value)
                return self.value < other.value
            __gt__ = __lt__
        def given(values):
            for value in values:
                print("gives", value)
                yield Loud(value)
        print(min(given([3, 1, 2])).value, max(given([3, 1, 2])).value)
        left = iter([1, "a", 5, 6])
        try:
            max(left)
        except TypeError as error:
            print(error, list(left))
        many = iter(range(100))
        print(max(many), min([], default=0), min(iter([2, 1.5])), max(range(5)), list(many))
    """)


def test_sets_keep_the_order_that_python_gives_them():
    assert_alike("""
        import random
        numbers = random.Random(1)
        for size in range(60):
            base = {numbers.randrange(10**6) for _ in range(size)}
            for value in list(base)[::2]:
                base.discard(value)
            print(set(base), frozenset(base), frozenset(list(base)), set(iter(base)), frozenset(iter(base)))
        kept = frozenset("ab")
        print(frozenset(kept) is kept, frozenset(()), set("aa"), set())
        for make in (set, frozenset):
            left = iter([1, [], 5])
            try:
                make(left)
            except TypeError as error:
                print(error, list(left))
    """)


def test_join_asks_of_its_argument_what_python_asks():
    assert_alike("""
        class Parts:
            def __iter__(self):
                print("iterated")
                return iter("ab")
            def __len__(self):
                print("measured")
                return 2
        print("-".join(Parts()), b"-".join([bytearray(b"x"), memoryview(b"y")]))
        for bad in (5, None, [1], ["a", 2]):
            for glue in ("-", b"-"):
                try:
                    glue.join(bad)
                except TypeError as error:
                    print(error)
    """)


def test_methods_of_patterns_take_keywords():
    assert_alike("""
        import re
        pattern = re.compile("a+")
        print(pattern.search("baab", pos=2), pattern.match(string="aab"), pattern.fullmatch("aab", endpos=2))
        print(pattern.sub(repl="c", string="aab", count=1))
        pattern.match()
    """)


def test_higher_order_builtins_check_their_arguments_as_python_does():
    assert_alike("""
        import functools
        def tried(call):
            try:
                print(call())
            except TypeError as error:
                print(error)
        tried(lambda: sorted([2, 1], reverse="x"))
        tried(lambda: sorted([2, 1], reverse=True, key=None))
        tried(lambda: sorted([1], None))
        tried(lambda: sorted())
        tried(lambda: map())
        tried(lambda: list(map(len, ["a"], foo=1)))
        tried(lambda: filter(1))
        tried(lambda: functools.reduce())
        tried(lambda: max(1, 2, default=3))
    """)


def test_outside_a_run_decisions_have_no_limit():
    trace.stop()
    for _ in range(trace.MAX_STEPS + 1):
        twin.truth("decided", 0)


def test_nothing_is_asked_of_a_receiver():
    assert_alike("""
        class Watched:
            def __getattribute__(self, name):
                print("asked for", name)
                return super().__getattribute__(name)
            def method(self):
                return 1
            def __add__(self, other):
                return 2
            __getitem__ = __contains__ = __lt__ = __call__ = __add__
            def __len__(self):
                return 1
        watched = Watched()
        print(watched.method(), watched + 1, watched[1], 1 in watched, watched < 1, watched(1), len(watched))
        print(bool(watched), [watched].index(watched), {}.get(watched), f"{1 if watched else 2}")
        del watched
    """)


def test_code_that_python_calls_back_sees_its_callers_at_their_levels(monkeypatch):
    source = textwrap.dedent("""
        import functools, re, warnings
        def caller(*_):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                warnings.warn("nearest", stacklevel=2)
                warnings.warn("next", stacklevel=3)
            print([(w.filename.endswith("sample.py"), w.lineno) for w in caught])
            return 1
        class Loud:
            __add__ = __getitem__ = __lt__ = __contains__ = __len__ = __hash__ = __index__ = caller
            __eq__ = object.__eq__
            def __iter__(self):
                caller()
                return iter(())
            def __str__(self):
                caller()
                return ""
            def __format__(self, spec):
                caller()
                return ""
        loud = Loud()
        def within():
            loud + 1
            loud[1]
            loud < 1
            1 in loud
            [1, 2][loud]
            len(loud)
            {}.get(loud)
            set().add(loud)
            list(loud), set(loud), sorted(loud), "".join(loud)
            f"{loud}{loud!s}", "{}".format(loud), "%s" % loud
            sorted([1, 2], key=caller), max([1, 2], key=caller), list(map(caller, [1]))
            functools.reduce(caller, [1, 2])
            re.compile("a").sub(lambda match: str(caller()), "a")
            if loud:
                pass
        within()
        del loud
    """)
    built = build(source, name=NAME, filename=FILE)
    expected = observed(compile(source, FILE, "exec", dont_inherit=True))
    monkeypatch.setattr(builtins, built.twin.prelude_name, twin, raising=False)
    actual = observed(built.code)
    assert expected["output"] == actual["output"]
    assert actual["failure"] is None


def test_a_generator_is_resumed_by_its_caller():
    assert_alike("""
        import contextvars, sys
        def callers():
            frame, names = sys._getframe(1), []
            while frame is not None and frame.f_code.co_name != "<module>":
                names.append(frame.f_code.co_name)
                frame = frame.f_back
            return names
        def inner():
            try:
                yield callers()
            except ValueError:
                yield callers()
            yield callers()
        def resume(generator):
            return next(generator), generator.throw(ValueError()), generator.send(None)
        def outer():
            yield from inner()
        print(resume(inner()), resume(outer()), contextvars.copy_context().run(callers))
    """)


FAILING = {
    "a[b:1]": (1, 0),
    "a[None:b]": ([], "a"),
    "a % (b,)": ("%d", "a"),
    "a % b": ("%s", (1, 2)),
    "b % a": ((), 1),
    "a[b]": ({}, "a"),
    "a + b": (1, ""),
    "a < b": (1, ""),
    "b in a": (1, 1),
    "-a": ("", 1),
    "a(b)": (int, "x"),
    "a.index(b)": ([], 1),
    "f'{a:{b}}'": (1, "s"),
}


@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 raises again with the traceback it caught"
)
@pytest.mark.parametrize(("expression", "operands"), FAILING.items())
def test_an_operation_that_fails_leaves_no_entry_in_the_traceback(monkeypatch, expression, operands):
    source = f"def fail(a, b): return {expression}\n"
    built = build(source, name=NAME, filename=FILE)
    monkeypatch.setattr(builtins, built.twin.prelude_name, twin, raising=False)
    assert "_tt." in built.twin.source
    for code in (compile(source, FILE, "exec"), built.code):
        names: dict[str, Any] = {}
        exec(code, names)
        with pytest.raises((TypeError, ValueError, KeyError)) as caught:
            names["fail"](*operands)
        assert ["fail"] == [entry.name for entry in caught.traceback[1:]]


def test_methods_of_native_classes_refuse_other_objects_in_their_words():
    assert_alike("""
        from collections import OrderedDict
        class Own(dict):
            def get(self, key):
                return "own"
        said = []
        for call in (
            lambda: dict.get(1, 2), lambda: dict.get(), lambda: dict.get(Own(a=1), "a"),
            lambda: str.__len__([]), lambda: list.__getitem__([1, 2]), lambda: OrderedDict.move_to_end({}, 1),
            lambda: dict.pop({}, 1),
            lambda: tuple.__add__((1,), (2,)), lambda: int.__add__(1, "x"), lambda: set.add(set(), []),
        ):
            try:
                said.append(call())
            except Exception as error:
                said.append(repr(error))
        print(said)
    """)


def test_cached_functions_count_and_forget_as_before():
    assert_alike("""
        import functools
        made = []
        @functools.lru_cache(maxsize=2)
        def kept(*args, **kwargs):
            made.append((args, kwargs))
            return [args]
        class Own:
            @functools.lru_cache(typed=True)
            def doubled(self, n):
                made.append(n)
                return n * 2
        own = Own()
        said = [kept(1) is kept(1), kept(1, a=2) is kept(1, a=3), own.doubled(1), own.doubled(1.0)]
        said += [kept.cache_info(), Own.doubled.cache_info()]
        kept.cache_clear()
        said += [kept(1), kept.cache_info(), made]
        try:
            kept([])
        except TypeError as error:
            said.append(str(error))
        print(said)
    """)
