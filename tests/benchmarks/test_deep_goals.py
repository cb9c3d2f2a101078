"""Each line marked `# goal` in benchmarks/classes/deep is reached by calls that are written down here."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

DEEP = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "classes" / "deep"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"deep_{name}", DEEP / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _bank(m: Any) -> None:
    bank, ann, bob = m.Bank(), m.Account("Ann", 100), m.Account("Bob")
    for account in (ann, bob):
        bank.open(account)
    ann.deposit(1001)
    bank.transfer(ann, bob, 1)
    bank.transfer(ann, bob, 1000)
    bank.transfer(bob, ann, 1)
    ann.withdraw(50)
    ann.freeze()
    bank.open(ann)


def _char_parser(m: Any) -> None:
    parser = m.PairParser()
    for char in 'a="b";c=d;':
        parser.feed(char)
    parser.close()
    for char in "a=;":
        parser.feed(char)


def _connection(m: Any) -> None:
    connection = m.Connection("host")
    connection.open()
    connection.authenticate("ab", "ba")
    for message in ("PING", "hello", "left"):
        connection.send(message)
    connection.receive()
    connection.receive()
    connection.close()


def _counter(m: Any) -> None:
    counter = m.Counter()
    for _ in range(50):
        counter.increment()
    counter.is_jubilee()


def _elevator(m: Any) -> None:
    elevator = m.Elevator()
    for floor, steps in ((1, 2), (0, 3), (6, 8)):
        elevator.call(floor)
        for _ in range(steps):
            elevator.step()
    elevator.enjoy_view()


def _event_bus(m: Any) -> None:
    bus, every, some = m.EventBus(), m.Everything(), m.Prefixed("a")
    bus.subscribe(every)
    bus.subscribe(some)
    bus.publish("abc")
    bus.unsubscribe(every)
    bus.publish("x")
    bus.subscribe(some)


def _lock(m: Any) -> None:
    lock = m.CombinationLock()
    for digit in (7, 3, 9, 1, 4, 8):
        lock.press(digit)
    lock.pull()


def _lru_cache(m: Any) -> None:
    cache = m.LRUCache(2)
    for key in ("a", "b", "b", "c"):
        cache.put(key, 1)
    cache.get("c")
    cache.was_evicted("a")


def _matrix_builder(m: Any) -> None:
    builder = m.MatrixBuilder(2)
    with builder:
        builder.row([6, 0])
        builder.row([0, 6])
    builder.trace()
    with builder:
        pass


def _order(m: Any) -> None:
    for days in (1, 15):
        for prices in ((60, 60), (60,)):
            order = m.Order()
            for number, price in enumerate(prices):
                order.add(str(number), price)
            order.pay(200)
            order.ship()
            order.wait(days)
            with contextlib.suppress(RuntimeError):
                order.send_back()


def _peekable(m: Any) -> None:
    items = m.Peekable([1, 2])
    items.peek()
    items.push_back(next(items))
    items.skip(1)


def _priority_queue(m: Any) -> None:
    queue, early, late = m.TaskQueue(), m.Task(1, "early"), m.Task(2, "late")
    for task in (late, early):
        queue.submit(task)
        queue.start() if task is late else None
    queue.finish(late)
    queue.finish(queue.start())
    queue.submit(late)
    queue.start()
    queue.start()


def _ring_buffer(m: Any) -> None:
    buffer = m.RingBuffer()
    for item in range(5):
        buffer.put(item)
    buffer.get()
    buffer.wrapped()
    for _ in range(3):
        buffer.get()


def _session(m: Any) -> None:
    store = m.SessionStore()
    store.register("ann", "secret")
    token = store.login("ann", "secret")
    store.whoami(token)
    store.logout(token)
    store.register("ann", "secret")


def _undo_stack(m: Any) -> None:
    editor = m.Editor()
    for amount in (40, 1, 1):
        editor.add(amount)
    editor.summary()
    editor.undo()
    editor.undo()
    editor.summary()
    editor.redo()
    for amount in range(1, 9):
        editor.add(amount)


def _vending_machine(m: Any) -> None:
    machine = m.VendingMachine(3)
    for _ in range(3):
        machine.insert(200)
        machine.vend()
        machine.change()
    for _ in range(4):
        machine.insert(200)
    machine.service(4711)
    machine.refill(1)


MODULES = {file.stem for file in DEEP.glob("*.py")}
WITNESSES: dict[str, Callable[[Any], None]] = {
    name[1:]: function for name, function in list(globals().items()) if name[1:] in MODULES
}


@pytest.mark.parametrize("file", sorted(DEEP.glob("*.py")), ids=lambda file: file.stem)
def test_each_goal_is_reached(file):
    module = _load(file.stem)
    executed = set()

    def trace(frame: FrameType, _event: str, _argument: object) -> Any:
        if frame.f_code.co_filename != str(file):
            return None
        executed.add(frame.f_lineno)
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        with contextlib.suppress(ValueError, KeyError, RuntimeError):
            WITNESSES[file.stem](module)
    finally:
        sys.settrace(previous)
    lines = file.read_text(encoding="utf-8").splitlines()
    goals = {number for number, line in enumerate(lines, 1) if line.endswith("# goal")}
    assert goals
    assert goals <= executed
