"""Snapshots: what a value looked like, as plain data that can be compared and written as source.

Beyond the kinds every part of the tool knows, ``("built", module, qualname, [s..], [(kw, s)..])`` is a value
equal to what that call of a standard class returns, ``("mock", number)`` a mock of the case, and an attribute
named ``""`` of an ``object`` is the plain value that an instance of a subclass of a builtin type equals; one
named ``"list()"`` is what that call makes of it, where the instance shows something else than it equals.
Code of the target (properties, `__getattr__`, ...) may run here and do anything: whatever it raises makes
that one part opaque.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tracetwin.model import recipes
from tracetwin.model.codec import key
from tracetwin.model.recipe import Dictionary, MockNumber, Reference, Scalar, Series, SeriesKind, Variable
from tracetwin.model.snapshot import Attributes, Built, Iterated, Opaque, Snapshot, within
from tracetwin.replay.observe.attribute_names import attribute_names
from tracetwin.replay.observe.data_classes import arguments_of
from tracetwin.replay.observe.step_limit import line_limit
from tracetwin.replay.observe.type_values import way_to_write

MOST_DEPTH = 6
MOST_ITEMS = 200
MOST_NODES = 2000
MOST_COMPUTED = 2
"""Properties of what a property gave: beyond, computed objects show what they are made of."""
MOST_CHARACTERS = 5000
MOST_WRITTEN = 60  # parts of an instance that stands in a test as the call that makes it
MOST_BITS = 13_000  # CPython refuses to print ints of more than 4300 digits

_SCALARS = (type(None), bool, int, float, str, bytes, complex)
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
)
_EMPTY: dict[Any, Any] = {}
_VIEWS = (type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items()))
_BASES: tuple[Any, ...] = (int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
_SINGLE = {id(value): name for name, value in [("NotImplemented", NotImplemented), ("Ellipsis", ...)]}


def type_name(value: object) -> str:
    """`module:qualname` of the value's type."""
    kind = type(value)
    return f"{kind.__module__}:{kind.__qualname__}"


def opaque(value: object, why: str) -> Snapshot:
    """Only the type is known."""
    return Opaque(type_name(value), why)


def is_a(value: object, kind: Any) -> bool:
    """`isinstance` without asking the object, whose `__class__` may lie or raise."""
    return issubclass(type(value), kind)


