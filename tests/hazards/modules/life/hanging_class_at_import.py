"""Looking at the module itself hangs or exits: `__getattr__`, `__dir__`, a class in `sys.modules`."""

# import: fails
# report: importing it ended the process
# alone: no

import os
import sys
import types


class Module(types.ModuleType):
    def __getattribute__(self, name: str) -> object:
        if name == "fine":
            return types.ModuleType.__getattribute__(self, name)
        if name == "__spec__":
            while True:
                pass
        if name == "__file__":
            os._exit(0)
        return types.ModuleType.__getattribute__(self, name)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def __dir__() -> list:
    while True:
        pass


sys.modules[__name__].__class__ = Module
