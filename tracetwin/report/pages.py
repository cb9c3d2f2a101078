"""The pages of a report: a folder of them, or one file with all."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from tracetwin.model.timeline import Gain, Span
from tracetwin.model.tree import EVENTS
from tracetwin.report.advice import FATES, INFEASIBLE, OUTSIDE, advice, fate_of
from tracetwin.report.gaps import Gap, biggest, gaps_of, is_below, nearest_of, packages_of
from tracetwin.report.module_lists import goals_listed, mocked, operands_listed, survivors_listed
from tracetwin.report.pictures import state_graph
from tracetwin.report.pictures.highlighting import highlighted, sources_of, styles
from tracetwin.report.pictures.timeline import KINDS, Spent, curve, gained, picture, spent
from tracetwin.report.pictures.tree_pictures import MARKS, WORDS, foldable, svg
from tracetwin.report.result import Module, ReportedFunction, ReportedTree, Result, total
from tracetwin.report.scores import bounds, scores
from tracetwin.report.sides import SourceLine, SourceLines, only_here
from tracetwin.report.terms import TERMS
from tracetwin.report.visible import Hidden, hidden_folders, legible, visible
from tracetwin.support.data import dataclass

"""Sentences, in the order in which a reader meets the words."""

INDEX: Final = "index.html"

MOST_CODE: Final = 100_000
"""Characters of a text for a program that are shown: part of it would be of no use."""

MOST_STATIC: Final = 400
"""Nodes of a constraint tree that are drawn without a script."""

MOST_BIGGEST: Final = 3
"""Gaps that are told at the beginning, with what helps."""

MOST_SURVIVORS: Final = 500
"""Mutants of one module that are listed."""


@dataclass(frozen=True)
class TreeDrawing:
    """A constraint tree on a page.

    Attributes:
        picture: its beginning, for pages without scripts.
        data: the whole, for a script.
    """

    function: ReportedFunction
    picture: Markup
    data: str


@dataclass(frozen=True)
class Timeline:
    """The work of processes in the order of time.

    Attributes:
        picture: as SVG, "" for nothing.
        spent: what their time was spent on.
        spans: one by one, in order.
        curve: what had been reached at each time, as SVG.
        gained: the same in a sentence.
    """

    picture: Markup
    spent: list[Spent]
    spans: list[Span]
    curve: Markup
    gained: str


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
    alone = place.suffix in (".html", ".htm")
    pages = _Pages(result, place.parent if alone else place, absolute_paths=absolute_paths)
    if alone:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(pages.single(), encoding="utf-8")
        return place
    place.mkdir(parents=True, exist_ok=True)
    for name, text in pages.several():
        (place / name).write_text(text, encoding="utf-8")
    return place / INDEX


def pages_of(result: Result, *, live: int) -> dict[str, str]:
    """Return the pages of a report that is served while it changes, by their names."""
    return dict(_Pages(result, live=live).several())


class _Pages:
    def __init__(
        self, result: Result, place: Path | None = None, *, absolute_paths: bool = False,
        live: int | None = None,
    ) -> None:  # fmt: skip
        self._place = place
        self._result = result
        self._live = live
        folders = hidden_folders(result.modules)
        self._hide: Callable[[str], str] = str if absolute_paths else Hidden(folders)
        self._lines = [SourceLines(module) for module in result.modules]
        self._style = _asset("report.css") + styles()
        self._script = _asset("report.js")
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("tracetwin.report"), undefined=jinja2.StrictUndefined,
            autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=self._shown,
        )  # fmt: skip
        self._templates.filters["prose"] = self._prose
        self._templates.filters["raw"] = lambda text: _ready(escape(text))
        self._templates.filters["code"] = lambda text: _ready(escape(legible(self._hide(text), MOST_CODE)))
        words = {"marks": MARKS, "state_words": WORDS, "span_kinds": KINDS, "fates": FATES, "events": EVENTS}
        self._templates.globals.update(words)

    def _shown(self, value: Any) -> Any:
        """Return a value as a template prints it: texts of the target are made visible."""
        if isinstance(value, str) and not isinstance(value, Markup):
            return visible(self._hide(value))
        return value

    def _prose(self, text: str) -> Markup:
        """A sentence with what stands between backticks as code."""
        parts = re.split("`([^`]*)`", visible(self._hide(text)))
        marked = (f"<code>{escape(part)}</code>" if at % 2 else escape(part) for at, part in enumerate(parts))
        return _ready("".join(map(str, marked)))

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
        gaps = gaps_of(modules, self._lines)
        kinds: Counter[str] = Counter()
        for gap in gaps:
            kinds[gap.kind] += max(gap.size, 1)
        placed = [(gap, f"{_base(links[gap.number])}#m{gap.number}-L{gap.first}") for gap in gaps]
        fates = [(fate_of(gap.reason), gap, link) for gap, link in placed]
        links_of = dict(placed)
        reachable = [gap for gap in gaps if fate_of(gap.reason) not in (INFEASIBLE, OUTSIDE)]
        return {
            "result": self._result,
            "rows": [(module, link, scores(module)) for module, link in zip(modules, links, strict=True)],
            "criteria": list(dict.fromkeys(score.name for module in modules for score in scores(module))),
            "packages": [
                (one, scores(*(module for module in modules if is_below(one.name, module.name))))
                for one in packages_of(modules)
            ],
            "gaps": placed,
            "beyond": [
                (
                    kind,
                    [
                        (gap, link, self._asked(gap) if kind == INFEASIBLE else "")
                        for fate, gap, link in fates
                        if fate == kind
                    ],
                )
                for kind in (INFEASIBLE, OUTSIDE)
            ],
            "biggest": list(self._biggest(reachable, links_of)),
            "suspicious": list(self._suspicious(links)),
            "missed": (sum(gap.size for gap in gaps), sum(not gap.size for gap in gaps)),
            "kinds": [(kind, count, advice(kind)) for kind, count in kinds.most_common()],
            "most": max(kinds.values(), default=1),
            "total": total(modules),
            "bounds": list(dict.fromkeys(filter(None, map(bounds, modules)))),
            "wall": max((span.end for module in modules for span in module.spans), default=0.0),
            "timeline": self._timeline(modules, self._result.curve),
            "log": [
                replace(entry, text=entry.text.removeprefix(entry.module).lstrip(" :"))
                for entry in self._result.log
            ],
            "log_kinds": list(Counter(entry.kind for entry in self._result.log).items()),
            "terms": TERMS,
        }

    def _biggest(self, gaps: list[Gap], links: dict[Gap, str]) -> Iterator[tuple[Any, ...]]:
        """The biggest gaps: each with its link, what helps, the nearest input, and those that wait for it."""
        told: dict[str, str] = {}
        for gap, waiting in biggest(gaps)[:MOST_BIGGEST]:
            helps, nearest = nearest_of(gap, self._lines[gap.number])
            known = told.setdefault(helps, gap.words) if helps else gap.words
            helps = helps if known == gap.words else f"The same helps as for {known}."
            yield gap, links[gap], helps, nearest, [(one, links[one]) for one in waiting]

    def _suspicious(self, links: list[str]) -> Iterator[tuple[str, str, str]]:
        """The tests that pin what looks like a fault, each with a link and the reason."""
        for number, module in enumerate(self._result.modules):
            places = {case.title: at for at, case in enumerate(module.cases)}
            for title, why in module.suspicious:
                at = f"-t{places[title]}" if title in places else ""
                yield title, f"{_base(links[number])}#m{number}{at}", why

    def _asked(self, gap: Gap) -> str:
        """The condition that nothing makes true, for lines that nothing can lead to."""
        return self._lines[gap.number].counsel.asked(gap.first) if gap.size else ""

    def _timeline(self, modules: Iterable[Module], gains: Sequence[Gain]) -> Timeline:
        """The time line of some modules, and what they had reached when."""
        spans = sorted((span for module in modules for span in module.spans), key=lambda span: span.begin)
        drawn = self._drawn(picture(spans, "time line of the processes"))
        return Timeline(drawn, spent(spans), spans, _ready(curve(gains, "gain curve")), gained(gains))

    def _drawn(self, svg: str) -> Markup:
        """A picture as it goes into a page."""
        return _ready(self._hide(svg))

    def _links(self, module: Module) -> list[tuple[str, str]]:
        """The files of a module's tests, with links from the report where both are below the same folder."""
        names = [name for name in (module.test_file, module.suspicious_file) if name]
        here, place = Path.cwd(), Path(self._place or "..").resolve()
        if not all(one.resolve().is_relative_to(here) for one in (place, *map(Path, names))):
            return [(name, "") for name in names]
        ways = (os.path.relpath(Path(name).resolve(), place) for name in names)
        return [(name, quote(Path(way).as_posix())) for name, way in zip(names, ways, strict=True)]

    def _module(self, number: int, module: Module) -> dict[str, Any]:
        lines = self._lines[number]
        source = highlighted(self._hide(module.source))
        sources = {name: parts for text in module.tests for name, parts in sources_of(text).items()}
        alone = only_here(module)
        fates = Counter(mutant.fate for mutant in module.mutants if mutant.fate not in ("killed", "survived"))
        survivors = list(survivors_listed(module))
        suspects = dict(module.suspicious)
        tests = [
            (
                place, case, _ready("\n".join(text)), alone[place], suspects.get(case.title, ""),
                [(name, _ready(made)) for name, made in stubs],
            )
            for place, case in enumerate(module.cases)
            for text, stubs in (sources.get((case.class_name, case.name), ((), ())),)
        ]  # fmt: skip
        return {
            "module": module,
            "prefix": f"m{number}-",
            "anchor": f"m{number}",
            "lines": [(lines.at(at), _ready(text)) for at, text in enumerate(source, 1)],
            "tests": tests,
            "trees": [
                TreeDrawing(
                    function,
                    self._drawn(tree_of(function.tree, f"constraint tree of {function.name}")),
                    self._hide(foldable(function.tree, function.name)),
                )
                for function in module.functions
                if function.tree is not None and function.tree.nodes
            ],
            "scores": scores(module),
            "other_mutants": ", ".join(f"{count} {fate}" for fate, count in fates.most_common()),
            "survivors": survivors[:MOST_SURVIVORS],
            "suspects": {at for at, case in enumerate(module.cases) if case.title in suspects},
            "bounds": bounds(module),
            "goals": goals_listed(module, lines),
            "operands": operands_listed(module, lines),
            "phases": dict(module.stats.get("phases", {})),
            "solver": _solver(module.stats),
            "timeline": self._timeline([module], module.curve),
            "links": self._links(module),
            "stand_ins": (found := mocked(module)),
            "stand_in_kinds": list(Counter(one.what.kind for one in found).items()),
            "state_pictures": {
                one.name: self._drawn(state_graph.picture(one.states, f"states of {one.name}"))
                for one in module.classes
                if one.states is not None
            },
            "state_of": _state_words,
        }


