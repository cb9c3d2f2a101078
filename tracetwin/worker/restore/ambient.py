"""The interpreter's own state: what a run may leave changed beside its module, put back before the next.

Everything here is reset rather than compared where resetting is as cheap.
"""

from __future__ import annotations

import abc
import builtins
import gc
import importlib
import os
import sys
import time
import warnings
import weakref
from _thread import _count as _thread_count
from collections.abc import Callable
from typing import Any, Final

from tracetwin.process import late_imports
from tracetwin.process.walls import sandbox
from tracetwin.worker.restore.watch import watch
from tracetwin.worker.restore.watchers import Watcher

# Not `signal`, which is Python: see `deadline`.
_signal: Any = importlib.import_module("_signal")

_SYS_NAMES: Final = (
    "stdin",
    "stdout",
    "stderr",
    "excepthook",
    "displayhook",
    "unraisablehook",
    "breakpointhook",
)
_SIGNALS: Final = (
    "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2",
    "SIGCHLD", "SIGPIPE", "SIGVTALRM", "SIGWINCH",
)  # fmt: skip
_NO_NAMES: Final[frozenset[str]] = frozenset()


class Ambient:
    """Resets the interpreter between runs.

    Made in the fork server after the target's import; `begin` before every run, `settle` after it.

    Args:
        own: the package of the target; where a run imports more of it, that can't be put back.
        forgets: unless it is let go of, and `gone` once all else is as it was.
    """

    def __init__(self, recursion: int, seed: int = 0, own: str = "", *, forgets: bool = False) -> None:
        self._own = (f"{own}.",) if own else ()
        self._forgets = forgets
        self._leaving: list[weakref.ref[Any]] = []
        self.recursion = recursion
        self.seed = seed
        self._reseed = _reseeder(seed)
        self._environment: dict[Any, Any] = getattr(os.environ, "_data")  # noqa: B009 - no public name
        self._environment_kept = dict(self._environment)
        self._umask = os.umask(0o022)
        os.umask(self._umask)
        self._sys = {name: getattr(sys, name) for name in _SYS_NAMES}
        lists: list[Any] = [sys.path, sys.argv, sys.meta_path, sys.path_hooks, warnings.filters]
        self._watchers: list[Watcher] = []
        for thing in (*lists, gc.callbacks, vars(builtins)):
            watchers, _contents = watch(thing, _NO_NAMES)
            self._watchers.extend(watchers)
        self._modules = dict(sys.modules)
        self._last = _last_modules()
        self._registrations = abc.get_cache_token()
        self._settings = _settings()
        self._filters = warnings.filters
        self._signals = {
            number: _signal.getsignal(number)
            for number in (getattr(_signal, name, None) for name in _SIGNALS)
            if number is not None
        }
        self._decimal = _decimal_resetter()
        self._locale = _locale_resetter()
        self._threads = _thread_count()
        self._free_fd = _lowest_free_fd()
        self._touched = self._count_touches()
        self._gc = gc.isenabled(), gc.get_threshold()

    def begin(self) -> None:
        """Before a run: the same limits, the same random numbers."""
        sys.setrecursionlimit(self.recursion)
        if self._reseed is None and "random" in sys.modules:
            self._reseed = _reseeder(self.seed)
        if self._reseed is not None:
            self._reseed()
        if self._decimal is None and "decimal" in sys.modules:
            self._decimal = _decimal_resetter()
        elif self._decimal is not None:
            self._decimal()

    def settle(self) -> bool:
        """After a run: put back what can be; False where the runner has to be replaced."""
        sys.settrace(None)
        sys.setprofile(None)
        for name, value in self._sys.items():
            if getattr(sys, name, None) is not value:
                setattr(sys, name, value)
        if (gc.isenabled(), gc.get_threshold()) != self._gc:
            gc.set_threshold(*self._gc[1])
            (gc.enable if self._gc[0] else gc.disable)()
        changed = [watcher for watcher in self._watchers if not watcher.same()]
        if not all(map(self._put_back, changed)):
            return False
        if warnings.filters is not self._filters:
            return False  # the C side reads the list it knows
        if not self._still_the_same():
            return False
        if self._environment != self._environment_kept:
            self._restore_environment()
        if self._locale is not None:
            self._locale()
        os.umask(self._umask)
        return self._signals_settled() and not (_is_ticking() or self._left_behind())

    def _still_the_same(self) -> bool:
        """True if nothing has changed that can't be put back."""
        if _last_modules() != self._last and not self._only_imported():
            return False
        # The number changes when a class is registered with an abstract one.
        return abc.get_cache_token() == self._registrations and _settings() == self._settings

    def _only_imported(self) -> bool:
        """True if all that happened to the modules is that some outside of the target were imported.

        These stay, as they would be imported again in a new process; those of the target may be let go of.
        """
        known, now = self._modules, dict(sys.modules)
        if any(now.get(name) is not module for name, module in known.items()):
            return False
        for name, module in now.items():
            spec = getattr(module, "__spec__", None)
            if name not in known and (spec is None or spec.loader is None):
                return False
        new = [name for name in now if name not in known and name.startswith(self._own)]
        if new and not self._forgets:
            return False
        for name in new:
            module = now.pop(name)
            self._leaving += map(weakref.ref, (module, *_classes_of(module)))
        late_imports.let_go(new)
        self._modules, self._last = now, _last_modules()
        self._registrations = abc.get_cache_token()  # abstract classes and their kin came with them
        return True

    def gone(self) -> bool:
        """True if nothing holds what the last run imported of the target's package."""
        leaving = self._leaving
        if not leaving:
            return True
        self._leaving = []
        gc.collect()
        return not any(thing() is not None for thing in leaving)

    def _put_back(self, watcher: Watcher) -> bool:
        done = watcher.restore()
        mutated: Callable[[], None] | None = getattr(warnings, "_filters_mutated", None)
        if mutated is not None:
            mutated()
        return done

    def _restore_environment(self) -> None:
        kept, now = self._environment_kept, self._environment
        decode = os.fsdecode
        for key in [key for key in now if key not in kept]:
            del os.environ[decode(key)]
        for key, value in kept.items():
            if now.get(key) != value:
                os.environ[decode(key)] = decode(value)
        if hasattr(time, "tzset"):
            time.tzset()

    def _signals_settled(self) -> bool:
        for number, handler in self._signals.items():
            if _signal.getsignal(number) is not handler and _signal.getsignal(number) != handler:
                if handler is None:
                    return False
                _signal.signal(number, handler)
        return True

    def _left_behind(self) -> bool:
        """Threads, open descriptors, files, another current folder: only a new process is without."""
        if _thread_count() > self._threads:
            return True
        return _lowest_free_fd() != self._free_fd or self._count_touches() != self._touched

    def _count_touches(self) -> int:
        guard = sandbox.guard()
        return 0 if guard is None else guard.touched


