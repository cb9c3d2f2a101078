from __future__ import annotations

import os

from tests.cli.report.samples import failure, function, module
from tracetwin.cli.report.table import MOST_GIVEN_UP, fold, percent, render
from tracetwin.model.goal import Uncovered
from tracetwin.model.written_test import WrittenTest
from tracetwin.target.module import Boundary


def test_a_module_with_one_function():
    assert render([module()]) == [
        "shop.cart  shop/cart.py",
        "  function   lines   branches   tests    time",
        "  Cart.add     6/9        5/8       4   1.3 s",
        "  not covered:",
        "    Cart.add, line 7: infeasible (proved)",
        "  wrote tests/test_shop_cart.py (4 tests)",
        "",
        "4 tests in 1 file; lines 8/12 (66 %); branches 5/8 (62 %)",
    ]


def test_several_functions_get_a_line_for_the_module():
    lines = render([module(functions=[function("f"), function("größer", branches=0)], uncovered=[])])
    assert lines[1:5] == [
        "  function       lines   branches   tests    time",
        "  f                6/9        5/8       4   1.3 s",
        "  größer           6/9          -       4   1.3 s",
        "  whole module    8/12        5/8       4   2.5 s",
    ]


def test_lines_of_no_function_are_explained_too():
    spent = [Uncovered(20, "budget spent"), Uncovered(21, "budget spent")]
    missed = [Uncovered(7, "infeasible (proved)"), *spent]
    lines = render([module(uncovered=missed)])
    assert "    Cart.add, line 7: infeasible (proved)" in lines
    assert "    outside of them, lines 20-21: budget spent" in lines


def test_functions_that_no_test_calls_are_named_beside_their_lines():
    missed = [Uncovered(20 + n, "not reached", name) for n, name in enumerate(["b", "b", "a", "", "c"])]
    lines = render([module(uncovered=missed)])
    assert "    outside of them, lines 20-24: not reached (in b, a, c)" in lines
    many = [Uncovered(20 + n, "not reached", f"f{n}") for n in range(9)]
    lines = render([module(uncovered=many)])
    assert "    outside of them, lines 20-28: not reached (in f0, f1, f2, f3, f4, f5 and 3 more)" in lines


def test_verbose_adds_figures_notes_and_statistics():
    functions = [function(notes=["lost a value"])]
    asked = {"queries": 4, "sat": 2, "unsat": 1, "unknown": 1, "seconds": 0.5}
    figures = {**asked, "folded": 7, "cache_hits": 3, "stages": {"z3": asked}, "theories": {"reals": asked}}
    stats = {"cache hits": 3, "solver": figures, "solver_share": 0.25}
    result = module(notes=["module note"], stats=stats, functions=functions)
    shown = "\n".join(render([result], verbose=True))
    assert "runs   queries   divergences" in shown
    assert "1,204        31             2" in shown
    assert "  note: module note" in shown
    assert "  note: Cart.add: lost a value" in shown
    assert "  cache hits: 3\n" in shown
    assert "  solver: 4 queries in 0.50 s, 25 % of exploring; 7 folded, 3 from memory, 1 not" in shown
    assert "z3: reals" in shown


def test_without_verbose_there_are_none_of_them():
    shown = "\n".join(render([module(notes=["module note"])]))
    assert "queries" not in shown
    assert "module note" not in shown
    assert "  1 note, shown by -v" in shown


def test_failed_modules_are_counted_only():
    assert render([module(), failure()])[-1].endswith("; nothing for 1 module")
    assert render([failure()]) == ["0 tests in 0 files; nothing for 1 module"]


def test_a_module_without_tests_says_so():
    lines = render([module(test_file=None)])
    assert "  nothing written: no input was found whose result can be asserted" in lines


def test_foreign_text_is_cleaned():
    evil = "\x1b]0;pwned\x07evil\nline"
    functions = [function(evil, uncovered=[Uncovered(1, evil)], notes=[evil])]
    result = module(evil, functions=functions, notes=[evil])
    lines = render([result], verbose=True)
    assert not any("\x1b" in line or "\n" in line or "\x07" in line for line in lines)
    assert "    evil line, line 1: evil line" in lines


def test_lines_with_one_reason_are_folded_into_ranges():
    missed = [Uncovered(n, "budget spent") for n in (12, 13, 14, 20, 22, 23)] + [Uncovered(15, "infeasible")]
    assert fold(missed) == [("12-14, 20, 22-23", "budget spent"), ("15", "infeasible")]


