"""`io.StringIO` and `io.BytesIO`: any that a run makes may get traced contents later."""

from __future__ import annotations

import io
from typing import Any

from runtime import trace
from runtime.containers.streams import SBytesIO, SStringIO
from runtime.models.registry import STANDS_FOR, UNGUARDED, models
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import raw_text
from runtime.values import kind_of, plain

keep_builtins(globals())


@models(io.StringIO)
def traced_text_stream(*args: Any, **kwargs: Any) -> Any:
    """`io.StringIO(text)`; one that translates ends of lines is plain."""
    return _stream(io.StringIO, SStringIO, str, args, kwargs)


@models(io.BytesIO)
def traced_octet_stream(*args: Any, **kwargs: Any) -> Any:
    """`io.BytesIO(octets)`."""
    return _stream(io.BytesIO, SBytesIO, bytes, args, kwargs)


def _stream(native: Any, followed: Any, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    content = raw_text(args[0]) if args else kind()
    if trace.current.is_of_run and len(args) < 2 and not kwargs and kind_of(plain(content)) is kind:
        return followed(content)
    return native(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})


UNGUARDED.update((io.StringIO, io.BytesIO))
STANDS_FOR[SStringIO] = io.StringIO
STANDS_FOR[SBytesIO] = io.BytesIO
