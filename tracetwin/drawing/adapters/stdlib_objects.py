"""Plans of objects of the standard library that are more than values: locks, records, documents, requests.

What opens files, connects or starts processes has no plan here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tracetwin.drawing.plans.containers import ListPlan, WrappedPlan
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import (
    NONE,
    Built,
    FixedPlan,
    FloatPlan,
    IntPlan,
    MadePlan,
    Plan,
    StrPlan,
    fixed,
    members,
    one_of,
)
from tracetwin.model.recipes import Recipe, call, evaluate, lit, lookup, of_value


def made(label: str, module: str, qualname: str, *parts: tuple[str, Plan]) -> Plan:
    """The plan of calling an importable constructor or function with positional parts."""

    def make(*values: Any) -> Built:
        recipe = call(module, qualname, *map(_written, values))
        return evaluate(recipe), recipe

    def remake(*values: Any) -> Any:
        return lookup(module, qualname)(*values)

    return MadePlan(label, parts, make, module, remake)


def _written(value: Any) -> Recipe:
    return of_value(value) or lit(value)


def constant(module: str, name: str, *args: Any, **kwargs: Any) -> Plan:
    """The plan of one constant call; arguments that are recipes of calls stay such."""
    parts = [item if isinstance(item, tuple) and item[:1] == ("call",) else _written(item) for item in args]
    recipe = call(module, name, *parts, **{key: _written(item) for key, item in kwargs.items()})
    return FixedPlan(lambda: evaluate(recipe), recipe, name)


def _always(module: str, name: str, *args: Any, **kwargs: Any) -> Callable[[], Plan]:
    return lambda: constant(module, name, *args, **kwargs)


def _array() -> Plan:
    def of(code: str, element: Plan) -> Plan:
        def make(*values: Any) -> Built:
            recipe = call("array", "array", lit(code), ("list", [lit(value) for value in values]))
            return evaluate(recipe), recipe

        parts = [tuple((str(n), element) for n in range(count)) for count in (2, 0, 1)]
        return one_of([MadePlan("array", items, make) for items in parts])

    return one_of([of("i", IntPlan(0, -(2**31), 2**31 - 1)), of("d", FloatPlan())])


def _network(name: str, prefixes: list[int], bits: int) -> Plan:
    def make(number: int, prefix: int) -> Built:
        start = number >> (bits - prefix) << (bits - prefix)
        recipe = call("ipaddress", name, ("tuple", [lit(start), lit(prefix)]))
        return evaluate(recipe), recipe

    address = IntPlan(0, 0, 2**bits - 1)
    return MadePlan(name, (("address", address), ("prefix", members(list(prefixes), "prefix"))), make)


@dataclass(frozen=True)
class HolderPlan(Plan):
    """An object that only keeps what it is made of, so that its attributes stay what was drawn."""

    module: str
    qualname: str
    parts: tuple[tuple[str, Plan], ...]

    def build(self, draw: Draw, name: str) -> Built:
        built = [plan.build(draw, f"{name}.{part}") for part, plan in self.parts]
        value = lookup(self.module, self.qualname)(*(value for value, _ in built))
        return value, call(self.module, self.qualname, *(recipe for _, recipe in built))

    def describe(self) -> str:
        return self.qualname

    def is_composite(self) -> bool:
        return True


def _holder(module: str, qualname: str, **parts: Plan) -> Callable[[], Plan]:
    return lambda: HolderPlan(module, qualname, tuple(parts.items()))


_LEVELS: Final = members([20, 10, 30, 40, 50], "level")


def _element() -> Plan:
    def make(tag: str, text: str) -> Built:
        content = text.replace("&", "&amp;").replace("<", "&lt;")
        recipe = call("xml.etree.ElementTree", "fromstring", lit(f'<{tag} id="1">{content}<b/></{tag}>'))
        return evaluate(recipe), recipe

    full = MadePlan("Element", (("tag", members(["a", "b", "item"], "tag")), ("text", StrPlan("t"))), make)
    return one_of([full, made("Element", "xml.etree.ElementTree", "Element", ("tag", members(["a"], "tag")))])


def _syntax(kind: str) -> Plan:
    texts = ["x = 1", "def f(a):\n    return a", "print('a', b=2)", ""]
    modes = ["a + 1", "f(1)", "[]"]
    if kind == "expr":
        return members_of_call("ast", "parse", [(text, "<unknown>", "eval") for text in modes])
    return members_of_call("ast", "parse", [(text,) for text in texts])


def members_of_call(module: str, name: str, choices: list[tuple[Any, ...]]) -> Plan:
    """The choice among constant calls of one function."""
    return one_of([constant(module, name, *args) for args in choices])


def _rows() -> Plan:
    reader = [(["a,b", "1,2"],), (["a"],), ([],)]
    return members_of_call("csv", "DictReader", reader)


def _struct_time() -> Plan:
    return made("struct_time", "time", "gmtime", ("seconds", IntPlan(0, 0, 4_000_000_000)))


def _url(name: str, **more: Plan) -> Callable[[], Plan]:
    parts: dict[str, Plan] = {"scheme": StrPlan("http"), "netloc": StrPlan("a"), "path": StrPlan("/b")}
    return _holder("urllib.parse", name, **parts, **more, query=StrPlan(), fragment=StrPlan())


def _wrapped(name: str) -> Callable[[], Plan]:
    return lambda: WrappedPlan(name, ListPlan(IntPlan()), "builtins", name)


def _context_variable() -> Plan:
    return constant("contextvars", "ContextVar", "variable", default=0)


def _address(name: str, bits: int) -> Callable[[], Plan]:
    return lambda: made(name, "ipaddress", name, ("number", IntPlan(2**24 * 127 + 1, 0, 2**bits - 1)))


_LOGGER: Final = call("logging", "getLogger", lit("tests"))

OBJECTS: Final[dict[str, Callable[[], Plan]]] = {
    "array.array": _array,
    "ipaddress.IPv4Address": _address("IPv4Address", 32),
    "ipaddress.IPv6Address": _address("IPv6Address", 128),
    "ipaddress.IPv4Network": lambda: _network("IPv4Network", [24, 8, 32], 32),
    "ipaddress.IPv6Network": lambda: _network("IPv6Network", [64, 128], 128),
    "_thread.lock": _always("threading", "Lock"),
    "_thread.allocate_lock": _always("threading", "Lock"),
    "_thread.RLock": _always("threading", "RLock"),
    "threading.RLock": _always("threading", "RLock"),
    "sqlite3.Connection": _always("sqlite3", "connect", ":memory:"),
    "xml.etree.ElementTree.Element": _element,
    "zoneinfo.ZoneInfo": _always("zoneinfo", "ZoneInfo", "UTC"),
    "contextlib.AbstractAsyncContextManager": _always("contextlib", "nullcontext"),
    "os.stat_result": _always("os", "stat_result", (33188, 1, 1, 1, 0, 0, 100, 0, 0, 0)),
    "builtins.module": _always("types", "ModuleType", "module"),
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
    "logging.LoggerAdapter": _always("logging", "LoggerAdapter", _LOGGER, {}),
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
    "urllib.request.Request": _always("urllib.request", "Request", "http://localhost/a"),
    "http.client.HTTPConnection": _always("http.client", "HTTPConnection", "localhost"),
    "string.Template": lambda: made("Template", "string", "Template", ("text", StrPlan("$a"))),
    "time.struct_time": _struct_time,
    "ast.AST": lambda: _syntax("AST"),
    "ast.Module": lambda: _syntax("Module"),
    "ast.expr": lambda: constant("ast", "Constant", 1),
    "ast.Expression": lambda: _syntax("expr"),
    "functools.partial": _always("functools", "partial", int),
    "_contextvars.ContextVar": _context_variable,
    "contextvars.ContextVar": _context_variable,
    "csv.DictReader": _rows,
    "csv.DictWriter": _always("csv", "DictWriter", call("io", "StringIO"), ["a", "b"]),
    "struct.Struct": _always("struct", "Struct", "<i"),
    "_struct.Struct": _always("struct", "Struct", "<i"),
    "collections.UserString": lambda: made("UserString", "collections", "UserString", ("text", StrPlan("a"))),
    **{f"builtins.{name}": _wrapped(name) for name in ("enumerate", "reversed")},
}
"""By the name that a class or function gives itself."""


def of_function(function: Any) -> Plan | None:
    """The plan of what a function of the standard library that stands where a type should returns."""
    name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
    maker = OBJECTS.get(name)
    return None if maker is None else maker()