def tree_of(tree: ReportedTree, title: str) -> str:
    """A constraint tree as a page without scripts shows it: its beginning, where it is large."""
    return svg(replace(tree, nodes=tree.nodes[:MOST_STATIC]), title, alone=False)


def _solver(stats: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
    """The stages of the solver and the theories of z3 with what they answered, as rows."""
    solver = stats.get("solver", {})
    theories = {f"z3: {name}": one for name, one in solver.get("theories", {}).items()}
    return [
        (name, [one.get(what, "") for what in ("queries", "sat", "unsat", "unknown", "seconds")])
        for name, one in (*solver.get("stages", {}).items(), *theories.items())
        if isinstance(one, dict) and one.get("queries")
    ]


def _ready(html: str) -> Markup:
    """Text that goes into a page as it is: our own, or what was escaped when it was made."""
    return Markup(html)  # noqa: S704 - that is what it is for


def _state_words(line: SourceLine) -> str:
    """The meaning of a line's colour, in words."""
    if line.state == "excluded":
        return "left out, as coverage.py does"
    words = {"covered": "covered", "partial": "a side is not taken"}
    return words.get(line.state) or FATES.get(line.state, ("", ""))[1]


def _base(link: str) -> str:
    return "" if link.startswith("#") else link


def _file_name(number: int, name: str) -> str:
    return f"{number}-{re.sub(r'[^A-Za-z0-9_.-]', '_', name)[:80]}.html"


def _asset(name: str) -> str:
    return (resources.files("tracetwin.report") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
