"""The files of a project that its modules need, by their content.

What a target's import can ask for in its import root travels to the workers of a cluster; what is installed
there does not. A worker that sees the same files at the same place uses them there.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.target.imports import files_beside

if TYPE_CHECKING:
    from tracetwin.target.module import TargetModule

Manifest: TypeAlias = Mapping[str, str]
"""The digests of files by their names beneath a folder."""

MOST_BYTES: Final = 256 << 20
"""What travels at most; more is not a project's sources."""

_NOT_TAKEN: Final = ("__pycache__", "node_modules", "site-packages", "dist-packages")


@dataclass(frozen=True)
class Sources:
    """The sources of a run.

    Attributes:
        folders: import roots and further entries of the path, by their numbers.
        manifests: for each of them, what it holds.
        files: where the content of each digest is.
    """

    folders: dict[int, str] = field(default_factory=dict)
    manifests: dict[int, dict[str, str]] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)

    def blobs(self, digests: Sequence[str]) -> dict[str, bytes]:
        """The contents of some digests."""
        return {digest: self.files[digest].read_bytes() for digest in digests}


def sources_of(modules: Sequence[TargetModule]) -> Sources:
    """Return what the imports of modules may need.

    Raises:
        TargetError: it comes out of a wheel, or is far too much.
    """
    sources = Sources()
    for module in modules:
        for entry in (module.root, *module.search_path):
            if os.path.isfile(entry):  # noqa: PTH113 - unlike Path's, it never raises
                raise TargetError(entry, "wheels can't be spread over a cluster: install it, or unpack it")
    for number, root in enumerate(dict.fromkeys(module.root for module in modules)):
        wanted = [module for module in modules if module.root == root]
        _add(sources, number, root, _beneath(root, wanted))
    roots = set(sources.folders.values())
    places = dict.fromkeys(place for module in modules for place in module.search_path)
    for number, place in enumerate((place for place in places if place not in roots), len(roots)):
        _add(sources, number, place, _walk(Path(place)))
    return sources


def _add(sources: Sources, number: int, place: str, files: Iterator[Path]) -> None:
    sources.folders[number] = place
    manifest = sources.manifests[number] = {}
    size = 0
    for file in files:
        size += file.stat().st_size
        if size > MOST_BYTES:
            raise TargetError(place, f"more than {MOST_BYTES >> 20} MB would have to go to the cluster")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        manifest[file.relative_to(place).as_posix()] = digest
        sources.files[digest] = file


def _beneath(root: str, modules: Sequence[TargetModule]) -> Iterator[Path]:
    """The packages and modules of a root that targets belong to or ask for, also by each other."""
    waiting = [Path(module.file) for module in modules]
    seen: set[str] = set()
    while waiting:
        top = waiting.pop().relative_to(root).parts[0]
        if top in seen:
            continue
        seen.add(top)
        for file in _walk(Path(root, top)):
            yield file
            if file.suffix == ".py":
                name = ".".join(file.relative_to(root).with_suffix("").parts)
                one = replace(modules[0], name=name, file=str(file))
                waiting += map(Path, files_beside(one, file.read_bytes(), later=True))


def _walk(place: Path) -> Iterator[Path]:
    """The files of a folder, or the one that it is, without what is made from others or installed."""
    if place.is_file():
        yield place
        return
    for folder, folders, names in os.walk(place):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if name not in _NOT_TAKEN and name[0] != "." and not (here / name / "pyvenv.cfg").exists()
        )
        yield from (file for name in sorted(names) if (file := here / name).is_file())


def is_here(place: str, manifest: Manifest) -> bool:
    """Return whether a folder of this machine holds what it should."""
    try:
        return all(
            hashlib.sha256(Path(place, name).read_bytes()).hexdigest() == digest
            for name, digest in manifest.items()
        )
    except OSError:
        return False


def unpack(place: Path, manifest: Manifest, store: Path) -> None:
    """Write files into a folder, where they are not there already."""
    for name, digest in manifest.items():
        file = place / name
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            _put(file, (store / digest).read_bytes())


def keep(store: Path, blobs: Mapping[str, bytes]) -> None:
    """Write contents down by their digests.

    Raises:
        ValueError: one of them is not what it is called.
    """
    store.mkdir(parents=True, exist_ok=True)
    for digest, data in blobs.items():
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(f"what came for {digest} is something else")
        _put(store / digest, data)


def _put(file: Path, data: bytes) -> None:
    """Write a file, whole or not at all: threads of the same worker may do so at the same time."""
    part = file.with_name(f"{file.name}.{threading.get_ident()}.part")
    part.write_bytes(data)
    part.replace(file)
