"""A cluster of dask: found by its address or made here, and the workers of it that fit."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from tracetwin.run.cluster import hosted
from tracetwin.support.errors import ConfigError

SECONDS: Final = 60.0
"""How long a cluster may take to answer, and its first worker to come."""

LOCAL: Final = "local:"

_UNMOVED: Final = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""For workers here, which an interrupt of the terminal reaches, too: we say what it means."""


@contextmanager
def connected(address: str, say: Callable[[str], None]) -> Iterator[Any]:
    """A client of dask's; an address `local:N` starts N workers on this machine.

    Raises:
        ConfigError: dask is not installed, or nobody answers at the address.
    """
    try:
        from distributed import Client, LocalCluster
        from distributed import TimeoutError as TooLate
    except ImportError:
        raise ConfigError("", "cluster", "dask is not installed: pip install tracetwin[cluster]") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # lost workers are what we deal with
    local = None
    try:
        if address.startswith(LOCAL):
            local = LocalCluster(
                n_workers=_count(address), threads_per_worker=1, memory_limit=0, dashboard_address=":0",
                silence_logs=logging.CRITICAL, preload=[_UNMOVED],
            )  # fmt: skip
        client = Client(local or address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TooLate) as error:
        raise ConfigError("", "cluster", f"nothing answers at {address}: {error}") from error
    try:
        client.wait_for_workers(1, timeout=SECONDS)
        say(f"cluster: {address}, dashboard at {client.dashboard_link}")
        yield client
    except TooLate:
        raise ConfigError("", "cluster", f"{address} has no workers") from None
    finally:
        client.close()
        if local is not None:
            local.close()


def _count(address: str) -> int:
    text = address[len(LOCAL) :]
    if not text.isdecimal() or not int(text):
        raise ConfigError("", "cluster", f"{address} is not local:N with a number of workers")
    return int(text)


def workers_of(client: Any) -> dict[str, int]:
    """The threads of each worker that is there now, by its address."""
    found = client.scheduler_info(n_workers=-1)["workers"]
    return {address: worker["nthreads"] for address, worker in found.items()}


def asked(client: Any, worker: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function gives on a worker.

    Raises:
        OSError: it is lost, or does not answer.
        Exception: whatever the function raised there.
    """
    from distributed import TimeoutError as TooLate

    future = client.submit(function, *arguments, workers=[worker], pure=False)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and worker in workers_of(client):
        with suppress(TooLate):
            return future.result(1.0)
    raise OSError(f"{worker} does not answer")


def why_unfit(client: Any, worker: str) -> str:
    """Why a worker can't be used, "" where it can."""
    try:
        theirs = asked(client, worker, hosted.versions)
    except Exception as error:  # noqa: BLE001 - whatever its import raised
        return f"{worker} has no tracetwin of ours: {type(error).__name__}: {error}"
    ours = hosted.versions()
    wrong = [f"{its} (here {own})" for its, own in zip(theirs, ours, strict=True) if its != own]
    return f"{worker} has {', '.join(wrong)}" if wrong else ""
