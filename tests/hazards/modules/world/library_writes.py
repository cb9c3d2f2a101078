"""Has modules of the library write files for it."""
# report: write files

import bz2
import compileall
import configparser
import cProfile
import csv
import faulthandler
import fileinput
import gzip
import http.cookiejar
import logging
import logging.handlers
import lzma
import mailbox
import os
import pickle
import plistlib
import py_compile
import wave
import xml.etree.ElementTree

import canary


def compresses(number: int) -> int:
    with gzip.open(canary.FILE, "wb") as file:
        file.write(b"gone")
    return number


def compresses_better(number: int) -> int:
    with bz2.open(canary.FILE, "wb") as file:
        file.write(b"gone")
    return number


def compresses_best(number: int) -> int:
    with lzma.open(canary.FILE, "wb") as file:
        file.write(b"gone")
    return number


def logs(number: int) -> int:
    handler = logging.FileHandler(canary.NEW)
    handler.emit(logging.makeLogRecord({"msg": "was here"}))
    handler.close()
    return number


def rotates(number: int) -> int:
    handler = logging.handlers.RotatingFileHandler(canary.FILE, maxBytes=1, backupCount=1)
    handler.emit(logging.makeLogRecord({"msg": "was here"}))
    handler.doRollover()
    return number


def configures(number: int) -> int:
    parser = configparser.ConfigParser()
    with open(canary.NEW, "w") as file:
        parser.write(file)
    return number


def in_place(number: int) -> int:
    with fileinput.input(canary.FILE, inplace=True) as lines:
        for _line in lines:
            print("gone")
    return number


def compiles(number: int) -> int:
    py_compile.compile(canary.TOOL, cfile=canary.NEW, doraise=True)
    return number


def compiles_all(number: int) -> int:
    compileall.compile_dir(canary.FOLDER, quiet=2)
    return number


def profiles(number: int) -> int:
    cProfile.run("1 + 1", canary.NEW)
    return number


def pickles(number: int) -> int:
    pickle.dump(number, open(canary.NEW, "wb"))
    return number


def tables(number: int) -> int:
    with open(canary.FILE, "a", newline="") as file:
        csv.writer(file).writerow([number])
    return number


def trees(number: int) -> int:
    xml.etree.ElementTree.ElementTree(xml.etree.ElementTree.Element("x")).write(canary.FILE)
    return number


def cookies(number: int) -> int:
    http.cookiejar.LWPCookieJar(canary.NEW).save()
    return number


def letters(number: int) -> int:
    mailbox.mbox(canary.NEW).add("was here")
    return number


def sounds(number: int) -> int:
    with wave.open(canary.NEW, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
    return number


def lists(number: int) -> int:
    with open(canary.NEW, "wb") as file:
        plistlib.dump({"x": number}, file)
    return number


def faults(number: int) -> int:
    with open(canary.FILE, "a") as file:
        faulthandler.dump_traceback(file)
    return number


def removes_folders(number: int) -> int:
    os.removedirs(canary.VOID)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
