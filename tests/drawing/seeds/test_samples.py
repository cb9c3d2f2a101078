"""Texts that the code of an invokable can read, by what it calls and what it does with the result."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.analysis.sources import read
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.seeds.constants import NearConstants
from tracetwin.drawing.seeds.samples import MOST, Samples

MakeModule = Callable[..., ModuleType]

IMPORTS = """
import base64, csv, io, ipaddress, json, shlex, html
try: import tomllib
except ImportError: import types; tomllib = types.SimpleNamespace()
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qs, unquote as plain_text, urlsplit
"""

# source, the invokable, the first sample
CASES: list[tuple[str, str, str]] = [
    ("def f(t): return json.loads(t)['a']['b'] == 7", "f", '{"a": {"b": 7}}'),
    ("def f(t):\n  d = json.loads(t)\n  return d[0] == 1 and d[2] == 'x'", "f", '[1, "a", "x"]'),
    ("def f(t):\n  d = json.loads(t)\n  return isinstance(d, list) and len(d) > 2", "f", '["a", "a", "a"]'),
    ("def f(t):\n  for row in json.loads(t):\n    if row['n'] in (4, 5): return row", "f", '[{"n": 4}]'),
    ("def f(t): return json.load(io.StringIO(t)).get('on') is True", "f", '{"on": true}'),
    ("def f(t):\n  if 'name' not in json.loads(t): raise ValueError", "f", '{"name": "a"}'),
    ("def f(t): return json.loads(t) is None", "f", "null"),
    ("def f(t): json.loads(t)", "f", '{"a": 1}'),
    ("def g(t): return json.loads(t)\ndef f(t): return g(t)['k'].startswith('ab')", "f", '{"k": "ab"}'),
    ("def g(d): return d['k'] == 2.5\ndef f(t): return g(json.loads(t))", "f", '{"k": 2.5}'),
    ("@dataclass\nclass P:\n  x: int\ndef f(t): return P(**json.loads(t))", "f", '{"x": 1}'),
    ("def f(t): return json.loads(json.loads(t)['in'])['k'] == 3", "f", r'{"in": "{\"k\": 3}"}'),
    (
        "class C:\n  def __init__(self, t): self.d = json.loads(t)\n  def m(self): return self.d['k'] == 'v'",
        "C.m",
        '{"k": "v"}',
    ),
    ("def f(t):\n  match json.loads(t):\n    case {'op': 'add'}: return 1", "f", '{"op": "add"}'),
    ("def f(t): return json.loads(t).get('unit', 'C').upper()", "f", '{"unit": "C"}'),
    (
        "def f(t):\n  d = tomllib.loads(t).get('jobs', {})\n  return [n for n in d if d[n].get('on', True)]",
        "f",
        "[jobs.b]\non = true\n\n[jobs.a]\non = false\n",
    ),
    (
        "K = {'port': 80, 'host': ''}\ndef f(t):\n  for d in [tomllib.loads(t)['main']]: x = set(d) - set(K)",
        "f",
        '[main]\nport = 80\nhost = "host"\n',
    ),
    ("def f(t): return parse_qs(t).get('page') == ['7']", "f", "page=7"),
    ("def f(t): return urlsplit(t).hostname == 'x.org' and urlsplit(t).port == 81", "f", "http://x.org:81/"),
    ("def f(t): return shlex.split(t) == ['rm', 'a b']", "f", "rm 'a b'"),
    ("def f(t): return list(csv.reader(io.StringIO(t)))[0] == ['a,b', '1']", "f", '"a,b",1\n'),
    ("def f(t): return [r['n'] == '3' for r in csv.DictReader(t.splitlines())]", "f", "n\n3\n"),
    ("def f(t): return datetime.strptime(t, '%d.%m.%y')", "f", "29.02.24"),
    ("FORM = '%H:%M'\ndef f(t): return datetime.strptime(t, FORM)", "f", "13:30"),
    ("def f(t): return base64.urlsafe_b64decode(t) == b'key!'", "f", "a2V5IQ=="),
    ("def f(t): return plain_text(t) == 'a b'", "f", "a%20b"),
    ("N = ipaddress.ip_network('::/9')\ndef f(t): return ipaddress.ip_address(t) in N", "f", "10.0.0.1"),
]


def _samples(module: ModuleType, name: str) -> list[str]:
    source = read(module)
    invokable = next(item for item in discover(module) if item.qualname == name)
    return Samples(module, source).of(invokable, NearConstants(module, source).of(invokable))


@pytest.mark.parametrize(("source", "name", "first"), CASES, ids=[case[0][:60] for case in CASES])
def test_samples_follow_from_the_code(make_module: MakeModule, source: str, name: str, first: str) -> None:
    found = _samples(make_module(IMPORTS + source), name)
    assert first in found[:2]
    assert len(found) <= MOST


@pytest.mark.parametrize(
    "source",
    [
        "def f(t): return t['a'] == 1",
        "def loads(t): return t\ndef f(t): return loads(t)['a']",
        "def f(t):\n  return f(t) or json.dumps(t)",
        "def f(t: bytes): return t == b'\\xff\\x00'",
    ],
)
def test_what_parses_nothing_has_no_samples(make_module: MakeModule, source: str) -> None:
    assert [] == _samples(make_module(IMPORTS + source), "f")


@pytest.mark.parametrize(
    "source",
    [
        "def f(t): return json.loads(t) == {1: b'x', (1, 2): {3}}",
        "def g(t): return g(t)\ndef f(t): return g(json.loads(g(t)))",
        "def f(t):\n  d = json.loads(t)\n  while d: d = d['next']",
        "def f(t): return datetime.strptime(t, 1), datetime.strptime(t)",
        "def f(t): return plain_text(t) == '\\ud800'",
        "def f(t): return len(json.loads(t)) == 10**9",
    ],
)
def test_odd_code_does_no_harm(make_module: MakeModule, source: str) -> None:
    assert all(text.isprintable() or "\n" in text for text in _samples(make_module(IMPORTS + source), "f"))
