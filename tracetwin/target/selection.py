"""Targets as the user names them, and the modules that they stand for.

A `.py` file, a folder of modules, an importable module or package, a wheel; each of them with `:name` behind
it for one thing inside. Nothing is imported or run here. Whatever is wrong is a `TargetError` of one
sentence, and what is wrong with one target, or one file of a package, does not keep the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tracetwin.support.errors import BrokenTargetError, TargetError
from tracetwin.support.text import did_you_mean, shown
from tracetwin.target import files, names, roots, source, trees
from tracetwin.target.module import Resolution, TargetModule
from tracetwin.target.wheels import targets as wheels
from tracetwin.target.wheels import unpacking

__all__ = [
    "Resolution",
    "TargetModule",
    "resolve",
    "resolve_all",
    "resolve_runnable",
    "resolve_tree",
    "source_of",
]


def resolve(text: str, root: Path | None = None) -> list[TargetModule]:
    """The modules of one target.

    Raises:
        TargetError: not one module of it can be used.
    """
    found = resolve_all([text], root)
    if not found.modules:
        raise found.problems[0]
    return found.modules


def resolve_all(
    texts: Iterable[str], root: Path | None = None, places: Sequence[str] = ()
) -> Resolution:
    """The modules of all targets, each module once, and one problem for whatever can't be used.

    Args:
        texts: what the user wrote.
        root: import root.
        places: folders in which names are looked up first, behind the root.
    """
    found = Resolution()
    for text in texts:
        try:
            found.extend(_resolve(text, root, places))
        except TargetError as problem:
            found.problems.append(problem)
        except Exception as error:  # noqa: BLE001 - the others go on
            found.problems.append(broken(text, error))
    return _merged(found)


def broken(text: str, error: Exception) -> BrokenTargetError:
    """The problem of a target that could not even be looked at."""
    from tracetwin.support.failures import failure_of

    return BrokenTargetError(text, failure_of(error, "looking at it"))


def resolve_runnable(
    texts: Iterable[str], root: Path | None = None, find_links: Sequence[Path] = (),
    places: Sequence[str] = (),
) -> Resolution:
    """As `resolve_all`, for modules that are to be imported: with what the wheels among them need.

    Args:
        texts: what the user wrote.
        root: import root.
        find_links: folders that hold wheels, besides those that the targets lie in.
        places: as there.
    """
    found = resolve_all(texts, root, places)
    if any(os.path.isfile(module.root) for module in found.modules):  # noqa: PTH113 - as above
        from tracetwin.target.wheels.provision import with_dependencies

        with_dependencies(found, find_links)
    return found


def resolve_tree(texts: Iterable[str], root: Path | None, scratch: Path) -> trees.FoundTargets:
    """All files of all targets, for a copy of them in which the modules are twins."""
    tree = trees.FoundTargets()
    for number, text in enumerate(texts):
        try:
            _add_to_tree(tree, text, root, scratch / f"{number}.whl")
        except TargetError as problem:
            tree.problems.append(problem)
        except Exception as error:  # noqa: BLE001 - the others go on
            tree.problems.append(broken(text, error))
    tree.problems = [_without_private(tree, problem) for problem in tree.problems]
    tree.notes = [tree.in_users_words(note) for note in tree.notes]
    return tree


def _without_private(tree: trees.FoundTargets, problem: TargetError) -> TargetError:
    """A problem in which no unpacked wheel is named by its private folder."""
    if isinstance(problem, BrokenTargetError):
        return problem
    told = TargetError(tree.in_users_words(problem.target), tree.in_users_words(problem.reason))
    told.__cause__ = problem.__cause__
    return told


def source_of(module: TargetModule) -> bytes:
    """The bytes of a module's source, from its file or out of its wheel.

    Raises:
        TargetError: it is not there any more, or never was: the module comes as bytecode only.
    """
    if module.outside:
        raise TargetError(module.file, f"there is no source to make a twin of: {module.outside}")
    return source.read(module.file, module.file)


def _add_to_tree(tree: trees.FoundTargets, text: str, root: Path | None, scratch: Path) -> None:
    place, name = _checked(text, root)
    base = None if root is None else roots.absolute(root)
    if place.endswith(".whl"):
        unpacking.unpack(text, Path(place), scratch)
        tree.unpacked[str(scratch)] = str(roots.absolute(place))
        for found in _in_wheel(text, scratch, name.partition(":")[0]):
            trees.add(tree, text, found, scratch)
    elif os.path.lexists(place) or _looks_like_path(place):
        trees.add(tree, text, Path(place), base)
    else:
        origin, locations, base = names.lookup(text, place, root)
        for location in locations or [str(origin)]:
            trees.add(tree, text, Path(location), base)


def _in_wheel(text: str, folder: Path, name: str) -> list[Path]:
    """The longest part of a dotted name that is a file or folder of an unpacked wheel."""
    parts = name.split(".") if name else []
    for length in range(len(parts), 0, -1):
        place = folder.joinpath(*parts[:length])
        found = [path for path in (place, place.with_name(f"{place.name}.py")) if path.exists()]
        if found:
            return found
    if parts:
        raise TargetError(text, f"there is no module '{name}' in the wheel")
    return [folder]


def _checked(text: str, root: Path | None) -> tuple[str, str]:
    """A target's place and the name of something in it."""
    if not text.strip() or "\0" in text:
        raise TargetError(repr(text), "is not the name of anything")
    if root is not None and not root.is_dir():
        raise TargetError(text, f"the import root {root} is not a folder")
    place, name = _split(text)
    if place.endswith(".whl") and not os.path.isfile(place):  # noqa: PTH113 - unlike Path's, it never raises
        raise TargetError(text, "there is no such wheel")
    is_name = not (os.path.lexists(place) or _looks_like_path(place))
    if is_name and not all(part.isidentifier() for part in place.split(".")):
        raise TargetError(text, "there is no such file or folder, and it is not the name of a module")
    return place, name


