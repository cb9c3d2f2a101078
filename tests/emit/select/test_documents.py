"""What a module looks for in documents, followed through merges, calls and tables of any names."""

from __future__ import annotations

import ast
import random

import pytest

from tracetwin.emit.select.telling.constants import TextConstants
from tracetwin.emit.select.telling.documents import documents_of
from tracetwin.emit.select.telling.drawing import TellingValues
from tracetwin.emit.select.telling.signatures import Signatures
from tracetwin.emit.select.telling.written import written

SOURCE = """\
import os
import tomllib

def feed(name, table, usual):
    merged = {**usual, **table}
    if not merged["url"].startswith(("http://", "https://")):
        raise ValueError(name)
    return merged.get("every", 60)

def read(text):
    data = tomllib.loads(text)
    common = data.get("defaults", {})
    size = data.get("reader", {}).get("size")
    return [feed(name, one, common) for name, one in sorted(data.get("feeds", {}).items())]

def proxy():
    return os.environ.get("PROXY")
"""
FEED = {"url": None, "every": None}


def test_keys_are_followed_through_merges_calls_and_tables_of_any_names() -> None:
    found = documents_of(ast.parse(SOURCE))
    whole = found.by_name["data"]
    assert whole == {"defaults": FEED, "reader": None, "feeds": {"*": FEED}}
    assert found.needed == {"url"}
    assert [keys for keys in found.whole if keys is whole]
    assert not any(keys == FEED for keys in found.whole), "they are parts of others"


def test_a_document_that_is_read_is_that_of_its_variable() -> None:
    tomllib = pytest.importorskip("tomllib")
    known = Signatures("feeds", ast.parse(SOURCE))
    chance = random.Random(1)
    drawn = [TellingValues(known, TextConstants(), "read", chance) for _ in range(60)]
    read = [tomllib.loads(one.read(known.formats["read", "text"])) for one in drawn]
    assert any(len(one.get("feeds", {})) > 1 for one in read)
    tables = [table for one in read for table in one.get("feeds", {}).values()]
    assert all("url" in table for table in tables)
    assert any(str(table["url"]).startswith("https://") for table in tables)


def test_tables_within_tables_are_read_back() -> None:
    tomllib = pytest.importorskip("tomllib")
    document = {"a": {"b c": {"d": 1}, "e": {"f": {"g": [True]}}}, "n": "x"}
    assert tomllib.loads(written(document, "tomllib")) == document


def test_what_is_looked_up_by_a_variable_may_be_under_any_key() -> None:
    source = """\
def route(table, backends):
    return backends.get(table["backend"])

def read(data):
    backends = data.get("backends", {})
    return [route(one, backends) for one in data.get("routes", {}).values()]
"""
    whole = documents_of(ast.parse(source)).by_name["data"]
    assert whole == {"backends": {"*": None}, "routes": {"*": {"backend": None}}}


def test_what_is_a_list_where_it_is_missing_is_a_list_where_it_is_there() -> None:
    tree = ast.parse("def read(data):\n    return [one.lower() for one in data.get('hosts', [])]\n")
    drawing = TellingValues(Signatures("m", tree), TextConstants(), "read", random.Random(0))
    found = [drawing.document().get("hosts") for _ in range(40)]
    assert any(found)
    assert all(isinstance(one, list) for one in found if one is not None)


TREE = """\
import json

def shown(node):
    for name, inner in node.items():
        shown(inner)
    for child in node["children"]:
        shown(child)
    return node.get("title")

def start(text):
    tree = json.loads(text)
    for name, part in tree.items():
        shown(part)
    return shown(tree)
"""


def test_documents_that_hold_others_of_their_kind_end() -> None:
    known = Signatures("trees", ast.parse(TREE))
    for seed in range(40):
        drawn = TellingValues(known, TextConstants(), "start", random.Random(seed))
        assert isinstance(drawn.document(), dict)
