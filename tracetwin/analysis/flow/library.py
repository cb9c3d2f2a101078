"""Knowledge of functions and methods that the module did not define itself."""

from __future__ import annotations

from typing import Final

MUTATORS: Final = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft"
    " popleft extendleft rotate push put put_nowait get_nowait write writelines move_to_end subtract"
    " difference_update intersection_update symmetric_difference_update truncate seek"
    " __setitem__ __delitem__ __iadd__ __ior__ __iand__ __isub__ __imul__ __ixor__".split()
)
"""Methods that change the container, file or queue they are called on."""

READERS: Final = frozenset(
    "get keys values items copy count index find __len__ __getitem__ __contains__ __iter__ __eq__ __ne__"
    " __lt__ __le__ __gt__ __ge__ __repr__ __str__ __hash__ __reversed__ __bool__ issubset issuperset"
    " isdisjoint union intersection difference symmetric_difference read readline readlines getvalue tell"
    " most_common elements empty full qsize".split()
)
"""Methods that look at the container they are called on."""

FILLING: Final = frozenset(
    "append extend insert add update setdefault appendleft extendleft push put put_nowait __setitem__".split()
)
"""Mutators after which what was given is in the container."""

SPREADING: Final = frozenset({"extend", "update", "extendleft", "__iadd__", "__ior__"})
"""Of these, the ones that take the elements of what was given."""

TAKING: Final = frozenset(
    "pop popleft popitem get get_nowait setdefault values items keys copy __getitem__"
    " __iter__ __reversed__".split()
)
"""Methods whose result is an element of the container, or has its elements."""

CONTAINERS: Final = frozenset(
    "list dict set tuple frozenset sorted bytearray collections.deque collections.defaultdict"
    " collections.OrderedDict collections.Counter collections.ChainMap deque defaultdict OrderedDict Counter"
    " array.array queue.Queue queue.LifoQueue queue.PriorityQueue queue.SimpleQueue io.StringIO io.BytesIO"
    " weakref.WeakKeyDictionary weakref.WeakValueDictionary weakref.WeakSet copy.copy copy.deepcopy".split()
)
"""Callables that make a container, of the elements of their arguments."""

PASSING: Final = frozenset(
    "iter reversed enumerate zip map filter next min max typing.cast cast itertools.chain itertools.islice"
    " itertools.cycle itertools.takewhile itertools.dropwhile itertools.accumulate itertools.zip_longest"
    " itertools.product itertools.permutations itertools.combinations itertools.groupby"
    " heapq.nlargest heapq.nsmallest heapq.merge types.MappingProxyType MappingProxyType functools.reduce"
    " reduce operator.itemgetter random.choice random.sample".split()
)
"""Callables whose result holds or is (an element of) an argument, which they only read."""

READING: Final = frozenset(
    "len sum any all str repr print format hash isinstance issubclass type id callable hasattr bool int float"
    " complex bytes abs round divmod pow ord chr bin hex oct range slice ascii sorted memoryview input open"
    " math.* operator.* bisect.bisect bisect.bisect_left bisect.bisect_right string.* time.* datetime.*"
    " decimal.* fractions.* statistics.* json.dumps os.path.* re.* textwrap.* warnings.warn logging.*"
    " object BaseException Exception ValueError TypeError KeyError IndexError RuntimeError AttributeError"
    " LookupError StopIteration NotImplementedError OverflowError ZeroDivisionError ArithmeticError OSError"
    " AssertionError IOError UnicodeError EOFError PermissionError TimeoutError typing.* abc.* enum.auto"
    " staticmethod classmethod property dataclasses.field field copy.error contextlib.suppress".split()
)
"""Callables that change nothing they are given; with ``.*`` everything of a module."""

CHANGING: Final = frozenset(
    "heapq.heappush heapq.heappop heapq.heapify heapq.heapreplace heapq.heappushpop bisect.insort"
    " bisect.insort_left bisect.insort_right random.shuffle operator.setitem operator.delitem"
    " operator.iadd".split()
)
"""Callables that change their first argument in place, and may give back an element of it."""

PROTOCOLS: Final[dict[str, tuple[str, ...]]] = {
    "len": ("__len__",),
    "str": ("__str__", "__repr__", "__format__"),
    "repr": ("__repr__",),
    "format": ("__format__", "__str__", "__repr__"),
    "print": ("__str__", "__repr__"),
    "hash": ("__hash__",),
    "bool": ("__bool__", "__len__"),
    "int": ("__int__", "__index__", "__trunc__"),
    "float": ("__float__", "__index__"),
    "abs": ("__abs__",),
    "round": ("__round__",),
    "bytes": ("__bytes__",),
    "complex": ("__complex__",),
    "divmod": ("__divmod__", "__rdivmod__"),
    "pow": ("__pow__", "__rpow__"),
    "next": ("__next__",),
    "reversed": ("__reversed__", "__len__", "__getitem__"),
    "range": ("__index__",),
    "hex": ("__index__",),
    "bin": ("__index__",),
    "oct": ("__index__",),
} | dict.fromkeys(
    "iter list tuple set frozenset dict sorted sum any all min max enumerate zip map filter"
    " collections.deque deque collections.Counter collections.OrderedDict".split(),
    (
        "__iter__",
        "__next__",
        "__len__",
        "__getitem__",
        "__lt__",
        "__gt__",
        "__eq__",
        "__hash__",
        "keys",
        "__add__",
    ),
)
"""The methods that a callable calls on an object of ours that it is given."""

OPERATORS: Final[dict[str, tuple[str, ...]]] = {
    "not_": ("__bool__", "__len__"),
    "neg": ("__neg__",),
    "pos": ("__pos__",),
    "invert": ("__invert__",),
    "eq": ("__eq__",),
    "ne": ("__ne__", "__eq__"),
    "lt": ("__lt__", "__gt__"),
    "le": ("__le__", "__ge__"),
    "gt": ("__gt__", "__lt__"),
    "ge": ("__ge__", "__le__"),
    "in_": ("__contains__", "__iter__", "__getitem__", "__next__", "__eq__", "__hash__"),
    "not_in": ("__contains__", "__iter__", "__getitem__", "__next__", "__eq__", "__hash__"),
    "is_": (),
    "is_not": (),
}
"""The methods behind operators that are not of the usual three names."""


def methods_of(operator: str) -> tuple[str, ...]:
    """The special methods that an operator may call on an operand of a class of ours."""
    known = OPERATORS.get(operator)
    if known is not None:
        return known
    name = operator.rstrip("_")
    plain = name.removeprefix("i") if name.startswith("i") and name != "invert" else name
    return tuple(dict.fromkeys((f"__{name}__", f"__{plain}__", f"__r{plain}__")))


def is_known(name: str, table: frozenset[str]) -> bool:
    """True if a callable is in a table, by its own name or as part of its module."""
    if name in table:
        return True
    module, _, last = name.rpartition(".")
    return bool(module) and f"{module}.*" in table and bool(last)
