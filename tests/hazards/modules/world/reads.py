"""Reads files outside the project through many modules of the library."""
# report: read files

import codecs
import configparser
import fileinput
import io
import linecache
import mmap
import netrc
import os
import runpy
import shutil
import tokenize

import canary


def through_text(number: int) -> str:
    with io.open(canary.SECRET_FILE) as file:
        return file.readline()


def through_raw(number: int) -> bytes:
    return io.FileIO(canary.SECRET_FILE).readall()


def through_code(number: int) -> bytes:
    return io.open_code(canary.SECRET_FILE).read()


def through_codec(number: int) -> str:
    return codecs.open(canary.SECRET_FILE, encoding="utf-8").read()


def through_lines(number: int) -> str:
    return "".join(linecache.getlines(canary.SECRET_FILE))


def through_input(number: int) -> str:
    return "".join(fileinput.input(canary.SECRET_FILE))


def through_mapping(number: int) -> bytes:
    with open(canary.SECRET_FILE, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as pages:
        return bytes(pages)


def through_tokens(number: int) -> str:
    return tokenize.open(canary.SECRET_FILE).read()


def through_configuration(number: int) -> str:
    parser = configparser.ConfigParser()
    with open(canary.HOME + "/.aws/credentials") as file:
        parser.read_file(file)
    return str(dict(parser["default"]))


def through_login(number: int) -> str:
    return str(netrc.netrc(canary.HOME + "/.netrc").hosts)


def through_copy(number: int) -> str:
    shutil.copy(canary.SECRET_FILE, "mine")
    with open("mine") as file:
        return file.read()


def through_link(number: int) -> str:
    os.symlink(canary.SECRET_FILE, "mine")
    with open("mine") as file:
        return file.read()


def through_hard_link(number: int) -> str:
    os.link(canary.SECRET_FILE, "mine")
    with open("mine") as file:
        return file.read()


def through_error(number: int) -> str:
    """The text stands in the error of a program that is none."""
    try:
        runpy.run_path(canary.HOME + "/.ssh/id_ed25519")
    except SyntaxError as error:
        return str(error.text)
    return ""


def through_import(number: int) -> str:
    """As a module: the password is a variable."""
    import importlib.machinery

    loader = importlib.machinery.SourceFileLoader("hidden", canary.SECRET_FILE)
    return loader.get_data(canary.SECRET_FILE).decode()


def through_path(number: int) -> str:
    """The folder is made an import root, and its files data of it."""
    import importlib.resources
    import sys

    sys.path.insert(0, os.path.dirname(canary.FOLDER))
    import files

    return (importlib.resources.files(files) / "secret.txt").read_text()


def through_archive(number: int) -> str:
    import io
    import tarfile

    store = io.BytesIO()
    with tarfile.open(fileobj=store, mode="w") as archive:
        archive.add(canary.SECRET_FILE)
    return store.getvalue().decode("latin-1")


def through_kernel(number: int) -> bytes:
    """The kernel copies it from file to file."""
    source = os.open(canary.SECRET_FILE, os.O_RDONLY)
    target = os.open("mine", os.O_RDWR | os.O_CREAT)
    os.copy_file_range(source, target, 100)
    os.lseek(target, 0, 0)
    return os.read(target, 100)


def waits_for_pipe(number: int) -> str:
    """What is written down in the environment of this very process, by another name."""
    with open("/proc/thread-self/environ") as file:
        return file.read()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
