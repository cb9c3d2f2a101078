from __future__ import annotations

import json

from tests.cli.report.samples import failure, module
from tracetwin.model.goal import Uncovered
from tracetwin.run.results.module_result import to_json
from tracetwin.run.results.refusals import Refusal
from tracetwin.support.failures import Failure


def test_the_json_holds_what_the_reference_promises():
    found = module(
        failures=[Failure("exploring f", "full", "...", internal=False)],
        refusals=[Refusal("f", "os.remove", "x", 2)],
    )
    result = json.loads(json.dumps(to_json([found, failure("import hung")])))
    figures = {
        "lines": 12, "covered_lines": 8, "branches": 8, "covered_branches": 5, "tests": 4, "runs": 1204,
        "queries": 31, "divergences": 2, "seconds": 2.5,
    }
    missed = [{"line": 7, "reason": "infeasible (proved)"}]
    first, second = result["modules"]
    assert result["schema"] == 1
    assert result["total"] == figures
    assert first == {
        **figures, "name": "shop.cart", "file": "shop/cart.py", "test_file": "tests/test_shop_cart.py",
        "error": None, "empty": False, "outside": None, "wheels": [], "unpacked": False,
        "uncovered": missed, "notes": [], "stats": {}, "options": {}, "goals": [], "pairs": [],
            "cases": [], "trees": {}, "digests": {}, "regressions": [], "unchanged": False,
            "selected": False, "spans": [], "slowest": [], "classes": [], "curve": [],
            "suspicious": [], "unkept": [], "suspicious_file": None, "theirs": 0,
        "failures": [{"sentence": "exploring f failed: full", "internal": False, "traceback": "..."}],
        "refusals": [{
            "act": "delete files", "function": "f", "event": "os.remove", "detail": "x", "runs": 2,
            "making": False, "opened_by": "write:PATH",
        }],
        "functions": [{
            "name": "Cart.add", "first_line": 3, "ended": "", "misfits": [],
            "lines": 9, "covered_lines": 6, "branches": 8,
            "covered_branches": 5, "tests": 4, "runs": 1204, "queries": 31, "divergences": 2, "seconds": 1.26,
            "uncovered": missed, "notes": [],
        }],
    }
    assert (second["error"], second["test_file"], second["functions"]) == ("import hung", None, [])


def test_uncovered_lines_are_in_order():
    result = to_json([module(uncovered=[Uncovered(9, "b"), Uncovered(2, "a")])])
    assert [2, 9] == [miss["line"] for miss in result["modules"][0]["uncovered"]]


def test_nothing_is_valid_too():
    assert to_json([])["modules"] == []
