"""Objects in the state that is missing: what sets their attributes, and the factory that makes one."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import Final

from tracetwin.report.deciders import Barrier
from tracetwin.report.outside_names import OutsideNames
from tracetwin.run.results.making import Making
from tracetwin.run.results.places import Places
from tracetwin.support.text import listed

_MOST_NAMED: Final = 3
_MISSING: Final = re.compile(r"in line (\d+).*object has no attribute '(\w+)'")


class ObjectCounsel:
    """Says what helps where an object is not as it has to be."""

    def __init__(self, names: OutsideNames, places: Places, making: Making) -> None:
        self._names = names
        self._places = places
        self._making = making

    def made_with(self, spot: Barrier) -> str:
        """Return what an object has to be made with, where that decides at a place, "" elsewhere."""
        decides = self._making.deciding(spot.line)
        if not decides.made_with:
            return ""
        given, made = (
            " or ".join(f"`{name}`" for name in names) for names in (decides.names, decides.made_with)
        )
        takes = f"another {given}, or " if given else ""
        calls = "" if decides.kept else ", or calls that change it"
        return f"It takes {takes}an object of `{decides.owner}` made with another {made}{calls}."

    def set_where(self, spot: Barrier) -> str:
        """Return what sets the attributes that a place looks at, or that an error says are missing."""
        fields, name = self._names.fields_at(spot.node, spot.line), spot.name
        if found := re.search(r" in line (\d+)", spot.reason):
            around = self._places.around(int(found[1]))
            missing = _MISSING.search(spot.reason)
            name, node = around or (spot.name, spot.node)
            fields = self._names.fields_at(node, int(found[1]))
            fields = [missing[2]] if missing and missing[2] in fields else fields
        told = []
        for field in fields:
            setters = dict(reversed(self._names.setters(self._names.owner(name), field)))
            where = [f"`{method}` (line {at})" for method, at in reversed(setters.items())]
            where[_MOST_NAMED:] = [f"{len(where) - _MOST_NAMED} more"] if len(where) > _MOST_NAMED else []
            told.append(f"`{field}` is set in {listed(where)}." if where else "")
        return " ".join(filter(None, told))

    def state(self, spot: Barrier) -> str:
        """Return what makes an object as it has to be."""
        owner = self._names.owner(spot.name)
        fields = self._names.fields_at(spot.node, spot.line)
        made = f"If no call does what is needed, {self._factory(owner, fields)}" if owner else ""
        return " ".join(filter(None, (self.set_where(spot), made)))

    def unbuilt(self, spot: Barrier) -> str:
        """Return what makes an object that could not be built."""
        found = re.search(r"built: ([A-Za-z_][\w.]*)", spot.reason)
        name = found[1] if found else self._names.owner(spot.name)
        if not self._names.is_known(name):  # a call of a method that prepares the object, say
            hints = (one.annotation for one in ast.walk(spot.node.args) if isinstance(one, ast.arg))
            kinds = (ast.unparse(one) for one in hints if one is not None)
            name = next(filter(self._names.is_known, kinds), name)
        told = self._factory(name)
        return told[0].upper() + told[1:]

    def _factory(self, name: str, fields: Collection[str] = ()) -> str:
        short = name.rpartition(".")[2].lower() or "object"
        line = f'"{self._names.full(name)}" = "factories:make_{short}"'
        body = self._names.made(name, fields)
        told = f"`{line}` in `[tool.tracetwin.factories]` of pyproject.toml"
        written = f", and `def make_{short}(): {body}` in factories.py" if body else ""
        return f"a factory makes such an object: {told}{written}."
