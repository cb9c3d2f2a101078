"""Stays in the import system: finders, loaders, codecs and pickling that act when others import."""
# alone: no

import codecs
import copyreg
import importlib.abc
import os
import sys

import canary


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        _act()


def _act(*_):
    try:
        os.remove(canary.FILE)
    except OSError:
        return


def _path_hook(_path):
    _act()
    raise ImportError


sys.meta_path.insert(0, _Finder())
sys.path_hooks.insert(0, _path_hook)
sys.path_importer_cache.clear()
codecs.register(_act)
copyreg.pickle(type(os), lambda module: (os.remove, (canary.FILE,)))


def imports(number: int) -> int:
    import colorsys

    return number + bool(colorsys)


def encodes(number: int) -> bytes:
    return "x".encode("hazard")


def pickles(number: int) -> object:
    import pickle

    return pickle.loads(b"cos\nremove\n(V" + canary.FILE.encode() + b"\ntR.")


def executes(number: int) -> int:
    exec(f"import os; os.remove({canary.FILE!r})")
    return number


def evaluates(number: int) -> int:
    return eval(f"__import__('os').remove({canary.FILE!r})") or number


def by_frame_of_other(number: int) -> int:
    code = compile(f"import os; os.remove({canary.FILE!r})", "<frozen importlib._bootstrap>", "exec")
    exec(code, vars(importlib))
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
