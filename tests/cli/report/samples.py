"""Results to show."""

from __future__ import annotations

from pathlib import Path

from tracetwin.model.goal import Uncovered
from tracetwin.run.results.module_result import FunctionResult, ModuleResult


def function(qualname: str = "Cart.add", **fields: object) -> FunctionResult:
    known: dict[str, object] = {
        "first_line": 3, "lines": 9, "covered_lines": 6, "branches": 8, "covered_branches": 5, "tests": 4,
        "runs": 1204, "queries": 31, "divergences": 2, "seconds": 1.26,
    }
    return FunctionResult(qualname, **(known | fields))  # type: ignore[arg-type]


def module(name: str = "shop.cart", **fields: object) -> ModuleResult:
    known: dict[str, object] = {
        "functions": [function(uncovered=[Uncovered(7, "infeasible (proved)")])],
        "test_file": Path("tests/test_shop_cart.py"),
        "lines": 12, "covered_lines": 8, "branches": 8, "covered_branches": 5, "tests": 4, "runs": 1204,
        "queries": 31, "divergences": 2, "seconds": 2.5, "uncovered": [Uncovered(7, "infeasible (proved)")],
    }
    return ModuleResult(name, "shop/cart.py", **(known | fields))  # type: ignore[arg-type]


def failure(error: str = "import raised ZeroDivisionError: division by zero") -> ModuleResult:
    return ModuleResult("shop.broken", "shop/broken.py", error=error)
