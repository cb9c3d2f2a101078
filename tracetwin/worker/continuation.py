"""Uses of what was returned: a test enters and leaves a context, sends to a generator, calls a function.

Functions that a target returns: closures and what decorators make, called as users would call them.
"""

from __future__ import annotations

import ast
import inspect
import keyword
import sys
import types
from dataclasses import replace
from typing import Any, Final

from tracetwin.analysis.scopes import Scope, bare, code_within, hands_on, unwrapped
from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.discovery.class_members import class_named
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.exit_arguments import exceptions_in
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Arguments, Parameter, build_arguments
from tracetwin.drawing.plans.plans import Plan, one_of
from tracetwin.drawing.typing.guesses import TypeGuess, plan_guess
from tracetwin.model import recipes
from tracetwin.model.case import Act, Step
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import NONE, Recipe, Reference
from tracetwin.support.data import dataclass
from tracetwin.support.syntax import expression

MOST_SENT: Final = 3
MOST_PLANS: Final = 4

CALLABLE: Final = (types.FunctionType, types.MethodType)


@dataclass(frozen=True)
class Continuation:
    """How the result of one invokable may be used.

    Attributes:
        exceptions: what the block of a context manager may raise.
        sent: the plan of what is sent into a generator, None where it does not look at it.
        functions: how a function is called that was returned.
        target: the qualified name of the invokable.
    """

    functions: ReturnedFunctions
    target: str
    exceptions: tuple[type[BaseException], ...] = ()
    sent: Plan | None = None


class Continuations:
    """The continuations of the invokables of one module, worked out when first asked for."""

    def __init__(self, module: types.ModuleType, planner: Planner) -> None:
        self._module = module
        self._planner = planner
        self._known: dict[str, Continuation] = {}
        self._functions = ReturnedFunctions(module, planner)

    def of(self, invokable: PlannedInvokable) -> Continuation:
        """The continuation of one invokable."""
        known = self._known.get(invokable.qualname)
        if known is None:
            node = self._planner.source.function(invokable.qualname, invokable.first_line)
            tries = node is not None and any(isinstance(part, ast.Try) for part in ast.walk(node))
            known = Continuation(
                self._functions,
                invokable.qualname,
                exceptions_in(node, self._module) if tries else (),
                None if node is None else self._sent(invokable, node),
            )
            self._known[invokable.qualname] = known
        return known

    def _sent(self, invokable: PlannedInvokable, node: FunctionNode) -> Plan | None:
        """The plan of what is sent: by annotation, else by what the generator does with it."""
        if not _uses_what_is_sent(node):
            return None
        planner = self._planner
        owner = class_named(self._module, invokable.owner) if invokable.owner else None
        scope = planner.scope(None, owner)
        annotated = _sent_type(node)
        guesses = [TypeGuess(annotated)] if annotated else planner.usage.sent(node)
        plans = []
        for guess in guesses:
            try:
                plans.append(plan_guess(guess, planner.resolver, scope, 0))
            except Unbuildable:
                continue
        return one_of(plans, most=MOST_PLANS) if plans else planner.resolver.anything(0)


def _sent_type(node: FunctionNode) -> str:
    """The second parameter of ``Generator[...]``, as text; "" where the annotation is another."""
    returns = node.returns
    if isinstance(returns, ast.Constant) and isinstance(returns.value, str):
        returns = expression(returns.value)
    if not isinstance(returns, ast.Subscript) or not isinstance(returns.slice, ast.Tuple):
        return ""
    if not ast.unparse(returns.value).endswith("Generator") or len(returns.slice.elts) < 2:
        return ""
    text = ast.unparse(returns.slice.elts[1])
    return "" if text in ("None", "Any", "object", "typing.Any") else text


def _uses_what_is_sent(node: FunctionNode) -> bool:
    """True if the value of some `yield` is more than thrown away."""
    thrown = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Expr)}
    return any(isinstance(part, ast.Yield) and id(part) not in thrown for part in ast.walk(node))


