"""What a test run of the project shows of its calls."""

from __future__ import annotations

import pytest

from tests.run.learning.conftest import PYTHON, UNITTEST, dumped

ADD = "def add(x, y=1, *rest, key=None, **more):\n    return x\n"


def test_arguments_are_recorded_with_their_shapes_and_recipes(learn, one_test):
    found, _ = learn(ADD, one_test("add(3, 'a', 2.5, key=b'k', other=[1])"))
    assert found["add"]["calls"] == [
        {
            "x": ["lit", 3],
            "y": ["lit", "a"],
            "key": ["bytes", "k"],
            "*rest": ["tuple", [["lit", 2.5]]],
            "**more": ["dict", [[["lit", "other"], ["list", [["lit", 1]]]]]],
        }
    ]
    assert found["add"]["shapes"]["x"] == ["int"]
    assert found["add"]["shapes"]["*rest"] == [["tuple", ["float"]]]
    ints = ["list", ["int"]]
    assert found["add"]["shapes"]["**more"] == [["dict", ["str"], [ints], {"other": ints}]]


def test_arguments_are_those_at_the_beginning_of_the_call(learn, one_test):
    source = "def drain(items):\n    items.clear()\n    items = None\n"
    found, _ = learn(source, one_test("drain([1, 2])"))
    assert found["drain"]["calls"] == [{"items": ["list", [["lit", 1], ["lit", 2]]]}]


def test_a_generator_is_entered_once(learn, one_test):
    source = "def count(start):\n    for start in range(start, start + 3):\n        yield start\n"
    found, _ = learn(source, one_test("list(count(5))"))
    assert found["count"]["calls"] == [{"start": ["lit", 5]}]


def test_the_shapes_that_came_most_often_stand_first(learn, one_test):
    found, _ = learn(ADD, one_test("for n in ['a', 1, 2, 3, 4]:\n    add(n)"))
    assert found["add"]["shapes"]["x"] == ["int", "str"]


def test_methods_are_recorded_with_how_their_object_was_made(learn, one_test):
    source = """
        from dataclasses import dataclass, field

        @dataclass
        class Item:
            name: str
            tags: list = field(default_factory=list)

        class Base:
            def __init__(self, owner, *, limit=10):
                self.owner = owner

        class Cart(Base):
            def __init__(self, owner, limit):
                super().__init__(owner, limit=limit)

            def put(self, item):
                return item
    """
    found, _ = learn(source, one_test("Cart('bob', 4).put(Item('apple'))"))
    assert found["Cart.put"]["calls"] == [
        {
            "self": ["call", "shop", "Cart", [["lit", "bob"], ["lit", 4]], []],
            "item": ["call", "shop", "Item", [["lit", "apple"]], []],
        }
    ]
    assert found["Cart.put"]["shapes"]["self"] == [["instance", [["shop", "Cart"], ["shop", "Base"]]]]


def test_objects_of_other_modules_of_the_project_can_be_made_again(learn, one_test):
    files = {"models.py": "class Item:\n    def __init__(self, name):\n        self.name = name\n"}
    source = "from models import Item\n\ndef put(item):\n    return item\n"
    found, _ = learn(source, one_test("put(Item('x'))"), files=files)
    assert found["put"]["calls"] == [{"item": ["call", "models", "Item", [["lit", "x"]], []]}]


def test_values_of_the_library_and_members_have_recipes(learn, one_test):
    source = """
        import enum

        class Kind(enum.Enum):
            A = 1

        def put(when, price, kind, place):
            pass
    """
    body = """
        import datetime, decimal, pathlib
        put(datetime.date(2024, 1, 2), decimal.Decimal("1.50"), Kind.A, pathlib.PurePosixPath("x"))
        put(datetime.datetime(2024, 1, 2, 3, 4, 5, 6), None, put, pathlib.Path("a/b"))
    """
    found, _ = learn(source, one_test(body))
    first, second = found["put"]["calls"]
    assert first == {
        "when": ["call", "datetime", "date", [["lit", 2024], ["lit", 1], ["lit", 2]], []],
        "price": ["call", "decimal", "Decimal", [["lit", "1.50"]], []],
        "kind": ["ref", "shop", "Kind.A"],
    }
    assert [part[1] for part in second["when"][3]] == [2024, 1, 2, 3, 4, 5, 6]
    assert second["kind"] == ["ref", "shop", "put"]
    assert second["place"] == ["call", "pathlib", "Path", [["lit", "a/b"]], []]


def test_a_mock_tells_the_class_that_it_stands_for(learn, one_test):
    source = """
        class Bus:
            def poll(self):
                return 1

        def run(bus, other):
            return bus.poll()
    """
    found, _ = learn(source, one_test("from unittest.mock import Mock\nrun(Mock(spec=Bus), Mock())"))
    assert found["run"]["shapes"] == {"bus": [["instance", [["shop", "Bus"]]]], "other": [None]}


def test_values_of_this_machine_are_not_written_down(learn, one_test):
    found, _ = learn(ADD, one_test("import tempfile\nadd(tempfile.gettempdir() + '/x', 2)"))
    assert found["add"]["calls"] == [
        {"y": ["lit", 2], "key": ["lit", None], "*rest": ["tuple", []], "**more": ["dict", []]}
    ]


