"""Members of an interface with their signatures, as they are written."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final, TypeVar

from runtime.classes import bases_of
from tracetwin.analysis.scopes import (
    annotations_of,
    code_within,
    module_of,
    own_annotations,
    text_of,
    unwrapped,
)
from tracetwin.analysis.sources import FunctionNode, Source, read
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.support.data import dataclass

EMPTY: Final[Any] = inspect.Signature.empty
ATTRIBUTE: Final = "attribute"
CALLED: Final = ("method", "async", "classmethod", "staticmethod", "generator", "asyncgen")
"""The kinds of members that are called; the others are read."""

_PLUMBING: Final = frozenset("""
    __abstractmethods__ __annotate__ __annotate_func__ __annotations__ __annotations_cache__
    __class_getitem__ __classcell__ __conditional_annotations__ __copy__ __deepcopy__ __del__ __dict__
    __dir__ __doc__ __firstlineno__ __format__ __getattr__ __getattribute__ __getnewargs__
    __getnewargs_ex__ __getstate__ __init__ __init_subclass__ __module__ __new__ __orig_bases__
    __parameters__ __post_init__ __prepare__ __qualname__ __reduce__ __reduce_ex__ __repr__ __setstate__
    __sizeof__ __slots__ __static_attributes__ __str__ __subclasshook__ __type_params__ __weakref__
    __delattr__ __setattr__
""".split())  # fmt: skip
"""Special names that serve Python itself rather than the callers of an object."""

_ROOTS: Final = frozenset(("typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "abc.ABC"))
_KIND_OF_RESULT: Final = {
    "AsyncGenerator": "asyncgen",
    "AsyncIterable": "asyncgen",
    "AsyncIterator": "asyncgen",
    "Awaitable": "async",
    "Coroutine": "async",
}
"""The kind of a method without a body by its annotation: a coroutine or an asynchronous generator."""

_TRIVIAL: Final = ("NotImplementedError", "NotImplemented")


@dataclass(frozen=True)
class InterfaceMember:
    """One member of an interface.

    Attributes:
        kind: method, async, generator, asyncgen, classmethod, staticmethod, property or attribute.
        function: what is called, None for attributes.
        signature: with the first parameter (``self``, ``cls``) where the function has one; None when there
            is none that can be read.
        returns: the annotation of the result or value as it is written, `EMPTY` without one.
        owner: the class that declares it.
        is_abstract: nobody wrote what it does: it is abstract, or its body says nothing.
        is_hook: all that its body does is to return a constant, so that others have something to override.
        overloads: the annotations of results of its overloads.
        is_manager: `contextlib` makes a context manager of its function.
        value: the plain value that an attribute has in the class, `EMPTY` where it has none.
    """

    name: str
    kind: str
    function: FunctionType | None
    signature: inspect.Signature | None
    returns: Any
    owner: type
    is_abstract: bool
    is_hook: bool = False
    overloads: tuple[Any, ...] = ()
    is_manager: bool = False
    value: Any = EMPTY

    @property
    def is_called(self) -> bool:
        """True if callers call it; else they read it."""
        return self.kind in CALLED

    @property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """The parameters that callers pass: without the first one of methods."""
        found = () if self.signature is None else tuple(self.signature.parameters.values())
        bound = self.is_called and self.kind != "staticmethod"
        starts = found and found[0].kind is not inspect.Parameter.VAR_POSITIONAL
        return found[1:] if bound and starts else found


def members_of(cls: type) -> dict[str, InterfaceMember]:
    """The public and special members that instances of a class have, those of nearer classes first.

    Private ones are among them only if they are abstract, as no instance exists without them.
    """
    remembered = _REMEMBERED.get(id(cls))
    return remembered[1] if remembered is not None else _once(_found, cls)


_REMEMBERED: Final[dict[int, tuple[type, dict[str, InterfaceMember]]]] = {}
"""By identity, as a metaclass may say that classes are equal, or can't be hashed."""


_planned: list[dict[tuple[Any, int], tuple[type, Any]]] = []
"""What was seen of classes since planning began, by identity as well; empty at any other time."""

_Look = TypeVar("_Look")


@contextmanager
def while_planning() -> Iterator[None]:
    """Look at each class once in this block, in which no code of the target runs that could change it."""
    _planned.append(_planned[-1] if _planned else {})
    try:
        yield
    finally:
        _planned.pop()


def _once(look: Callable[[type], _Look], cls: type) -> _Look:
    """Return what a look at a class gives, which many others may inherit."""
    if not _planned:
        return look(cls)
    known = _planned[-1]
    key = look, id(cls)
    if key not in known:
        known[key] = cls, look(cls)
    found: _Look = known[key][1]
    return found


