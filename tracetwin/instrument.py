"""The work behind `tracetwin instrument`: the twins of some modules, as files or in the cache."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from tracetwin.errors import TargetError
from tracetwin.report.text import count
from tracetwin.targets import TargetModule, source_of


def write_twins(modules: Iterable[TargetModule], output: Path | None) -> Iterator[tuple[str, bool]]:
    """Write each module's twin, or fill the cache.

    Args:
        modules: what to instrument.
        output: folder that gets the twins in the layout of their packages; None for the cache.

    Yields:
        One sentence per module, and whether it is an error.
    """
    for module in modules:
        try:
            yield _cached(module) if output is None else _written(module, output), False
        except (TargetError, SyntaxError, OSError, Warning) as error:
            yield f"{module.name}: {error}", True


def _cached(module: TargetModule) -> str:
    from instrumenter.build import InstrumenterWarning
    from instrumenter.cache import Cache

    with warnings.catch_warnings():
        warnings.simplefilter("error", InstrumenterWarning)  # filling the cache is the point here
        twin = Cache().load(source_of(module), name=module.name, filename=module.file).twin
    if twin.untouched is not None:
        return f"{module.name}: left as it is, {twin.untouched}"
    return f"{module.name}: {count(len(twin.sites), 'site')}"


def _written(module: TargetModule, output: Path) -> str:
    from instrumenter.write import write_twin

    destination = output.joinpath(*module.name.split("."))
    if Path(module.file).name == "__init__.py":
        destination /= "__init__"
    destination = destination.with_name(f"{destination.name}.py")
    write_twin(source_of(module), name=module.name, filename=module.file, destination=destination)
    return f"wrote {destination}"
