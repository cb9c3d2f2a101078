"""Crashes the interpreter while being imported."""

# import: fails
# report: importing it ended the process
# report: SIGSEGV (line 
# alone: dies import

import types


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


code = fine.__code__.replace(co_code=b"\x00\x00" + b"\xff\xff" * 20, co_stacksize=0, co_consts=())
types.FunctionType(code, {})(1)
