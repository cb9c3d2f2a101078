"""Kinds of values by name: the names of builtins, of `typing` and its kin, and plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TYPED: Final = """
    int: int Integral SupportsIndex SupportsInt SupportsTrunc
    str: str Text LiteralString UserString
    float: float Real SupportsFloat SupportsRound SupportsAbs FloatInt Rational
    bool: bool
    bytes: bytes bytearray memoryview Buffer ReadableBuffer WriteableBuffer ByteString SupportsBytes
    complex: complex SupportsComplex ComplexInt
    list: list List Sequence MutableSequence Collection Iterable Reversible Container UserList deque Deque
        SupportsIter SupportsLenAndGetItem ArrayLike
    dict: dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict ChainMap UserDict Counter
        SupportsKeysAndGetItem SupportsItems
    set: set Set AbstractSet MutableSet KeysView
    frozenset: frozenset FrozenSet
    tuple: tuple Tuple
    iterator: Iterator Generator SupportsNext
    function: Callable FunctionType MethodType BuiltinFunctionType LambdaType
    file: IO TextIO TextIOBase TextIOWrapper StringIO SupportsRead SupportsWrite SupportsReadline
        SupportsNoArgReadline SupportsFlush SupportsLenAndRead
    binary: BinaryIO BytesIO BufferedReader BufferedWriter BufferedIOBase RawIOBase
    text: AnyStr
    path: Path PurePath PathLike PosixPath WindowsPath
    datetime: datetime
    date: date
    timedelta: timedelta
    exception: Exception BaseException
"""

_SPOKEN: Final = """
    int: integer ints integers long
    str: string strings strs text texts unicode char character basestring
    float: floats double number-like
    bool: boolean bools booleans flag
    bytes: byte bytestring bytes-like
    list: lists array array-like array_like sequence sequences iterable iterables arrays collection series
        vector
    dict: dicts dictionary dictionaries mapping mappings hash map
    set: sets
    tuple: tuples pair triple
    iterator: generator iterators generators
    function: callable callables function functions func lambda callback method
    file: file file-like stream file_like filelike
    path: paths pathlike path-like path_like
    exception: error exceptions errors
    complex: complexes
    datetime: datetimes
    date: dates
    timedelta: timedeltas duration
"""


def _table(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    kind = ""
    for word in text.split():
        if word.endswith(":"):
            kind = word[:-1]
        else:
            found[word] = kind
    return found


KINDS: Final[Mapping[str, str]] = _table(_TYPED)
"""By the last part of a name in an annotation the kind of value that fits."""

WORDS: Final[Mapping[str, str]] = {**{name.lower(): kind for name, kind in KINDS.items()}, **_table(_SPOKEN)}
"""The same for lower-case words in descriptions."""

NUMBERS: Final = frozenset(("number", "numbers", "numeric", "numerical", "scalar", "num", "numeral"))
"""Words for whatever can be calculated with."""
