"""Classes that hash and compare in ways of their own, or not at all, are asked only what Python asks them."""

from __future__ import annotations

import builtins
import sys
import textwrap

import pytest

from instrumenter.build import build
from runtime import twin
from tests.instrumenter.alike import FILE, NAME, assert_alike, observed

UNHASHABLE = """
class Meta(type):
    def __eq__(cls, other):
        print("class compared")
        return NotImplemented
"""
LOUD = """
class Meta(type):
    def __hash__(cls):
        print("class hashed")
        return type.__hash__(cls)
    def __eq__(cls, other):
        print("class compared")
        return type.__eq__(cls, other)
    def __getattribute__(cls, name):
        print("class asked for", name)
        return type.__getattribute__(cls, name)
"""
CLASSES = """
class Value(metaclass=Meta):
    def __init__(self, value=2):
        self.value = value
    def __hash__(self):
        print("hashed")
        return 1
    def __eq__(self, other):
        print("compared")
        return self is other
    def __call__(self, *args, **kwargs):
        return args
    def __getitem__(self, key):
        if type(key) is int and key > 2:
            raise IndexError
        return key
    def __setitem__(self, key, value):
        self.value = key
    def __delitem__(self, key):
        self.value = key
    def __contains__(self, item):
        return True
    def __len__(self):
        return self.value
    def __add__(self, other):
        return 1
    __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __and__ = __or__ = __xor__ = __add__
    __lshift__ = __rshift__ = __radd__ = __rsub__ = __rmul__ = __rmod__ = __iadd__ = __imod__ = __add__
    __lt__ = __gt__ = __le__ = __ge__ = __add__
    def __neg__(self):
        return 1
    __abs__ = __round__ = __index__ = __int__ = __invert__ = __neg__
    def __float__(self):
        return 1.5
    def __str__(self):
        return "text"
    __repr__ = __str__
    def __format__(self, spec):
        return spec
class Number(int, metaclass=Meta): pass
class Text(str, metaclass=Meta): pass
class Items(list, metaclass=Meta): pass
class Table(dict, metaclass=Meta): pass
class Group(set, metaclass=Meta): pass
class Pair(tuple, metaclass=Meta): pass
value = Value()
"""

