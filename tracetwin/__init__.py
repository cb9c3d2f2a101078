"""tracetwin writes unit tests for a Python module by running a traced twin of it.

The names below are the public interface; each is loaded when it is first used, so that `import tracetwin`
costs nothing in the many processes that need only a part of it.

PYTEST_DONT_REWRITE: the plugin's distribution holds us, and pytest would warn that we were imported before.
"""

# With `-m` this file is run while the current folder is on the path: what it imports could be the target's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tracetwin.api import generate_tests, install, twinned, uninstall

__version__ = "0.1.0"
__all__ = ["__version__", "generate_tests", "install", "twinned", "uninstall"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from tracetwin import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
