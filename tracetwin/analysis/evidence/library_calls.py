"""Evidence from calls of builtins and common library functions for their arguments and results."""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import re
import typing
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

import runtime.function_models  # noqa: F401 - registers the models
from runtime.classes import bases_of
from runtime.library_model import Model, follow
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class ArgumentRow:
    """The set of kinds for one argument, that for its elements, and whether it can be nothing else."""

    kinds: str
    elements: str = ""
    closed: bool = True
    strength: Strength = Strength.USED


def _only(kinds: str) -> tuple[ArgumentRow, ...]:
    return (ArgumentRow(kinds, strength=Strength.NEEDED),)


_SIZED = (ArgumentRow("list > str > dict > tuple set >> bytes"),)
_ITERABLE = (ArgumentRow("list > str tuple > set >> dict iterator"),)
_NUMBERS = (ArgumentRow("list > tuple >> set iterator", "int > float", strength=Strength.NEEDED),)
_TEXT = _only("str")
_NUMBER = (ArgumentRow("int > float"),)
_REAL = (ArgumentRow("float > int"),)
_WHOLE = _only("int")
_PATH = _only("str >> path")
_FUNCTION = (ArgumentRow("function", closed=False, strength=Strength.NEEDED),)

_OF_FUNCTIONS = {
    "inspect": "getfullargspec iscoroutinefunction isgeneratorfunction isasyncgenfunction isfunction",
    "asyncio": "iscoroutinefunction",
}
"""Functions of the library whose first argument is a function, though it is annotated as an object."""

_OF_TYPES: Final = (
    *(inspect.isclass, typing.get_origin, typing.get_args),
    *(dataclasses.fields, dataclasses.is_dataclass),
)
"""Functions of the library whose first argument is a type, though they are annotated otherwise or not."""

_TAKING_FUNCTIONS = "dropwhile filterfalse starmap takewhile"
_TAKING_SERIES = "chain chain.from_iterable cycle pairwise product zip_longest"

ARGUMENTS: dict[str, tuple[ArgumentRow, ...]] = {
    "len": _SIZED,
    "int": (ArgumentRow("str > int float", closed=False),),
    "float": (ArgumentRow("str > float int", closed=False),),
    "complex": _REAL,
    "bytes": (ArgumentRow("int > list bytes"),),
    "bytearray": (ArgumentRow("bytes > int list"),),
    "memoryview": _only("bytes"),
    "bytes.fromhex": _TEXT,
    "bytearray.fromhex": _TEXT,
    "float.fromhex": _TEXT,
    "int.from_bytes": _only("bytes"),
    "abs": _NUMBER,
    "round": (ArgumentRow("float > int"), *_WHOLE),
    "divmod": _NUMBER,
    "pow": _NUMBER,
    "range": _WHOLE,
    "chr": _WHOLE,
    "bin": _WHOLE,
    "hex": _WHOLE,
    "oct": _WHOLE,
    "ord": _only("char > str"),
    "sum": _NUMBERS,
    "max": (ArgumentRow("int list > float", "int", closed=False, strength=Strength.SUITS),),
    "min": (ArgumentRow("int list > float", "int", closed=False, strength=Strength.SUITS),),
    "sorted": (ArgumentRow("list > tuple set >> str", "int"),),
    "list": _ITERABLE,
    "tuple": _ITERABLE,
    "set": _ITERABLE,
    "frozenset": _ITERABLE,
    "iter": _ITERABLE,
    "enumerate": _ITERABLE,
    "zip": _ITERABLE,
    "any": _ITERABLE,
    "all": _ITERABLE,
    "reversed": _ITERABLE,
    "map": (*_FUNCTION, *_ITERABLE),
    "filter": (*_FUNCTION, *_ITERABLE),
    **{
        spelled: _FUNCTION
        for module, names in _OF_FUNCTIONS.items()
        for name in names.split()
        for spelled in (name, f"{module}.{name}")
    },
    "next": _only("iterator"),
    "dict": (ArgumentRow("dict >> list"),),
    "callable": (ArgumentRow("function >> int", closed=False),),
    "str": (ArgumentRow("int str", closed=False, strength=Strength.HINT),),
    "open": _PATH,
    "Path": _PATH,
    "pathlib.Path": _PATH,
    "math.sqrt": _REAL,
    "math.floor": _REAL,
    "math.ceil": _REAL,
    "math.log": _REAL,
    "math.exp": _REAL,
    "math.sin": _REAL,
    "math.cos": _REAL,
    "math.isnan": _REAL,
    "math.isinf": _REAL,
    "re.match": _TEXT,
    "re.search": _TEXT,
    "re.fullmatch": _TEXT,
    "re.findall": _TEXT,
    "re.sub": _TEXT,
    "re.split": _TEXT,
    "re.compile": _TEXT,
    "json.loads": _TEXT,
    "os.environ.get": _TEXT,
    "os.path.join": _PATH,
    "os.path.basename": _PATH,
    "os.path.splitext": _PATH,
    "os.path.exists": _PATH,
    "datetime.strptime": _TEXT,
    "datetime.fromisoformat": _TEXT,
    "Decimal": (ArgumentRow("str > int", closed=False),),
    "Fraction": (ArgumentRow("int > str", closed=False),),
    "Counter": _ITERABLE,
    "deque": _ITERABLE,
    **dict.fromkeys(map("itertools.{}".format, _TAKING_FUNCTIONS.split()), (*_FUNCTION, *_ITERABLE)),
    **dict.fromkeys(map("itertools.{}".format, _TAKING_SERIES.split()), _ITERABLE),
}

