"""Shapes of texts by the names of what holds them."""

from __future__ import annotations

import ast

import pytest

from tracetwin.emit.select.telling.shapes import shapes_of


@pytest.mark.parametrize(
    ("body", "name", "shape"),
    [
        ("path.startswith('/')", "path", "/{}"),
        ("table['path'].lower().startswith('/')", "path", "/{}"),
        ("url.startswith(SAFE)", "url", "https://example.com/{}"),
        ("self.file.endswith('.txt')", "file", "{}.txt"),
        ("'@' in item.get('email')", "email", "{}@{}"),
        ("methods.split(',')", "methods", "{},{}"),
        ("urlsplit(url)", "url", "https://{}.example.com/a"),
        ("int(answer['id'])", "id", "#"),
    ],
)
def test_a_name_has_the_shape_that_is_asked_of_it(body: str, name: str, shape: str) -> None:
    tree = ast.parse(f"SAFE = ('https://', '#')\ndef f(self, path, url, table, item, methods): {body}\n")
    assert shape in shapes_of(tree)[name]


def test_a_shape_goes_on_to_what_the_value_comes_from() -> None:
    tree = ast.parse("def f(backend, known):\n    url = known.get(backend, backend)\n    urlsplit(url)\n")
    assert shapes_of(tree).keys() == {"url", "known", "backend"}


def test_a_key_that_is_looked_for_is_no_part_of_a_text() -> None:
    assert shapes_of(ast.parse("def f(table): return 'size' in table")) == {}