def test_no_code_of_the_program_is_called_to_describe_its_values(learn, one_test):
    source = """
        calls = []

        class Meta(type):
            def __hash__(cls):
                calls.append("hash")
                return 1

            def __eq__(cls, other):
                calls.append("eq")
                return False

            def __getattribute__(cls, name):
                if name not in ("__bases__", "__class__"):
                    calls.append(name)
                return type.__getattribute__(cls, name)

        class Odd(metaclass=Meta):
            def __getattribute__(self, name):
                calls.append(name)
                return object.__getattribute__(self, name)

            __iter__ = __len__ = __bool__ = __repr__ = lambda *args: calls.append("special")
            __eq__ = __hash__ = __len__

        def put(odd, kind):
            return None
    """
    body = "odd = Odd()\nshop.calls.clear()\nput(odd, Odd)\nself.assertEqual([], shop.calls)"
    found, told = learn(source, one_test(body))
    assert len(found["put"]["shapes"]) == 2
    assert not any("exit status" in sentence for sentence in told)


def test_long_and_deep_values_have_a_shape_only(learn, one_test):
    body = """
        add(list(range(5000)))
        deep = []
        for _ in range(50):
            deep = [deep]
        add(deep)
        add("x" * 5000, 1 << 5000)
    """
    found, _ = learn(ADD, one_test(body))
    assert all("x" not in call for call in found["add"]["calls"])
    assert ["list", ["int"]] in found["add"]["shapes"]["x"]


def test_objects_that_hold_each_other_end(learn, one_test):
    source = """
        class Node:
            def __init__(self, next):
                self.next = next

        def walk(node):
            pass
    """
    body = "node = None\nfor _ in range(2000):\n    node = Node(node)\nwalk(node)\nwalk(Node(Node(None)))"
    found, _ = learn(source, one_test(body))
    inner = ["call", "shop", "Node", [["lit", None]], []]
    assert found["walk"]["calls"] == [{}, {"node": ["call", "shop", "Node", [inner], []]}]


def test_deep_recursion_of_the_program_stays_as_it_is(learn, one_test):
    source = "def down(n):\n    return down(n + 1)\n"
    found, told = learn(source, one_test("with self.assertRaises(RecursionError):\n    down(0)"))
    assert "down" in found
    assert not any("exit status" in sentence for sentence in told)


def test_child_processes_threads_and_abrupt_ends_are_recorded(learn, one_test):
    body = """
        import os, subprocess, sys, threading
        subprocess.run([sys.executable, "-c", "import shop; shop.add('child')"], check=True)
        thread = threading.Thread(target=add, args=("thread",))
        thread.start()
        thread.join()
        if (pid := os.fork()) == 0:
            add("fork")
            os._exit(0)
        os.waitpid(pid, 0)
    """
    found, _ = learn(ADD, one_test(body))
    assert {call["x"][1] for call in found["add"]["calls"]} == {"child", "thread", "fork"}


@pytest.mark.slow
def test_the_recording_does_not_depend_on_the_order_of_processes(learn, one_test):
    body = """
        import subprocess, sys
        for name in "bca":
            subprocess.run([sys.executable, "-c", f"import shop; shop.add('{name}')"], check=True)
    """
    first, _ = learn(ADD, one_test(body))
    second, _ = learn(ADD, one_test(body.replace("bca", "cab")))
    assert dumped(first) == dumped(second)


def test_another_sitecustomize_is_imported_as_before(learn, one_test, monkeypatch, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import sys\nsys.was_customized = __file__\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    body = """
        import sys, sitecustomize
        self.assertEqual(sys.was_customized, sitecustomize.__file__)
        self.assertNotIn("learning", "".join(sys.path))
        self.assertFalse([name for name in sys.modules if "tracetwin" in name])
        add(1)
    """
    found, told = learn(ADD, one_test(body))
    assert "add" in found
    assert not any("exit status" in sentence for sentence in told)


def test_what_a_test_replaces_does_not_reach_the_recorder(learn, one_test):
    body = """
        import builtins, json, os
        from unittest import mock
        with mock.patch("os.open", None), mock.patch("os.write", None), mock.patch("json.dumps", None), \\
                mock.patch("builtins.open", None), mock.patch("os.getpid", None):
            add(7)
    """
    found, _ = learn(ADD, one_test(body))
    assert found["add"]["calls"][0]["x"] == ["lit", 7]


def test_a_script_that_is_run_by_its_path_is_the_same_module(learn):
    source = ADD + "if __name__ == '__main__':\n    add(4)\n"
    found, _ = learn(source, "", f"{PYTHON} shop.py")
    assert found["add"]["calls"][0]["x"] == ["lit", 4]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_pytest_is_recorded_with_and_without_worker_processes(learn, workers):
    tests = """
        import pytest
        import shop

        @pytest.mark.parametrize("x", range(6))
        def test_add(x):
            shop.add(x)
    """
    command = f"{PYTHON} -m pytest -q -p no:cacheprovider -p xdist -n {workers}"
    found, told = learn(ADD, tests, command, files={"conftest.py": ""})
    assert sorted(call["x"][1] for call in found["add"]["calls"]) == list(range(6))
    assert told == [told[0], told[1]]


def test_functions_within_functions_and_lambdas_are_left_out(learn, one_test):
    source = "def outer():\n    def inner(x):\n        return x\n    return inner(1)\n\nf = lambda x: x\n"
    found, _ = learn(source, one_test("outer()\nf(2)"), UNITTEST)
    assert list(found) == ["outer"]
