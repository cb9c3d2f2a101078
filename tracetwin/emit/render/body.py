"""The statements of one test: build the input, call, assert."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from tracetwin.emit.dialects.base import Dialect
from tracetwin.emit.exhibit import Exhibit, Mark
from tracetwin.emit.mocks.mocked import Mocked, is_mock
from tracetwin.emit.mocks.write import TestMocks
from tracetwin.emit.naming.history import Leaving, leaving
from tracetwin.emit.naming.variables import arguments
from tracetwin.emit.render.calls import StepWriter, looks_forgotten
from tracetwin.emit.render.patches import Patches, Restoring
from tracetwin.emit.render.setup import Setup
from tracetwin.emit.render.spoken_of import names_in, told_names
from tracetwin.emit.render.state import StateChecks
from tracetwin.emit.source import operators
from tracetwin.emit.source.checks import Check, CheckKind
from tracetwin.emit.source.empty import annotation
from tracetwin.emit.source.identifiers import Unwritable, keyword_argument
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, Group, LaidOut, Quoted, call, fits
from tracetwin.emit.source.scribe import STEP, Scribe
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.given import name_of
from tracetwin.model.observation import Consumption, Raised, Root, ValuePath
from tracetwin.model.options import MockStyle
from tracetwin.model.recipe import NONE, Call, Lambda, Recipe, Scalar, Variable
from tracetwin.model.snapshot import Itself, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.stability import missing
from tracetwin.replay.static import Coverable

LONGEST_MESSAGE = 300
LONGEST_OUTPUT = 500
UNNAMED = "_"
"""In the place of the name of an argument of which nothing is asserted."""

# An address, or a path in a scratch folder: true of one run only.
_FLEETING = re.compile(r"0x[0-9a-fA-F]{5,}|tracetwin-")


class CaseWriter:
    """Writes one test."""

    def __init__(
        self,
        case: Case,
        seen: Exhibit,
        space: Namespace,
        dialect: Dialect,
        coverable: Coverable,
        mock: MockStyle = MockStyle.AUTO,
    ) -> None:
        self.mock = mock
        self.case = case
        self.seen = seen
        self.space = space
        self.dialect = dialect
        self.coverable = coverable
        self.statement: operators.OperatorStatement | None = None
        self._begin()

    def _begin(self) -> None:
        self.scribe = Scribe(self.space, self.dialect.check, self.dialect.indent + STEP)
        self.mocks = TestMocks(Mocked(self.case, self.seen), self.scribe, self.mock)
        self.scribe.writer.mocks = self.mocks
        self.calls = StepWriter(self.case, self.scribe, self.coverable)
        self.state = StateChecks(self.seen, self.scribe, self.mocks)
        self.state.void = self._is_void()
        self.patches = Patches(self.scribe, self.seen)
        self._patches = self.patches.contexts(self.case.patches)
        self._restoring = Restoring(self.seen.leaks, self.scribe.writer, self.space)
        self._within(self._restoring.contexts())

    @property
    def lines(self) -> list[str]:
        """The lines that are written so far."""
        return self.scribe.lines

    @property
    def written(self) -> list[tuple[int, int, Mark]]:
        """For each assertion its first line, the line after it, and its mark."""
        return self.scribe.written

    def decorators(self) -> list[str]:
        """Lines above the test that keep its traces in the module's state from the tests after it."""
        return self._restoring.decorators(self.dialect.indent)

    def write(self) -> list[str]:
        """The statements.

        Raises:
            Unwritable: there is no honest test of this case; the message says why.
        """
        if not self.seen.outcome.is_answer:
            raise Unwritable(self.seen.why or self.seen.outcome.value)
        if len(self.case.steps) > 1:
            self._open_patches()
        how = leaving(self.case, self.seen)
        if how is not None and self._left(how):
            return self.lines
        last = self.case.last
        self._setup().write()
        expression = self._last_call(last)
        if self.seen.raised is not None:
            self._raised(last, expression, self.seen.raised)
        else:
            self._returned(last, expression)
        return self.lines

    def _open_patches(self) -> None:
        """Open the contexts that patch, for the whole rest of the test, unless they are open already."""
        contexts, self._patches = self._patches, []
        self._within(contexts)

    def _setup(self, opened: int | None = None, around: str = "") -> Setup:
        setup = Setup(self.case, self.seen.setup, self.scribe, self.calls, opened, around)
        setup.awaited, setup.keeps = set(self.seen.awaited), self.seen.lasting
        setup.told = told_names(self.seen)
        return setup

    # ---- the end of a context

    def _left(self, how: Leaving) -> bool:
        """Write a context with what happens in it; nothing where that would show nothing."""
        last = self.case.last
        raised = self.seen.raised
        kind = raised.place if raised is not None else None
        if raised is None and how.through and how.raised is not None:
            kind = how.raised.module, how.raised.qualname
        named = None if kind is None else self._exception_name(*kind)
        if kind is not None and named is None:
            return False
        kept = raised is not None and self._keeps(raised)
        around = self.dialect.raises(named).flat() + (" as caught" if kept else "") if named else ""
        outside = self.scribe.indent
        self._setup(how.position, around).write()
        checks = self._entered(how.position)
        self._check(checks)
        if how.raised is not None:
            self.scribe.add("raise ", self.scribe.writer.recipe(how.raised))
        elif self.lines[-1].endswith(":"):
            self.scribe.line("pass")
        self.scribe.indent = outside
        said = [self._message(raised)] if raised is not None and kept else []
        others = [*said, *self.state.of_state(last, quiet=raised is not None)]
        self._check(others)
        if named or checks or others:
            return True
        self._begin()
        return False

    def _entered(self, position: int) -> list[Check]:
        """Return what is asserted of what the context hands out, where that is a plain value."""
        bind = self.case.steps[position].bind
        brief = self.seen.setup[position] if position < len(self.seen.setup) else None
        name = self.scribe.locals.get(bind) if bind is not None else None
        if not isinstance(brief, Scalar) or not name:
            return []
        return self.state.marked(self.state.checker.checks(Atom(name), brief), "entered")

    # ---- the call

    def _last_call(self, last: Step) -> LaidOut:
        """The call, with arguments that it changes bound to names first."""
        named = arguments(last, self.coverable, self.case)
        paths = self.seen.spoken_of
        shown = {path.value for path in paths if (path,) not in self.seen.needless}
        self.state.places.update((path.value, UNNAMED) for path in paths if path.value not in shown)
        if self.seen.same is not None:
            shown.add(self.seen.same)
        spoken_of = names_in(self.seen)
        nodes: list[LaidOut] = []
        for position, part in enumerate(last.args):
            path = ValuePath(Root.ARG, position)
            kept = self.seen.lasting and isinstance(part, (Call, Lambda))
            shown |= {path} if kept or name_of(path) in spoken_of else set()
            nodes.append(self._argument(path, named[position][0], part, shown))
        for name, part in last.kwargs:
            path = ValuePath(Root.KWARG, name)
            shown |= {path} if name_of(path) in spoken_of else set()
            nodes.append(keyword_argument(name, self._argument(path, name, part, shown)))
        if last.act is Act.SET:
            return nodes[0]
        plain = self.seen.how is Consumption.CALL
        self.statement = self.calls.statement(last, nodes, self._brief(last)) if plain else None
        return self.calls.consumed(self._operation(last, nodes) or self.calls.call(last, nodes), self.seen)

    def _brief(self, last: Step) -> Snapshot:
        """The result, as `operators.statement` wants to know it."""
        return Itself() if self.seen.same == ValuePath(Root.VAR, last.place) else self.seen.value

    def _operation(self, last: Step, nodes: list[LaidOut]) -> LaidOut | None:
        """The call of an operator's method as that operator, where it is a method of the target."""
        owner, _, method = self.case.target.rpartition(".")
        how = self.seen.how
        if method != last.name or self.case.kind != "method" or not owner:
            return None
        if how not in (Consumption.CALL, Consumption.ITERATE):
            return None
        value = self.seen.value if self.seen.outcome is Outcome.RETURNED else None
        return self.calls.operation(last, nodes, operators.Ending(value, how is Consumption.ITERATE))

    def _argument(self, path: ValuePath, name: str, recipe: Recipe, shown: Container[ValuePath]) -> LaidOut:
        if isinstance(recipe, Lambda) and path in shown:
            local = self.scribe.define(*self.scribe.writer.function(recipe), name)
            self.state.places[path] = local
            return Atom(local)
        node = self.scribe.writer.recipe(recipe)
        if is_mock(recipe) and recipe.number in self.mocks.names:
            self.state.places[path] = self.mocks.name(recipe.number)
            return node
        if path not in shown or isinstance(recipe, Variable):
            return node
        local = self.scribe.new(name, f"other_{name}")
        self.state.places[path] = self.scribe.locals[name_of(path)] = local
        function = self.coverable.function(self.case.target)
        wanted = dict(function.annotations).get(name, "") if function is not None else ""
        self.scribe.add(f"{local}{annotation(recipe, wanted, self.space)} = ", node)
        return Atom(local)

    def _do(self, last: Step, expression: LaidOut) -> None:
        if self.statement is not None:
            self.scribe.add(self.statement.prefix, self.statement.node)
        elif last.act is Act.SET:
            self.scribe.add(*self.calls.assignment(last, [expression]))
        elif self.seen.how is Consumption.CALL and (last.act is Act.GET or looks_forgotten(expression)):
            self.scribe.add("_ = ", expression)  # as a statement it would look forgotten
        else:
            self.scribe.add("", expression)

    # ---- what is seen

    def _streams(self) -> tuple[list[tuple[LaidOut, str]], str | None]:
        """Contexts that catch what is printed, and the name of what is asserted of it."""
        printed = self.seen.stdout
        name = None
        contexts, self._patches = self._patches, []
        if printed != "":
            if printed is not None and len(printed) <= LONGEST_OUTPUT and not _FLEETING.search(printed):
                name = self.scribe.new("stdout")
            catch = call(self.space.name("contextlib", "redirect_stdout"), [self._buffer()])
            contexts.append((catch, f" as {name}" if name else ""))
        if self.seen.stderr != "":
            contexts.append((call(self.space.name("contextlib", "redirect_stderr"), [self._buffer()]), ""))
        if self.seen.stdin:
            patch = self.space.name("unittest.mock", "patch")
            contexts.append((call(patch, [Quoted("sys.stdin"), self._buffer()]), ""))
        return contexts, name

    def _buffer(self) -> LaidOut:
        return call(self.space.name("io", "StringIO"), [])

    def _within(self, contexts: Sequence[tuple[LaidOut, str]]) -> None:
        """Open one `with` for all of them."""
        if not contexts:
            return
        line = f"with {', '.join(node.flat() + bound for node, bound in contexts)}:"
        if fits(line, self.scribe.indent):
            self.scribe.line(line)
        elif len(contexts) == 1:
            self.scribe.add("with ", contexts[0][0], f"{contexts[0][1]}:")
        else:
            items = tuple(Atom(node.flat() + bound) if bound else node for node, bound in contexts)
            self.scribe.lines += Group("(", items, ")").spread("with ", ":", self.scribe.indent)
        self.scribe.indent += STEP

    def _raised(self, last: Step, expression: LaidOut, raised: Raised) -> None:
        named = self._exception_name(*raised.place)
        exact = named is not None
        kept = self._keeps(raised)
        contexts, stdout = self._streams()
        raises = self.dialect.raises(named if named is not None else self._nearest_base())
        outside = self.scribe.indent
        self._within([*contexts, (raises, " as caught" if kept or not exact else "")])
        self._do(last, expression)
        self.scribe.indent = outside
        checks = []
        caught = self.dialect.caught
        if not exact:
            kind = Atom(f"type({caught}).__name__")
            expected = Quoted(raised.qualname.rpartition(".")[2])
            checks.append(Check(CheckKind.EQUAL, kind, expected, mark=("exception",)))
        if kept:
            checks.append(self._message(raised))
        others = [*self._stdout_check(stdout), *self.patches.checks()]
        self._assert([*checks, *others, *self.state.of_state(last, quiet=True)])

    def _message(self, raised: Raised) -> Check:
        said = call("str", [Atom(self.dialect.caught)])
        return Check(CheckKind.EQUAL, said, self.scribe.writer.scalar(raised.message), mark=("message",))

    def _exception_name(self, module: str, qualname: str) -> str | None:
        try:
            return self.space.name(module, qualname)
        except Unwritable:
            return None

    def _nearest_base(self) -> str:
        for module, qualname in self.seen.bases:
            name = self._exception_name(module, qualname)
            if name is not None:
                return name
        return "BaseException"

    def _keeps(self, raised: Raised) -> bool:
        """Return whether the message is asserted: the target's own are, those of the interpreter change."""
        message = raised.message
        if not message or len(message) > LONGEST_MESSAGE or _FLEETING.search(message):
            return False
        made = self.coverable.raises_itself(self.seen.raised_at, raised)
        return made or raised.place == ("builtins", "KeyError")

    def _returned(self, last: Step, expression: LaidOut) -> None:
        inline = self._inline(last, expression)
        if inline is not None:
            self._open_patches()
            self.scribe.check([inline])
            return
        contexts, stdout = self._streams()
        outside = self.scribe.indent
        self._within(contexts)
        actual = "result"
        result = self.state.of_result(Atom(actual), last)
        told = [*self._stdout_check(stdout), *self.patches.checks()]
        others = [*told, *self.state.of_state(last, quiet=False)]
        if result and not (others and self._is_no_news(last)):
            actual = self.scribe.new("result")
            typed = self.calls.annotation(last)
            self.scribe.add(f"{actual}{typed} = ", expression)
            result = [
                *self.state.of_result(Atom(actual), last), *self.state.of_apart(Atom(actual), expression)
            ]
        else:
            self._do(last, expression)
            result = []
        self.scribe.indent = outside
        self._assert([*result, *others])

    def _is_void(self) -> bool:
        """Return whether nothing is declared to come back, and nothing does."""
        function = self.coverable.function(self.case.target)
        own = self.case.last.name.rpartition(".")[2] == self.case.target.rpartition(".")[2]
        declared = function is not None and function.returns == "None" and own
        return declared and self.seen.value == NONE and self.seen.how in (Consumption.CALL, Consumption.AWAIT)

    def _may_return(self) -> bool:
        """Return whether something else than None is declared to come back."""
        function = self.coverable.function(self.case.target)
        return function is not None and function.returns not in ("", "None")

    def _is_no_news(self, last: Step) -> bool:
        """Return whether a result is what such a call returns when there is nothing to return."""
        if self.seen.telling or (self.patches.checks() and self._may_return()):
            return False
        itself = self.statement is not None and self._brief(last) == Itself()
        return self.seen.value == NONE or itself

    def _inline(self, last: Step, expression: LaidOut) -> Check | None:
        """The assertion that is the whole rest of the test, if it is only one, on one line."""
        silent = self.seen.stdout == self.seen.stderr == "" and not self.seen.stdin
        if last.act is Act.SET or not silent or self.patches.checks():
            return None
        result = self.state.of_result(expression, last)
        copies = self.state.of_apart(expression, expression)
        checks = self._needed([*result, *copies, *self.state.of_state(last, quiet=False)])
        if len(checks) != 1 or checks[0] not in result:
            return None
        if isinstance(expression, operators.Operation) and checks[0].actual is not expression:
            return None
        return checks[0] if fits(self.dialect.flat(checks[0]), self.scribe.indent) else None

    def _stdout_check(self, name: str | None) -> list[Check]:
        if name is None:
            return []
        text = Atom(f"{name}.getvalue()")
        check = Check(CheckKind.EQUAL, text, self.scribe.writer.scalar(self.seen.stdout))
        return self.state.marked([check], "stdout")

    def _assert(self, checks: Sequence[Check]) -> None:
        if not checks and self.seen.outcome is Outcome.RETURNED and not self.state.void:
            reasons = missing(self.seen.value) or ["it returns nothing that can be compared"]
            raise Unwritable(f"nothing to assert: {reasons[0]}")
        self._check(checks[: self.state.most])

    def _check(self, checks: Sequence[Check]) -> None:
        """Write assertions, but for those that do not hold and those that nobody needs."""
        self.scribe.check([check for check in self._needed(checks) if check.mark not in self.seen.silenced])

    def _needed(self, checks: Sequence[Check]) -> list[Check]:
        return [check for check in checks if check.uses_up or check.mark not in self.seen.needless]
