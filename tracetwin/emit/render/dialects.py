"""The two styles of test files: how checks, expected exceptions and test classes are written."""

from __future__ import annotations

from collections.abc import Callable

from tracetwin.emit.render.checks import Check, Kind
from tracetwin.emit.render.imports import Namespace
from tracetwin.emit.render.layout import Atom, Group, Node, call, fits, lay_out
from tracetwin.emit.render.operators import Operation


class Dialect:
    """A style; this one is plain `unittest`."""

    runner: str | None = None
    caught = "caught.exception"
    command = "python -m unittest this_file.py"
    ending: tuple[str, ...] = ("", "", 'if __name__ == "__main__":', "    unittest.main()")

    def __init__(self, space: Namespace) -> None:
        self.space = space
        space.modules.add("unittest")

    def class_line(self, name: str) -> str:
        """The head of a test class."""
        return f"class {name}(unittest.TestCase):"

    def raises(self, exception: str) -> Node:
        """The context that must raise."""
        return call("self.assertRaises", [_expected(exception)])

    def check(self, check: Check, indent: int, new_name: Callable[[str], str]) -> list[str]:
        """The statement of a check."""
        del new_name
        return lay_out("", self.statement(check), "", indent)

    def flat(self, check: Check) -> str:
        """The statement on one line."""
        return self.statement(check).flat()

    def statement(self, check: Check) -> Node:
        """The call of an assertion method."""
        actual, expected = check.actual, check.expected
        if check.kind is Kind.SAID:
            return actual
        if check.kind is Kind.NONE:
            return call("self.assertIsNone", [actual])
        if check.kind is Kind.NAN:
            return call("self.assertTrue", [call(self.space.name("math", "isnan"), [actual])])
        if expected is None:
            raise ValueError(f"{check.kind} needs an expected side")
        if check.kind is Kind.INSTANCE:
            return call("self.assertIsInstance", [actual, expected])
        names = {Kind.EQUAL: "assertEqual", Kind.SAME: "assertIs", Kind.MEMBERS: "assertCountEqual"}
        return call(f"self.{names[check.kind]}", [expected, actual])


class Pytest(Dialect):
    """Plain classes and `assert` statements."""

    runner: str | None = None
    caught = "caught.value"
    command = "python -m pytest this_file.py"
    ending = ()

    def __init__(self, space: Namespace) -> None:
        self.space = space

    def class_line(self, name: str) -> str:
        """The head of a test class."""
        return f"class {name}:"

    def raises(self, exception: str) -> Node:
        """The context that must raise."""
        self.runner = "pytest"
        return call("pytest.raises", [_expected(exception)])

    def check(self, check: Check, indent: int, new_name: Callable[[str], str]) -> list[str]:
        """An `assert`; sides that do not fit are bound to names first."""
        actual, expected = check.actual, check.expected
        if check.kind is Kind.SAID:
            return lay_out("", actual, "", indent)
        if check.kind is Kind.NONE:
            actual = _alone(actual)
            return self._assert(actual, "{} is None", "result", indent, new_name)
        if check.kind is Kind.NAN:
            return self._assert(
                call(self.space.name("math", "isnan"), [actual]), "{}", "result", indent, new_name
            )
        if expected is None:
            raise ValueError(f"{check.kind} needs an expected side")
        if check.kind in (Kind.SAME, Kind.EQUAL):
            actual = _alone(actual)
        if check.kind is Kind.INSTANCE:
            return self._assert(call("isinstance", [actual, expected]), "{}", "result", indent, new_name)
        if check.kind is Kind.SAME:
            return self._assert(actual, "{} is " + _braced(expected), "result", indent, new_name)
        if check.kind is Kind.MEMBERS:
            actual, expected = _sorted(actual, check.orderable), _sorted(expected, check.orderable)
        return self._equal(actual, expected, indent, new_name)

    def flat(self, check: Check) -> str:
        """The statement on one line, or longer."""
        sides = [node.flat() for node in (check.expected, check.actual) if node is not None]
        return f"assert sorted({') == sorted('.join(sides)})"

    def _assert(
        self, node: Node, pattern: str, name: str, indent: int, new_name: Callable[[str], str]
    ) -> list[str]:
        line = "assert " + pattern.format(node.flat())
        if fits(line, indent):
            return [" " * indent + line]
        local = new_name(name)
        return [*lay_out(f"{local} = ", node, "", indent), f"{' ' * indent}assert {pattern.format(local)}"]

    def _equal(self, actual: Node, expected: Node, indent: int, new_name: Callable[[str], str]) -> list[str]:
        if fits(f"assert {expected.flat()} == {actual.flat()}", indent):
            return [f"{' ' * indent}assert {expected.flat()} == {actual.flat()}"]
        lines: list[str] = []
        if not fits(f"assert expected_2 == {actual.flat()}", indent):
            local = new_name("result")
            lines += lay_out(f"{local} = ", actual, "", indent)
            actual = Atom(local)
        local = new_name("expected")
        lines += lay_out(f"{local} = ", expected, "", indent)
        return [*lines, f"{' ' * indent}assert {local} == {actual.flat()}"]


def _expected(exception: str) -> Node:
    # Linters warn of expecting just any exception; in a tuple it is plain that it is meant.
    blunt = exception in ("Exception", "BaseException")
    return Group("(", (Atom(exception),), ")") if blunt else Atom(exception)


def _alone(node: Node) -> Node:
    """A comparison in brackets, as another beside it would make it a chain."""
    return Atom(f"({node.flat()})") if isinstance(node, Operation) and node.compares else node


def _braced(node: Node) -> str:
    return node.flat().replace("{", "{{").replace("}", "}}")


def _sorted(node: Node, orderable: bool) -> Node:
    return call("sorted", [node] if orderable else [node, Atom("key=repr")])


DIALECTS = {"unittest": Dialect, "pytest": Pytest}
