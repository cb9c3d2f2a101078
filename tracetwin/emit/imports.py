"""The names a test file uses: which are imported, under which name, and the block that imports them."""

from __future__ import annotations

import builtins
import importlib
import keyword
import re
import sys
from collections.abc import Iterable

from tracetwin.emit.layout import Atom, Group, lay_out
from tracetwin.emit.literals import Unwritable

_BUILTINS = frozenset(dir(builtins))


def is_standard(module: str) -> bool:
    """Whether a module belongs to the standard library."""
    return module.partition(".")[0] in sys.stdlib_module_names


class Namespace:
    """Hands out names for one test file and remembers what has to be imported.

    Standard modules are imported as such (`math.inf`), names of the target one by one (`from shop import
    price`). A name that would hide something, or that a test runner would collect, gets another one.

    Args:
        target: dotted name of the target module.
        importable: top-level names beside the target's own that a test may import from.
        hints: local names that are not to be used, as imports may need them.
        modules: standard modules that the file may import; None for all there are.
    """

    def __init__(
        self,
        target: str,
        importable: Iterable[str] = (),
        hints: Iterable[str] = (),
        modules: Iterable[str] | None = None,
    ) -> None:
        self.target = target
        self.tops = {target.partition(".")[0], *importable}
        self.modules: set[str] = set()
        self.members: dict[tuple[str, str], str] = {}
        tops = sys.stdlib_module_names if modules is None else {name.partition(".")[0] for name in modules}
        self.taken = set(hints) | _BUILTINS | tops | {"self", "pytest", "unittest"}
        self.given: set[str] = set()

    def name(self, module: str, qualname: str) -> str:
        """The expression for a thing of a module.

        Raises:
            Unwritable: a test may not, or can't, import it.
        """
        if module == "builtins":
            if not hasattr(builtins, qualname.partition(".")[0]):
                raise Unwritable(f"there is no builtin {qualname}")
            return qualname
        if not module or "<" in qualname:
            raise Unwritable(f"{qualname} can't be imported")
        first, *rest = qualname.split(".")
        if any(_is_private(part) for part in rest):
            raise Unwritable(f"{qualname} is private to its class")
        if self.is_target(module):
            return ".".join([self._member(module, first), *rest])
        if not is_standard(module):
            raise Unwritable(f"{module} is neither the target nor in the standard library")
        if not _has(module, first):
            raise Unwritable(f"{module} has no {first}")
        self.modules.add(module)
        return f"{module}.{qualname}"

    def is_target(self, module: str) -> bool:
        """Whether names of that module are imported as those of the target are."""
        return module == self.target or (module.partition(".")[0] in self.tops and not is_standard(module))

    def _member(self, module: str, name: str) -> str:
        given = self.members.get((module, name))
        if given is None:
            given = name
            if (
                name in _BUILTINS
                or name in sys.stdlib_module_names
                or name in self.given
                or _is_awkward(name)
            ):
                given = f"{module.rpartition('.')[2]}_{name.lstrip('_')}"
            while given in self.given or keyword.iskeyword(given):
                given += "_"
            self.given.add(given)
            self.members[module, name] = given
        return given

    def local(self, wanted: str, used: Iterable[str] = ()) -> str:
        """A name for a local variable that hides nothing."""
        base = re.sub(r"\W", "_", wanted).lstrip("_") or "value"
        if base[0].isdigit():
            base = f"value_{base}"
        if base in ("l", "I", "O"):  # too like digits
            base = f"{base}_value"
        name, number = base, 2
        avoided = {*used, *self.given}
        while name in avoided or name in self.taken or keyword.iskeyword(name):
            name, number = f"{base}_{number}", number + 1
        return name

    def block(self, runner: str | None = None, *, first_party: bool = False) -> list[str]:
        """The import statements, sorted as isort's rules want them.

        Args:
            runner: a module outside the standard library to import beside the target, as `pytest`.
            first_party: whether a sorter knows the target as part of the project, apart from `runner`.
        """
        plain = [f"import {name}" for name in sorted(self.modules, key=_module_key)]
        froms = self._from_lines()
        if is_standard(self.target):
            first, second = [*plain, *froms], [f"import {runner}"] if runner else []
        else:
            apart = [""] if first_party and runner and froms else []
            first, second = plain, [*([f"import {runner}"] if runner else []), *apart, *froms]
        return [*first, *([""] if first and second else []), *second]

    def _from_lines(self) -> list[str]:
        together: dict[str, list[str]] = {}
        entries: list[tuple[tuple[object, ...], list[str]]] = []
        for (module, name), given in self.members.items():
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


def _from_line(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 100:
        return [line]
    return lay_out(f"from {module} import ", Group("(", tuple(Atom(name) for name in names), ")"))


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_awkward(name: str) -> bool:
    """Collected by a test runner, or mangled inside a class."""
    return name.lower().startswith("test") or _is_private(name) or name in ("self", "pytest")


def _has(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name)
    except ImportError:
        return False


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
