"""Objects of the standard library as arguments: built the same way in a test, and useful as what they are."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.drawing.conftest import MakeModule
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.model import recipes


def built(make_module: MakeModule, annotation: str, body: str = "pass", **assignment: Any) -> tuple[Any, Any]:
    """The argument that is drawn, and what its recipe gives."""
    home = annotation.partition("[")[0].rpartition(".")[0]
    module = make_module(f"from __future__ import annotations\nimport {home}\ndef f(x: {annotation}): {body}")
    (made,) = discover(module)
    assert made.problem is None
    arguments = build_arguments(PlainDraw(assignment), made.parameters)
    return arguments.args[0], recipes.evaluate(arguments.arg_recipes[0])


@pytest.mark.parametrize(
    ("annotation", "look"),
    [
        ("array.array", "x.tolist()"),
        ("ipaddress.IPv4Address", "x.is_loopback"),
        ("ipaddress.IPv6Network", "x.prefixlen"),
        ("sqlite3.Connection", "x.execute('select 1').fetchone()"),
        ("xml.etree.ElementTree.Element", "x.tag"),
        ("contextlib.AbstractAsyncContextManager", "type(x)"),
        ("os.stat_result", "x.st_size"),
        ("types.ModuleType", "x.__name__"),
        ("logging.LogRecord", "x.getMessage()"),
        ("logging.LoggerAdapter", "x.logger"),
        ("subprocess.CompletedProcess[str]", "(x.returncode, x.stdout)"),
        ("urllib.parse.ParseResult", "x.geturl()"),
        ("urllib.parse.SplitResult", "x.hostname"),
        ("urllib.request.Request", "x.host"),
        ("http.client.HTTPConnection", "x.host"),
        ("string.Template", "x.safe_substitute(a=1)"),
        ("time.struct_time", "x.tm_year"),
        ("ast.Module", "type(x.body[0])"),
        ("ast.expr", "x.value"),
        ("functools.partial", "x()"),
        ("contextvars.ContextVar[int]", "x.get()"),
        ("csv.DictReader", "list(x)"),
        ("csv.DictWriter", "x.fieldnames"),
        ("struct.Struct", "x.size"),
        ("collections.UserString", "x.upper()"),
    ],
)
def test_the_recipe_builds_what_was_drawn(annotation: str, look: str, make_module: MakeModule) -> None:
    importlib.import_module(annotation.partition("[")[0].rpartition(".")[0])
    drawn, again = built(make_module, annotation)
    assert type(drawn) is type(again)
    assert eval(look, {"x": drawn}) == eval(look, {"x": again})


@pytest.mark.parametrize("annotation", ["threading.Lock", "threading.RLock"])
def test_a_lock_is_one_although_its_name_is_a_function(annotation: str, make_module: MakeModule) -> None:
    drawn, again = built(make_module, annotation)
    with drawn:
        assert again.acquire(blocking=False)


def test_a_namespace_has_the_attributes_that_the_code_asks_for(make_module: MakeModule) -> None:
    body = "return x.name.upper() if x.count > 3 else ''"
    drawn, again = built(make_module, "argparse.Namespace", body, **{"x.name": "bob", "x.count": 4})
    assert drawn == again
    assert (drawn.name, drawn.count) == ("bob", 4)


def test_an_object_that_keeps_its_parts_keeps_what_was_drawn(make_module: MakeModule) -> None:
    assignment: dict[str, Any] = {"x.returncode": 3, "x.stdout": "out"}
    drawn, _ = built(make_module, "subprocess.CompletedProcess", "pass", **assignment)
    assert (drawn.returncode, drawn.stdout) == (3, "out")


def test_functions_that_return_nothing_special_are_no_types(make_module: MakeModule) -> None:
    module = make_module("import os\ndef f(x: os.getcwd): pass")
    assert "it is a builtin_function_or_method, not a type" in (discover(module)[0].problem or "")


def test_a_datetime_may_know_its_time_zone(make_module: MakeModule) -> None:
    naive, _ = built(make_module, "datetime.datetime")
    assert naive.tzinfo is None
    assignment: dict[str, Any] = {"~tzinfo": 1, "x|1.tzinfo?": 2, "x|1.year": 99}
    drawn, again = built(make_module, "datetime.datetime", **assignment)
    assert (again.year, again.utcoffset()) == (99, drawn.utcoffset())
    assert drawn.utcoffset() == -5 * importlib.import_module("datetime").timedelta(hours=1)


def test_the_datetimes_of_one_call_can_be_compared(make_module: MakeModule) -> None:
    module = make_module("import datetime\ndef f(x: datetime.datetime, y: datetime.datetime): pass")
    (made,) = discover(module)
    for zone in (0, 1):
        first, second = build_arguments(PlainDraw({"~tzinfo": zone}), made.parameters).args
        assert first <= second
