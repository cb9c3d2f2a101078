from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.config.schema import Config, checked
from tracetwin.model.options import MockStyle
from tracetwin.support.errors import ConfigError

FILE = Path("/shop/pyproject.toml")


def test_every_key_is_read():
    config = checked(
        {
            "allow": ["shop.cart:Cart.*"],
            "forbid": ["shop.cart:Cart.drop_*"],
            "factories": {"shop.db.Conn": "tests.make:conn", "shop.db:Pool": "tests.make:Make.pool"},
            "assume": [{"target": "shop.cart:Cart.add", "condition": " price > 0 "}],
            "private": True,
            "max-length": 60,
            "time-limit": 10,
            "max-runs": 500,
            "seed": -3,
            "jobs": 2,
            "style": "pytest",
            "mock": "class",
            "criterion": "branch",
            "output": "tests/generated",
            "learn-from": "pytest -q",
            "learn-limit": 60,
        },
        FILE,
    )
    assert ("shop.cart:Cart.*",) == config.allow
    assert ("shop.cart:Cart.drop_*",) == config.forbid
    assert (("shop.db.Conn", "tests.make:conn"), ("shop.db.Pool", "tests.make:Make.pool")) == config.factories
    assert [("shop.cart:Cart.add", "price > 0")] == [(item.target, item.condition) for item in config.assume]
    assert {
        "private": True,
        "max_length": 60,
        "time_limit": 10.0,
        "max_runs": 500,
        "seed": -3,
        "jobs": 2,
        "style": "pytest",
        "mock": MockStyle.CLASS,
        "criterion": "branch",
        "output": "tests/generated",
        "learn_from": "pytest -q",
        "learn_limit": 60.0,
    } == config.options
    assert not config.is_empty


def test_an_empty_table_changes_nothing():
    config = checked({}, FILE)
    assert config.is_empty
    assert Config(FILE) == config


@pytest.mark.parametrize(
    ("table", "key", "said"),
    [
        (5, "tool.tracetwin", "is not a table"),
        ({"max_length": 5}, "max_length", "did you mean max-length?"),
        ({"forbidden": ["a:b"]}, "forbidden", "did you mean forbid?"),
        ({"Allow": ["a:b"]}, "Allow", "did you mean allow?"),
        ({"zzz": 1}, "zzz", "there are allow, assume, criterion"),
        ({"allow": "shop:Cart"}, "allow", "must be a list of patterns"),
        ({"allow": [3]}, "allow", "must be a list of patterns"),
        ({"allow": []}, "allow", "is empty; leave it out"),
        ({"forbid": ["shop.cart.Cart.add"]}, "forbid", "'shop.cart.Cart.add' is not of the form module:name"),
        ({"forbid": ["shop:"]}, "forbid", "not of the form module:name"),
        ({"forbid": ["a:b:c"]}, "forbid", "not of the form module:name"),
        ({"factories": ["a"]}, "factories", "must be a table"),
        ({"factories": {"shop.Conn": 3}}, "factories", "'shop.Conn' must be given a callable as module:name"),
        ({"factories": {"shop.Conn": "make.conn"}}, "factories", "must be given a callable as module:name"),
        (
            {"factories": {"Conn": "make:conn"}},
            "factories",
            "'Conn' is not the name of a type with its module",
        ),
        ({"assume": {"target": "a:b"}}, "assume", "[[tool.tracetwin.assume]]"),
        ({"assume": [{"target": "a:b"}]}, "assume", "entry 1 has no text as condition"),
        ({"assume": [{"target": "a:b", "condition": ""}]}, "assume", "entry 1 has no text as condition"),
        ({"assume": [{"target": "a:b", "conditions": "x"}]}, "assume", "did you mean condition?"),
        ({"assume": [{"target": "a.b", "condition": "x"}]}, "assume", "target 'a.b' is not of the form"),
        ({"private": 1}, "private", "must be true or false, not 1"),
        ({"private": "yes"}, "private", "must be true or false, not 'yes'"),
        ({"max-length": 0}, "max-length", "must be a whole number from 1 up, not 0"),
        ({"max-length": True}, "max-length", "must be a whole number from 1 up, not true"),
        ({"seed": 1.5}, "seed", "must be a whole number, not 1.5"),
        ({"jobs": [1]}, "jobs", "must be a whole number from 1 up, not a list"),
        ({"time-limit": 0}, "time-limit", "must be a number of seconds above 0"),
        ({"time-limit": float("nan")}, "time-limit", "must be a number of seconds above 0"),
        ({"style": "nose"}, "style", "must be one of 'unittest', 'pytest', 'pytest-functions', not 'nose'"),
        ({"learn-from": ["pytest"]}, "learn-from", 'must be a command, such as "pytest -q", not a list'),
        ({"learn-from": " "}, "learn-from", "must be a command"),
        ({"learn-limit": 0}, "learn-limit", "must be a number of seconds above 0"),
        ({"output": 3}, "output", "must be the path of a folder, not 3"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(table, key, said):
    with pytest.raises(ConfigError) as caught:
        checked(table, FILE)
    message = str(caught.value)
    assert message.startswith(f"{FILE}: {key}: ")
    assert said in message
    assert "\n" not in message
