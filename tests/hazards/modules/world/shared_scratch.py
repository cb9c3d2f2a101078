"""Looks about beside its scratch folder: other workers' folders, journals, the tool's caches."""
# alone: no

import os

import canary


def lists(number: int) -> str:
    beside = os.path.dirname(os.getcwd())
    return canary.escaped(f"beside the scratch folder: {os.listdir(beside)}")


def lists_above(number: int) -> str:
    above = os.path.dirname(os.path.dirname(os.getcwd()))
    return canary.escaped(f"above the scratch folder: {os.listdir(above)}")


def walks(number: int) -> str:
    found = [name for _folder, _below, names in os.walk(canary.BASE) for name in names]
    return canary.escaped(f"the canary was listed: {found}") if found else "no"


def scans(number: int) -> str:
    with os.scandir(canary.FOLDER) as entries:
        return canary.escaped(f"a folder was listed: {[entry.name for entry in entries]}")


def writes_beside(number: int) -> str:
    os.open(os.path.join(os.path.dirname(os.getcwd()), "stderr"), os.O_WRONLY | os.O_CREAT)
    return canary.escaped("it wrote beside its scratch folder")


def removes_folder(number: int) -> str:
    os.rename(os.getcwd(), os.getcwd() + "-moved")
    return canary.escaped("the scratch folder was moved")


def project(number: int) -> int:
    with open(os.path.join(os.path.dirname(canary.__file__), "canary.py"), "a") as file:
        file.write("# was here\n")
    return number


def source(number: int) -> int:
    with open(__file__, "a") as file:
        file.write("# was here\n")
    return number


def compiled(number: int) -> int:
    os.makedirs(os.path.join(os.path.dirname(__file__), "__pycache__"), exist_ok=True)
    with open(os.path.join(os.path.dirname(__file__), "__pycache__", "x.pyc"), "wb") as file:
        file.write(b"x")
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
