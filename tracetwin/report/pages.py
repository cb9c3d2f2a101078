"""The pages of a report: a folder of them, or one file with all."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup, escape

from tracetwin.model.timeline import Span
from tracetwin.report import state_graph
from tracetwin.report.advice import advice
from tracetwin.report.highlighting import highlighted, styles
from tracetwin.report.mocked import mocked
from tracetwin.report.result import Figures, Function, Miss, Module, Result, Tree
from tracetwin.report.sides import Line, Lines, only_here
from tracetwin.report.sources_of_tests import sources_of
from tracetwin.report.timeline import KINDS, Spent, picture, spent
from tracetwin.report.tree_pictures import MARKS, WORDS, foldable, svg
from tracetwin.report.visible import Hidden, hidden_folders, visible

INDEX: Final = "index.html"

MOST_CODE: Final = 100_000
"""Characters of a text for a program that are shown: part of it would be of no use."""

MOST_STATIC: Final = 400
"""Nodes of a constraint tree that are drawn without a script."""

MOST_SURVIVORS: Final = 500
"""Mutants of one module that are listed."""


@dataclass(frozen=True)
class CriterionScore:
    """How many goals of a criterion are met.

    Attributes:
        feasible: all but those of which it is proved that nothing can meet them.
    """

    name: str
    covered: int
    feasible: int

    @property
    def percent(self) -> int:
        """The part that is met; all, where there is none."""
        return 100 * self.covered // self.feasible if self.feasible else 100


@dataclass(frozen=True)
class Gap:
    """A line that no test runs, wherever it is."""

    module: str
    link: str
    function: str
    line: int
    reason: str
    kind: str


@dataclass(frozen=True)
class Drawing:
    """A constraint tree on a page.

    Attributes:
        function: whose it is.
        picture: its beginning, for pages without scripts.
        data: the whole, for a script.
    """

    function: Function
    picture: Markup
    data: str


@dataclass(frozen=True)
class Timeline:
    """The work of processes in the order of time.

    Attributes:
        picture: as SVG, "" for nothing.
        spent: what their time was spent on.
        spans: one by one, in order.
    """

    picture: Markup
    spent: list[Spent]
    spans: list[Span]


def write_report(result: Result, place: Path, *, absolute_paths: bool = False) -> Path:
    """Write a report.

    Args:
        result: what is reported.
        place: a file that ends in ``.html``, for all in one, or a folder.
        absolute_paths: whether names of files are shown as they are on this machine.

    Returns:
        The file to open first.

    Raises:
        OSError: it can't be written.
    """
    pages = _Pages(result, absolute_paths=absolute_paths)
    if place.suffix in (".html", ".htm"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(pages.single(), encoding="utf-8")
        return place
    place.mkdir(parents=True, exist_ok=True)
    for name, text in pages.several():
        (place / name).write_text(text, encoding="utf-8")
    return place / INDEX


def pages_of(result: Result, *, live: int) -> dict[str, str]:
    """Return the pages of a report that is served while it changes, by their names.

    Args:
        result: what is reported.
        live: the version that it is; a page that learns of another one loads itself anew.
    """
    return dict(_Pages(result, absolute_paths=False, live=live).several())


class _Pages:
    def __init__(self, result: Result, *, absolute_paths: bool, live: int | None = None) -> None:
        self._result = result
        self._live = live
        folders = hidden_folders(module.file for module in result.modules)
        self._hide: Callable[[str], str] = str if absolute_paths else Hidden(folders)
        self._style = _asset("report.css") + styles()
        self._script = _asset("report.js")
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("tracetwin.report"), undefined=jinja2.StrictUndefined,
            autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=self._shown,
        )  # fmt: skip
        self._templates.filters["raw"] = lambda text: _ready(escape(text))
        self._templates.filters["code"] = lambda text: _ready(escape(visible(self._hide(text), MOST_CODE)))
        self._templates.globals.update(marks=MARKS, state_words=WORDS, span_kinds=KINDS)

    def _shown(self, value: Any) -> Any:
        """Return a value as a template prints it: texts of the target are made visible."""
        if isinstance(value, str) and not isinstance(value, Markup):
            return visible(self._hide(value))
        return value

    def several(self) -> Iterable[tuple[str, str]]:
        """Give each page's name and text."""
        modules = self._result.modules
        names = [_file_name(number, module.name) for number, module in enumerate(modules)]
        yield INDEX, self._page("overview.html.j2", "tracetwin report", **self._overview(names))
        for number, module in enumerate(modules):
            parts = self._module(number, module)
            yield names[number], self._page("module.html.j2", module.name, home=INDEX, **parts)

    def single(self) -> str:
        """Return all in one page."""
        modules = self._result.modules
        links = [f"#m{number}" for number in range(len(modules))]
        parts = [self._module(number, module) for number, module in enumerate(modules)]
        shared = self._overview(links)
        return self._page("single.html.j2", "tracetwin report", parts=parts, home="#", **shared)

    def _page(self, template: str, title: str, **parts: Any) -> str:
        policy = (
            f"default-src 'none'; style-src '{_digest(self._style)}'; script-src '{_digest(self._script)}'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        )
        if self._live is not None:
            policy += "; connect-src 'self'"
        page = self._templates.get_template(template)
        ours = {"style": _ready(self._style), "script": _ready(self._script)}
        return page.render(title=title, policy=policy, live=self._live, **ours, **parts)

    def _overview(self, links: list[str]) -> dict[str, Any]:
        modules = self._result.modules
        gaps = [
            Gap(module.name, f"{_base(link)}#m{number}-L{miss.line}", _function_at(module, miss), miss.line,
                miss.reason, _kind(miss.reason))
            for number, (module, link) in enumerate(zip(modules, links, strict=True))
            for miss in module.misses
        ]  # fmt: skip
        kinds = Counter(gap.kind for gap in gaps).most_common()
        return {
            "result": self._result,
            "rows": [(module, link, scores(module)) for module, link in zip(modules, links, strict=True)],
            "criteria": list(dict.fromkeys(score.name for module in modules for score in scores(module))),
            "gaps": gaps,
            "kinds": [(kind, count, advice(kind)) for kind, count in kinds],
            "most": max((count for _, count in kinds), default=1),
            "total": _total(modules),
            "timeline": self._timeline(modules),
            "log_kinds": list(Counter(entry.kind for entry in self._result.log).items()),
        }

    def _timeline(self, modules: Iterable[Module]) -> Timeline:
        """The time line of some modules."""
        spans = sorted((span for module in modules for span in module.spans), key=lambda span: span.begin)
        return Timeline(self._drawn(picture(spans, "time line of the processes")), spent(spans), spans)

    def _drawn(self, svg: str) -> Markup:
        """A picture as it goes into a page."""
        return _ready(self._hide(svg))

    def _module(self, number: int, module: Module) -> dict[str, Any]:
        lines = Lines(module)
        source = highlighted(self._hide(module.source))
        sources = {name: lines for text in module.tests for name, lines in sources_of(text).items()}
        alone = only_here(module)
        tests = [
            (place, case, _ready("\n".join(sources.get((case.class_name, case.name), ()))), alone[place])
            for place, case in enumerate(module.cases)
        ]
        return {
            "module": module,
            "prefix": f"m{number}-",
            "anchor": f"m{number}",
            "lines": [(lines.at(at), _ready(text)) for at, text in enumerate(source, 1)],
            "tests": tests,
            "trees": [
                Drawing(
                    function,
                    self._drawn(tree_of(function.tree, f"constraint tree of {function.name}")),
                    self._hide(foldable(function.tree, function.name)),
                )
                for function in module.functions
                if function.tree is not None and function.tree.nodes
            ],
            "scores": scores(module),
            "survivors": [m for m in module.mutants if m.fate != "killed"][:MOST_SURVIVORS],
            "phases": dict(module.stats.get("phases", {})),
            "solver": _solver(module.stats),
            "timeline": self._timeline([module]),
            "stand_ins": (found := mocked(module)),
            "stand_in_kinds": list(Counter(one.what.kind for one in found).items()),
            "state_pictures": {
                one.name: self._drawn(state_graph.picture(one.states, f"states of {one.name}"))
                for one in module.classes
                if one.states is not None
            },
            "state_of": _state_words,
        }


def tree_of(tree: Tree, title: str) -> str:
    """A constraint tree as a page without scripts shows it: its beginning, where it is large."""
    return svg(Tree(tree.nodes[:MOST_STATIC], tree.cut), title, alone=False)


def scores(module: Module) -> list[CriterionScore]:
    """Return the score of a module by each criterion."""
    counts: dict[str, list[int]] = {}
    for goal in module.goals:
        count = counts.setdefault(goal.criterion, [0, 0])
        count[0] += goal.fate == "covered"
        count[1] += goal.fate != "infeasible"
    return [CriterionScore(name, *count) for name, count in counts.items()]


def _function_at(module: Module, miss: Miss) -> str:
    """The function that a line belongs to, "" outside of all."""
    around = (one.name for one in module.functions if any(miss.line == other.line for other in one.misses))
    return miss.function or next(around, "")


def _total(modules: Iterable[Module]) -> Figures:
    listed = list(modules)
    names = Figures.__dataclass_fields__
    return Figures(**{name: sum(getattr(module.figures, name) for module in listed) for name in names})


def _solver(stats: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
    """The stages of the solver and the theories of z3 with what they answered, as rows."""
    solver = stats.get("solver", {})
    theories = {f"z3: {name}": one for name, one in solver.get("theories", {}).items()}
    return [
        (name, [one.get(what, "") for what in ("queries", "sat", "unsat", "unknown", "seconds")])
        for name, one in (*solver.get("stages", {}).items(), *theories.items())
        if isinstance(one, dict) and one.get("queries")
    ]


def _kind(reason: str) -> str:
    """A reason without its details, to count those that are alike."""
    return re.split(r"[:(]", reason)[0].strip() or reason


def _ready(html: str) -> Markup:
    """Text that goes into a page as it is: our own, or what was escaped when it was made."""
    return Markup(html)  # noqa: S704 - that is what it is for


def _state_words(line: Line) -> str:
    """The meaning of a line's colour, in words."""
    words = {"covered": "covered", "partial": "a side is not taken", "missed": "not covered"}
    return words.get(line.state, "infeasible" if line.state == "infeasible" else "")


def _base(link: str) -> str:
    return "" if link.startswith("#") else link


def _file_name(number: int, name: str) -> str:
    return f"{number}-{re.sub(r'[^A-Za-z0-9_.-]', '_', name)[:80]}.html"


def _asset(name: str) -> str:
    return (resources.files("tracetwin.report") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