class Camera:
    """Takes snapshots that together stay within a budget.

    Args:
        home: the target module, searched for names of classes.
        private: whether attributes with a leading underscore are taken too.
        properties: whether properties are read (they run code of the target).
        mocks: the mocks of a case by their numbers; they are spoken of, not looked at.
        given: names of what a case gives, by identity; so are these where they are inside of something else.
        built: from which depth on instances of data classes are the call that makes an equal one, if any.
        taken: what iterators have given, by identity.
    """

    def __init__(
        self,
        home: types.ModuleType | None = None,
        *,
        private: bool = False,
        properties: bool = True,
        mocks: Mapping[int, Any] | None = None,
        given: Mapping[int, str] | None = None,
        built: int | None = None,
        taken: Mapping[int, Snapshot] | None = None,
    ) -> None:
        self.home = home
        self._mocks = {id(mock): number for number, mock in (mocks or {}).items()}
        self._given, self._taken = given or {}, taken or {}
        self.private = private
        self.properties = properties
        self.built = built
        self.left = MOST_NODES
        self._inside: set[int] = set()
        self._computed = 0

    def number_of(self, value: object) -> int | None:
        """The number of a mock of the case, None for anything else."""
        return self._mocks.get(id(value))

    def take(self, value: Any, depth: int = 0) -> Snapshot:
        """The snapshot of one value."""
        try:
            return self._take(value, depth)
        except BaseException as error:  # noqa: BLE001 - code of the target may raise anything
            return opaque(value, f"looking at it raised {type(error).__name__}")

    def _take(self, value: Any, depth: int) -> Snapshot:
        self.left -= 1
        kind = type(value)
        if kind in _SCALARS:
            return _scalar(value)
        if id(value) in _SINGLE:
            return Reference("builtins", _SINGLE[id(value)])
        number = self.number_of(value)
        if number is not None:
            return MockNumber(number)
        if depth and id(value) in self._given:
            return Variable(self._given[id(value)])
        if id(value) in self._taken:
            return self._taken[id(value)]
        if depth > MOST_DEPTH or self.left < 0:
            return opaque(value, "too large")
        if id(value) in self._inside:
            return opaque(value, "contains itself")
        self._inside.add(id(value))
        try:
            return self._compound(value, depth + 1)
        finally:
            self._inside.discard(id(value))

    def _compound(self, value: Any, depth: int) -> Snapshot:
        kind = type(value)
        if kind in (list, tuple, set, frozenset, dict):
            return self._container(kind, value, depth)
        if is_a(value, enum.Enum):
            return self._member(value)
        if is_a(value, (type, *_FUNCTIONS)):
            return self._named(value)
        if is_a(value, types.ModuleType):
            named = ("__name__", self.take(value.__dict__.get("__name__"), depth))
            return Attributes("types", "ModuleType", (named,)) if depth == 1 else opaque(value, "a module")
        found = self._standard(kind, value, depth) or self._type(value, depth)
        return found or self.instance(value, depth)

    def _standard(self, kind: type, value: Any, depth: int) -> Snapshot | None:
        """Of types of the standard library, and named tuples, whose values a call builds."""
        if kind in _VIEWS:
            items = tuple(self.take(item, depth) for item in list(value)[:MOST_ITEMS])
            return Iterated(kind.__name__, items, len(value) <= MOST_ITEMS)
        if (kind.__module__, kind.__qualname__) == ("collections", "defaultdict"):
            return self._container(dict, value, depth)
        maker = _BUILT.get((kind.__module__, kind.__qualname__))
        if maker is not None:
            where, args = maker(value)
            if not _equals(recipes.lookup(*where)(*args), value):
                return None
            return Built(*where, tuple(self.take(arg, depth) for arg in args))
        if kind.__module__ == "numpy" and (way := _NUMPY.get(_numpy_sort(kind))):
            if getattr(value, "size", 1) > MOST_ITEMS:
                return opaque(value, "too large")
            return Attributes(*self._class_name(kind), ((way, self.take(attribute(value, way), depth)),))
        if kind is types.SimpleNamespace:
            named = tuple((name, self.take(part, depth)) for name, part in vars(value).items())
            return Built("types", "SimpleNamespace", (), named)
        if is_a(value, tuple) and hasattr(kind, "_fields"):
            where, held = self._class_name(kind), list(tuple.__iter__(value))
            if where[0] and _equals(kind(*held), value):
                return Built(*where, tuple(self.take(item, depth) for item in held))
        return self._data_class(value, depth) if self.built is not None and depth > self.built else None

    def _type(self, value: Any, depth: int) -> Snapshot | None:
        """Of what `typing` makes, the name or the subscript that is it."""
        if type(value).__module__ == "typing" and isinstance(found := self._named(value), Reference):
            return found
        written = way_to_write(value)
        return written and Built(*written[:2], tuple(self.take(part, depth) for part in written[2]))

    def _data_class(self, value: Any, depth: int) -> Snapshot | None:
        """The call that makes an equal instance; None where something in it can't be written."""
        where = self._class_name(type(value))
        given = arguments_of(value) if where[0] else None
        if given is None:
            return None
        made = Built(*where, (), tuple((name, self.take(part, depth)) for name, part in given.items()))
        parts = list(within(made))
        unclear = any(isinstance(part, (Opaque, Attributes, Iterated)) for part in parts)
        return None if unclear or len(parts) > MOST_WRITTEN else made

    def _container(self, kind: type, value: Any, depth: int) -> Snapshot:
        if len(value) > MOST_ITEMS:
            return opaque(value, "too large")
        if kind is dict:
            return Dictionary(
                tuple((self.take(k, depth), self.take(v, depth)) for k, v in list(value.items()))
            )
        items = [self.take(item, depth) for item in list(value)]
        if kind in (set, frozenset):
            items = in_order(items)
        return Series(SeriesKind(kind.__name__), tuple(items))

    def _member(self, value: enum.Enum) -> Snapshot:
        found = recipes.of_member(value)
        if isinstance(found, Reference):
            return found
        return Built(found.module, found.qualname, (Scalar(value.value),))

    def _named(self, value: Any) -> Snapshot:
        try:
            return Reference(*recipes.reference(value, self.home))
        except recipes.NotNameable:
            return opaque(value, "no name to import it by")

    def _class_name(self, kind: type) -> tuple[str, str]:
        try:
            return recipes.reference(kind, self.home)
        except recipes.NotNameable:
            return ("", kind.__qualname__)

    def instance(self, value: Any, depth: int) -> Snapshot:
        """The attributes of an instance of any class."""
        attributes: list[tuple[str, Snapshot]] = []
        for base in _BASES:
            if is_a(value, base):
                attributes += self._plain_value(value, base, depth)
                break
        read = self.properties and self._computed < MOST_COMPUTED
        for name, computed in attribute_names(value, properties=read, private=self.private).items():
            try:
                attribute = self._attribute(value, name)
            except BaseException:  # noqa: BLE001, S112 - an attribute that can't be read is none
                continue
            if not isinstance(attribute, types.MethodType):
                self._computed += computed
                attributes.append((name, self.take(attribute, depth)))
                self._computed -= computed
        return Attributes(*self._class_name(type(value)), tuple(attributes))

    def _attribute(self, value: Any, name: str) -> Any:
        if not self.properties:
            return getattr(value, name)
        with line_limit():  # it may be a property, which runs code of the target
            return getattr(value, name)

    def _plain_value(self, value: Any, base: Any, depth: int) -> list[tuple[str, Snapshot]]:
        """The plain value of an instance of a subclass of a builtin type."""
        try:
            plain = base(value)
        except BaseException:  # noqa: BLE001 - the class may refuse what its base allows
            return []
        name = "" if _shows(value, plain) else f"{base.__name__}()"
        return [(name, self.take(plain, depth))]


