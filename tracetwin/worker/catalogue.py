"""A worker's knowledge of its module: the invokables by name, and how each is called."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.scopes import is_defined_in
from tracetwin.analysis.sources import read
from tracetwin.drawing.discovery.discovery import Discovery, missing, undefined, within
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.objects.encoding import retraced, retraced_call
from tracetwin.drawing.plans.parameters import Arguments
from tracetwin.drawing.rules.documented import documented
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.drawing.seeds.constants import NearConstants
from tracetwin.drawing.seeds.samples import Samples
from tracetwin.model import recipes
from tracetwin.model.flatten import variable_name
from tracetwin.worker.continuation import Continuation, Continuations
from tracetwin.worker.setup_calls import Words
from tracetwin.worker.shown_uses import ShownUses

MOST_INSTANCES: Final = 3
"""Documented instances that a method without examples is tried on."""


class Catalogue:
    """The invokables of one imported module.

    Attributes:
        guide: what the user lets be called, and how.
        invokables: in the order of the text.
        planner: what plans the arguments of their calls.
        missing: selected names that name nothing to call, and a sentence on each.
        hidden: private ones, to be called where what others call does not reach all of them.
        only_private: whether it offers nothing public, so that private functions stand in its place.
        undefined: those of the sentences that say that nothing has the name.
    """

    def __init__(
        self,
        module: ModuleType,
        selection: tuple[str, ...],
        guide: Guide | None = None,
        changing: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Discover what there is; `changing` is as for `Planner`."""
        self.module = module
        self.guide = guide or Guide()
        self.guide.learned.add(documented(module, read(module)))
        discovery = Discovery(module, selection, self.guide, changing)
        self.invokables = discovery.run()
        self.only_private = not (self.invokables or selection or self.guide.private)
        if self.only_private:
            self.guide.private = True
            discovery = Discovery(module, selection, self.guide, changing)
            self.invokables = discovery.run()
        wanted = self.guide.private_where_needed and not (selection or self.only_private)
        self.hidden = discovery.hidden() if wanted else []
        lost = {name: undefined(module, name) for name in missing(module, selection)}
        self.undefined = [sentence for sentence in lost.values() if sentence]
        self.missing = {name: said or "there is nothing of this name to call" for name, said in lost.items()}
        for name in selection:
            if name not in lost and not any(within(item.qualname, name) for item in self.invokables):
                self.missing[name] = "the configuration does not let it be called"
        self.planner = discovery.planner
        walk = Discovery(module, (), self.guide, planner=self.planner)
        everything = walk.run() if selection else self.invokables
        self._by_name = {i.qualname: i for i in (*self.hidden, *everything, *self.invokables)}
        self._continuations = Continuations(module, discovery.planner)
        public = [item for item in self._by_name.values() if item not in self.hidden]
        self._words = Words(module, discovery.planner, public)
        self._shown = ShownUses(self.guide.learned.histories, self._words.find)
        source = discovery.source
        self._constants = NearConstants(module, source)
        self._samples = Samples(module, source)

    def named(self, qualname: str) -> PlannedInvokable:
        """The invokable of that name."""
        return self._by_name[qualname]

    def callable_of(self, invokable: PlannedInvokable) -> Callable[..., Any]:
        """The callable of a function, class method, static method or constructor."""
        found: Callable[..., Any] = recipes.lookup(self.module.__name__, self.path_of(invokable))
        return found

    def path_of(self, invokable: PlannedInvokable) -> str:
        """The name under which a test calls it: the class for a constructor."""
        if invokable.path:
            return invokable.path
        if invokable.kind == "constructor":
            return str(invokable.owner)
        return invokable.qualname

    def data(self) -> types.SimpleNamespace:
        """The module's own data and that of its classes: what its functions may share."""
        kept = {}
        for name, value in list(vars(self.module).items()):
            if name.startswith("__") or isinstance(value, types.ModuleType):
                continue
            if isinstance(value, type):
                own = is_defined_in(value, self.module)
                held = list(vars(value).items()) if own else []
                kept.update({f"{name}.{part}": thing for part, thing in held if _is_data(part, thing)})
            elif not callable(value):
                kept[name] = value
        return types.SimpleNamespace(**kept)

    def around(self, invokable: PlannedInvokable) -> dict[str, object]:
        """By name, the variables of module and classes that the methods of its receiver share with others."""
        shared = self._words.shared(invokable) if invokable.receiver is not None else frozenset()
        if not shared:
            return {}
        held = vars(self.data()).items()
        return {name: value for name, value in held if name[max(name.find("."), 0) :] in shared}

    def continuation(self, invokable: PlannedInvokable) -> Continuation:
        """The use of a context manager or generator that it returned."""
        return self._continuations.of(invokable)

    def word(self, invokable: PlannedInvokable, word: str) -> PlannedInvokable:
        """The act of a word: call a method, store an attribute (``x=``), call a function (``:f``).

        Raises:
            LookupError: it is no word of that invokable.
        """
        try:
            return self._words.find(invokable, word)
        except LookupError:  # what never prepares anything is a word where it comes last
            member = f"{word[:-1]}.setter" if word.endswith("=") else word
            return self._by_name[word[1:] if word.startswith(":") else f"{invokable.owner}.{member}"]

    def assume(self, invokable: PlannedInvokable, receiver: Any, made: Arguments) -> None:
        """Go on only where the user's preconditions of a call hold, which is about to be made.

        Raises:
            UnfitInput: one does not.
        """
        if not self.guide.assumes:
            return
        function: Any
        if receiver is None:
            function = self.callable_of(invokable)
        elif invokable.access == "set":
            held = inspect.getattr_static(type(receiver), invokable.name, None)
            if not isinstance(held, property) or held.fset is None:
                return  # a plain attribute, whose name is none of a parameter
            function = held.fset.__get__(receiver)
        else:
            function = (
                dict if invokable.access else getattr(receiver, invokable.name)
            )  # a getter takes nothing
        self.guide.assume(self.module.__name__, invokable.qualname, function, receiver, made)

    def words(self, invokable: PlannedInvokable) -> list[str]:
        """The words that may stand before it in a sequence, see `tracetwin.worker.setup_calls`."""
        return self._words.of(invokable)

    def describe(self, invokable: PlannedInvokable) -> dict[str, Any]:
        """Plain data for the explorer."""
        constants = self._constants.of(invokable)
        return {
            "qualname": invokable.qualname,
            "kind": invokable.kind,
            "owner": invokable.owner or "",
            "first_line": invokable.first_line,
            "last_line": invokable.last_line,
            "typed": invokable.typed,
            "problem": invokable.problem or "",
            "constants": {**constants, "samples": self._samples.of(invokable, constants)},
            "methods": self.words(invokable),
            "examples": self._examples(invokable),
            "histories": self._shown.histories(invokable),
            "uses": self._shown.uses(invokable),
            "bare": invokable.receiver is not None and not invokable.parameters,
        }

    def _examples(self, invokable: PlannedInvokable) -> list[dict[str, Any]]:
        """The inputs that come nearest to calls of the project's own tests."""
        found: list[dict[str, Any]] = []
        ending = ".__init__" if invokable.kind == "constructor" else ""
        for call in self.guide.learned.calls(invokable.definition + ending):
            made = retraced_call(invokable.parameters, call)
            first = next(iter(call), "")
            has_receiver = bool(first) and first not in [item.name for item in invokable.parameters]
            if invokable.receiver is not None and has_receiver:
                this = variable_name(str(invokable.owner))
                made |= retraced(invokable.receiver, call[first], this) or {}
            if made and made not in found:
                found.append(made)
        if invokable.receiver is not None and not found:
            this = variable_name(str(invokable.owner))
            instances = self.guide.learned.instances(str(invokable.owner))[:MOST_INSTANCES]
            found += filter(None, (retraced(invokable.receiver, made, this) for made in instances))
        return found


def _is_data(name: str, value: object) -> bool:
    """True if something in the body of a class is a variable: no method, no descriptor."""
    kind = type(value)
    return not (
        name.startswith("__") or callable(value) or hasattr(kind, "__get__") or hasattr(kind, "__set__")
    )
