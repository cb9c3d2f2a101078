"""A client of dask's, of which nothing is waited for without end."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from tracetwin.run.cluster import hosted
from tracetwin.support.errors import ConfigError

SECONDS: Final = 60.0
"""How long a cluster may take to answer, and its first worker to come."""

ENDING_SECONDS: Final = 10.0
"""The same after an interrupt: whoever interrupts does not want to wait."""

ANSWER_SECONDS: Final = 5.0
"""How long dask may take to pass on a word: with lost workers it may wait for them without end."""

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
        for close in (client.close, *([local.close] if local is not None else ())):
            with suppress(OSError):
                within(ENDING_SECONDS, close)


def within(seconds: float, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what a function gives; one that does not end is left to itself.

    Raises:
        OSError: it took longer.
        BaseException: whatever it raised.
    """
    ended: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

    def call() -> None:
        try:
            ended.put((function(*arguments, **options), None))
        except BaseException as error:  # noqa: BLE001 - who asked gets it
            ended.put((None, error))

    threading.Thread(target=call, daemon=True).start()
    try:
        found, error = ended.get(timeout=seconds)
    except queue.Empty:
        raise OSError(f"the cluster did not answer within {seconds:g} seconds") from None
    if error is not None:
        raise error
    return found


def _count(address: str) -> int:
    text = address[len(LOCAL) :]
    if not text.isdecimal() or not int(text):
        raise ConfigError("", "cluster", f"{address} is not local:N with a number of workers")
    return int(text)


def workers_of(client: Any) -> dict[str, int]:
    """Return the threads of each worker that is there now, by its address.

    Raises:
        OSError: nobody answers.
    """
    found = within(ANSWER_SECONDS, client.scheduler_info, n_workers=-1)["workers"]
    return {address: worker["nthreads"] for address, worker in found.items()}


def asked(
    client: Any, worker: str, seconds: float, function: Callable[..., Any], *arguments: Any
) -> Any:
    """Return what a function gives on a worker, within some seconds.

    Raises:
        OSError: it is lost, or does not answer.
        Exception: whatever the function raised there.
    """
    from distributed import TimeoutError as TooLate

    future = client.submit(function, *arguments, workers=[worker], pure=False)
    until = time.monotonic() + seconds
    while time.monotonic() < until and worker in workers_of(client):
        with suppress(TooLate):
            return future.result(1.0)
    raise OSError(f"{worker} does not answer")


def why_unfit(client: Any, worker: str, seconds: float) -> str:
    """Why a worker can't be used, "" where it can."""
    try:
        theirs = asked(client, worker, seconds, hosted.versions)
    except Exception as error:  # noqa: BLE001 - whatever its import raised
        return f"{worker} has no tracetwin of ours: {type(error).__name__}: {error}"
    ours = hosted.versions()
    wrong = [f"{its} (here {own})" for its, own in zip(theirs, ours, strict=True) if its != own]
    return f"{worker} has {', '.join(wrong)}" if wrong else ""
