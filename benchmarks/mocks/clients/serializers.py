"""A registry of serializers, and the choice between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


@runtime_checkable
class Serializer(Protocol[T]):
    @property
    def content_type(self) -> str: ...

    def dumps(self, value: T) -> bytes: ...

    def loads(self, data: bytes) -> T: ...


@runtime_checkable
class SelfSerializing(Protocol):
    def to_bytes(self) -> bytes: ...


class Unsupported(TypeError):
    pass


class DecodeError(ValueError):
    pass


class Registry(Generic[T]):
    def __init__(self, serializers: Iterable[Serializer[T]] = ()) -> None:
        self._by_type: dict[str, Serializer[T]] = {}
        for serializer in serializers:
            self.register(serializer)

    def register(self, serializer: Serializer[T], replace: bool = False) -> None:
        key = serializer.content_type
        if "/" not in key:
            raise ValueError("content type: " + key)
        if key in self._by_type and not replace:
            raise KeyError(key)
        self._by_type[key] = serializer

    def negotiate(self, accept: str) -> Serializer[T]:
        """Choose by a header like `text/plain, */*`."""
        for part in accept.split(","):
            wanted = part.strip()
            if wanted == "*/*" and self._by_type:
                return next(iter(self._by_type.values()))
            if wanted in self._by_type:
                return self._by_type[wanted]
        raise Unsupported(accept)


def encode(value: object, serializer: Serializer[Any]) -> bytes:
    """Bytes of a value, which may know better itself."""
    if isinstance(value, SelfSerializing):
        return value.to_bytes()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    data = serializer.dumps(value)
    if not data:
        raise Unsupported(type(value).__name__)
    return data


def round_trip(serializer: Serializer[int], value: int) -> str:
    """What is left of a number that was written and read."""
    try:
        back = serializer.loads(serializer.dumps(value))
    except DecodeError:
        return "unreadable"
    except UnicodeError as error:
        return "text: " + type(error).__name__
    if back == value:
        return "same"
    return "sign" if back == -value else "different"


def decode(data: bytes, headers: Mapping[str, str], serializers: Mapping[str, Serializer[T]]) -> T | None:
    """Read a body as its header says."""
    kind, _, parameters = headers.get("Content-Type", "").partition(";")
    if not data:
        return None
    if kind not in serializers:
        raise Unsupported(kind)
    if "charset=" in parameters and "utf-8" not in parameters:
        raise DecodeError(parameters)
    return serializers[kind].loads(data)
