"""Signatures of models that say nothing of their own, and how to make the receivers of methods."""

from __future__ import annotations

import collections
import re
import struct
from collections.abc import Callable
from typing import Any

_FIRST = "list[int] int small? small?"

MORE: dict[str, str] = {
    **dict.fromkeys(
        ("heapq.heapify", "heapq.heappop", "heapq._heappop_max", "heapq._heapify_max"), "list[int]"
    ),
    **dict.fromkeys(
        ("heapq.heappush", "heapq.heappushpop", "heapq.heapreplace"), "list[int] int; list[float] float"
    ),
    "heapq._heapreplace_max": "list[int] int",
    **dict.fromkeys(
        ("heapq.nlargest", "heapq.nsmallest"), "small list[int]; small list[str] key=@builtins.len"
    ),
    **dict.fromkeys(
        ("bisect.bisect_left", "bisect.bisect_right"), f"{_FIRST}; list[float] int; list[str] str"
    ),
    **dict.fromkeys(("bisect.insort_left", "bisect.insort_right"), _FIRST),
    "itertools.count": "int? small?",
    "builtins.enumerate": "list[int] int?; str start=small?; set[int]; dict[str,int]",
    "itertools.islice": "list[int] small|None; list[int] small small|None small|None?; str 2",
    "itertools.combinations": "list[int] 0|1|2|small",
    "itertools.combinations_with_replacement": "list[int] 0|1|2",
    "itertools.permutations": "list[int] 0|1|2?",
    "itertools.tee": "list[int] 0|1|2?",
    "itertools.product": "list[int] list[str]?; list[int] repeat=2",
    "itertools.repeat": "int small; str",
    "itertools.accumulate": "list[int]; list[int] @operator.mul; list[int] initial=int",
    "itertools.groupby": "list[int]; str",
    "itertools.starmap": "@builtins.max list[tuple[int,int]]; @builtins.divmod list[tuple[int,int]]",
    **dict.fromkeys(
        ("itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse"),
        "@builtins.bool list[int]; @str.isdigit list[digits]",
    ),
    "itertools.chain": "list[int] list[str]; str",
    "collections.Counter": "list[int]?; str; dict[str,int]",
    "collections.deque": "list[int]? 0|2|None?; str",
    "json.dumps": "scalar; list[int]; dict[str,int]; list[str]; tuple[float]",
    "copy.deepcopy": "scalar; list[int]; dict[str,int]; set[int]",
    "math.dist": "tuple[float,float] tuple[float,float]; list[int] list[int]",
    "re.finditer": "'a'|'([a-z])-?'|'' str",
    "re.compile": "'a'|'('|'[a-c]+'; str",
    "csv.reader": "list[str]",
    "builtins.int.__repr__": "int; bool",
    "builtins.float.__repr__": "float",
    "builtins.sum": "list[int] int?; list[float]; tuple[small] float?; list[str]",
    "builtins.any": "list[int]; list[str]; set[float]",
    "builtins.all": "list[int]; list[str]; set[float]",
    "builtins.zip": "list[int] list[str]; str list[int] strict=bool",
    "builtins.reversed": "list[int]; str; tuple[str]; dict[str,int]",
}
"""By module and name of the callable, without leading underscores."""

_PATTERN = "'a'|'(a)|b'|'[ab]+'|'[0-9]*'|'(?P<x>[a-z])-?'"

MADE: dict[type, tuple[Callable[..., Any], str]] = {
    re.Pattern: (re.compile, _PATTERN),
    struct.Struct: (struct.Struct, "'>h'|'<I'|'2s'|'!d'|'b?'"),
    collections.deque: (collections.deque, "list[int]"),
    collections.OrderedDict: (collections.OrderedDict, "dict[str,int]"),
    collections.defaultdict: (lambda content: collections.defaultdict(int, content), "dict[str,int]"),
    collections.Counter: (collections.Counter, "list[int]|dict[str,int]"),
    frozenset: (frozenset, "list[int]"),
}
"""What makes a receiver, and of what."""

_POSITIONS = "str small? small?"

MORE_METHODS: dict[tuple[type, str], str] = {
    **{(re.Pattern, name): _POSITIONS for name in ("match", "fullmatch", "search", "findall", "finditer")},
    (re.Pattern, "split"): "str small?",
    (re.Pattern, "sub"): "'x'|'<>' str small?",
    (re.Pattern, "subn"): "'' str small?",
    (struct.Struct, "unpack"): "bytes",
    (struct.Struct, "unpack_from"): "bytes small?",
    (struct.Struct, "pack"): "int; bytes; float; int bool",
    (collections.OrderedDict, "move_to_end"): "str last=bool?",
    (collections.Counter, "get"): "int int?",
}

EXEMPT: dict[str, str] = {
    "builtins.print": "writes",
    "json.dump": "writes",
    "io.StringIO": "gives a stream; tests/runtime/containers/test_streams.py",
    "io.BytesIO": "gives a stream; tests/runtime/containers/test_streams.py",
    "operator.itemgetter": "gives a function",
    "operator.attrgetter": "gives a function",
    "type.fromkeys": "a class method, tested as dict.fromkeys",
    "slice.indices": "no values here; tests/runtime/scalars/test_differential_numbers.py",
    "_lru_cache_wrapper.cache_clear": "of a function of the program; tests/runtime/test_untraced_calls.py",
    "_lru_cache_wrapper.cache_info": "of a function of the program; tests/runtime/test_untraced_calls.py",
    "builtins.getattr": "takes an object of the program; tests/runtime/models/test_attributes.py",
    "builtins.hasattr": "takes an object of the program; tests/runtime/models/test_attributes.py",
}
"""Models that are left out, and why."""
