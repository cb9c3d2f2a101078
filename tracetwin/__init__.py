"""tracetwin writes unit tests for a Python module by running a traced twin of it.

The names below are the public interface; each is loaded when it is first used, so that `import tracetwin`
costs nothing in the many processes that need only a part of it.

PYTEST_DONT_REWRITE: the plugin's distribution holds us, and pytest would warn that we were imported before.
"""

# With `-m` this file is run while the current folder is on the path: what it imports could be the target's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracetwin.api import generate_tests, install, twinned, uninstall
    from tracetwin.model.options import Options
    from tracetwin.run.results.module_result import FunctionResult, ModuleResult
    from tracetwin.support.errors import (
        ConfigError,
        InternalError,
        TargetError,
        TracetwinError,
        UnsupportedError,
    )
    from tracetwin.support.version import __version__

__all__ = [
    "ConfigError", "FunctionResult", "InternalError", "ModuleResult", "Options", "TargetError",
    "TracetwinError", "UnsupportedError", "__version__", "generate_tests", "install", "twinned", "uninstall",
]  # fmt: skip

_DEFINED_IN = {
    "tracetwin.api": ("generate_tests", "install", "twinned", "uninstall"),
    "tracetwin.model.options": ("Options",),
    "tracetwin.run.results.module_result": ("FunctionResult", "ModuleResult"),
    "tracetwin.support.errors": (
        "ConfigError", "InternalError", "TargetError", "TracetwinError", "UnsupportedError",
    ),
    "tracetwin.support.version": ("__version__",),
}  # fmt: skip


def __getattr__(name: str) -> object:
    for module, names in _DEFINED_IN.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
