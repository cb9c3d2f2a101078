"""The user's rules as the worker keeps them: what may be called, who makes instances, what must hold.

The driver has checked the configuration and hands it over as plain data (`tracetwin.config.rules`). A
condition comes as source of a twin, so that its truth is an expression over the input's variables: an input
that breaks it leaves a path whose last decision leads the search to one that keeps it, and no case.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import runtime.twin
from tracetwin.drawing.plans.constrained import assume
from tracetwin.drawing.plans.parameters import Arguments
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.drawing.rules.call_patterns import Permits, normal, targets_of, values_by_name
from tracetwin.drawing.rules.learned import Learned
from tracetwin.drawing.rules.patch_selection import Selection
from tracetwin.process.importing import ImportFailure, describe
from tracetwin.support.data import dataclass

WRONG: Final = "its configuration is wrong:"
"""The kind of failure of a rule that only shows when code of the user's is imported."""


@dataclass(frozen=True)
class Condition:
    """One part of a precondition; all of them must hold.

    Attributes:
        text: as the user wrote it.
        names: the parameters that it is about, and `self` where it names it.
        holds: the twin of the expression, as a function of these, in this order.
    """

    text: str
    names: tuple[str, ...]
    holds: Callable[..., Any]


class Guide(Permits):
    """The user's configuration as rules, without any rule where there is none.

    Attributes:
        private: whether names that begin with an underscore are targets, and may be called and stored.
        private_where_needed: whether private functions are targets where no other call reaches all of them.
        max_length: calls in a sequence, the target's included and the constructor's not; None: no limit.
        patches: which functions that read the environment are drawn, and patched in tests.
        learned: what the project's own tests have passed.
    """

    def __init__(self, plain: Mapping[str, Any] | None = None) -> None:
        plain = plain or {}
        super().__init__(plain)
        self.private: bool = bool(plain.get("private", False))
        self.private_where_needed: bool = plain.get("private", False) is None
        self.max_length: int | None = plain.get("max_length")
        given = plain.get("permissions") or {}
        allowed = (name for name, value in given.items() if value is True)
        patches = plain.get("patch", ()), plain.get("no_patch", ())
        self.patches = Selection(*patches, allowed, given.get("write", ()))
        self.learned = Learned(plain.get("learned"))
        self._file: str = plain.get("file", "")
        self._factories: dict[str, str] = dict(plain.get("factories", {}))
        self._conditions: dict[str, list[Condition]] = {}
        for target, text, names, source, prelude in plain.get("assume", ()):
            made = Condition(text, tuple(names), _compiled(source, prelude))
            self._conditions.setdefault(normal(target), []).append(made)

    # Who makes instances

    def factory(self, cls: type) -> tuple[str, str] | None:
        """Module and qualified name of the callable that makes instances of a class, None without one."""
        for name, maker in self._factories.items():
            if _resolved(name) is cls:
                module, _, qualname = maker.partition(":")
                return module, qualname
        return None

    def load(self) -> None:
        """Import the factories of those types that are there now.

        Raises:
            ImportFailure: one can't be imported, or is nothing to call.
        """
        for name, maker in self._factories.items():
            if _resolved(name) is None:
                continue  # the target has not imported it, so it needs none
            module, _, qualname = maker.partition(":")
            place = f"{self._file}: factories: {maker}, which is to make {name},"
            try:
                found = importlib.import_module(module)
                for part in qualname.split("."):
                    found = getattr(found, part)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - an import may raise anything
                raise ImportFailure(WRONG, f"{place} can't be imported: {describe(error)}") from None
            if not callable(found):
                raise ImportFailure(WRONG, f"{place} is nothing to call")

    # What must hold

    @property
    def assumes(self) -> bool:
        """True if there is any precondition."""
        return bool(self._conditions)

    def _conditions_of(self, module: str, qualname: str, receiver: Any) -> list[Condition]:
        """The conditions of a call: for a method, under the names of the classes that it is inherited by."""
        found: list[Condition] = []
        for target in targets_of(module, qualname, receiver):
            found += [condition for condition in self._conditions.get(target, ()) if condition not in found]
        return found

    def assume(
        self,
        module: str,
        qualname: str,
        function: Callable[..., Any],
        receiver: Any,
        made: Arguments,
    ) -> None:
        """Go on only where the preconditions of a call hold; to be asked right before it.

        Raises:
            UnfitInput: one does not hold, or can't be evaluated for these arguments.
            SetupFailed: an argument that a condition names is none of the call's.
        """
        conditions = self._conditions_of(module, qualname, receiver)
        if not conditions:
            return
        values = values_by_name(function, receiver, made.args, made.kwargs)
        for condition in conditions:
            missing = [name for name in condition.names if name not in values]
            if missing:
                what = f"the precondition of {qualname} names '{missing[0]}'"
                raise SetupFailed(f"{what}, which it is not called with")
            assume(condition.holds, [values[name] for name in condition.names])


def _resolved(dotted: str) -> Any:
    """The object under a dotted name in the modules imported so far, None without it."""
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        found: Any = sys.modules.get(".".join(parts[:length]))
        if found is None:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found
    return None


def _compiled(source: str, prelude: str) -> Callable[..., Any]:
    names: dict[str, Any] = {prelude: runtime.twin, "__name__": "tracetwin.assumed"}
    exec(compile(source, "<assume>", "exec", dont_inherit=True), names)  # noqa: S102 - the user's own condition
    made: Callable[..., Any] = names["condition"]
    return made
