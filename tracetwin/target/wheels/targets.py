"""Targets inside a wheel, read where it lies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

from tracetwin.support.errors import TargetError
from tracetwin.target import files, kinds, roots, source
from tracetwin.target.kinds import ModuleFile
from tracetwin.target.module import Boundary, Resolution, TargetModule
from tracetwin.target.wheels.archive import content, opened
from tracetwin.target.wheels.unpacking import entries


def resolve_wheel(target: str, wheel: Path, inside: str = "") -> Resolution:
    """The modules of a wheel: all, those of one package, one module, or one thing in one."""
    path = roots.absolute(wheel)
    with opened(target, path) as archive:
        known = kinds.modules_of(entries(target, archive))
        chosen, qualname = _choose(target, known, inside)
        found = Resolution(boundaries=_boundaries(wheel, known))
        for name in _explorable(found, target, chosen, known):
            _add(found, archive, path, known[name], name, qualname)
    if not found.modules and not found.problems:
        problem = TargetError(target, "nothing to test: it defines no functions or classes")
        found.problems.append(problem)
    return found


def _boundaries(wheel: Path, modules: Mapping[str, ModuleFile]) -> list[Boundary]:
    return [
        Boundary(str(wheel), name, module.kind)
        for name, module in sorted(modules.items())
        if module.kind != kinds.SOURCE
    ]


def _choose(target: str, modules: Mapping[str, ModuleFile], inside: str) -> tuple[list[str], str]:
    """The modules that a name inside a wheel stands for, and what in them."""
    head, colon, tail = inside.partition(":")
    if not head:
        chosen = [name for name in sorted(modules) if _is_wanted(name)]
        return chosen, ""
    parts = head.split(".")
    for length in range(len(parts), 0, -1):
        module, rest = ".".join(parts[:length]), ".".join(parts[length:])
        beneath = [name for name in sorted(modules) if name.startswith(f"{module}.")]
        if module not in modules and not beneath:
            continue
        if colon and rest:
            break
        if rest or colon:
            if module in modules:
                return [module], rest or tail
            break
        package = [name for name in beneath if _is_wanted(name.removeprefix(f"{module}."))]
        return ([module] if module in modules else []) + package, ""
    tops = ", ".join(sorted({name.partition(".")[0] for name in modules})) or "nothing"
    raise TargetError(target, f"there is no module '{head}' in the wheel, which holds {tops}")


def _explorable(
    found: Resolution, target: str, names: list[str], modules: Mapping[str, ModuleFile]
) -> list[str]:
    """Those that tests can be written for: all but extensions; a problem where there are no others."""
    if not names:
        raise TargetError(target, "there are no Python modules in it")
    kept = [name for name in names if modules[name].kind in (kinds.SOURCE, kinds.BYTECODE)]
    if not kept:
        found.problems.append(TargetError(target, kinds.only_extensions(names)))
    return kept


def _is_wanted(name: str) -> bool:
    """Return True for modules to test: no tests, and nothing that starts a program."""
    *folders, last = name.split(".")
    return not files.TEST_FOLDERS.intersection(folders) and files.is_module(f"{last}.py", regular=True)


def _add(
    found: Resolution, archive: ZipFile, wheel: Path, member: ModuleFile, name: str, qualname: str
) -> None:
    """Check one module and add it, or what is wrong with it."""
    file = str(wheel / member.path)
    try:
        roots.refuse_shadowing(file, name.partition(".")[0], wheel)
        data = content(file, archive, member.path, source.MAX_SOURCE)
        outside = kinds.NO_SOURCE if member.kind == kinds.BYTECODE else ""
        if outside:
            files.check(file, name, data)
        else:
            tree = source.parse(file, data)
            if qualname:
                source.check_selection(f"{file}:{qualname}", tree, qualname)
            elif not source.has_code(tree):
                return
        selection = (qualname,) if qualname else ()
        found.modules.append(TargetModule(name, file, str(wheel), selection, (str(wheel),), outside))
    except TargetError as problem:
        found.problems.append(problem)
