"""`tracetwin instrument -o`: the twin as a file that imports what it calls."""

from __future__ import annotations

import io
import os
import tokenize
from pathlib import Path

from instrumenter.build import build
from instrumenter.files import write_atomically
from instrumenter.prelude import with_prelude
from instrumenter.twin import Twin


def write_twin(
    source: str | bytes,
    name: str,
    filename: str,
    destination: str | os.PathLike[str],
    mode: int | None = None,
) -> Twin:
    """Write a module's twin with the import of the interface on a line that exists.

    What is not rewritten is written byte by byte as it was.

    Args:
        source: the original.
        name: its dotted module name.
        filename: named in errors.
        destination: the file to write.
        mode: its permissions; None for those of new files.

    Raises:
        SyntaxError: as CPython reports it for the original.
        OSError: the disk refuses.
    """
    twin = build(source, name=name, filename=filename).twin
    write_atomically(Path(destination), _content(source, twin), mode)
    return twin


def _content(source: str | bytes, twin: Twin) -> bytes:
    called = twin.untouched is None and twin.prelude_name in twin.source
    if isinstance(source, str):
        text = with_prelude(twin.source, twin.prelude_name) if called else source
        return text.encode()
    if not called:
        return source
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return with_prelude(twin.source, twin.prelude_name).encode(encoding)
