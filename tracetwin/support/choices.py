"""What a user chooses by name: modules of one of our folders, and entry points of other distributions."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from importlib.metadata import EntryPoint
from importlib.util import find_spec

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TracetwinError
from tracetwin.support.plugins import points_of

BASE = "base"
"""The module of such a folder that says what all others have in common, and is none of them."""


class ChoiceError(TracetwinError, LookupError):
    """A name that the user chose stands for nothing that can be used."""


@dataclass(frozen=True)
class NamedChoices:
    """A family of things of which the user names one; nothing is imported before it is named.

    Attributes:
        noun: what one of them is.
        group: the entry point group of those that other distributions add.
        package: the package of our own: `pytest-functions` is its module `pytest_functions`.
        attribute: the object in that module.
        default: the name that stands for what the user did not say.
    """

    noun: str
    group: str
    package: str
    attribute: str
    default: str

    def names(self) -> list[str]:
        """Return all names: the default, our others, then those of other distributions."""
        own = self._own()
        return [*own, *sorted({point.name for point in points_of(self.group)} - set(own))]

    def has(self, name: str) -> bool:
        """Return whether there is one of that name."""
        return name in self._own() or name in self.names()

    def load(self, name: str) -> object:
        """Return the one of that name.

        Raises:
            ChoiceError: there is none, there are several, or it can't be imported.
        """
        points = [point for point in points_of(self.group) if point.name == name]
        if name in self._own():
            if points:
                raise ChoiceError(f"{self._said(points[0])} has a name that tracetwin uses itself")
            module = importlib.import_module(f"{self.package}.{name.replace('-', '_')}")
            return getattr(module, self.attribute)
        if len({point.value for point in points}) > 1:
            raise ChoiceError(f"several distributions define the {self.noun} {name!r}: uninstall all but one")
        if not points:
            raise ChoiceError(f"there is no {self.noun} {name!r}: choose one of {', '.join(self.names())}")
        try:
            return points[0].load()
        except Exception as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise ChoiceError(f"{self._said(points[0])} can't be loaded: {why}") from error

    def _own(self) -> list[str]:
        names = (name.replace("_", "-") for name in _modules_in(self.package))
        return sorted(names, key=lambda name: (name != self.default, name))

    def _said(self, point: EntryPoint) -> str:
        source = f" of {point.dist.name}" if point.dist is not None else ""
        return f"the {self.noun} {point.name!r}{source}"


@functools.cache  # asked for each task of a run
def _modules_in(package: str) -> tuple[str, ...]:
    """The names of the modules in one of our folders, the base left out."""
    spec = find_spec(package)
    folders = None if spec is None else spec.submodule_search_locations
    return tuple(module.name for module in pkgutil.iter_modules(folders or []) if module.name != BASE)
