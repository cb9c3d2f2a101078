"""Unannotated parameters: candidates from defaults, uses, documentation and names."""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tracetwin.inputs import hints
from tracetwin.inputs.expressions import Expressions, Names, OnCall, certain
from tracetwin.inputs.facts import Facts, Ranking
from tracetwin.inputs.guesses import Guess, SeriesGuess, TypeGuess
from tracetwin.inputs.observe import Observer
from tracetwin.inputs.scopes import is_anything, own_annotations, unwrapped
from tracetwin.inputs.sources import FunctionNode, Source, kept_on

_SIMPLE = {"int": int, "str": str, "float": float, "bool": bool, "bytes": bytes}


_SENT = "sent into it"
"""Stands for what `yield` gives; no name of a program is like that."""


class _WithoutYield(ast.NodeTransformer):
    """Puts a name in the place of every `yield`, to follow it as a parameter is followed."""

    def visit_Yield(self, node: ast.Yield) -> ast.Name:
        """Replace one."""
        return ast.copy_location(ast.Name(_SENT, ast.Load()), node)


class Usage:
    """What the code of one module does with the parameters of its functions. Everything is cached."""

    def __init__(self, module: ModuleType, source: Source) -> None:
        self._module = module
        self._source = source
        self._globals = dict(vars(module))
        self._classes = {
            item: self.attributes(item)
            for item in self._globals.values()
            if isinstance(item, type) and _hashable(item) and item.__module__ == module.__name__
        }
        self._ranking = Ranking(self._classes)
        self._facts: dict[str, dict[str, Facts]] = {}
        self._of_class: dict[str, Names] = {}
        self._guesses: dict[str, dict[str, list[Guess]]] = {}
        self._noted: set[str] = set()
        self._evident: set[tuple[str, str]] = set()
        self._variadic: set[tuple[str, str]] = set()

    def guesses(self, qualname: str, function: Callable[..., Any] | None = None) -> dict[str, list[Guess]]:
        """For each parameter the likely types, best first; missing where nothing is known."""
        if qualname not in self._guesses:
            facts = self._facts_of(qualname, function)
            self._guesses[qualname] = {
                name: found
                for name in facts
                if (qualname, name) not in self._variadic and (found := self._ranked(name, facts[name]))
            }
        return self._guesses[qualname]

    def has_evidence(self, qualname: str, name: str, function: Callable[..., Any] | None = None) -> bool:
        """Whether more than its name tells what a parameter is."""
        self._facts_of(qualname, function)
        return (qualname, name) in self._evident

    def is_tested(self, qualname: str, name: str, function: Callable[..., Any] | None = None) -> bool:
        """Whether the code asks for the class of a parameter, so that others may come, too."""
        node = self._node(qualname, function)
        return node is not None and any(_asks_for_class(item, name) for item in ast.walk(node))

    def keywords(self, qualname: str, name: str) -> tuple[str, ...]:
        """The keys that the function asks of its ``**name``."""
        facts = self._facts_of(qualname, None).get(name)
        return () if facts is None else tuple(key for key in facts.keys if str(key).isidentifier())

    def elements(
        self, qualname: str, name: str, key: str = "", function: Callable[..., Any] | None = None
    ) -> list[Guess]:
        """What one value in ``*name`` or ``**name`` is likely to be; of the latter that of a key."""
        facts = self._facts_of(qualname, function).get(name) or Facts()
        part = facts.keys.get(key) or facts.element or next(iter(facts.arity), Facts())
        found = self._ranked(key, part)
        if (qualname, name) in self._variadic and part.empty() and not (facts.is_mapping or part.links):
            found.sort(key=lambda guess: not isinstance(guess, SeriesGuess))  # mostly, they are handed on
        return found

    def tells_of_elements(self, qualname: str, name: str, key: str) -> bool:
        """Whether the code does anything with the values of ``**name``, or with that of a key."""
        facts = self._facts_of(qualname, None).get(name) or Facts()
        return key in facts.keys or facts.element is not None

    def attributes(self, cls: type) -> frozenset[str]:
        """What instances of a class have: class members, annotated fields, what methods assign to self."""
        found: set[str] = set()
        for base in cls.__mro__[:-1]:
            found |= set(vars(base)) | set(own_annotations(base))
            for node in self._source.methods(base.__qualname__).values():
                found |= kept_on(node, _first(node) or "")
        return frozenset(found)

    def attribute_types(self, qualname: str, name: str) -> list[Any]:
        """The plain types that an attribute of a class may have, by what is done with it, best first."""
        facts = self._look_at_class(qualname).get(f"self.{name}")
        found = () if facts is None else self._ranking.guesses(facts)
        plain = [item.annotation for item in found if isinstance(item, TypeGuess)]
        return [annotation for annotation in plain if annotation is not None]

    def sent(self, node: FunctionNode) -> list[Guess]:
        """What may be sent into a generator, by what it does with the values of its `yield` expressions."""
        facts = Facts()
        body = _WithoutYield().visit(copy.deepcopy(node))
        Observer({_SENT: facts}, self._globals, None, None).run(body)
        return list(self._ranking.guesses(facts))

    def _ranked(self, name: str, facts: Facts) -> list[Guess]:
        """Guesses by evidence; the name counts little, and alone only puts one type before the usual ones."""
        alone = all(set(weights) <= {"bool"} for weights, _ in facts.evidence) and not any(
            (facts.named, facts.keys, facts.attributes, facts.methods, facts.arity, facts.calls is not None)
        )
        alone = (
            alone
            and facts.element is None
            and not any(
                other.evidence or other.named or other.methods or other.calls is not None
                for other in facts.links
            )
        )
        hints.by_name(name, facts, alone)
        found = list(self._ranking.guesses(facts))
        if alone:
            usual: list[Guess] = [TypeGuess(int), TypeGuess(str), TypeGuess(None), SeriesGuess("list")]
            kinds = [getattr(item, "kind", None) for item in found]
            found += [g for g in usual if g not in found and getattr(g, "kind", "") not in kinds]
        return found

    # Facts

    def _facts_of(self, qualname: str, function: Callable[..., Any] | None) -> dict[str, Facts]:
        if qualname in self._noted:
            return self._facts[qualname]
        self._noted.add(qualname)
        owner, _, _ = qualname.rpartition(".")
        if self._source.class_(owner) is not None:
            self._look_at_class(owner)
        if qualname not in self._facts:
            node = self._node(qualname, function)
            self._facts[qualname] = {} if node is None else self._look_at(qualname, node, {}, None)
        self._note(qualname, function)
        return self._facts[qualname]

    def _note(self, qualname: str, function: Callable[..., Any] | None) -> None:
        """Add what defaults tell, and remember for which parameters there is evidence."""
        facts = self._facts[qualname]
        try:
            signature = None if function is None else inspect.signature(function)
        except (ValueError, TypeError):
            signature = None
        for name, parameter in signature.parameters.items() if signature is not None else ():
            if parameter.default is not inspect.Parameter.empty:
                _by_default(parameter.default, facts.setdefault(name, Facts()), self._classes)
            elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                facts.setdefault(name, Facts())
        self._evident |= {(qualname, name) for name, found in facts.items() if not found.empty()}

    def _node(self, qualname: str, function: Callable[..., Any] | None) -> FunctionNode | None:
        code = getattr(unwrapped(function), "__code__", None) if function is not None else None
        line = getattr(code, "co_firstlineno", None)
        node = self._source.function(qualname, line)
        if node is None and line is not None:  # defined elsewhere, or under another name
            for item in ast.walk(self._source.tree):
                if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.lineno == line:
                    return item
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
        for base in node.bases:
            shared.update(
                self._look_at_class(ast.unparse(base)) if self._source.class_(ast.unparse(base)) else {}
            )
        methods = self._source.methods(qualname)
        first = {name: item for name, item in methods.items() if name in ("__init__", "__new__")}
        for name, item in {**first, **methods}.items():
            self._facts[f"{qualname}.{name}"] = self._look_at(f"{qualname}.{name}", item, shared, qualname)
        return shared

    def _look_at(
        self, qualname: str, node: FunctionNode, shared: Names, owner: str | None
    ) -> dict[str, Facts]:
        variadic = [item.arg for item in (node.args.vararg, node.args.kwarg) if item is not None]
        self._variadic.update((qualname, name) for name in variadic)
        names: Names = dict(shared)
        mine = self._parameters(node, owner is not None)
        names.update(mine)
        hints.by_docstring(node, mine, self._globals)
        if node.name == "__init__" and owner is not None and (cls := self._source.class_(owner)) is not None:
            document = ast.get_docstring(cls)
            if document:
                holder = ast.FunctionDef("__init__", node.args, [ast.Expr(ast.Constant(document))], [])
                hints.by_docstring(holder, mine, self._globals)
        hints.by_type_comments(node, mine)
        this = _first(node) if owner is not None else None
        observer = Observer(names, self._globals, self._follower(qualname, owner), this)
        observer.run(node)
        shared.update({name: found for name, found in observer.names.items() if name.startswith("self.")})
        return mine

    @staticmethod
    def _parameters(node: FunctionNode, method: bool) -> dict[str, Facts]:
        items = [*node.args.posonlyargs, *node.args.args]
        static = any(ast.unparse(decorator) == "staticmethod" for decorator in node.decorator_list)
        items = items[1:] if method and not static else items
        found = {item.arg: Facts() for item in [*items, *node.args.kwonlyargs]}
        for item in [*items, *node.args.kwonlyargs]:
            if item.annotation is not None:
                text = ast.unparse(item.annotation).strip("'\"")
                if not is_anything(text):
                    found[item.arg].name(_SIMPLE.get(text, text), 4.0)
        if node.args.kwarg is not None:
            found[node.args.kwarg.arg] = Facts(is_mapping=True)
        if node.args.vararg is not None:
            found[node.args.vararg.arg] = certain("tuple")
        return found

    def _follower(self, caller: str, owner: str | None) -> OnCall:
        """What to do at calls of functions of the module: look one level into them."""

        def follow(name: str, node: ast.Call, observer: Expressions) -> None:
            qualname, node, shares = self._called(name, node, owner, observer.this)
            shared: Names = {}
            if shares:
                shared = {key: item for key, item in observer.names.items() if key.startswith("self.")}
            callee = self._source.function(qualname)
            if callee is None or qualname == caller:
                return
            method = "." in qualname
            names = passed(callee, node, observer, method)
            if names:
                this = _first(callee) if method else None
                Observer({**shared, **names}, self._globals, None, this).run(callee)

        return follow

    def _called(
        self, name: str, node: ast.Call, owner: str | None, this: str | None
    ) -> tuple[str, ast.Call, bool]:
        """What a call calls by its qualified name, the call without `self`, and whether it is on `self`."""
        if owner is not None and this is not None:
            base, _, attribute = name.rpartition(".")
            if base == this:
                return self._defined(owner, attribute), node, True
            match node.func:
                case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attribute):
                    return self._defined(owner, attribute, above=True), node, True
                case _:
                    pass
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Name) and first.id == this and self._source.class_(base) is not None:
                return name, ast.Call(node.func, node.args[1:], node.keywords), True
        return f"{name}.__init__" if self._source.class_(name) is not None else name, node, False

    def _defined(self, owner: str, method: str, *, above: bool = False) -> str:
        """The qualified name of a method where a class, or one of its bases here, defines it; else ""."""
        waiting, seen = [owner], {""}
        while waiting:
            name = waiting.pop(0)
            if not (above and name == owner) and self._source.function(f"{name}.{method}") is not None:
                return f"{name}.{method}"
            seen.add(name)
            node = self._source.class_(name)
            bases = [] if node is None else [ast.unparse(base) for base in node.bases]
            waiting += [base for base in bases if base not in seen]
        return ""


