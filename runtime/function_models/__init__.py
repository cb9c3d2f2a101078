"""Models of library functions, each with all its hooks in one file; a new file needs no other change."""

from __future__ import annotations

import pkgutil

for _module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
    __import__(f"{__name__}.{_module.name}")
