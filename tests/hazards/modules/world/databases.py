"""Writes databases, also by statements of SQL, where C code opens the files."""
# alone: harms
# report: write files

import dbm.dumb
import os
import shelve
import sqlite3

import canary


def connects(number: int) -> int:
    with sqlite3.connect(canary.NEW) as base:
        base.execute("create table t (x)")
    return number


def attaches(number: int) -> int:
    base = sqlite3.connect(":memory:")
    base.execute("attach database ? as other", (canary.NEW,))
    base.execute("create table other.t (x)")
    base.commit()
    return number


def vacuums(number: int) -> int:
    base = sqlite3.connect(":memory:")
    base.execute("create table t (x)")
    base.commit()
    base.execute("vacuum into ?", (canary.NEW,))
    return number


def by_address(number: int) -> int:
    with sqlite3.connect("file:" + canary.NEW + "?mode=rwc", uri=True) as base:
        base.execute("create table t (x)")
    return number


def through_link(number: int) -> int:
    os.symlink(canary.NEW, "mine.db")
    with sqlite3.connect("mine.db") as base:
        base.execute("create table t (x)")
    return number


def backs_up(number: int) -> int:
    base = sqlite3.connect(":memory:")
    base.execute("create table t (x)")
    base.backup(sqlite3.connect(canary.NEW))
    return number


def shelf(number: int) -> int:
    with shelve.open(canary.NEW) as kept:
        kept["x"] = number
    return number


def dumb(number: int) -> int:
    with dbm.dumb.open(canary.NEW, "c") as kept:
        kept[b"x"] = b"1"
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