def remember(cls: type) -> None:
    """Look at a class once, for a process whose forks would each do so."""
    if id(cls) not in _REMEMBERED:
        _REMEMBERED[id(cls)] = (cls, _found(cls))


def _found(cls: type) -> dict[str, InterfaceMember]:
    found: dict[str, InterfaceMember] = {}
    hidden: set[str] = set()
    for base in bases_of(cls):
        if base is object or f"{module_of(base)}.{base.__qualname__}" in _ROOTS:
            continue
        for member in _once(_declared, base):
            if member.name not in found and member.name not in hidden:
                found[member.name] = member
        hidden |= {name for name, value in _contents(base) if value is None}
    return found


def _declared(base: type) -> list[InterfaceMember]:
    """The members that one class declares: in its body, by annotation, in its constructor."""
    return list(_declarations(base))


def _declarations(base: type) -> Iterator[InterfaceMember]:
    source = _source_of(base)
    annotations = own_annotations(base)
    names = set()
    for name, value in _contents(base):
        names.add(name)
        if _is_wanted(name, value) and (member := _member(base, name, value, source)) is not None:
            own = EMPTY if member.value is EMPTY else type(member.value)
            is_read = member.kind == ATTRIBUTE
            yield replace(member, returns=annotations.get(name, own)) if is_read else member
    for name, annotation in annotations.items():
        if name not in names and _is_public(name):
            names.add(name)
            yield _attribute(base, name, annotation, is_abstract=True)
    for name, annotation in _kept(base, source).items():
        if name not in names and _is_public(name):
            yield _attribute(base, name, annotation, is_abstract=True)


def _member(base: type, name: str, value: Any, source: Source) -> InterfaceMember | None:
    """The member that stands in the body of a class under a name."""
    if isinstance(value, (property, functools.cached_property)):
        function = value.fget if isinstance(value, property) else value.func
        return _of_function(base, name, "property", function, source)
    if isinstance(value, (classmethod, staticmethod)):
        return _of_function(base, name, type(value).__name__, value.__func__, source)
    if isinstance(value, functools.singledispatchmethod):
        return _of_function(base, name, "method", value.func, source)
    if isinstance(value, functools.partialmethod):
        return InterfaceMember(name, "method", None, None, EMPTY, base, is_abstract=False)
    if isinstance(value, (MemberDescriptorType, GetSetDescriptorType)):  # of `__slots__`, and of C code
        return _attribute(base, name, EMPTY, is_abstract=True) if _is_public(name) else None
    if isinstance(value, type):
        return None
    if callable(value):
        return _of_function(base, name, _kind_of(value), value, source)
    made = _attribute(base, name, EMPTY, is_abstract=False) if _is_public(name) else None
    return replace(made, value=value) if made is not None and type(value) in _VARYING else made


_VARYING: Final = (bool, int, float, str, bytes)
"""Types of values that instances may have others of."""


def _attribute(base: type, name: str, annotation: Any, *, is_abstract: bool) -> InterfaceMember:
    return InterfaceMember(name, ATTRIBUTE, None, None, annotation, base, is_abstract)


def _of_function(base: type, name: str, kind: str, function: Any, source: Source) -> InterfaceMember:
    """A member with code, looked at through its wrappers."""
    inner = unwrapped(function)
    plain = inner if isinstance(inner, FunctionType) else None
    line = None if plain is None else plain.__code__.co_firstlineno
    node = source.function(f"{base.__qualname__}.{name}", line)
    signature = signature_of(function)
    returns = annotations_of(inner).get("return", EMPTY)
    if returns is EMPTY and signature is not None and plain is None:
        returns = signature.return_annotation
    if returns is EMPTY and node is not None:
        returns = commented(node)
    if kind == "method":
        kind = _KIND_OF_RESULT.get(_head(returns), kind)
    overloads = () if returns is not EMPTY else _overloads(base, name, source)
    is_manager = plain is not None and inner is not function and _is_manager(function)
    abstract = _is_abstract(function) or bool(overloads and plain is None)
    abstract = abstract or (node is not None and is_trivial(node)) or _is_dummy(inner)
    if is_protocol(base) and node is None:
        abstract = True  # the source can't tell, and hardly any protocol has code of its own
    is_hook = node is not None and is_constant(node)
    return InterfaceMember(
        name, kind, plain, signature, returns, base, abstract, is_hook, overloads, is_manager
    )


def commented(node: FunctionNode) -> Any:
    """The type of the result that a ``# type:`` comment of a function tells (PEP 484), as a text."""
    try:
        return ast.unparse(ast.parse(node.type_comment or "", mode="func_type").returns)
    except SyntaxError:
        return EMPTY


def signature_of(function: Any) -> inspect.Signature | None:
    """The signature of a function, None where it can't be read."""
    try:
        return inspect.signature(function)
    except (ValueError, TypeError, RecursionError):
        return None