USES = {
    "operands": """
        one, few = 1.5, (1, "%s")
        print(value + one, one + value, value - one, value * 2, 2 * value, value / one, value // one)
        print(value % one, value ** one, value << one, value >> one, value & one, value | one, value ^ one)
        print(-value, ~value, "%s" % value, "%s %s" % (value, value), b"%a" % value, value @ one if 0 else 0)
        changed = value
        changed += one
        changed = value
        changed %= one
        print(changed, Number(3) + one, one + Number(3), Text("%s") % value, few[1] % Text("x"))
    """,
    "conditions": """
        other, number = Value(), 3
        print(value < other, value > number, value <= number, value >= number, number < Number(4))
        print(value == other, value != other, value == number, number == value, value is other, not value)
        for left in (value, other, number, Number(0), Text(), Items(), Table(), Group(), Pair()):
            print(1 if left else 2, 1 if not left else 2)
            print(1 if left == value else 2, 1 if left is value else 2)
            while left:
                break
            assert left or True
    """,
    "containers": """
        key, word, last = 1, "a", slice(1, value, None)
        value[key], value[word], value[value], value[key:], value[last], value[None:word]
        value[key] = word
        del value[key]
        print(key in value, key not in value, 1 if word in value else 2, 1 if word not in value else 2)
        items, table, group, pair = Items([1, 2]), Table(a=1), Group([1]), Pair((1, 2))
        print(items[key], items[key:], table[word], pair[key])
        print(key in items, word in table, key in group, key in pair)
        print(value in [value], [1, 2, 3][value], [1, 2, 3][:value], "abc"[value], (1, 2)[value])
        items[key], table[word] = word, word
        del items[key], table[word]
        plain = {value: 1, word: 2}
        print(plain[value], plain[word], value in plain, word in plain, plain.get(value), plain.get(word))
        plain[value] = 3
        plain.setdefault(value, 1)
        print(plain.pop(value), {value} - {word}, {value, word}.isdisjoint(plain))
        seen = set()
        seen.add(value)
        seen.add(Number(1))
        seen.discard(value)
        del plain[word]
    """,
    "callees": """
        argument = 1
        print(value(), value(1), value(argument), value(argument, value), value(argument, k=argument))
        print(value.__add__(argument), value.__hash__, Value.__add__(value, argument), Value(argument).value)
        print(callable(value), list(map(value, [argument])))
        print(sorted([2, argument], key=value), max([argument], key=value))
        print(Text("a").upper(), Text("a,b").split(","))
        print(Items([argument]).index(argument), Items().append(argument))
        print(Table(a=1).get("a"), Table().setdefault("a", argument))
        print(Group().add(argument), Number(5).bit_length())
        print(Number.from_bytes(b"a", "big"), Table.fromkeys(Text("ab")), Text.maketrans({argument: None}))
    """,
    "iterables": """
        for item in value:
            print(item)
        for made in (Items([1]), Table(a=1), Group([1]), Pair((1,)), Text("a")):
            for item in made:
                print(item, [part for part in made], {part for part in made}, [*made])
        print(list(value), tuple(value), set(Items([1])), frozenset(Pair((1,))), dict(Table(a=1)))
        print(max(value), min(Pair((1, 2))), sorted(Items([2, 1])), sum(Pair((1, 2))), ",".join(Text("ab")))
        print(list(zip(value, value)), list(enumerate(Text("a"))), any(value), all(value))
    """,
    "builtin functions": """
        number = Number(3)
        print(len(value), abs(value), round(value), round(number, value))
        print(int(value), float(value), str(value))
        print(repr(value), ascii(value), format(value, "x"))
        print(f"{value}{value!r}{value:y}{value:{number}}", bool(value))
        print(hex(value), bin(number), chr(value))
        print(divmod(number, 2), pow(number, 2, 5), isinstance(value, Value))
        print(range(value), range(number), list(range(value, number)))
        print(type(value) is Value, id(value) == id(value))
        print("{} {x:z}".format(value, x=value), "a".replace("a", Text("b")), "ab".startswith(Pair(("a",))))
        print("-".join([Text("a"), "b"]), "a".join(Items(["b"])), hash(number))
        print(max(number, value), min([number, value]))
        type("Made", (Value,), {})
        match value:
            case Value(value=5):
                print("five")
            case _:
                print("other")
    """,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("meta", [UNHASHABLE, LOUD], ids=["unhashable", "loud"])
def test_a_class_with_a_metaclass_is_asked_nothing_by_us(meta, use):
    program = USES[use].replace("\n        ", "\n")
    assert_alike(meta + CLASSES + program)


def test_calls_that_cannot_unpack_their_arguments_name_the_method():
    assert_alike("""
        import re
        bad = 1
        methods = ["".join, "a".replace, b"".join, {}.get, {}.pop, {1}.add, [].append, re.compile("a").match]
        methods += [(1).to_bytes, dict.fromkeys, int.from_bytes]
        calls = [
            lambda method: method(*bad),
            lambda method: method(**bad),
            lambda method: method(bad, *bad),
            lambda method: method(a=1, **{"a": 2}),
        ]
        for method in [*methods, bytearray().extend, len, print, max, str, range]:
            for call in calls:
                try:
                    call(method)
                except TypeError as error:
                    print(error)
    """)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="an error from 3.14 on")
def test_a_truth_that_python_warns_of_is_that_of_the_line_which_tests_it(monkeypatch):
    source = textwrap.dedent("""
        import warnings
        def asked(value):
            if value:
                pass
            while value:
                break
            return [1 for _ in "a" if value], value and 1, 1 if value else 2
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            flag = True
            print(asked((1).__eq__("a")), ~flag)
        print([(warning.filename, warning.lineno) for warning in caught])
    """)
    built = build(source, name=NAME, filename=FILE)
    expected = observed(compile(source, FILE, "exec", dont_inherit=True))
    monkeypatch.setattr(builtins, built.twin.prelude_name, twin, raising=False)
    assert expected["output"] == observed(built.code)["output"]
