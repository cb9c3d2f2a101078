"""Looking for what to call asks nothing of the program's own objects, and loses no value unnoticed."""

from __future__ import annotations

import datetime as dt
import sys

import pytest

from runtime import trace
from runtime.expr import Sort, var
from runtime.models import callee1
from runtime.values import wrap
from tests.instrumenter.alike import assert_alike


def test_a_receiver_is_not_asked_for_its_class():
    assert_alike("""
        class Watched:
            def __getattribute__(self, name):
                print("asked for", name)
                if name == "own":
                    return 1
                return super(Watched, self).__getattribute__(name)
        watched = Watched()
        name = "own"
        print(watched.own, getattr(watched, name))
        try:
            watched.missing
        except AttributeError as error:
            print(error)
    """)


def test_a_class_is_not_compared():
    assert_alike("""
        class Meta(type):
            def __eq__(cls, other):
                print("compared with", other)
                return NotImplemented
            __hash__ = type.__hash__
        class Number(float, metaclass=Meta):
            pass
        text = "0x1p0"
        print(Number.fromhex(text), Number.mro(), dict.fromkeys(text), bytes.fromhex(text[3:] * 0))
    """)


def test_a_function_made_from_code_has_the_builtins_of_its_maker():
    assert_alike("""
        import builtins, types
        make = types.FunctionType
        code = (lambda value: len(value)).__code__
        print(make(code, {})("abc"), make(code, {}).__globals__)
        builtins.added = "added later"
        try:
            print(make((lambda: added).__code__, {})())
        finally:
            del builtins.added
    """)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695")
def test_a_type_alias_belongs_to_the_module_that_makes_it():
    assert_alike("""
        import typing
        make, name = typing.TypeAliasType, "Alias"
        print(make(name, int).__module__, make(name, value=int, type_params=()).__module__)
    """)


def test_a_class_method_written_in_c_that_takes_a_traced_value_notes_the_loss():
    run = trace.start()
    callee1(dt.date.fromtimestamp)(wrap(86400, var("stamp", Sort.INT)))
    callee1(dt.date.fromisoformat)(wrap("2000-01-01", var("text", Sort.STR)))
    trace.stop()
    assert {"date.fromtimestamp", "date.fromisoformat"} == {name for name, *_ in run.losses}
