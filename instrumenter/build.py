"""Source to compiled twin, whatever happens: a fault of ours leaves the module as it is, with a warning."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from types import CodeType

from instrumenter.transform import decode, instrument, prelude_name
from instrumenter.twin import Twin


class InstrumenterWarning(UserWarning):
    """The instrumenter did less than asked; what it did is correct."""


@dataclass(frozen=True)
class Built:
    """A twin and its code, compiled under the original's file name."""

    twin: Twin
    code: CodeType


def build(source: str | bytes, *, name: str, filename: str) -> Built:
    """Instrument and compile one module.

    Raises:
        SyntaxError: as CPython reports it for the original.
    """
    try:
        twin = instrument(source, name=name, filename=filename)
        return Built(twin, compile_twin(twin, filename))
    except Exception as error:  # noqa: BLE001 - whatever we got wrong, the module must still load
        # If the original is at fault, this raises what CPython says of it.
        code = compile(source, filename, "exec", dont_inherit=True)
        reason = f"{type(error).__name__}: {error}"
        warnings.warn(
            f"{name} is used untraced, rewriting it failed: {reason}", InstrumenterWarning, stacklevel=2
        )
        text = decode(source)
        return Built(Twin(text, (), prelude_name(text), reason), code)


def compile_twin(twin: Twin, filename: str) -> CodeType:
    """Compile a twin so that tracebacks name the original; its syntax warnings were already given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(twin.source, filename, "exec", dont_inherit=True)