class UsedResult:
    """A result being used: every call on it is a step of the case, noted before it is made.

    Attributes:
        way: which of the ways of using it was taken, where there are several.
    """

    def __init__(self, draw: Draw, steps: list[Step]) -> None:
        self.way = ""
        self._draw = draw
        self._steps = steps

    def go_on(self, result: Any, how: Continuation) -> Any:
        """Enter and leave a context manager, send into a generator, call a function; what that returned.

        Anything else is returned as it is, and so is a generator that nothing is sent into.
        """
        for number in range(MOST_IN_A_ROW):
            function = called_by(result) if callable(result) else None
            parameters = None if function is None else how.functions.parameters(function, how.target)
            if parameters is None:
                break
            usual = int(function is result)  # an object may be there for more than to be called
            count = self._draw.choice(f"calls{number or ''}#", MOST_CALLS + 1, usual)
            if not count:
                break
            result = self._called(function, count, parameters, how, f"returned{number or ''}")
        if is_manager(result):
            return self._entered_and_left(result, how)
        if how.sent is not None and type(result) is types.GeneratorType:
            count = self._draw.choice("sent#", MOST_SENT + 1)
            return self._sent(result, count, how.sent) if count else result
        return result

    def _entered_and_left(self, manager: Any, how: Continuation) -> Any:
        name = self._bound("manager")
        self._step(name, "__enter__", self._free("entered"))
        manager.__enter__()
        chosen = self._draw.choice("raised?", len(how.exceptions) + 1)
        if not chosen:
            self._step(name, "__exit__", None, NONE, NONE, NONE)
            return manager.__exit__(None, None, None)
        kind = how.exceptions[chosen - 1]
        place = recipes.reference(kind, sys.modules.get(kind.__module__))
        self.way = f", left by {kind.__name__}"
        self._step(name, "__exit__", None, Reference(*place), recipes.call(*place), NONE)
        return manager.__exit__(kind, kind(), None)

    def _sent(self, generator: Any, count: int, plan: Plan) -> Any:
        self.way = ", sent into"
        name = self._bound("generator")
        self._step(name, "__next__", None)
        last = next(generator)
        for place in range(count):
            value, recipe = plan.build(self._draw, f"sent[{place}]")
            self._step(name, "send", None, recipe)
            last = generator.send(value)
        return last

    def _called(
        self, function: Any, count: int, parameters: tuple[Parameter, ...], how: Continuation, prefix: str
    ) -> Any:
        """Call what was returned so many times; the result of the last call."""
        self.way += ", called" if count == 1 else ", called again"
        name = self._bound(how.functions.name_of(function))
        last = None
        for place in range(count):
            made: Arguments = build_arguments(self._draw, parameters, f"{prefix}[{place}].")
            step = Step(
                Act.METHOD, name, "__call__", tuple(made.arg_recipes), tuple(made.kwarg_recipes)
            )
            self._steps.append(step)
            last = function(*made.args, **made.kwargs)
            if place + 1 < count and inspect.iscoroutine(last):
                last.close()  # the test awaits it; here only the last call is looked at
        return last

    def _bound(self, wanted: str) -> str:
        """Give the result of the last step a name."""
        name = self._free(wanted)
        self._steps[-1] = replace(self._steps[-1], bind=name)
        return name

    def _free(self, wanted: str) -> str:
        used = {step.bind for step in self._steps}
        while wanted in used:
            wanted += "_"
        return wanted

    def _step(self, name: str, method: str, bind: str | None, *args: Recipe) -> None:
        self._steps.append(Step(Act.METHOD, name, method, args, bind=bind))


def called_by(result: Any) -> Any:
    """Return the function that runs when a result is called, that of its class for an object; else None."""
    if isinstance(result, CALLABLE):
        return result
    call = inspect.getattr_static(type(result), "__call__", None)
    return types.MethodType(call, result) if type(call) is types.FunctionType else None


def is_manager(result: Any) -> bool:
    """True if something was returned by a function under `contextlib.contextmanager`."""
    kind = getattr(sys.modules.get("contextlib"), "_GeneratorContextManager", None)
    return kind is not None and type(result) is kind


MOST_IN_A_ROW: Final = 3
"""How many functions that return functions are called, each what the one before returned."""

MOST_CALLS: Final = 2
"""Calls of the last of them: the second finds what the first one left."""

USUAL_NAME: Final = "function"

_NESTED: Final = inspect.CO_NESTED


class ReturnedFunctions:
    """The parameters of functions that were written within others of one module, each worked out once."""

    def __init__(self, module: types.ModuleType, planner: Planner) -> None:
        self._module = module
        self._planner = planner
        self._known: dict[types.CodeType, tuple[Parameter, ...] | None] = {}

    def parameters(self, thing: Any, outer: str) -> tuple[Parameter, ...] | None:
        """The parameters of a returned function; None where it is none of the module's, or can't be called.

        A method that is bound counts where its class is of the module.
        """
        function = thing.__func__ if type(thing) is types.MethodType else thing
        if type(function) is not types.FunctionType or not self._is_own(function, thing):
            return None
        code = function.__code__
        if code not in self._known:
            self._known[code] = self._planned(function, thing, outer)
        return self._known[code]

    def name_of(self, thing: Any) -> str:
        """A name for it in a test: its own where nothing in the module has that."""
        name = thing.__code__.co_name if type(thing) is types.FunctionType else ""
        usable = name.isidentifier() and not keyword.iskeyword(name) and not hasattr(self._module, name)
        return name if usable and name.strip("_") else USUAL_NAME

    def _is_own(self, function: types.FunctionType, thing: Any) -> bool:
        if not self._is_here(function) and self._inner(function) is None:
            return False
        return bool(function.__code__.co_flags & _NESTED) or function is not thing

    def _is_here(self, function: Any) -> bool:
        """True if a function was written in the module."""
        code = code_within(function)
        return code is not None and code.co_filename == getattr(self._module, "__file__", None)

    def _inner(self, function: types.FunctionType) -> types.FunctionType | None:
        """The function of the module that one is made around, by a decorator of whatever module."""
        inner = unwrapped(function)
        is_other = type(inner) is types.FunctionType and inner is not function
        return inner if is_other and self._is_here(inner) else None

    def _planned(self, function: types.FunctionType, thing: Any, outer: str) -> tuple[Parameter, ...] | None:
        inner = self._inner(function) if hands_on(function) else None
        called = inner or bare(function)
        name = function.__code__.co_name
        is_inside = thing is function and inner is None
        qualname = f"{outer}.<locals>.{name}" if is_inside else called.__qualname__
        scope: Scope = self._planner.scope(called, None)
        try:
            return self._planner.parameters(
                called, qualname=qualname, scope=scope, skip_first=thing is not function
            )
        except Unbuildable:
            return None