_NUMPY = {"array": ".tolist()", "scalar": ".item()"}
"""How plain values are got of what NumPy makes."""


def _numpy_sort(kind: type) -> str:
    bases = [base.__qualname__ for base in kind.__mro__ if base.__module__ == "numpy"]
    return "array" if "ndarray" in bases else "scalar" if "generic" in bases else ""


def attribute(value: Any, name: str) -> Any:
    """The part of an ``object`` snapshot's value that is called so; ``""`` is the value itself."""
    if name.startswith("."):
        return getattr(value, name[1:-2])()
    if name.endswith("()"):
        return next(base for base in _BASES if base.__name__ == name[:-2])(value)
    return getattr(value, name) if name else value


def _equals(expected: Any, value: Any) -> bool:
    """True if an assertion that the two are equal holds."""
    try:
        return bool(expected == value)
    except BaseException:  # noqa: BLE001 - a comparison of the target may raise anything
        return False


def _shows(value: Any, plain: Any) -> bool:
    """True if a value is all that its plain copy is: C code may see another content than methods do."""
    if not _equals(plain, value):
        return False
    if hasattr(plain, "__len__") and len(plain) > MOST_ITEMS:
        return True
    try:
        if isinstance(plain, (list, tuple)):
            return len(value) == len(plain) and all(value[i] is item for i, item in enumerate(plain))
        if isinstance(plain, dict):
            return list(value) == list(plain) and all(value[name] is item for name, item in plain.items())
    except BaseException:  # noqa: BLE001 - as above
        return False
    return True


def _scalar(value: Any) -> Snapshot:
    if type(value) is int and value.bit_length() > MOST_BITS:
        return opaque(value, "too large")
    if type(value) in (str, bytes) and len(value) > MOST_CHARACTERS:
        return opaque(value, "too large")
    return Scalar(value)


