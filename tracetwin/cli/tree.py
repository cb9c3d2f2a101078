"""The command `tracetwin tree`: the constraint tree of one function as a picture or as text."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tracetwin.cli.environment import PYTHON, find_targets
from tracetwin.cli.tools import NOTHING, ROOT, SEED, interruptible, say, write_file
from tracetwin.model.options import Options

if TYPE_CHECKING:
    from tracetwin.report.result import ReportedTree
    from tracetwin.target.module import TargetModule

_SUFFIXES: Final = (".svg", ".dot", ".mmd", ".json")


@click.command(epilog="""\b
Examples:
  tracetwin tree shop/cart.py:discount                 as text
  tracetwin tree shop.cart:Cart.add -o add.svg         a picture
  tracetwin tree shop.cart:discount -o discount.dot    for Graphviz; .mmd for Mermaid, .json for programs
""")
@click.argument("target", metavar="TARGET:FUNCTION")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="A file that ends in .svg, .dot, .mmd or .json.  [default: text on the terminal]",
)  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True,
              metavar="SECONDS", help="How long it may grow.")  # fmt: skip
@SEED
@ROOT
@PYTHON
def tree(
    target: str, output: Path | None, time_limit: float, seed: int, root: Path | None, python: str | None
) -> None:  # fmt: skip
    """Draw the conditions that the runs of one function met, and what became of their other sides.

    Ends are marked: a test goes there, a run went there, no input goes this way, the solver
    gave up, not tried yet, no room for what follows.
    """
    if output is not None and output.suffix not in _SUFFIXES:
        raise click.UsageError(f"{output}: the name must end in {', '.join(_SUFFIXES)}")
    found = find_targets([target], root, python, quiet=False)
    if len(found.modules) != 1:
        sys.exit(NOTHING)
    if not found.modules[0].selection:
        raise click.UsageError(f"{target}: name a function of it, as in {target}:FUNCTION")
    name = target.rpartition(":")[2]
    drawn = _grown(found.modules[0], name, time_limit, seed)
    if drawn is None:
        say(f"no run of {name} met a condition on its arguments, so there is no tree", error=True)
        sys.exit(NOTHING)
    if output is None:
        click.echo(_as_text(drawn), nl=False)
    else:
        write_file(str(output), _written(drawn, name, output.suffix))
        say(f"wrote {output}", stderr=True)


def _grown(module: TargetModule, name: str, seconds: float, seed: int) -> ReportedTree | None:
    from tracetwin.report.result import result_of
    from tracetwin.run.listener import Listener
    from tracetwin.run.results.module_result import to_json
    from tracetwin.run.scheduler.scheduler import generate

    with tempfile.TemporaryDirectory() as folder, interruptible():
        options = Options(
            Path(folder), criterion="branch", time_limit=seconds, seed=seed, trees=True, journal=False
        )
        result = result_of(to_json(generate([module], options, Listener())))
    for problem in (result.modules[0].error, *result.modules[0].failures):
        if problem:
            say(problem, error=True)
    functions = [one for one in result.modules[0].functions if one.name == name and one.tree is not None]
    return functions[0].tree if functions else None


def _written(drawn: ReportedTree, name: str, suffix: str) -> str:
    from tracetwin.report.pictures.tree_pictures import dot, mermaid, svg

    if suffix == ".svg":
        return svg(drawn, f"constraint tree of {name}")
    if suffix == ".dot":
        return dot(drawn, name)
    if suffix == ".mmd":
        return mermaid(drawn)
    nodes = [
        {"parent": n.parent, "text": n.text, "line": n.line, "state": n.state, "values": dict(n.values)}
        for n in drawn.nodes
    ]
    return json.dumps({"function": name, "nodes": nodes, "cut": drawn.cut}, indent=2) + "\n"


def _as_text(drawn: ReportedTree) -> str:
    from tracetwin.report.pictures.tree_pictures import MARKS
    from tracetwin.report.visible import visible

    depths: list[int] = []
    children: dict[int, list[int]] = {}
    for number, node in enumerate(drawn.nodes):
        depths.append(0 if node.parent < 0 else depths[node.parent] + 1)
        children.setdefault(node.parent, []).append(number)
    lines: list[str] = []
    waiting = list(reversed(children.get(-1, [])))
    while waiting:
        number = waiting.pop()
        node = drawn.nodes[number]
        where = f"  (line {node.line})" if node.line else ""
        mark = MARKS.get(node.state, "")
        lines.append(f"{'  ' * min(depths[number], 40)}{visible(node.text)}{where} {mark}".rstrip())
        waiting += reversed(children.get(number, []))
    if drawn.cut:
        lines.append(f"{drawn.cut} paths found no room")
    return "\n".join([*lines, ""])