def test_folding_takes_a_line_once_and_any_order():
    assert fold([Uncovered(2, "a"), Uncovered(1, "a"), Uncovered(2, "a")]) == [("1-2", "a")]
    assert fold([]) == []
    assert fold([Uncovered(1, "")]) == [("1", "no reason known")]


def test_a_hundred_percent_means_all():
    assert [percent(999, 1000), percent(1000, 1000), percent(0, 0)] == ["99 %", "100 %", "100 %"]


def test_boundaries_are_told_once_per_target():
    boundaries = [
        Boundary("shop.whl", "shop.quick", "C extension"),
        Boundary("shop.whl", "shop.core", "bytecode only"),
        Boundary("tax", "tax.core", "bytecode only"),
    ]
    lines = render([module()], boundaries)
    assert "shop.whl: 2 modules are boundaries: shop.core (bytecode only), shop.quick (C extension)" in lines
    assert "tax: 1 module is a boundary: tax.core (bytecode only)" in lines


def test_a_module_explored_from_outside_says_so():
    lines = render([module(outside="it comes as bytecode only")])
    assert "  explored from outside only, without symbolic reasoning: it comes as bytecode only" in lines


def test_how_tests_of_wheels_are_run_is_told_once():
    wheels = ["shop.whl", "tax.whl"]
    lines = render([module(wheels=wheels), module("other", wheels=wheels)])
    assert 1 == lines.count(f"to run the tests, set PYTHONPATH=shop.whl{os.pathsep}tax.whl")
    lines = render([module(wheels=wheels, unpacked=True), module("other", wheels=["x"], test_file=None)])
    assert ["to run the tests, install shop.whl and tax.whl"] == [x for x in lines if x.startswith("to run")]


def test_the_tests_of_two_wheels_are_run_with_one_path():
    first, second = ["shop-1-py3-none-any.whl", "dep-1.whl"], ["tax-1-py3-none-any.whl", "dep-1.whl"]
    path = os.pathsep.join([*first, second[0]])
    lines = render([module(wheels=first), module("tax", wheels=second)])
    assert [f"to run the tests, set PYTHONPATH={path}"] == [x for x in lines if x.startswith("to run")]
    lines = render([module(wheels=first), module("tax", wheels=second, unpacked=True)])
    (line,) = [x for x in lines if x.startswith("to run")]
    assert line.startswith("to run the tests, install shop-1-py3-none-any.whl, dep-1.whl and tax-1-")


def test_wheels_of_one_library_are_not_put_on_one_path():
    first, second = ["a-1-py3-none-any.whl", "Dep.x-1.whl"], ["b-1-py3-none-any.whl", "dep_x-2.whl"]
    lines = render([module("a", wheels=first), module("b", wheels=second), module("b.c", wheels=second)])
    assert [x for x in lines if x.startswith("to run")] == [
        f"to run the tests of a, set PYTHONPATH={os.pathsep.join(first)}",
        f"to run the tests of b and b.c, set PYTHONPATH={os.pathsep.join(second)}",
    ]


def test_runs_that_were_given_up_are_told_without_being_asked():
    broken = function("f", given_up=["2 of its 9 runs were given up: killed by SIGABRT"])
    assert "  f: 2 of its 9 runs were given up: killed by SIGABRT" in render([module(functions=[broken])])


def test_of_many_such_lines_the_first_are_shown():
    broken = [function(f"f{number}", given_up=["1 of its 9 runs was given up: late"]) for number in range(12)]
    lines = render([module(functions=broken)])
    assert MOST_GIVEN_UP == sum("was given up" in line for line in lines)
    assert f"  {12 - MOST_GIVEN_UP} lines like these, shown by -v" in lines
    assert 12 == sum("was given up" in line for line in render([module(functions=broken)], verbose=True))


def test_verbose_says_what_only_one_test_meets():
    cases = [
        WrittenTest("TestCart", "test_add", "Cart.add", (1, 2), ((1, 2),), (0, 1)),
        WrittenTest("TestCart", "test_add_raises", "Cart.add", (1, *range(10, 16)), ((1, 3),)),
        WrittenTest("TestCart", "test_nothing", "Cart.add", (1,), ()),
    ]
    lines = render([module(cases=cases)], verbose=True)
    assert "  only TestCart.test_add: branch 1->2, line 2, 2 mutants" in lines
    assert "  only TestCart.test_add_raises: branch 1->3, line 10, line 11, line 12, 3 more" in lines
    assert not any("test_nothing" in line for line in lines)
    assert not any("only TestCart" in line for line in render([module(cases=cases)]))
