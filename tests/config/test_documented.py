"""The examples of "Guide the generator": read from the page, checked and run on a project that fits them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.command import run, run_suite
from tests.target.layout import lay_out
from tracetwin.config import read
from tracetwin.config.rules import with_rules
from tracetwin.config.schema import OPTIONS, RULES
from tracetwin.support.errors import ConfigError
from tracetwin.target.selection import resolve_all

ROOT = Path(__file__).parents[2]
HOW_TO = (ROOT / "docs" / "how-to.md").read_text(encoding="utf-8")
SECTION = HOW_TO.partition("## Guide the generator\n")[2].partition("\n## ")[0]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")

CART = """
class Cart:
    def add(self, price: int, quantity: int) -> int:
        return price * quantity

    def drop_table(self) -> None: ...
"""

ACCOUNT = """
class Account:
    def __init__(self, owner: str) -> None:
        self.owner, self.balance = owner, 10

    def withdraw(self, amount: int) -> int:
        return self.balance - amount
"""

DB = """
import io


def open_handle(place: str) -> io.StringIO:
    return io.StringIO(place)


class Conn:
    def __init__(self, handle) -> None:
        handle.seek(1)
        self.rows = 0

    def big(self) -> bool:
        if self.rows == 77:
            return True
        return False
"""

SHOP = {
    "shop/__init__.py": "",
    "shop/mail.py": "def send(to: str) -> None: ...\n",
    "shop/cart.py": CART,
    "shop/account.py": ACCOUNT,
    "shop/db.py": DB,
    "tests/__init__.py": "",
}


def blocks(language: str) -> list[str]:
    found = re.findall(rf"(?ms)^```{language}\n(.*?)^```", SECTION)
    assert found, f"there is no {language} in the section"
    return found


@pytest.fixture
def project(tmp_path, monkeypatch):
    (factories,) = blocks("py")
    lay_out(tmp_path, {**SHOP, "tests/factories.py": factories, "pyproject.toml": blocks("toml")[0]})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_tables_are_understood(project, text):
    (project / "pyproject.toml").write_text(text, encoding="utf-8")
    config = read.found([project])
    assert not config.is_empty
    assert with_rules(resolve_all(["shop"]).modules, config)


def test_the_error_is_the_one_that_is_shown(project):
    table = '[tool.tracetwin]\nforbid = ["shop.cart:Cart.dorp_*"]\n'
    (project / "pyproject.toml").write_text(table, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        with_rules(resolve_all(["shop/cart.py"]).modules, read.found([project]))
    assert str(caught.value).replace(str(project), "/home/me") in SECTION


@pytest.mark.slow
def test_the_factory_is_what_the_tests_call(project):
    done = run("generate", "shop/db.py:Conn.big", "-o", "out", "--max-runs", "60", "-j1", cwd=project)
    assert 0 == done.returncode, done.stderr
    text = (project / "out" / "test_shop_db.py").read_text(encoding="utf-8")
    assert "conn(77)" in text
    assert "from tests.factories import conn" in text
    passed = run_suite(project / "out", project)
    assert 0 == passed.returncode, passed.stderr


def test_every_key_is_in_the_reference():
    for key in (*RULES, *OPTIONS):
        assert f"`{key}`" in REFERENCE.partition("### The configuration")[2].partition("\n## ")[0], key
