"""The statements of one test: build the input, call, assert."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tracetwin.emit import operators
from tracetwin.emit.checks import MOST_CHECKS, Check, Checker, Kind, Mark, part_of
from tracetwin.emit.dialects import Dialect
from tracetwin.emit.imports import Namespace
from tracetwin.emit.layout import Atom, Group, Node, Prefixed, Text, call, fits, lay_out
from tracetwin.emit.literals import Unwritable, Writer
from tracetwin.emit.names import arguments
from tracetwin.replay.static import Coverable
from tracetwin.replay.twice import missing

INDENT = 8
LONGEST_MESSAGE = 300
LONGEST_OUTPUT = 500
MOST_STATE = 5

# An address, or a path in a scratch folder: true of one run only.
_FLEETING = re.compile(r"0x[0-9a-fA-F]{5,}|tracetwin-")


class Body:
    """Writes one test.

    Args:
        case: what is called.
        seen: what two runs of it had in common.
        space: where names come from.
        dialect: the style of the file.
        coverable: the target file's functions.

    Attributes:
        written: for each assertion its first line, the line after it, and its mark.
    """

    def __init__(
        self,
        case: dict[str, Any],
        seen: dict[str, Any],
        space: Namespace,
        dialect: Dialect,
        coverable: Coverable,
    ) -> None:
        self.case = case
        self.seen = seen
        self.held: list[tuple[tuple[Any, ...], Any]] = seen.get("held", [])
        self.space = space
        self.dialect = dialect
        self.coverable = coverable
        self.lines: list[str] = []
        self.indent = INDENT
        self.locals: dict[str, str] = {}
        self.used: set[str] = set()
        self.writer = Writer(space.name, self._variable, self._define)
        self.checker = Checker(self.writer)
        self.places: dict[tuple[Any, ...], str] = {}
        self.silenced: set[Mark] = seen.get("silenced", set())
        self.written: list[tuple[int, int, Mark]] = []
        self.statement: operators.Statement | None = None

    def write(self) -> list[str]:
        """The statements.

        Raises:
            Unwritable: there is no honest test of this case; the message says why.
        """
        if self.seen["outcome"] not in ("returned", "raised"):
            raise Unwritable(self.seen["why"] or self.seen["outcome"])
        *setup, last = self.case["steps"]
        for step in setup:
            self._setup(step)
        expression = self._last_call(last)
        if self.seen["outcome"] == "raised":
            self._raised(last, expression)
        else:
            self._returned(last, expression)
        return self.lines

    # ---- names and statements

    def _variable(self, name: str) -> str:
        if name not in self.locals:
            raise Unwritable(f"{name} is used before it is bound")
        return self.locals[name]

    def _new(self, wanted: str) -> str:
        name = self.space.local(wanted, self.used)
        self.used.add(name)
        return name

    def _define(self, parameters: str, result: Node) -> str:
        name = self._new("function")
        self._function(f"def {name}({parameters}):", "return ", result)
        return name

    def _function(self, head: str, prefix: str, result: Node) -> None:
        """A local function, with the blank lines that formatters put around one."""
        if self.lines and self.lines[-1]:
            self.lines.append("")
        self._line(head)
        self.lines += lay_out(prefix, result, "", self.indent + 4)
        self.lines.append("")

    def _add(self, prefix: str, node: Node) -> None:
        self.lines += lay_out(prefix, node, "", self.indent)

    def _line(self, text: str) -> None:
        self.lines.append(" " * self.indent + text)

    # ---- the input

    def _setup(self, step: dict[str, Any]) -> None:
        if step["do"][0] == "set":
            self._add(*self._assignment(step, [self.writer.recipe(part) for part in step["args"]]))
            return
        args = self._arguments(step)
        used = step["bind"] is not None and self._is_used(step["bind"])
        done = None if used else self._done(step, args)
        if done is not None:
            self._add(done.prefix, done.node)
            return
        node = self._call(step, args)
        if step["bind"] is None or not self._is_used(step["bind"]):
            self._add("", node)
            return
        name = self._new(step["bind"])
        self.locals[step["bind"]] = name
        self._add(f"{name} = ", node)

    def _done(self, step: dict[str, Any], args: list[Node]) -> operators.Statement | None:
        """The statement that does a step without looking at what it returns."""
        kind, place, name = step["do"]
        if kind != "method" or step["kwargs"]:
            return None
        return operators.statement(self._variable(place), name, args)

    def _is_used(self, name: str) -> bool:
        """Whether a later step speaks of a bound value."""
        return any(
            (step["do"][0] != "call" and step["do"][1] == name)
            or _mentions([step["args"], step["kwargs"]], name)
            for step in self.case["steps"]
        )

    def _arguments(self, step: dict[str, Any]) -> list[Node]:
        return [self.writer.recipe(part) for part in step["args"]] + self.writer.keywords(step["kwargs"])

    def _call(self, step: dict[str, Any], args: list[Node]) -> Node:
        kind, place, name = step["do"]
        if kind == "call":
            return call(self.space.name(place, name), args)
        attribute = self._attribute(place, name)
        return call(attribute, args) if kind == "method" else Atom(attribute)

    def _attribute(self, place: str, name: str) -> str:
        receiver = self._variable(place)
        if not name.isidentifier() or keyword.iskeyword(name):
            return f'getattr({receiver}, "{name}")'
        if name.startswith("__") and not name.endswith("__"):
            # Inside a test class the name would be mangled for that class.
            owner = str(self.case["target"][1]).rpartition(".")[0].rpartition(".")[2].lstrip("_")
            return f"{receiver}._{owner}{name}"
        return f"{receiver}.{name}"

    def _assignment(self, step: dict[str, Any], args: list[Node]) -> tuple[str, Node]:
        return f"{self._attribute(step['do'][1], step['do'][2])} = ", args[0]

    def _last_call(self, last: dict[str, Any]) -> Node:
        """The call, with arguments that it changes bound to names first."""
        named = arguments(last, self.coverable, self.case)
        changed = {tuple(path[:2]) for path, _ in (*self.seen["changed"], *self.held)}
        nodes: list[Node] = []
        for position, part in enumerate(last["args"]):
            nodes.append(self._argument(("arg", position), named[position][0], part, changed))
        for name, part in last["kwargs"]:
            nodes.append(Prefixed(f"{name}=", self._argument(("kwarg", name), name, part, changed)))
        if last["do"][0] == "set":
            return nodes[0]
        self.statement = self._done(last, nodes) if self.seen["how"] == "call" else None
        return self._wrapped(self._operation(last, nodes) or self._call(last, nodes))

    def _operation(self, last: dict[str, Any], nodes: list[Node]) -> Node | None:
        """The call of an operator's method as that operator, where it is a method of the target."""
        kind, place, name = last["do"]
        owner, _, method = str(self.case["target"][1]).rpartition(".")
        plain = kind == "method" and method == name and self.case["kind"] == "method" and owner
        if not plain or last["kwargs"] or self.seen["how"] not in ("call", "iterate"):
            return None
        made = [tuple(step["do"][1:]) for step in self.case["steps"] if step["bind"] == place]
        maker = made[-1] if made and made[-1][1] in self.coverable.classes else None
        node = operators.operation(self._variable(place), name, nodes, last["args"], self.seen, maker)
        # With room for what is done with it: what is longer is laid out better as a call.
        return node if node is not None and fits(f"result = {node.flat()}", self.indent + 4) else None

    def _argument(self, path: tuple[Any, ...], name: str, recipe: Any, changed: set[Any]) -> Node:
        node = self.writer.recipe(recipe)
        if path not in changed or recipe[0] == "var":
            return node
        local = self._new(name)
        self.places[path] = local
        self._add(f"{local} = ", node)
        return Atom(local)

    def _wrapped(self, node: Node) -> Node:
        """The call with what is done to its result: awaited, or its items taken."""
        how, value = self.seen["how"], self.seen["value"]
        if how == "await":
            return call(self.space.name("asyncio", "run"), [node])
        if how == "iterate":
            if value[0] == "iter" and not value[3] and self.seen["outcome"] == "returned":
                count = Atom(str(len(value[2])))
                node = call(self.space.name("itertools", "islice"), [node, count])
            return call("list", [node])
        if how == "async_iterate":
            return self._collected(node, value)
        return node

    def _collected(self, node: Node, value: Any) -> Node:
        if not value[3] and self.seen["outcome"] == "returned":
            raise Unwritable("an asynchronous generator that may not end")
        name = self._new("collect")
        source = self._new("items")
        self._add(f"{source} = ", node)
        self._function(f"async def {name}():", "return ", Atom(f"[item async for item in {source}]"))
        return call(self.space.name("asyncio", "run"), [call(name, [])])

    # ---- what is seen

    def _streams(self) -> tuple[list[tuple[Node, str]], str | None]:
        """Contexts that catch what is printed, and the name of what is asserted of it."""
        printed = self.seen["stdout"]
        name = None
        contexts: list[tuple[Node, str]] = []
        if printed != "":
            if printed is not None and len(printed) <= LONGEST_OUTPUT and not _FLEETING.search(printed):
                name = self._new("stdout")
            catch = call(self.space.name("contextlib", "redirect_stdout"), [self._buffer()])
            contexts.append((catch, f" as {name}" if name else ""))
        if self.seen["stderr"] != "":
            contexts.append((call(self.space.name("contextlib", "redirect_stderr"), [self._buffer()]), ""))
        if self.seen["stdin"]:
            patch = self.space.name("unittest.mock", "patch")
            contexts.append((call(patch, [Text("sys.stdin"), self._buffer()]), ""))
        return contexts, name

    def _buffer(self) -> Node:
        return call(self.space.name("io", "StringIO"), [])

    def _within(self, contexts: Sequence[tuple[Node, str]]) -> None:
        """Open one `with` for all of them."""
        if not contexts:
            return
        line = f"with {', '.join(node.flat() + bound for node, bound in contexts)}:"
        if fits(line, self.indent):
            self._line(line)
        elif len(contexts) == 1:
            self.lines += lay_out("with ", contexts[0][0], f"{contexts[0][1]}:", self.indent)
        else:
            items = tuple(Atom(node.flat() + bound) for node, bound in contexts)
            self.lines += Group("(", items, ")").spread("with ", ":", self.indent)
        self.indent += 4

    def _raised(self, last: dict[str, Any], expression: Node) -> None:
        module, qualname, message = self.seen["exception"]
        named = self._exception_name(module, qualname)
        exact = named is not None
        kept = self._keeps(message)
        contexts, stdout = self._streams()
        raises = self.dialect.raises(named if named is not None else self._nearest_base())
        self._within([*contexts, (raises, " as caught" if kept or not exact else "")])
        self._do(last, expression)
        self.indent = INDENT
        checks = []
        caught = self.dialect.caught
        if not exact:
            kind = Atom(f"type({caught}).__name__")
            checks.append(Check(Kind.EQUAL, kind, Text(qualname.rpartition(".")[2]), mark=("exception",)))
        if kept:
            said = call("str", [Atom(caught)])
            checks.append(Check(Kind.EQUAL, said, self.writer.scalar(message), mark=("message",)))
        self._assert([*checks, *self._stdout_check(stdout), *self._state_checks(last, quiet=True)])

    def _exception_name(self, module: str, qualname: str) -> str | None:
        try:
            return self.space.name(module, qualname)
        except Unwritable:
            return None

    def _nearest_base(self) -> str:
        for module, qualname in self.seen["bases"]:
            name = self._exception_name(module, qualname)
            if name is not None:
                return name
        return "BaseException"

    def _keeps(self, message: str | None) -> bool:
        """Whether the message is asserted: only the target's own, as those of the interpreter change."""
        if not message or len(message) > LONGEST_MESSAGE or _FLEETING.search(message):
            return False
        if self.seen["exception"][:2] == ("builtins", "KeyError"):
            return True
        return self.seen["raised_at"] in self.coverable.raising

    def _do(self, last: dict[str, Any], expression: Node) -> None:
        if self.statement is not None:
            self._add(self.statement.prefix, self.statement.node)
        elif last["do"][0] == "set":
            self._add(*self._assignment(last, [expression]))
        elif self.seen["how"] == "call" and (last["do"][0] == "get" or _looks_forgotten(expression)):
            self._add("_ = ", expression)  # as a statement it would look forgotten
        else:
            self._add("", expression)

    def _returned(self, last: dict[str, Any], expression: Node) -> None:
        inline = self._inline(last, expression)
        if inline is not None:
            self.lines += inline
            return
        contexts, stdout = self._streams()
        self._within(contexts)
        actual = "result"
        result = self._result_checks(Atom(actual), last)
        others = [*self._stdout_check(stdout), *self._state_checks(last, quiet=False)]
        if result and not (self.seen["value"] == ("lit", None) and others):
            actual = self._new("result")
            self._add(f"{actual} = ", expression)
            result = self._result_checks(Atom(actual), last)
        else:
            self._do(last, expression)
            result = []
        self.indent = INDENT
        self._assert([*result, *others])

    def _inline(self, last: dict[str, Any], expression: Node) -> list[str] | None:
        """The whole rest of the test on one line, if it is only one short assertion."""
        if (
            last["do"][0] == "set"
            or self.seen["stdout"] != ""
            or self.seen["stderr"] != ""
            or self.seen["stdin"]
        ):
            return None
        checks = self._result_checks(expression, last)
        if len(checks) != 1 or self._state_checks(last, quiet=False):
            return None
        if isinstance(expression, operators.Operation) and checks[0].actual is not expression:
            return None
        if not fits(self.dialect.flat(checks[0]), self.indent):
            return None
        lines = self.dialect.check(checks[0], self.indent, self._new)
        self.written.append((len(self.lines), len(self.lines) + len(lines), checks[0].mark))
        return lines

    def _result_checks(self, actual: Node, last: dict[str, Any]) -> list[Check]:
        if last["do"][0] == "set":
            return []
        value = self.seen["value"]
        if value[0] == "iter" and self.seen["how"] in ("iterate", "async_iterate"):
            items = ("list", value[2])
            checks = self.checker.checks(actual, items)
            return self._marked(
                checks or [Check(Kind.EQUAL, call("len", [actual]), Atom(str(len(value[2]))))], "result"
            )
        return self._marked(self.checker.checks(actual, value), "result")

    def _marked(self, checks: list[Check], *place: Any) -> list[Check]:
        """With marks, and without those that turned out not to hold in every run."""
        marked = [replace(check, mark=(*place, number)) for number, check in enumerate(checks)]
        return [check for check in marked if check.mark not in self.silenced]

    def _stdout_check(self, name: str | None) -> list[Check]:
        if name is None:
            return []
        text = Atom(f"{name}.getvalue()")
        return self._marked([Check(Kind.EQUAL, text, self.writer.scalar(self.seen["stdout"]))], "stdout")

    def _state_checks(self, last: dict[str, Any], *, quiet: bool) -> list[Check]:
        """What the call left behind: changed arguments and attributes, else what the receiver shows."""
        checks: list[Check] = []
        for path, snap in (*self.seen["changed"], *self.held):
            place = self._place(tuple(path))
            if place is not None:
                checks += self._of_state(place, path, snap)
        touched = {tuple(path) for path in self.seen["touched"]}
        receiver = ("var", last["do"][1])
        if not checks and not quiet and (receiver in touched or last["do"][0] == "set"):
            for path, snap in self.seen["state"][:MOST_STATE]:
                place = self._place(tuple(path))
                if place is not None and not missing(snap):
                    checks += self._of_state(place, path, snap)
        return checks[:MOST_CHECKS]

    def _of_state(self, place: Node, path: Sequence[Any], snap: Any) -> list[Check]:
        found = self._marked(self.checker.checks(place, snap), *path)
        return found[:1] if snap[0] == "lit" else found

    def _place(self, path: tuple[Any, ...]) -> Node | None:
        place = self.places.get(path[:2])
        if place is None and path[0] == "var":
            place = self.locals.get(path[1])
        if place is None:
            return None
        return part_of(place, path[2]) if path[2:] else Atom(place)

    def _assert(self, checks: Sequence[Check]) -> None:
        if not checks and self.seen["outcome"] == "returned":
            reasons = missing(self.seen["value"]) or ["it returns nothing that can be compared"]
            raise Unwritable(f"nothing to assert: {reasons[0]}")
        for check in checks[:MOST_CHECKS]:
            if check.mark in self.silenced:
                continue
            first = len(self.lines)
            self.lines += self.dialect.check(check, self.indent, self._new)
            self.written.append((first, len(self.lines), check.mark))


def _looks_forgotten(expression: Node) -> bool:
    """Whether linters would ask what an expression is good for as a statement."""
    return isinstance(expression, operators.Operation) or expression.flat().endswith("]")


def _mentions(recipe: Any, name: str) -> bool:
    """Whether a bound value is used somewhere inside."""
    if isinstance(recipe, tuple) and recipe[:1] == ("var",):
        return bool(recipe[1] == name)
    return isinstance(recipe, (list, tuple)) and any(_mentions(part, name) for part in recipe)
