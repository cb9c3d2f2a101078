"""The same when it is imported, where the scratch folder is kept."""
# import: acts
# alone: no

import os

import canary

_start = os.getcwd()
try:
    for _ in range(3000):
        os.mkdir("deeper")
        os.chdir("deeper")
except OSError:
    pass
finally:
    os.chdir(_start)
os.symlink(canary.FOLDER, "out")
os.makedirs("closed/inside")
try:
    os.chmod("closed", 0)
except OSError:
    pass


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
