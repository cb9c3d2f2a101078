"""Plans of objects of the standard library that are more than values: locks, records, documents, requests.

What opens files, connects or starts processes has no plan here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tracetwin.drawing.adapters.interface import TableAdapter
from tracetwin.drawing.adapters.making import always, constant, holder, made, one_of_calls
from tracetwin.drawing.plans.containers import ConvertedPlan, ListPlan
from tracetwin.drawing.plans.plans import (
    NONE,
    Built,
    FloatPlan,
    IntPlan,
    MadePlan,
    Plan,
    StrPlan,
    fixed,
    members,
    one_of,
)
from tracetwin.model.recipe import Recipe, list_of, tuple_of
from tracetwin.model.recipes import call, evaluate, lit


def _array() -> Plan:
    def of(code: str, element: Plan) -> Plan:
        def make(*values: Any) -> Built:
            recipe = call("array", "array", lit(code), list_of(*map(lit, values)))
            return evaluate(recipe), recipe

        parts = [tuple((str(n), element) for n in range(count)) for count in (2, 0, 1)]
        return one_of([MadePlan("array", items, make) for items in parts])

    return one_of([of("i", IntPlan(0, -(2**31), 2**31 - 1)), of("d", FloatPlan())])


def _network(name: str, prefixes: list[int], bits: int) -> Plan:
    def make(number: int, prefix: int) -> Built:
        start = number >> (bits - prefix) << (bits - prefix)
        recipe = call("ipaddress", name, tuple_of(lit(start), lit(prefix)))
        return evaluate(recipe), recipe

    address = IntPlan(0, 0, 2**bits - 1)
    return MadePlan(name, (("address", address), ("prefix", members(list(prefixes), "prefix"))), make)


def _holder(module: str, qualname: str, **parts: Plan) -> Callable[[], Plan]:
    return lambda: holder(module, qualname, **parts)


_LEVELS: Final = members([20, 10, 30, 40, 50], "level")


def _element() -> Plan:
    def make(tag: str, text: str) -> Built:
        content = text.replace("&", "&amp;").replace("<", "&lt;")
        recipe = call("xml.etree.ElementTree", "fromstring", lit(f'<{tag} id="1">{content}<b/></{tag}>'))
        return evaluate(recipe), recipe

    full = MadePlan("Element", (("tag", members(["a", "b", "item"], "tag")), ("text", StrPlan("t"))), make)
    return one_of([full, made("Element", "xml.etree.ElementTree", "Element", ("tag", members(["a"], "tag")))])


def _url(name: str, **more: Plan) -> Callable[[], Plan]:
    parts: dict[str, Plan] = {"scheme": StrPlan("http"), "netloc": StrPlan("a"), "path": StrPlan("/b")}
    return _holder("urllib.parse", name, **parts, **more, query=StrPlan(), fragment=StrPlan())


def _wrapped(name: str) -> Callable[[], Plan]:
    return lambda: ConvertedPlan(name, ListPlan(IntPlan()), "builtins", name)


def _context_variable() -> Plan:
    return constant("contextvars", "ContextVar", "variable", default=0)


def _address(name: str, bits: int) -> Callable[[], Plan]:
    return lambda: made(name, "ipaddress", name, ("number", IntPlan(2**24 * 127 + 1, 0, 2**bits - 1)))


_FRAME: Final = call("inspect", "currentframe")


def _traceback(line: int) -> Recipe:
    return call("types", "TracebackType", lit(None), _FRAME, lit(0), lit(line))


_LOGGER: Final = call("logging", "getLogger", lit("tests"))


class _Objects(TableAdapter):
    name = "objects of the standard library"


ADAPTER = _Objects(
    {
        "array.array": _array,
        "ipaddress.IPv4Address": _address("IPv4Address", 32),
        "ipaddress.IPv6Address": _address("IPv6Address", 128),
        "ipaddress.IPv4Network": lambda: _network("IPv4Network", [24, 8, 32], 32),
        "ipaddress.IPv6Network": lambda: _network("IPv6Network", [64, 128], 128),
        "_thread.lock": always("threading", "Lock"),
        "_thread.allocate_lock": always("threading", "Lock"),
        "_thread.RLock": always("threading", "RLock"),
        "threading.RLock": always("threading", "RLock"),
        "sqlite3.Connection": always("sqlite3", "connect", ":memory:"),
        "xml.etree.ElementTree.Element": _element,
        "zoneinfo.ZoneInfo": always("zoneinfo", "ZoneInfo", "UTC"),
        "contextlib.AbstractAsyncContextManager": always("contextlib", "nullcontext"),
        "os.stat_result": always("os", "stat_result", (33188, 1, 1, 1, 0, 0, 100, 0, 0, 0)),
        "builtins.frame": always("inspect", "currentframe"),
        "builtins.traceback": lambda: one_of_calls(
            "types", "TracebackType", [(None, _FRAME, 0, 1), (_traceback(2), _FRAME, 0, 1)]
        ),
        "builtins.module": always("types", "ModuleType", "module"),
        "logging.LogRecord": _holder(
            "logging",
            "LogRecord",
            name=fixed("tests"),
            level=_LEVELS,
            pathname=fixed("tests.py"),
            lineno=IntPlan(1),
            msg=StrPlan("a"),
            args=NONE,
            exc_info=NONE,
        ),
        "logging.LoggerAdapter": always("logging", "LoggerAdapter", _LOGGER, {}),
        "subprocess.CompletedProcess": _holder(
            "subprocess",
            "CompletedProcess",
            args=fixed([]),
            returncode=IntPlan(),
            stdout=StrPlan(),
            stderr=StrPlan(),
        ),
        "urllib.parse.ParseResult": _url("ParseResult", params=StrPlan()),
        "urllib.parse.SplitResult": _url("SplitResult"),
        "urllib.request.Request": always("urllib.request", "Request", "http://localhost/a"),
        "http.client.HTTPConnection": always("http.client", "HTTPConnection", "localhost"),
        "string.Template": lambda: made("Template", "string", "Template", ("text", StrPlan("$a"))),
        "time.struct_time": lambda: made(
            "struct_time", "time", "gmtime", ("seconds", IntPlan(0, 0, 4_000_000_000))
        ),
        "functools.partial": always("functools", "partial", int),
        "_contextvars.ContextVar": _context_variable,
        "contextvars.ContextVar": _context_variable,
        "csv.DictReader": lambda: one_of_calls(
            "csv", "DictReader", [(["a,b", "1,2"],), (["a"],), ([],)]
        ),
        "csv.DictWriter": always("csv", "DictWriter", call("io", "StringIO"), ["a", "b"]),
        "struct.Struct": always("struct", "Struct", "<i"),
        "_struct.Struct": always("struct", "Struct", "<i"),
        "collections.UserString": lambda: made(
            "UserString", "collections", "UserString", ("text", StrPlan("a"))
        ),
        **{f"builtins.{name}": _wrapped(name) for name in ("enumerate", "reversed")},
    }
)