def in_order(items: Iterable[Snapshot]) -> list[Snapshot]:
    """Members of a set in an order that does not depend on hashes."""
    members = list(items)
    scalars: list[Any] = [member.value for member in members if isinstance(member, Scalar)]
    kinds = set(map(type, scalars))
    if len(scalars) == len(members) and (kinds <= {int, bool, float} or kinds in ({str}, {bytes})):
        return [Scalar(one) for one in sorted(scalars, key=lambda one: (one != one, one))]  # noqa: PLR0124 - NaN last
    return sorted(members, key=key)


def _datetime_parts(value: Any) -> list[Any]:
    parts = [value.year, value.month, value.day, value.hour, value.minute]
    parts += (
        [value.second, value.microsecond] if value.microsecond else [value.second] if value.second else []
    )
    if value.tzinfo is None:
        return parts
    return [*parts, *[0] * (7 - len(parts)), value.tzinfo]


def _delta_parts(value: Any) -> list[Any]:
    parts = [value.days, value.seconds, value.microseconds]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def _time_parts(value: Any) -> list[Any]:
    parts = [value.hour, value.minute, value.second, value.microsecond]
    return parts if value.tzinfo is None else [*parts, value.tzinfo]


def _range_parts(value: range) -> list[Any]:
    if value.step != 1:
        return [value.start, value.stop, value.step]
    return [value.start, value.stop] if value.start else [value.stop]


def _pattern_parts(value: Any) -> list[Any]:
    # re.UNICODE is implied for text and can't be given for bytes.
    flags = value.flags & ~(32 if isinstance(value.pattern, str) else 0)
    return [value.pattern, flags] if flags else [value.pattern]


_Maker = Callable[[Any], tuple[tuple[str, str], list[Any]]]


def _maker(module: str, qualname: str, parts: Callable[[Any], list[Any]]) -> _Maker:
    return lambda value: ((module, qualname), parts(value))


# Exact type -> the call that builds an equal value. By name, so that no module has to be imported for it.
_BUILT: dict[tuple[str, str], _Maker] = {
    ("builtins", "bytearray"): _maker("builtins", "bytearray", lambda v: [bytes(v)] if v else []),
    ("builtins", "range"): _maker("builtins", "range", _range_parts),
    ("builtins", "slice"): _maker("builtins", "slice", lambda v: [v.start, v.stop, v.step]),
    ("decimal", "Decimal"): _maker("decimal", "Decimal", lambda v: [str(v)]),
    ("fractions", "Fraction"): _maker("fractions", "Fraction", lambda v: [v.numerator, v.denominator]),
    ("datetime", "date"): _maker("datetime", "date", lambda v: [v.year, v.month, v.day]),
    ("datetime", "datetime"): _maker("datetime", "datetime", _datetime_parts),
    ("datetime", "time"): _maker("datetime", "time", _time_parts),
    ("datetime", "timedelta"): _maker("datetime", "timedelta", _delta_parts),
    ("datetime", "timezone"): _maker("datetime", "timezone", lambda v: [v.utcoffset(None)]),
    ("uuid", "UUID"): _maker("uuid", "UUID", lambda v: [str(v)]),
    ("re", "Pattern"): _maker("re", "compile", _pattern_parts),
    ("collections", "deque"): _maker(
        "collections", "deque", lambda v: [list(v)] if v.maxlen is None else [list(v), v.maxlen]
    ),
    ("collections", "OrderedDict"): _maker("collections", "OrderedDict", lambda v: [list(v.items())]),
    ("collections", "Counter"): _maker("collections", "Counter", lambda v: [dict(v)]),
    **{
        (module, concrete): _maker("pathlib", name, lambda v: [str(v)])
        for module in ("pathlib", "pathlib._local")
        for concrete, name in [
            ("PosixPath", "Path"),
            ("WindowsPath", "Path"),
            ("PurePosixPath", "PurePosixPath"),
            ("PureWindowsPath", "PureWindowsPath"),
        ]
    },
}