def _resolve(text: str, root: Path | None, places: Sequence[str]) -> Resolution:
    place, name = _checked(text, root)
    if place.endswith(".whl"):
        return wheels.resolve_wheel(text, Path(place), name)
    if name and not all(part.isidentifier() for part in name.split(".")):
        raise TargetError(text, f"'{name}' is not a qualified name such as 'function' or 'Class.method'")
    if os.path.isdir(place):  # noqa: PTH112 - as above
        return _folder(text, place, name, root, places)
    if os.path.lexists(place) or _looks_like_path(place):
        return _file(text, place, name, root)
    return names.resolve_name(text, place, root, name, places)


def _split(text: str) -> tuple[str, str]:
    """Return the parts before and behind the colon between a place and a name in it."""
    if os.path.lexists(text):
        return text, ""
    wheel, found, inside = text.partition(".whl:")
    if found:
        return f"{wheel}.whl", inside
    place, colon, name = text.rpartition(":")
    drive = len(place) == 1 and name[:1] in ("\\", "/")
    return (place, name) if colon and not drive else (text, "")


def _looks_like_path(text: str) -> bool:
    return "/" in text or os.sep in text or text.endswith((".py", ".pyc", ".pyi", ".ipynb", ".so", ".pyd"))


def _folder(text: str, place: str, name: str, root: Path | None, places: Sequence[str]) -> Resolution:
    folder = Path(place)
    if name:
        init = next((folder / name for name in _INITS if (folder / name).is_file()), None)
        if init is None:
            raise TargetError(text, f"the folder {place} has no __init__.py in which '{name}' could be")
        return files.resolve_one(text, place, init, root, name)
    try:
        return files.resolve_folder(text, folder, root)
    except TargetError:
        # A folder without modules may have the name of one that lies elsewhere.
        elsewhere = _by_name(text, place, root, places)
        if elsewhere is None:
            raise
        return elsewhere


_INITS: Final = ("__init__.py", "__init__.pyc")


def _by_name(text: str, name: str, root: Path | None, places: Sequence[str]) -> Resolution | None:
    try:
        return names.resolve_name(text, name, root, places=places) if name.isidentifier() else None
    except TargetError:
        return None


def _file(text: str, place: str, name: str, root: Path | None) -> Resolution:
    if not os.path.lexists(place):
        raise TargetError(text, "there is no such file" + _similar_file(place))
    return files.resolve_one(text, place, Path(place), root, name)


def _similar_file(place: str) -> str:
    path = Path(place)
    try:
        entries = list(path.parent.iterdir())
        beside = [entry.name for entry in entries if entry.is_dir() or entry.suffix == path.suffix]
    except OSError:
        return ""
    return did_you_mean(path.name, beside)


def _merged(found: Resolution) -> Resolution:
    """Join what names the same module; refuse a second module of the same name, whose tests would collide."""
    by_name: dict[str, TargetModule] = {}
    for module in found.modules:
        known = by_name.setdefault(module.name, module)
        if known.file != module.file:
            other = shown(known.file)
            reason = f"is imported as '{module.name}', as is {other}; give a --root above both, or run twice"
            found.problems.append(TargetError(shown(module.file), reason))
        elif known is not module:
            by_name[module.name] = replace(known, selection=_joined(known, module))
    found.modules = list(by_name.values())
    return found


def _joined(known: TargetModule, other: TargetModule) -> tuple[str, ...]:
    """Both selections; () is everything."""
    if not known.selection or not other.selection:
        return ()
    return tuple(dict.fromkeys(known.selection + other.selection))