def _is_ticking() -> bool:
    """True if a clock of the target will send it a signal; the other clocks are those of deadlines."""
    return any(_signal.getitimer(_signal.ITIMER_VIRTUAL))


def _last_modules() -> tuple[int, str]:
    """Tells of modules that were imported or removed: their number, and the one that came last."""
    return len(sys.modules), next(reversed(sys.modules))


def _classes_of(module: object) -> list[type]:
    """Return the classes that a module has defined, which others may list among their subclasses."""
    names = vars(module)
    held = (value for value in names.values() if isinstance(value, type))
    return [value for value in held if value.__module__ == names.get("__name__")]


def _settings() -> tuple[Any, ...]:
    """Switches that hardly any program touches."""
    threading = sys.modules.get("threading")
    hooks: tuple[Any, ...] = ()
    if threading is not None:
        hooks = getattr(threading, "_trace_hook", None), getattr(threading, "_profile_hook", None)
    return sys.getswitchinterval(), _most_digits(), *hooks


_most_digits: Callable[[], int] = getattr(sys, "get_int_max_str_digits", int)


def _reseeder(seed: int) -> Callable[[], None] | None:
    module = sys.modules.get("random")
    generator = getattr(module, "_inst", None)
    if generator is None:
        return None
    import _random

    reset = _random.Random.seed  # in C; `random.seed` takes four times as long

    def reseed() -> None:
        reset(generator, seed)
        generator.gauss_next = None

    return reseed


def _decimal_resetter() -> Callable[[], None] | None:
    decimal: Any = sys.modules.get("decimal")
    if decimal is None:
        return None
    kept = decimal.getcontext().copy()
    return lambda: decimal.setcontext(kept.copy())


def _locale_resetter() -> Callable[[], None] | None:
    import _locale

    kept = _locale.setlocale(_locale.LC_ALL, None)

    def reset() -> None:
        if _locale.setlocale(_locale.LC_ALL, None) != kept:
            _locale.setlocale(_locale.LC_ALL, kept)

    return reset


def _lowest_free_fd() -> int:
    """Tells of descriptors that were left open, or closed."""
    try:
        fd = os.dup(1)
    except OSError:
        return -1
    os.close(fd)
    return fd
