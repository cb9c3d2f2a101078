"""Measure how much slower twins are than their originals where no value is traced.

Original and twin run in turn in this process, on the live runtime: once before any traced value exists, and
once after one was used in another module, also as a key, so that nothing can depend on there being none. Exit
status 1 when a gate is missed or when the two give different results.

Usage: python benchmarks/slowdown.py [workload ...]
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # from a checkout, without an installation

from harness import BenchmarkError, gate, surroundings
from workloads import NAMES, original, traced

from instrumenter.transform import instrument
from runtime import twin
from runtime.inputs import Inputs

MEAN_GATE = 6.0
WORST_GATE = 12.0
REPEATS = 7

ELSEWHERE = '''\
def use(number, text, flag):
    """Compute, decide and look up with values from outside."""
    known = {number: text, (number, text): flag}
    for key in (number + 1, text + "x", number):
        if key in known and known[key] == text:
            known[text.upper()] = 1.5 * number
    return f"{number:>4}", [item for item in known if item], flag and number < 3
'''


def use_a_traced_value() -> list[Any]:
    """Run a twin of another module on traced values, and keep them alive."""
    rewritten = instrument(ELSEWHERE, name="elsewhere", filename="elsewhere.py")
    module: dict[str, Any] = {"__name__": "elsewhere", rewritten.prelude_name: twin}
    exec(compile(rewritten.source, "elsewhere.py", "exec"), module)  # noqa: S102 - a module of our own
    inputs = Inputs({})
    values = [inputs.integer("number", 2), inputs.text("text", "two"), inputs.boolean("flag", True)]
    return [*values, module["use"](*values)]


def seconds(module: ModuleType) -> tuple[float, Any]:
    """Time one run; processor time, since other programs may be running."""
    start = time.process_time()
    result = module.run(module.SIZE)
    return time.process_time() - start, result


def ratio(first: ModuleType, second: ModuleType) -> float:
    """Run original and twin in turn; compare the results, and the best times.

    Raises:
        BenchmarkError: the results differ.
    """
    best = [math.inf, math.inf]
    for _ in range(REPEATS):
        results = []
        for place, module in enumerate((first, second)):
            spent, result = seconds(module)
            best[place] = min(best[place], spent)
            results.append(result)
        if results[0] != results[1]:
            raise BenchmarkError(f"{first.__name__}: the twin's result differs from its original's")
    return best[1] / best[0]


def mean(ratios: list[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> int:
    """Measure every workload under both conditions and compare with the gates."""
    names = sys.argv[1:] or list(NAMES)
    modules = {name: (original(name), traced(name)) for name in names}
    before = [ratio(*modules[name]) for name in names]
    kept = use_a_traced_value()
    after = [ratio(*modules[name]) for name in names]
    del kept
    print(f"{surroundings()}; twin against original, best of {REPEATS}")
    print(f"{'workload':<16}{'no traced value':>18}{'one used before':>18}")
    for name, *both in zip(names, before, after, strict=True):
        print(f"{name:<16}" + "".join(f"{value:>17.2f}x" for value in both))
    print(f"{'geometric mean':<16}{mean(before):>17.2f}x{mean(after):>17.2f}x")
    slowest = max(*before, *after)
    overall = max(mean(before), mean(after))
    status = gate(overall <= MEAN_GATE, f"geometric mean {overall:.2f}x, at most {MEAN_GATE:g}x wanted")
    status |= gate(slowest <= WORST_GATE, f"slowest {slowest:.2f}x, at most {WORST_GATE:g}x wanted")
    return status


if __name__ == "__main__":
    sys.exit(main())
