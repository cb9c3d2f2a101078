"""The result of a run over a target that wants to break the page that shows it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

BAD = "</script><img src=x onerror=alert(1)>\u202egnirts\x1b[31m\0&\"'"
"""Ends scripts, loads things, turns the direction of reading, steers terminals, ends C strings."""

LONG = "x" * 1_000_000

SOURCE = f'''def f(x):
    """{BAD.replace(chr(0), "")}"""
    if x == "</script>":
        return 1
    return "{"y" * 50}"
'''
TESTS = """import unittest


class TestF(unittest.TestCase):
    def test_f_returns_1(self):
        self.assertEqual(1, f("</script>"))
"""
FIGURES = {
    "lines": 4, "covered_lines": 3, "branches": 2, "covered_branches": 1, "tests": 1, "runs": 9, "queries": 3,
    "divergences": 0, "seconds": 1.5,
}  # fmt: skip


def goal(criterion: str, name: str, line: int, fate: str, reason: str = "") -> dict[str, Any]:
    return {
        "criterion": criterion, "name": name, "function": "f", "line": line, "fate": fate, "reason": reason
    }  # fmt: skip


def node(parent: int, text: str, state: str, **others: Any) -> dict[str, Any]:
    plain = {"parent": parent, "text": text, "line": 3, "order": 1, "state": state}
    return {**plain, "values": {}, "ending": "", **others}


def result(folder: Path, *, bad: str = BAD) -> dict[str, Any]:
    """Write a source and its tests, and return the plain result of a run over them."""
    source, tests = folder / "shop.py", folder / "test_shop.py"
    source.write_bytes(SOURCE.encode())
    tests.write_text(TESTS, encoding="utf-8")
    digests = {
        name: hashlib.sha256(file.read_bytes()).hexdigest()
        for name, file in (("source", source), ("tests", tests))
    }
    why = f"budget spent {bad}"
    module = {
        "name": f"shop{bad}",
        "file": str(source),
        "test_file": str(tests),
        "error": None,
        "outside": None,
        **FIGURES,
        "uncovered": [{"line": 5, "reason": why}],
        "notes": [bad, f"see {folder}/shop.py"],
        "stats": {"phases": {bad: 1.5}, "solver": {"stages": {bad: {"queries": 3, "seconds": 0.1}}}},
        "goals": [
            goal("branch", "branch 3 -> 4", 3, "covered"),
            goal("branch", "branch 3 -> 5", 3, "open", why),
            goal("mutation", f"line 3: {bad} becomes `!=`", 3, "open", "tests run it, and none notices it"),
        ],
        "mutants": [
            {"line": 3, "column": 1, "function": "f", "operator": "o", "change": bad, "fate": "survived",
             "closest": bad},
        ],
        "cases": [
            {"class": "TestF", "name": "test_f_returns_1", "function": bad, "lines": [3, 4],
             "branches": [[3, 4]], "mutants": [0], "pairs": [f"{bad}:1"], "vectors": ["7:10"],
             "call": "f(1)", "stand_ins": [{"kind": "mock", "name": bad, "asked": bad, "answer": bad}]},
        ],
        "trees": {
            "f": {
                "nodes": [
                    node(-1, f"x == {bad}", "tested", values={"x": bad}, ending=bad),
                    node(-1, f"x != {bad}", "inner", order=2),
                    node(1, "x > 1", "inner"),
                    node(2, "x > 2", "pending", order=3),
                ],
                "cut": 1,
                "events": "rsD",
            }
        },
        "spans": [
            {"process": 0, "kind": "exploring", "what": bad, "begin": 0.0, "end": 1.5, "parts": {bad: 1.0}},
        ],
        "slowest": [
            {"function": bad, "goal": bad, "theory": bad, "answer": "sat", "seconds": 1.0, "smtlib": bad},
        ],
        "classes": [
            {
                "name": bad, "problem": bad, "opaque": [],
                "methods": [
                    {"name": bad, "complete": False, "why": bad, "paths": [
                        {"when": bad, "then": {bad: bad}, "defines": [bad], "raises": bad, "returns": ""},
                    ]},
                ],
                "pairs": [
                    {"number": 1, "attribute": bad, "define": {"method": bad, "line": 1},
                     "use": {"method": bad, "line": 3}, "status": "covered", "why": bad, "sequence": bad},
                ],
                "states": {
                    "complete": False, "stopped": bad,
                    "rows": [{"depth": 0, "new": 1, "states": 1, "subsumed": 0, "runs": 1, "queries": 0,
                              "solved": 0, "seconds": 0.1, "covered": 1, "complete": False}],
                    "states": [{"number": 0, "depth": 0, "calls": [bad], "holds": {bad: bad}, "when": bad}],
                    "moves": [{"before": 0, "after": 0, "call": bad, "new": False}],
                },
            },
        ],
        "operands": [
            {"line": 3, "column": 1, "function": "f", "operand": 1, "text": bad, "fate": "covered",
             "pair": ["10", "00"], "condition": 7},
            {"line": 3, "column": 9, "function": "f", "operand": 2, "text": bad, "fate": "open",
             "pair": [], "condition": 7},
        ],
        "curve": [{"seconds": 0.5, "runs": 3, "covered": 2}, {"seconds": 1.5, "runs": 9, "covered": 4}],
        "suspicious": [{"test": "TestF.test_f_returns_1", "why": bad}],
        "digests": digests,
        "failures": [{"sentence": bad, "internal": True, "traceback": bad}],
        "refusals": [{"act": bad, "event": bad, "detail": bad, "function": bad, "runs": 2, "opened_by": bad}],
        "functions": [
            {
                "name": "f", "first_line": 1, **FIGURES, "uncovered": [{"line": 5, "reason": why}],
                "notes": [bad],
            },
        ],
    }  # fmt: skip
    plain: dict[str, Any] = json.loads(json.dumps({
        "schema": 1, "modules": [module], "boundaries": [], "errors": [bad], "notes": [bad],
        "log": [{"seconds": 0.5, "kind": "message", "module": bad, "text": bad}], "total": FIGURES,
        "curve": module["curve"],
    }))  # fmt: skip
    return plain
