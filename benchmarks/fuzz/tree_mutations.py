"""Mutations of a syntax tree: what comes of them can be parsed, and often even imported."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

import words

Node: TypeAlias = ast.AST


def mutate_tree(random: Random, text: str, other: str) -> str:
    """Change some nodes of a module; the text itself where that has no result.

    Args:
        random: where choices come from.
        text: a module that can be parsed.
        other: another one, of which parts may be taken.
    """
    tree, donor = ast.parse(text), ast.parse(other)
    for _ in range(random.randint(1, 5)):
        random.choice(_CHANGES)(random, tree, donor)
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, AttributeError, TypeError, RecursionError):  # not a tree that any text has
        return text


def _expression(random: Random, donor: Node) -> ast.expr:
    """An odd expression, or one of another module."""
    theirs = [node for node in ast.walk(donor) if isinstance(node, ast.expr)]
    if theirs and random.random() < 0.3:
        return random.choice(theirs)
    text = random.choice(words.EXPRESSIONS) if random.random() < 0.5 else words.literal(random)
    return _parsed(text)


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError:  # digits without end, or of another version of Python
        return ast.Name("x", ast.Load())


def _statements(random: Random) -> list[ast.stmt]:
    try:
        return ast.parse(random.choice(words.STATEMENTS)).body
    except SyntaxError:  # of a later version of Python
        return [ast.Pass()]


def _fields(tree: Node, kind: type[Node]) -> list[tuple[Node, str, int | None]]:
    """The places in a tree at which a node of some kind stands."""
    places: list[tuple[Node, str, int | None]] = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                places += [(node, name, index) for index, item in enumerate(value) if isinstance(item, kind)]
            elif isinstance(value, kind):
                places.append((node, name, None))
    return places


def _replace(place: tuple[Node, str, int | None], new: object) -> None:
    node, name, index = place
    if index is None:
        setattr(node, name, new)
    else:
        getattr(node, name)[index] = new


def _bodies(tree: Node) -> list[list[ast.stmt]]:
    found = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                found.append(body)
    return found


def _of(random: Random, tree: Node, kind: type[Node]) -> Node | None:
    found = [node for node in ast.walk(tree) if isinstance(node, kind)]
    return random.choice(found) if found else None


def _replace_expression(random: Random, tree: Node, donor: Node) -> None:
    places = [p for p in _fields(tree, ast.expr) if isinstance(getattr(_at(p), "ctx", ast.Load()), ast.Load)]
    if places:
        _replace(random.choice(places), _expression(random, donor))


def _at(place: tuple[Node, str, int | None]) -> Node:
    node, name, index = place
    value = getattr(node, name)
    found: Node = value if index is None else value[index]
    return found


def _exchange(random: Random, tree: Node, _donor: Node) -> None:
    """Two expressions, the one of which may hold the other, so that both are copies of what they were."""
    places = _fields(tree, ast.expr)
    if len(places) > 1:
        first, second = random.sample(places, 2)
        texts = ast.unparse(_at(first)), ast.unparse(_at(second))
        _replace(first, _parsed(texts[1]))
        _replace(second, _parsed(texts[0]))


def _insert_statement(random: Random, tree: Node, _donor: Node) -> None:
    body = random.choice(_bodies(tree) or [[]])
    place = random.randrange(len(body) + 1)
    body[place:place] = _statements(random)


def _donated(random: Random, tree: Node, donor: Node) -> None:
    theirs, body = random.choice(_bodies(donor) or [[]]), random.choice(_bodies(tree) or [[]])
    if theirs:
        body.insert(random.randrange(len(body) + 1), random.choice(theirs))


def _remove_statement(random: Random, tree: Node, _donor: Node) -> None:
    body = random.choice(_bodies(tree) or [[]])
    if body:
        body[random.randrange(len(body))] = ast.Pass()


def _wrap(random: Random, tree: Node, _donor: Node) -> None:
    """A body becomes the body of something else."""
    body = random.choice(_bodies(tree) or [[]])
    text = random.choice((
        "while True: pass", "for _ in range(3): pass", "try: pass\nfinally: pass", "with x: pass",
        "if x: pass", "def x(): pass", "async def x(x=1): pass", "class X: pass",
        "try: pass\nexcept BaseException: pass", "for x in x: pass",
    ))  # fmt: skip
    around = ast.parse(text).body[0]
    if body:
        vars(around)["body"] = list(body)
        body[:] = [around]


def _rename(random: Random, tree: Node, _donor: Node) -> None:
    """One name everywhere."""
    name, new = _of(random, tree, ast.Name), random.choice(words.NAMES)
    old = getattr(name, "id", None)
    for node in ast.walk(tree):
        for field in ("id", "arg", "name", "attr"):
            if old is not None and getattr(node, field, None) == old:
                setattr(node, field, new)


def _rename_definition(random: Random, tree: Node, _donor: Node) -> None:
    node = _of(random, tree, ast.FunctionDef) or _of(random, tree, ast.ClassDef)
    if node is not None:
        vars(node)["name"] = random.choice(words.NAMES)


def _annotate(random: Random, tree: Node, _donor: Node) -> None:
    node = _of(random, tree, ast.arg)
    if isinstance(node, ast.arg):
        node.annotation = _parsed(random.choice(words.ANNOTATIONS))


def _decorate(random: Random, tree: Node, _donor: Node) -> None:
    node = _of(random, tree, random.choice((ast.FunctionDef, ast.ClassDef)))
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        node.decorator_list.insert(0, _parsed(random.choice(words.DECORATORS)))


def _rebase(random: Random, tree: Node, _donor: Node) -> None:
    node = _of(random, tree, ast.ClassDef)
    if isinstance(node, ast.ClassDef):
        base = random.choice(words.BASES)
        name, equals, value = base.partition("=")
        if equals and name.isidentifier():
            node.keywords.append(ast.keyword(name, _parsed(value)))
        else:
            node.bases.insert(random.randrange(len(node.bases) + 1), _parsed(base))


def _parameters(random: Random, tree: Node, _donor: Node) -> None:
    node = _of(random, tree, ast.FunctionDef)
    if not isinstance(node, ast.FunctionDef):
        return
    text = random.choice((
        "", "*a, **k", "x, /, y=1, *, z", "self, *x", "a=(yield), b=x", "*, x: int = None", "**x",
        "x=[], y={}",
    ))  # fmt: skip
    try:
        made = ast.parse(f"def f({text}): pass").body[0]
    except SyntaxError:
        return
    assert isinstance(made, ast.FunctionDef)
    node.args = made.args


def _constant(random: Random, tree: Node, _donor: Node) -> None:
    places = _fields(tree, ast.Constant)
    if places:
        _replace(random.choice(places), _parsed(words.literal(random)))


def _operator(random: Random, tree: Node, _donor: Node) -> None:
    for kind, names in _OPERATORS:
        places = _fields(tree, kind)
        if places and random.random() < 0.5:
            _replace(random.choice(places), getattr(ast, random.choice(names.split()))())


def _make_async(random: Random, tree: Node, _donor: Node) -> None:
    places = _fields(tree, ast.FunctionDef)
    if places:
        place = random.choice(places)
        old = _at(place)
        _replace(place, ast.AsyncFunctionDef(**dict(ast.iter_fields(old))))


_OPERATORS: Final[tuple[tuple[type[Node], str], ...]] = (
    (ast.operator, "Add Sub Mult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv MatMult"),
    (ast.cmpop, "Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"),
    (ast.unaryop, "Invert Not UAdd USub"),
    (ast.boolop, "And Or"),
)

_CHANGES: Final[tuple[Callable[[Random, Node, Node], None], ...]] = (
    _replace_expression, _replace_expression, _exchange, _insert_statement, _insert_statement, _donated,
    _remove_statement, _wrap, _rename, _rename_definition, _annotate, _annotate, _decorate, _rebase,
    _parameters, _constant, _constant, _operator, _operator, _make_async,
)  # fmt: skip
