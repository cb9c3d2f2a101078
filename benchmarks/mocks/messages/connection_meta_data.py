"""Which protocol to speak to a message service."""

from __future__ import annotations

from jms import ConnectionMetaData


def dialect(data: ConnectionMetaData) -> str:
    """Choose the dialect for a service."""
    if data.get_jms_major_version() < 1:
        raise ValueError("too old: " + data.get_jms_version())  # goal 1
    if data.get_jms_major_version() == 1 and data.get_jms_minor_version() == 0:
        if data.get_jms_version().endswith("b"):
            return "1.0.2b"  # goal 2
        return "1.0"  # goal 3
    provider = data.get_jms_provider_name()
    if provider.startswith("Fiorano") and data.get_provider_major_version() >= 5:
        return "extended"  # goal 4
    if provider == "" or data.get_provider_minor_version() < 0:
        return "unknown"  # goal 5
    return "standard"
