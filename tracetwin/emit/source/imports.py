"""The names a test file uses: which are imported, under which name, and the block that imports them."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count

from tracetwin.emit.source.identifiers import Unwritable, is_dotted_name, is_name
from tracetwin.emit.source.layout import Atom, Group, lay_out
from tracetwin.emit.source.standard import has, is_standard
from tracetwin.model.patch import NEEDS

_BUILTINS = frozenset(dir(builtins))

_ONE_BY_ONE = frozenset(("collections.abc", "typing", "unittest.mock"))
"""Standard modules whose names are known by themselves."""


_HOOKS = frozenset(("load_tests", "setUpModule", "tearDownModule", "setup_module", "teardown_module"))
"""Names in a test file that unittest or pytest calls; those of the interpreter begin with ``__``."""


class Namespace:
    """Hands out names for one test file and remembers what has to be imported.

    Standard modules are imported as such (`math.inf`), names of the target one by one (`from shop import
    price`), and so are those of `typing` and `unittest.mock`. A name that would hide something, or that a
    test runner would collect, gets another one.

    Args:
        target: dotted name of the target module.
        importable: top-level names beside the target's own that a test may import from.
        hints: local names that are not to be used, as imports may need them.
        modules: standard modules that the file may import; None for all there are.
        draft: the namespace of a first draft of the file, whose definitions are known.
        reserved: names that nothing in the file may have.

    Attributes:
        definitions: the lines of what the file itself defines above its tests, by name.
    """

    def __init__(
        self,
        target: str,
        importable: Iterable[str] = (),
        hints: Iterable[str] = (),
        modules: Iterable[str] | None = None,
        draft: Namespace | None = None,
        reserved: Iterable[str] = (),
    ) -> None:
        self.target = target
        self.tops = {target.partition(".")[0], *importable}
        self.modules: set[str] = set()
        self.members: dict[tuple[str, str], str] = {}
        tops = sys.stdlib_module_names if modules is None else {name.partition(".")[0] for name in modules}
        self.reserved = frozenset(reserved)
        self.taken = set(hints) | _BUILTINS | tops | self.reserved
        self.given: set[str] = set()
        self.definitions: dict[str, list[str]] = {}
        self._present: Mapping[str, tuple[str, ...]] = {}
        self._contended = draft.contended() if draft else frozenset[str]()
        self._shared = draft.shared() if draft else frozenset[tuple[str, ...]]()
        self._variants: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        self._known: dict[tuple[str, ...], str] = {}
        self._wishes: dict[str, set[tuple[str, ...]]] = {}

    def name(self, module: str, qualname: str) -> str:
        """The expression for a thing of a module.

        Raises:
            Unwritable: a test may not, or can't, import it.
        """
        if not (is_dotted_name(module) and is_dotted_name(qualname)):
            raise Unwritable(f"{qualname} can't be imported")
        if module == "builtins":
            if not hasattr(builtins, qualname.partition(".")[0]):
                raise Unwritable(f"there is no builtin {qualname}")
            return qualname
        first, *rest = qualname.split(".")
        if any(_is_private(part) for part in rest):
            raise Unwritable(f"{qualname} is private to its class")
        if self.is_target(module):
            return ".".join([self._member(module, first), *rest])
        if not is_standard(module):
            raise Unwritable(f"{module} is neither the target nor in the standard library")
        if not has(module, first):
            raise Unwritable(f"{module} has no {first}")
        if module in _ONE_BY_ONE or f"{module}.{qualname}" in NEEDS:  # a patch of the module's is not seen
            return ".".join([self._member(module, first), *rest])
        self.modules.add(module)
        return f"{module}.{qualname}"

    def module(self, name: str) -> str:
        """The expression for a module of the target, whose globals may be others by then."""
        package, _, last = name.rpartition(".")
        return self._member(package, last)

    def join(
        self, members: Mapping[tuple[str, str], str], definitions: Mapping[str, tuple[str, ...]]
    ) -> None:
        """Take in the names of a file that new tests will come into."""
        self.members.update(members)
        self.given.update(members.values(), definitions)
        self._present = definitions

    def is_target(self, module: str) -> bool:
        """Return whether names of that module are imported as those of the target are."""
        return module == self.target or (module.partition(".")[0] in self.tops and not is_standard(module))

    def _member(self, module: str, name: str) -> str:
        given = self.members.get((module, name))
        if given is None:
            given = name
            if (
                name in _BUILTINS
                or name in sys.stdlib_module_names
                or name in self.given
                or name in self.reserved
                or _is_awkward(name)
            ):
                own = f"{module.rpartition('.')[2]}_{name.strip('_')}"
                given = own if module else f"{name}_module"
            while given in self.given or keyword.iskeyword(given):
                given += "_"
            self.given.add(given)
            self.members[module, name] = given
        return given

    def names(self) -> set[str]:
        """The names that the file has so far, of what it imports and defines."""
        return {*self.given, *(module.partition(".")[0] for module in self.modules), *self.reserved}

    def define(self, wanted: Sequence[str], write: Callable[[str], list[str]]) -> str:
        """The name of a class or function of the file itself, which equal ones share."""
        text = tuple(write("_"))
        if text in self._known:
            return self._known[text]
        for name in wanted:
            self._wishes.setdefault(name, set()).add(tuple(write(name)))
        free = (name for name in wanted if name not in self._contended)
        numbered = (f"{wanted[0]}{number}" for number in count(2))
        for name in chain(free, wanted[:1], numbered):
            if self._present.get(name) == tuple(write(name)):
                self._known[text] = name
                return name
            if name not in self.given and name not in self.taken:
                self.definitions[name] = write(name)
                self.given.add(name)
                self._known[text] = name
                return name
        raise AssertionError("numbers don't end")

    def is_shared(self, literal: list[str], general: list[str]) -> bool:
        """Return whether a first draft wanted a definition in several variants that `general` stands for."""
        self._variants.setdefault(tuple(general), set()).add(tuple(literal))
        return tuple(general) in self._shared

    def shared(self) -> frozenset[tuple[str, ...]]:
        """The general definitions that take the place of several."""
        return frozenset(lines for lines, variants in self._variants.items() if len(variants) > 1)

    def contended(self) -> frozenset[str]:
        """The names that were wanted for different definitions."""
        return frozenset(name for name, texts in self._wishes.items() if len(texts) > 1)

    def local(self, wanted: str, used: Iterable[str] = ()) -> str:
        """A name for a local variable that hides nothing."""
        base = re.sub(r"\W", "_", wanted).lstrip("_") or "value"
        if base[0].isdigit():
            base = f"value_{base}"
        if not is_name(base) and not keyword.iskeyword(base):
            base = "value"
        if base in ("l", "I", "O"):  # too like digits
            base = f"{base}_value"
        name, number = base, 2
        avoided = {*used, *self.given}
        while name in avoided or name in self.taken or keyword.iskeyword(name):
            name, number = f"{base}_{number}", number + 1
        return name

    def block(self, runner: str | None = None, *, first_party: bool = False) -> list[str]:
        """The import statements, sorted as isort's rules want them."""
        plain = [f"import {name}" for name in sorted(self.modules, key=_module_key)]
        standard, froms = self._from_lines(standard=True), self._from_lines(standard=False)
        whole = {name: given for (module, name), given in self.members.items() if not module}
        first = [*plain, *standard]
        if first_party and runner and (froms or whole):
            second = [f"import {runner}", "", *_import_lines(whole), *froms]
        else:
            second = [*_import_lines({**whole, runner: runner} if runner else whole), *froms]
        return [*first, *([""] if first and second else []), *second]

    def _from_lines(self, *, standard: bool) -> list[str]:
        together: dict[str, list[str]] = {}
        entries: list[tuple[tuple[object, ...], list[str]]] = []
        for (module, name), given in self.members.items():
            if not module or is_standard(module) is not standard:
                continue
            if given == name:
                together.setdefault(module, []).append(name)
            else:
                key = (_module_key(module), _member_key(name), 1, given)
                entries.append((key, [f"from {module} import {name} as {given}"]))
        for module, names in together.items():
            names.sort(key=_member_key)
            key = (_module_key(module), _member_key(names[0]), 0, "")
            entries.append((key, _from_line(module, names)))
        return [line for _, lines in sorted(entries, key=lambda entry: entry[0]) for line in lines]


def _import_lines(modules: Mapping[str, str]) -> list[str]:
    """Return the imports of whole modules, by the names that they get."""
    names = sorted(modules, key=_module_key)
    return [f"import {name}{'' if modules[name] == name else f' as {modules[name]}'}" for name in names]


def _from_line(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 100:
        return [line]
    return lay_out(f"from {module} import ", Group("(", tuple(Atom(name) for name in names), ")"))


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_awkward(name: str) -> bool:
    """Collected or looked up by a test runner or the interpreter, or mangled inside a class."""
    return name.lower().startswith(("test", "pytest_", "__")) or name in _HOOKS


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    parts = re.findall(r"\d+|\D", name)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


def _module_key(name: str) -> tuple[object, ...]:
    return (_natural(name.lower()), _natural(name))


def _member_key(name: str) -> tuple[object, ...]:
    if len(name) > 1 and name.isupper():
        kind = 0
    else:
        kind = 1 if name[:1].isupper() else 2
    return (kind, _natural(name.lower()), _natural(name))