RESULTS: dict[str, str] = {
    "len": "int",
    "int": "int",
    "float": "float",
    "str": "str",
    "bool": "bool",
    "list": "list",
    "dict": "dict",
    "set": "set",
    "tuple": "tuple",
    "ord": "int",
    "chr": "str",
    "repr": "str",
    "hex": "str",
    "bin": "str",
    "sorted": "list",
    "bytes": "bytes",
}

METHOD_RESULTS: dict[str, str] = {
    **dict.fromkeys(("lower", "upper", "strip", "lstrip", "rstrip", "title", "format", "decode"), "str"),
    **dict.fromkeys(("capitalize", "casefold", "zfill", "ljust", "rjust", "center", "join"), "str"),
    **dict.fromkeys(("split", "rsplit", "splitlines"), "list"),
    **dict.fromkeys(("find", "rfind"), "int"),
    **dict.fromkeys(("startswith", "endswith", "isdigit", "isalpha", "isspace"), "bool"),
    "encode": "bytes",
}

_KEEPING_DATES: Final = frozenset(("replace", "astimezone"))


def given_by_method(cls: type | None, name: str) -> type | None:
    """Return the class of what a method of a moment or day gives, None for others."""
    if cls is None or cls.__module__ != "datetime" or cls.__qualname__ not in ("datetime", "date"):
        return None
    if name == "date":
        return next((base for base in bases_of(cls) if base.__qualname__ == "date"), None)
    return cls if name in _KEEPING_DATES else None


METHOD_ARGUMENTS: dict[str, str] = {
    "join": "list",
    "extend": "list",
    "update": "dict >> set",
    **dict.fromkeys(("startswith", "endswith", "split", "replace", "strptime", "fromisoformat"), "str"),
    **dict.fromkeys(("match", "search", "fullmatch", "findall", "sub"), "str"),
    **dict.fromkeys(("zfill", "ljust", "rjust", "center"), "int"),
}

_TEXT_OF_PATTERN: Final = ("text", "int", "int")
_OF_PATTERNS: Final = {
    **dict.fromkeys(("match", "search", "fullmatch", "findall", "finditer"), _TEXT_OF_PATTERN),
    "split": ("text", "int"),
    **dict.fromkeys(("sub", "subn"), ("text > function", "text", "int")),
}
"""What the methods of compiled patterns take: texts of the kind that the pattern is."""

# Methods that texts and bytes share: their arguments are of the receiver's own type.
OF_SAME_TYPE = frozenset(
    """startswith endswith split rsplit partition rpartition replace find rfind rindex strip lstrip rstrip
    removeprefix removesuffix translate""".split()
)

# Methods whose result is of the receiver's own type.
SAME_AS_RECEIVER = frozenset(
    ("lower", "upper", "strip", "lstrip", "rstrip", "title", "capitalize", "casefold", "replace", "copy")
)

BUILTIN_TYPES = {name: item for name, item in vars(builtins).items() if isinstance(item, type)}


def takes_types(called: object) -> bool:
    """True for a function of the library that is asked about types."""
    return any(called is one for one in _OF_TYPES)


def arguments(name: str, function: Any) -> tuple[ArgumentRow, ...] | None:
    """Return what a function takes, by the name that code calls it by or by its own; None where unknown."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    if not isinstance(function, (type, BuiltinFunctionType, FunctionType)):
        return None
    owner = getattr(function, "__self__", None)
    if type(owner) is re.Pattern and (kinds := _OF_PATTERNS.get(function.__name__)):
        text = type(owner.pattern).__name__
        return tuple(ArgumentRow(kind.replace("text", text), strength=Strength.NEEDED) for kind in kinds)
    home = "" if function.__module__ in (None, "builtins") else f"{function.__module__}."
    return ARGUMENTS.get(home + function.__qualname__)


def _enter(model: Model) -> None:
    """Take over what a library model says of its arguments."""
    if model.arguments:
        name = f"{model.function.__module__}.{model.function.__qualname__}"
        ARGUMENTS[name] = tuple(row for kind in model.arguments for row in _only(kind.__name__))


follow(_enter)
