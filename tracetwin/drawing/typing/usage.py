"""Unannotated parameters: candidates from defaults, uses, documentation and names."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from tracetwin.analysis import scopes
from tracetwin.analysis.evidence import hints
from tracetwin.analysis.evidence.callees import Callees, of_project, results_in_module
from tracetwin.analysis.evidence.calls.passed_values import note_factory, note_value
from tracetwin.analysis.evidence.calls.sites import call_sites
from tracetwin.analysis.evidence.dispatch import note_dispatch
from tracetwin.analysis.evidence.docstrings import by_docstring
from tracetwin.analysis.evidence.expressions import Names, texts_in
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.field_uses import asks_for_class, compared_keys, spread, taken_for_given
from tracetwin.analysis.evidence.named_keys import NamedKeys
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import module_of, qualname_of, unwrapped
from tracetwin.analysis.sources import FunctionNode, Source, receiver_of, walk
from tracetwin.drawing.typing.class_facts import is_hashable, members_of, note_fields, note_property
from tracetwin.drawing.typing.declared import Declared
from tracetwin.drawing.typing.decorated import handed_on
from tracetwin.drawing.typing.guesses import Guess, SeriesGuess, TypeGuess, is_telling
from tracetwin.drawing.typing.looked_into import KnownRecord, records_in
from tracetwin.drawing.typing.neighbours import Neighbours, attributes_of
from tracetwin.drawing.typing.other_guesses import (
    asks_if_given,
    is_forgiven,
    optional_parameters,
    other_guesses,
)
from tracetwin.drawing.typing.parameter_facts import defaults_of, parameter_facts
from tracetwin.drawing.typing.ranking import Ranking
from tracetwin.drawing.typing.sent_values import sent_facts

MOST_NAMESAKES = 2
"""Guesses that a parameter of which nothing is known takes from others of its name."""


class Usage:
    """Infers types of parameters from the code of one module. Everything is cached."""

    def __init__(self, module: ModuleType, source: Source, others: dict[str, Usage] | None = None) -> None:
        """Look at nothing yet; `others` are those of other modules known by now, None for the target."""
        self._module = module
        self._others: dict[str, Usage] = {} if others is None else others
        self._source = source
        self._globals = dict(vars(module))
        self._classes = {
            item: self.attributes(item)
            for item in self._globals.values()
            if isinstance(item, type) and is_hashable(item) and module_of(item) == module.__name__
        }
        self._ranking = Ranking(self._classes, Neighbours(module))
        self._callees = Callees(module, source, self._kept)
        self._declared = Declared(module)
        self._named = NamedKeys(source, lambda node: texts_in(node, self._globals))
        self._sites = call_sites(module) if others is None else None
        self._facts: dict[str, dict[str, ValueFacts]] = {}
        self._of_class: dict[str, Names] = {}
        self._strays: list[ValueFacts] = []
        self._firsts: dict[ValueFacts, tuple[Guess, ...]] = {}
        self._guesses: dict[str, dict[str, list[Guess]]] = {}
        self._noted: set[str] = set()
        self._evident: set[tuple[str, str]] = set()
        self._variadic: set[tuple[str, str]] = set()
        self._has_looked = self._has_spread = False

    def guesses(self, qualname: str, function: Callable[..., Any] | None = None) -> dict[str, list[Guess]]:
        """For each parameter the likely types, best first; missing where nothing is known."""
        if function is not None and (other := self._elsewhere(function)) is not None:
            given = other.guesses(unwrapped(function).__qualname__, function)
            return handed_on(self._source, qualname, function, given, self.guesses)
        if qualname not in self._guesses:
            facts = self._facts_of(qualname, function)
            self._guesses[qualname] = {
                name: found
                for name in facts
                if (qualname, name) not in self._variadic and (found := self._ranked(name, facts[name]))
            }
            for name, found in self._guesses[qualname].items():
                found[1:1] = self._otherwise(qualname, self.node(qualname, function), name, found)
        return self._guesses[qualname]

    def declared(self, qualname: str, name: str, function: Callable[..., Any] | None = None) -> Any:
        """The annotation of a parameter in the stub of its module, `inspect.Parameter.empty` without one."""
        if function is not None and (other := self._elsewhere(function)) is not None:
            return other.declared(unwrapped(function).__qualname__, name, function)
        found = self._declared.parameters(qualname, self.node(qualname, function))
        return found.get(name, inspect.Parameter.empty)

    def _otherwise(
        self, qualname: str, node: FunctionNode | None, name: str, known: Sequence[Guess]
    ) -> list[Guess]:
        """The guesses for a parameter that is of none of the classes which the code asks it for."""
        if node is None:
            return []
        others = optional_parameters(node) - {name}
        if not any(
            asks_for_class(item, name) or is_forgiven(item, name) or asks_if_given(item, others)
            for item in walk(node)
        ):
            return []
        owner = qualname.rpartition(".")[0]
        of_class = owner if self._source.class_(owner) is not None else None
        follow = self._callees.follower(qualname, of_class)
        names = {**vars(builtins), **self._globals}
        this = None if of_class is None else receiver_of(node)
        return other_guesses(node, name, known, names, self._ranking, follow, this)

    def _elsewhere(self, function: Callable[..., Any]) -> Usage | None:
        """The usage of another module of the project that a function is from."""
        inner = unwrapped(function)
        if not isinstance(inner, FunctionType) or inner.__module__ == self._module.__name__:
            return None
        if inner.__module__ not in self._others:
            found = of_project(inner, self._module.__name__.partition(".")[0])
            if found is None:
                return None
            self._others[inner.__module__] = Usage(found[1], found[0], self._others)
        return self._others[inner.__module__]

    def has_evidence(self, qualname: str, name: str, function: Callable[..., Any] | None = None) -> bool:
        """True if more than its name tells what a parameter is."""
        if function is not None and (other := self._elsewhere(function)) is not None:
            return other.has_evidence(unwrapped(function).__qualname__, name, function)
        self._facts_of(qualname, function)
        is_declared = self.declared(qualname, name, function) is not inspect.Parameter.empty
        return (qualname, name) in self._evident or is_declared

    def is_tested(self, qualname: str, name: str, function: Callable[..., Any] | None = None) -> bool:
        """True if the code asks for the class of a parameter, or takes any, so that others may come, too."""
        if function is not None and (other := self._elsewhere(function)) is not None:
            return other.is_tested(unwrapped(function).__qualname__, name, function)
        facts = self._facts_of(qualname, function).get(name)
        if facts is not None and (facts.asked or facts.forgiven):
            return True
        node = self.node(qualname, function)
        return node is not None and any(asks_for_class(item, name) for item in walk(node))

    def keywords(self, qualname: str, name: str) -> tuple[str, ...]:
        """The keys that the function asks of its ``**name``."""
        facts = self._facts_of(qualname, None).get(name)
        node = self.node(qualname, None)
        if facts is None or node is None:
            return ()
        asked = [key for key in facts.keys if str(key).isidentifier()]
        named = self._named.of(qualname, name)
        return tuple(dict.fromkeys((*asked, *compared_keys(node, name, self._globals), *named)))

    def needed_keywords(self, qualname: str, name: str) -> frozenset[str]:
        """Those keys of ``**name`` that a function takes for given: nobody is to see how it fails without."""
        return taken_for_given(self._source, qualname, name)

    def elements(
        self, qualname: str, name: str, key: str = "", function: Callable[..., Any] | None = None
    ) -> list[Guess]:
        """The likely types of one value in ``*name`` or ``**name``; of the latter of a key's value."""
        if (declared := self.declared(qualname, name, function)) is not inspect.Parameter.empty:
            return [TypeGuess(declared)]
        facts = self._facts_of(qualname, function).get(name) or ValueFacts()
        if key not in facts.keys and key in self._named.of(qualname, name):
            return self._as_the_attribute(qualname.rpartition(".")[0], key)
        part = facts.keys.get(key) or facts.element or next(iter(facts.arity), ValueFacts())
        found = self._ranked(key, part)
        if (qualname, name) in self._variadic and part.empty() and not (facts.is_mapping or part.links):
            found.sort(key=lambda guess: not isinstance(guess, SeriesGuess))  # mostly, they are handed on
        return found

    def _as_the_attribute(self, owner: str, key: str) -> list[Guess]:
        """The guesses for a value under a name from a list: what the attribute of that name holds, or any."""
        member = members_of(self._class(owner)).get(key)
        getter = member.fget if isinstance(member, property) else None
        declared = None if getter is None else scopes.annotations_of(getter).get("return")
        known = [declared] if declared is not None else self.attribute_types(owner, key)
        return [TypeGuess(item) for item in known] or self._ranked(key, ValueFacts())

    def goes_over(self, qualname: str, name: str) -> bool:
        """True if the code looks at all values of ``*name`` or ``**name``, whatever their number and keys."""
        facts = self._facts_of(qualname, None).get(name)
        if facts is None or facts.keys:
            return False
        listed = {"items", "keys", "values"} & {*facts.methods}
        return bool(facts.element or facts.key or facts.specials or listed)

    def tells_of_elements(self, qualname: str, name: str, key: str) -> bool:
        """True if the code does anything with the values of ``**name``, or with that of a key."""
        facts = self._facts_of(qualname, None).get(name) or ValueFacts()
        return key in facts.keys or facts.element is not None or key in self._named.of(qualname, name)

    def attributes(self, cls: type) -> frozenset[str]:
        """The attributes of instances: class members, annotated fields, what methods assign to self."""
        return attributes_of(cls, lambda _: self._source)

    def attribute_types(self, qualname: str, name: str) -> list[Any]:
        """The plain types that an attribute of a class may have, by what is done with it, best first."""
        if (declared := self._declared.attribute(qualname, name)) is not None:
            return [declared]
        facts = self._look_at_class(qualname).get(f"self.{name}")
        found = () if facts is None else self._ranking.guesses(facts)
        plain = [item.annotation for item in found if isinstance(item, TypeGuess)]
        return [annotation for annotation in plain if annotation is not None]

    def sent(self, node: FunctionNode) -> list[Guess]:
        """The likely types of what is sent into a generator, by the uses of its `yield` expressions."""
        return list(self._ranking.guesses(sent_facts(node, self._globals)))

    def records(self) -> list[KnownRecord]:
        """The dicts with known keys that functions of the module get, or ask their variables for."""
        self._look_at_functions()
        return records_in(self._source, self._facts, self._globals, self._callees, self._ranking)

    def _ranked(self, name: str, facts: ValueFacts) -> list[Guess]:
        """Guesses by evidence; the name counts little, and alone only puts one type before the usual ones."""
        alone = facts.vague() and facts.element is None
        alone = alone and not any(
            other.evidence or other.named or other.methods or other.specials or other.calls is not None
            for other in facts.links
        )
        hints.by_name(name, facts, alone)
        self._ranking.note_name(name, facts)
        found = list(self._ranking.guesses(facts))
        if alone or found == [TypeGuess(None)]:
            usual: list[Guess] = [TypeGuess(int), TypeGuess(str), TypeGuess(None), SeriesGuess("list")]
            kinds = [getattr(item, "kind", None) for item in found]
            found += [g for g in usual if g not in found and getattr(g, "kind", "") not in kinds]
            if facts.handed_on:
                found[1:1] = self._namesakes(name, facts)  # an object costs more runs than a number
        return found

    def _namesakes(self, name: str, facts: ValueFacts) -> list[Guess]:
        """The objects that other functions take by the name of a parameter, usual ones first."""
        self._look_at_functions()
        taken = [names[name] for names in self._facts.values() if name in names]
        firsts = (self._first(other) for other in taken if other is not facts)
        telling = [guess for found in firsts for guess in found if is_telling(guess)]
        counted = Counter(map(str, telling))
        telling.sort(key=lambda guess: -counted[str(guess)])
        return list({str(guess): guess for guess in telling}.values())[:MOST_NAMESAKES]

    def _first(self, facts: ValueFacts) -> tuple[Guess, ...]:
        """The best guess for a parameter of another function, none where nothing is known."""
        if facts not in self._firsts:
            self._firsts[facts] = self._ranking.guesses(facts)[:1]
        return self._firsts[facts]

    # Facts

    def _facts_of(self, qualname: str, function: Callable[..., Any] | None) -> dict[str, ValueFacts]:
        if qualname in self._noted:
            return self._facts[qualname]
        self._noted.add(qualname)
        self._spread()
        owner, _, _ = qualname.rpartition(".")
        if self._source.class_(owner) is not None:
            self._look_at_class(owner)
        if qualname not in self._facts:
            node = self.node(qualname, function)
            if node is not None:
                self._facts[qualname] = self._look_at(qualname, node, {}, None)
            else:  # nobody wrote it: the constructor of a data class takes its fields
                fields = self._of_class.get(owner, {}) if qualname.endswith((".__init__", ".__new__")) else {}
                self._facts[qualname] = {name.removeprefix("self."): part for name, part in fields.items()}
                cls = self._class(owner)
                listed = members_of(cls).get("_fields") if self._sites is not None else None
                if self._sites is not None and type(listed) is tuple:
                    self._sites.note_named_tuple(owner, listed, self._facts[qualname])
        self._note(qualname, function)
        return self._facts[qualname]

    def _spread(self) -> None:
        """Once: look at all functions for what they do with fields."""
        if self._has_spread:
            return
        self._has_spread = True
        self._look_at_functions()
        known = (*self._facts.values(), *self._of_class.values())
        everything = [*(facts for names in known for facts in names.values()), *self._strays]
        spread(everything, self._classes, self._look_at_class)
        for facts, qualname, name in self._callees.passed_on:
            taken = self._facts.get(qualname, {}).get(name)
            facts.follow(taken)
            for guess in self._ranking.guesses(taken)[:1]:
                if isinstance(guess, TypeGuess) and is_telling(guess):
                    facts.name(guess.annotation, Strength.NEEDED)

    def _look_at_functions(self) -> None:
        """Look at all functions and classes of the module, once."""
        if self._has_looked:
            return
        self._has_looked = True
        for qualname, nodes in list(self._source.definitions.items()):
            owner, _, _ = qualname.rpartition(".")
            if self._source.class_(owner) is not None:
                self._look_at_class(owner)
            elif qualname not in self._facts and not isinstance(nodes[-1], ast.ClassDef):
                self._facts[qualname] = self._look_at(qualname, nodes[-1], {}, None)

    def _note(self, qualname: str, function: Callable[..., Any] | None) -> None:
        """Add what defaults tell, and remember for which parameters there is evidence."""
        facts = self._facts[qualname]
        try:
            signature = None if function is None else inspect.signature(function)
        except (ValueError, TypeError):
            signature = None
        for name, parameter in signature.parameters.items() if signature is not None else ():
            if type(parameter.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
                note_factory(self._made_by(qualname, name), facts.setdefault(name, ValueFacts()))
            elif parameter.default is not inspect.Parameter.empty:
                note_value(parameter.default, facts.setdefault(name, ValueFacts()), self._classes)
            elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                facts.setdefault(name, ValueFacts())
        self._evident |= {(qualname, name) for name, found in facts.items() if not found.empty()}

    def _made_by(self, constructor: str, field: str) -> Any:
        """The default factory of a field of a data class."""
        owner = next((c for c in self._classes if f"{c.__qualname__}.__init__" == constructor), None)
        known = getattr(owner, "__dataclass_fields__", {}).get(field)
        return getattr(known, "default_factory", None)

    def _kept(self, owner: str) -> Names:
        """The facts of a constructor's parameters, by all that the methods do."""
        self._look_at_class(owner)
        return self._facts.get(f"{owner}.__init__", {})

    def node(self, qualname: str, function: Callable[..., Any] | None) -> FunctionNode | None:
        """Return the function of a qualified name, None where its source is not known."""
        code = getattr(unwrapped(function), "__code__", None) if function is not None else None
        line = getattr(code, "co_firstlineno", None)
        node = self._source.function(qualname, line)
        if node is None and line is not None:  # defined elsewhere, or under another name
            return self._source.at_line(line)
        return node

    def _look_at_class(self, qualname: str) -> Names:
        """Facts of all methods of a class at once: they share the attributes of `self`."""
        if qualname in self._of_class:
            return self._of_class[qualname]
        node = self._source.class_(qualname)
        shared: Names = {}
        self._of_class[qualname] = shared
        if node is None:
            return shared
        for base in map(ast.unparse, node.bases):
            shared.update(self._look_at_class(base) if self._source.class_(base) else {})
        note_fields(node, self._globals, shared)
        methods = self._source.methods(qualname)
        first = {name: item for name, item in methods.items() if name in ("__init__", "__new__")}
        for name, item in {**first, **methods}.items():
            self._facts[f"{qualname}.{name}"] = self._look_at(f"{qualname}.{name}", item, shared, qualname)
        return shared

    def _look_at(
        self, qualname: str, node: FunctionNode, shared: Names, owner: str | None
    ) -> dict[str, ValueFacts]:
        self._variadic.update((qualname, item.arg) for item in (node.args.vararg, node.args.kwarg) if item)
        names: Names = dict(shared)
        mine = parameter_facts(node, is_method=owner is not None)
        names.update(mine)
        by_docstring(ast.get_docstring(node), mine, self._globals)
        text = None if owner is None else self._source.class_(owner)
        cls = self._class(owner)
        if node.name == "__init__" and text is not None:
            by_docstring(ast.get_docstring(text), mine, self._globals)
            for facts in mine.values():
                facts.maker = cls
        hints.by_type_comments(node, mine, self._globals)
        this = receiver_of(node) if owner is not None else None
        known = self._globals if this is None or cls is None else {**self._globals, this: cls}
        observer = Observer(names, known, self._callees.follower(qualname, owner), this)
        observer.results_of = self._returned
        for item, default in defaults_of(node.args):
            if item.arg in mine and (made := observer.class_of(default)) is not None:
                mine[item.arg].name(made, Strength.DECLARED)
        observer.run(node)
        note_property(node, observer, shared)
        self._strays += observer.strays
        self._callees.follow_methods(observer, self._ranking.having)
        note_dispatch(node, mine, self._globals, members_of(cls), text)
        if self._sites is not None:
            self._sites.note(qualname, node, mine, owner is not None)
        shared.update({name: found for name, found in observer.names.items() if name.startswith("self.")})
        return mine

    def _returned(self, name: str) -> list[ast.expr]:
        """The expressions that a function of the module returns."""
        node = self._source.function(name) if "." not in name else None
        return [] if node is None else results_in_module(node)

    def _class(self, owner: str | None) -> type | None:
        return next((item for item in self._classes if qualname_of(item) == owner), None)