def _kind_of(function: Any) -> str:
    """The kind of a member: how the result of a call is taken."""
    if inspect.isasyncgenfunction(function):
        return "asyncgen"
    if inspect.iscoroutinefunction(function):
        return "async"
    return "generator" if inspect.isgeneratorfunction(function) else "method"


def _head(annotation: Any) -> str:
    """The name of the generic class in an annotation, "" where there is none."""
    return "" if annotation is EMPTY else text_of(annotation).partition("[")[0].rpartition(".")[2].strip("'")


def is_trivial(node: FunctionNode) -> bool:
    """True if the body of a function does nothing: a docstring, ``...``, `pass`, `NotImplementedError`."""
    return all(_says_nothing(statement) for statement in node.body)


def is_constant(node: FunctionNode) -> bool:
    """True if the body of a function does no more than to return a constant."""
    *before, last = node.body
    return (
        isinstance(last, ast.Return)
        and isinstance(last.value, (ast.Constant, type(None)))
        and all(map(_says_nothing, before))
    )


def _says_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass():
            return True
        case ast.Expr(value=ast.Constant(value=value)):
            return value is Ellipsis or isinstance(value, str)
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name in _TRIVIAL
        case ast.Return(value=ast.Name(id="NotImplemented")):
            return True
        case _:
            return False


def _is_dummy(function: Any) -> bool:
    """True if it is what `typing.overload` leaves in the place of a function."""
    return getattr(function, "__name__", "") == "_overload_dummy"


def _overloads(base: type, name: str, source: Source) -> tuple[Any, ...]:
    """The results of the overloads of a method, as texts; a scope knows what they mean."""
    nodes = source.definitions.get(f"{base.__qualname__}.{name}", [])
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.ClassDef) or node.returns is None:
            continue
        decorators = [ast.unparse(item).rpartition(".")[2] for item in node.decorator_list]
        if "overload" in decorators and (text := ast.unparse(node.returns)) not in found:
            found.append(text)
    return tuple(found)


def _is_manager(function: Any) -> bool:
    """True if `contextlib.contextmanager` or its asynchronous kin made this function of a generator."""
    code = code_within(function)
    return code is not None and code.co_filename.endswith("contextlib.py")


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _is_wanted(name: str, value: Any) -> bool:
    if name.startswith("__") and name.endswith("__"):
        is_code = callable(value) or isinstance(value, (classmethod, staticmethod))
        return is_code and (name not in _PLUMBING or _is_abstract(value))
    return _is_public(name) or _is_abstract(value)


def _is_abstract(value: Any) -> bool:
    try:
        return getattr(value, "__isabstractmethod__", False) is True
    except Exception:  # noqa: BLE001 - a descriptor of the target may raise anything
        return False


_dict_of: Final[Any] = type.__dict__["__dict__"].__get__


def _contents(base: type) -> list[tuple[str, Any]]:
    """The body of a class, whatever its metaclass makes of attributes."""
    return [(name, value) for name, value in _dict_of(base).items() if isinstance(name, str)]


def _source_of(base: type) -> Source:
    module = sys.modules.get(module_of(base))
    return Source() if module is None else read(module)


def _kept(base: type, source: Source) -> dict[str, Any]:
    """The attributes that the constructor of a plain class assigns, with what is known of their types."""
    node = source.methods(base.__qualname__).get("__init__")
    if node is None or not node.args.args:
        return {}
    this = node.args.args[0].arg
    items = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    parameters = {item.arg: ast.unparse(item.annotation) for item in items if item.annotation is not None}
    found: dict[str, Any] = {}
    for part in ast.walk(node):
        for target, annotation in _stores(part, parameters):
            is_own = isinstance(target.value, ast.Name) and target.value.id == this
            if is_own and found.get(target.attr, EMPTY) is EMPTY:
                found[target.attr] = annotation
    return found


def _stores(part: ast.AST, parameters: dict[str, str]) -> Iterator[tuple[ast.Attribute, Any]]:
    """The attributes that a statement assigns, and the annotations of their values."""
    match part:
        case ast.AnnAssign(target=ast.Attribute() as target):
            yield target, ast.unparse(part.annotation)
        case ast.Assign():
            annotation = _annotation_of(part.value, parameters)
            yield from ((target, annotation) for target in part.targets if isinstance(target, ast.Attribute))
        case _:
            return


def _annotation_of(value: ast.expr, parameters: dict[str, str]) -> Any:
    match value:
        case ast.Name(id=name):
            return parameters.get(name, EMPTY)
        case ast.Constant(value=constant) if constant is not None and constant is not Ellipsis:
            return type(constant)
        case _:
            return EMPTY
