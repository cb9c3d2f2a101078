"""What calls of builtins and common library functions say of their arguments and results."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """Votes for one argument, for its elements, and whether other types are excluded."""

    votes: dict[str, float]
    elements: dict[str, float] = field(default_factory=dict)
    exclusive: bool = False


def _all(**votes: float) -> tuple[Row, ...]:
    return (Row(votes, {}, True),)


_SIZED = (Row({"list": 1.5, "str": 1.4, "dict": 0.8, "tuple": 0.6, "set": 0.6, "bytes": 0.3}, {}, True),)
_ITERABLE = (
    Row({"list": 1.8, "tuple": 0.7, "str": 0.8, "set": 0.6, "dict": 0.5, "iterator": 0.5}, {}, True),
)
_NUMBERS = (Row({"list": 2.5, "tuple": 0.8, "set": 0.5, "iterator": 0.4}, {"int": 1.5, "float": 1.0}, True),)
_TEXT = _all(str=3.0)
_NUMBER = _all(int=1.8, float=1.6)
_REAL = _all(float=2.2, int=1.8)
_WHOLE = _all(int=3.0)
_PATH = _all(str=3.0, path=1.0)

ARGUMENTS: dict[str, tuple[Row, ...]] = {
    "len": _SIZED,
    "int": (Row({"str": 1.6, "int": 1.0, "float": 0.9}),),
    "float": (Row({"str": 1.4, "float": 1.0, "int": 0.9}),),
    "complex": _REAL,
    "bytes": _all(int=1.5, list=1.2, bytes=1.0),
    "bytearray": _all(bytes=2.0, int=1.2, list=1.0),
    "bytes.fromhex": _TEXT,
    "bytearray.fromhex": _TEXT,
    "float.fromhex": _TEXT,
    "int.from_bytes": _all(bytes=3.0),
    "abs": _NUMBER,
    "round": (Row({"float": 2.5, "int": 1.0}, {}, True), Row({"int": 3.0}, {}, True)),
    "divmod": _NUMBER,
    "pow": _NUMBER,
    "range": _WHOLE,
    "chr": _WHOLE,
    "bin": _WHOLE,
    "hex": _WHOLE,
    "oct": _WHOLE,
    "ord": (Row({"str": 2.5, "char": 2.6}, {}, True),),
    "sum": _NUMBERS,
    "max": (Row({"list": 0.8, "int": 0.9, "float": 0.6}, {"int": 0.6}),),
    "min": (Row({"list": 0.8, "int": 0.9, "float": 0.6}, {"int": 0.6}),),
    "sorted": (Row({"list": 2.0, "str": 0.4, "tuple": 0.7, "set": 0.6}, {"int": 0.6}, True),),
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
    "map": (Row({"function": 2.5}), *_ITERABLE),
    "filter": (Row({"function": 2.5}), *_ITERABLE),
    "next": _all(iterator=3.0),
    "dict": _all(dict=2.0, list=0.4),
    "callable": (Row({"function": 2.0, "int": 0.3}),),
    "str": (Row({"int": 0.6, "str": 0.5}),),
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
    "math.gcd": _WHOLE,
    "math.factorial": _WHOLE,
    "math.isqrt": _WHOLE,
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
    "Decimal": (Row({"str": 1.5, "int": 1.2}),),
    "Fraction": (Row({"int": 1.5, "str": 1.0}),),
    "Counter": _ITERABLE,
    "deque": _ITERABLE,
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

METHOD_ARGUMENTS: dict[str, dict[str, float]] = {
    "join": {"list": 2.5},
    "extend": {"list": 2.0},
    "update": {"dict": 1.5, "set": 0.4},
    **{
        name: {"str": 2.0}
        for name in ("startswith", "endswith", "split", "replace", "strptime", "fromisoformat")
    },
    **{name: {"str": 2.5} for name in ("match", "search", "fullmatch", "findall", "sub")},
    **{name: {"int": 1.5} for name in ("zfill", "ljust", "rjust", "center")},
}

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
