"""Patches around a case on the original."""

from __future__ import annotations

import datetime as dt
import os
import time
from dataclasses import replace
from time import sleep
from typing import Any

import pytest

from tracetwin.drawing.environment.apply import Applied
from tracetwin.drawing.environment.uses import CHECKS, MAKES
from tracetwin.model.case import Case
from tracetwin.model.codec import decode_patch
from tracetwin.model.observation import CalledWith, Written
from tracetwin.model.recipes import lit


def applied(*patches: Any) -> Applied:
    """Patches by their plain form."""
    return Applied(map(decode_patch, patches))


def test_a_result_is_given_again_and_again() -> None:
    with applied(("function", "time.time", [("return", ("lit", 5.0))], False)):
        assert [5.0, 5.0] == [time.time(), time.time()]
    assert time.time() > 6.0


def test_results_are_given_in_order_and_run_out() -> None:
    outcomes = [("return", ("lit", 1)), ("raise", ("ref", "builtins", "OSError")), ("return", ("lit", 2))]
    with applied(("function", "time.time", outcomes, False)) as patched:
        assert 1 == time.time()
        with pytest.raises(OSError, match=r"^$"):
            time.time()
        assert 2 == time.time()
        assert [] == patched.spent
        with pytest.raises(StopIteration):
            time.time()
        assert ["time.time"] == patched.spent


def test_variables_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERE", "1")
    with applied(("environ", {"A": "x"}, False, "os.environ")):
        assert ["x", "1"] == [os.environ["A"], os.environ["THERE"]]
    with applied(("environ", {"A": "x"}, True, "os.environ")):
        os.environ["B"] = "2"
        assert {"A": "x", "B": "2"} == dict(os.environ)
    assert ("1", None) == (os.environ["THERE"], os.environ.get("B"))


def test_files_hold_what_is_read(tmp_path: object) -> None:
    del tmp_path
    outcomes = [("file", ("lit", "a\nb\n")), ("file", ("lit", b"c"))]
    with applied(("function", "builtins.open", outcomes[:1], False)):
        for _ in range(2):
            with open("nowhere", encoding="utf-8") as file:  # noqa: PTH123 - this is what is patched
                assert ["a\n", "b\n"] == list(file)
    with applied(("function", "builtins.open", outcomes, False)):
        assert ["a\nb\n", b"c"] == [open("nowhere").read() for _ in range(2)]  # noqa: PTH123, SIM115


def test_an_attempt_does_not_sleep_where_no_patch_says_so() -> None:
    case = Case(__name__, "f", "function", ())
    with Applied(case.awake().patches) as patched:
        time.sleep(0)
        assert [] == patched.spent
        time.sleep(60)
        sleep(60)
        assert ["time.sleep", "time.sleep"] == patched.spent
    told = decode_patch(("function", "time.sleep", [("nothing", ("lit", None))], True))
    with Applied(replace(case, patches=(told,)).awake().patches) as patched:
        time.sleep(60)
    assert [] == patched.spent


def test_who_has_got_the_function_itself_does_not_sleep_either_in_an_attempt() -> None:
    import asyncio

    own = asyncio.sleep
    with Applied(Case("m", "f", "function", ()).awake().patches) as patched:
        asyncio.run(own(0))
        assert [] == patched.spent
        asyncio.run(own(60))
        assert ["asyncio.sleep"] == patched.spent


def test_what_is_written_and_whom_was_told_is_known() -> None:
    patches = [
        ("function", "builtins.open", [("sink", ("lit", ""))], False),
        ("function", "time.sleep", [("nothing", ("lit", None))], True),
    ]
    with applied(*patches) as patched:
        with open("nowhere", "w", encoding="utf-8") as file:  # noqa: PTH123 - as above
            file.write("a")
            file.write("b")
        time.sleep(3)
        written = Written("builtins.open", (lit("a"), lit("b")))
        assert (written, CalledWith("time.sleep", (lit(3),), ())) == patched.told()
        time.sleep(4)
        assert (written,) == patched.told()


@pytest.mark.parametrize("uses", [(), (MAKES,), (CHECKS, MAKES)])
def test_a_class_written_in_c_can_be_patched(uses: tuple[str, ...]) -> None:
    real, moment = dt.datetime, dt.datetime(2020, 2, 2)  # noqa: DTZ001 - as programs make them
    recipe: Any = ("call", "datetime", "datetime", [("lit", 2020), ("lit", 2), ("lit", 2)], [])
    patches = [
        ("class", "datetime.datetime", "datetime", "datetime", uses),
        ("function", "datetime.datetime.now", [("return", recipe)], False),
    ]
    with applied(*patches):
        assert moment == dt.datetime.now()  # noqa: DTZ005
        assert (CHECKS in uses) == isinstance(moment, dt.datetime)
        made = dt.datetime(2020, 1, 1)  # noqa: DTZ001
        assert (MAKES in uses) == (type(made) is real)
        assert isinstance(made, real)
    assert dt.datetime is real
