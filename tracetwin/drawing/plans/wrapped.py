"""Values that code gets by entering, awaiting or calling; the mock that gives itself."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, Plan, SetupFailed
from tracetwin.model import recipes
from tracetwin.model.recipe import MockNumber
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass

CONTEXT: Final = "context manager"
AWAITABLE: Final = "awaitable"
ASYNC_FUNCTION: Final = "async function"


@dataclass(frozen=True)
class WrappedPlan(Plan):
    """An object that gives a drawn value when it is entered, awaited, or called and awaited.

    Attributes:
        kind: `CONTEXT`: `contextlib.nullcontext(value)`; `AWAITABLE`: `asyncio.sleep(0, value)`;
            `ASYNC_FUNCTION`: `unittest.mock.AsyncMock(return_value=value)`.
        inner: the plan of the value.
    """

    kind: str
    inner: Plan
    COMPOSITE = True

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.inner.build(draw, f"{name}()")
        return _STANDING[self.kind](value), _written(self.kind, recipe)

    def describe(self) -> str:
        return f"{self.kind} of {self.inner.describe()}"


def _written(kind: str, value: Recipe) -> Recipe:
    if kind == CONTEXT:
        return recipes.call("contextlib", "nullcontext", value)
    if kind == AWAITABLE:
        return recipes.call("asyncio", "sleep", recipes.lit(0), value)
    return recipes.call("unittest.mock", "AsyncMock", return_value=value)


class _Entered:
    """A context manager of either sort, as `contextlib.nullcontext` is; that module need not be loaded."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __enter__(self) -> Any:
        return self._value

    def __exit__(self, *_error: object) -> None:
        """Errors go on."""

    async def __aenter__(self) -> Any:
        return self._value

    async def __aexit__(self, *_error: object) -> None:
        """Errors go on."""


class _Ready:
    """Gives its value at once; what nobody awaits does not complain, either."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from ()
        return self._value


def _async_function(value: Any) -> Any:
    async def function(*_arguments: Any, **_named: Any) -> Any:
        return value

    return function


_STANDING: Final[dict[str, Any]] = {CONTEXT: _Entered, AWAITABLE: _Ready, ASYNC_FUNCTION: _async_function}


class _Itself(Plan):
    """The mock that answers."""

    def build(self, draw: Draw, name: str) -> Built:
        if not draw.pool.answering:
            raise SetupFailed("only a mock can give itself")
        mock = draw.pool.answering[-1]
        return mock.value, MockNumber(mock.number)

    def describe(self) -> str:
        return "itself"


SELF: Final = _Itself()