def passed(callee: FunctionNode, node: ast.Call, observer: Expressions, method: bool) -> Names:
    """The caller's facts of the arguments, by the callee's parameter names."""
    positional = [*callee.args.posonlyargs, *callee.args.args]
    static = any(ast.unparse(decorator) == "staticmethod" for decorator in callee.decorator_list)
    positional = positional[1:] if method and not static else positional
    names: Names = {}
    pairs = list(zip(positional, node.args, strict=False))
    by_name = {item.arg: item for item in [*positional, *callee.args.kwonlyargs]}
    pairs += [(by_name[k.arg], k.value) for k in node.keywords if k.arg is not None and k.arg in by_name]
    for item, argument in pairs:
        facts = observer.facts(argument)
        if facts is None:
            continue
        names[item.arg] = facts
        if item.annotation is not None:
            text = ast.unparse(item.annotation).strip("'\"")
            if not is_anything(text):
                facts.name(_SIMPLE.get(text, text), 4.0)
    return names


def _hashable(cls: type) -> bool:
    try:
        hash(cls)
    except Exception:  # noqa: BLE001 - the metaclass decides
        return False
    return True


def _asks_for_class(node: ast.AST, name: str) -> bool:
    """Whether a part of a function is ``isinstance(name, ...)``, ``type(name)`` or ``match name``."""
    if isinstance(node, ast.Match):
        asked: ast.expr | None = node.subject
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        asked = node.args[0] if node.func.id in ("isinstance", "issubclass", "type") else None
    else:
        return False
    return isinstance(asked, ast.Name) and asked.id == name


def _first(node: FunctionNode) -> str | None:
    items = [*node.args.posonlyargs, *node.args.args]
    return items[0].arg if items else None


def _by_default(value: Any, facts: Facts, classes: dict[type, frozenset[str]]) -> None:
    """The type of the default is the likeliest one."""
    if value is None:
        facts.none = True
    elif type(value) is int:
        facts.vote(int=5.0, float=0.6)
    elif type(value) in (list, tuple, set, frozenset, dict):
        facts.name(type(value), 4.0)
        if type(value) is tuple:
            facts.vote(list=2.0)
        for item in list(value)[:5]:
            _by_default(item, facts.key_facts() if type(value) is dict else facts.elements(), classes)
        for item in list(value.values())[:5] if type(value) is dict else ():
            _by_default(item, facts.elements(), classes)
    elif isinstance(value, type) or (callable(value) and type(value) not in classes):
        facts.vote(function=3.0)
    elif type(value) is not object:
        facts.name(type(value), 5.0)
