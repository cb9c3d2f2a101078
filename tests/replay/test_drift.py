"""Two processes differ in all that a stable result may not depend on, and each is the same every time."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from dataclasses import fields, replace
from typing import Any

import pytest

from tests.e2e.command import environment as around
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import (
    ELSEWHERE,
    FURTHER,
    HERE,
    SECOND_ELSEWHERE,
    SECOND_HERE,
    Conditions,
    one_by_one,
)

ALL = (HERE, ELSEWHERE, SECOND_HERE, SECOND_ELSEWHERE, *FURTHER)


def told(conditions: Conditions, script: str) -> Any:
    """What a script prints as JSON in a process under those conditions."""
    text = (
        "import json, sys\nfrom tracetwin.replay.conditions import perturbations as drift\n"
        "from tracetwin.replay.conditions.conditions import Conditions\n"
        "drift.apply(Conditions.from_plain(json.loads(sys.argv[1])))\n" + script
    )
    done = subprocess.run(
        [sys.executable, "-c", text, json.dumps(conditions.to_plain())],
        env={**around(), **drift.variables(conditions, {}, [])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_conditions_survive_as_plain_data() -> None:
    for conditions in ALL:
        assert Conditions.from_plain(json.loads(json.dumps(conditions.to_plain()))) == conditions


def test_two_replays_have_nothing_in_common() -> None:
    names = [field.name for field in fields(Conditions)]
    same = [name for name in names if getattr(HERE, name) == getattr(ELSEWHERE, name)]
    assert same == ["held"]


def test_no_two_runs_have_the_same_hash_seed_or_moment() -> None:
    assert len({one.hash_seed for one in ALL}) == len(ALL)
    assert len({one.moment for one in ALL}) == len(ALL)


DATE = """
import datetime, time
now = datetime.datetime.now()
print(json.dumps([list(now.timetuple())[:6], now.weekday(), now.hour < 12, now.weekday() >= 5]))
"""


def test_no_part_of_the_local_date_is_the_same_in_both_replays() -> None:
    (one, *rest), (other, *others) = told(HERE, DATE), told(ELSEWHERE, DATE)
    assert all(here != there for here, there in zip(one, other, strict=True)), (one, other)
    assert all(here != there for here, there in zip(rest, others, strict=True)), (rest, others)


def test_one_thing_at_a_time_is_changed() -> None:
    for _, conditions in one_by_one(HERE, ELSEWHERE):
        changed = [f.name for f in fields(Conditions) if getattr(conditions, f.name) != getattr(HERE, f.name)]
        assert 1 <= len(changed) <= 3, changed
    assert one_by_one(HERE, HERE)[2:] == []


CLOCKS = """
import datetime, time
clocks = [
    lambda: time.time(), lambda: time.time_ns() / 1e9, lambda: time.clock_gettime(time.CLOCK_REALTIME),
    lambda: time.mktime(time.localtime()), lambda: datetime.datetime.now().timestamp(),
    lambda: datetime.datetime.now(datetime.timezone.utc).timestamp(),
    lambda: datetime.datetime.utcnow().replace(tzinfo=datetime.timezone.utc).timestamp(),
    lambda: datetime.datetime.today().timestamp(),
]
def all_of_them():
    drift.start()
    return [clock() for clock in clocks]
try:
    datetime.datetime.now(1, 2)
except TypeError as error:
    said = str(error)
uptime = [time.monotonic(), time.perf_counter(), time.clock_gettime(time.CLOCK_MONOTONIC)]
print(json.dumps([all_of_them(), datetime.date.today().isoformat(), said, uptime]))
"""


@pytest.mark.parametrize("conditions", [HERE, ELSEWHERE])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_all_clocks_show_the_same_moment(conditions: Conditions) -> None:
    shown, today, said, uptime = told(conditions, CLOCKS)
    assert all(0 <= moment - conditions.moment < 2 for moment in map(int, shown)), shown
    assert today == told(conditions, "import time; print(json.dumps(time.strftime('%Y-%m-%d')))")
    with pytest.raises(TypeError) as caught:
        dt.datetime.now(1, 2)  # type: ignore[call-arg, arg-type]
    assert said == str(caught.value)
    assert all(conditions.uptime <= seconds < conditions.uptime + 60 for seconds in uptime), uptime


def test_a_held_clock_advances_only_when_it_is_looked_at() -> None:
    script = "import time\nprint(json.dumps([time.time_ns() - time.time_ns() for _ in range(3)]))"
    assert told(replace(HERE, held=True), script) == [-1_000_000] * 3


DRAWN = """
import os, random, secrets, uuid
def drawn():
    drift.start()
    return [
        random.random(), random.Random().random(), random.SystemRandom().random(), random.choice("ab"),
        secrets.token_hex(8), str(uuid.uuid4()), os.urandom(40).hex(), random.Random(7).random(),
    ]
print(json.dumps([drawn(), drawn()]))
"""


def test_random_numbers_are_the_same_each_time_and_differ_in_both_replays() -> None:
    (low, low_again), (high, high_again) = told(HERE, DRAWN), told(ELSEWHERE, DRAWN)
    assert low == low_again == told(HERE, DRAWN)[0]
    assert high == high_again
    assert all(0 < number < 0.001 for number in low[:3]), low
    assert all(0.999 < number < 1 for number in high[:3]), high
    assert all(one != other for one, other in zip(low[:-1], high[:-1], strict=True))
    assert low[-1] == high[-1]  # who gives a seed gets what it stands for


def test_generators_go_on_normally_after_extremes() -> None:
    numbers = "[random.gauss(0, 1) + random.randint(1, 6) for _ in range(2000)]"
    script = f"import random\nprint(json.dumps({numbers}))"
    for conditions in (HERE, ELSEWHERE):
        drawn = told(conditions, script)
        assert 3.2 < sum(drawn) / len(drawn) < 3.8


def test_another_machine_and_another_number_of_the_process() -> None:
    script = """
import os, platform, socket
print(json.dumps([os.getpid(), os.cpu_count(), platform.node(), socket.gethostname()]))
"""
    assert told(ELSEWHERE, script)[1:] == [3, "elsewhere", "elsewhere"]
    assert told(ELSEWHERE, script)[0] != told(HERE, script)[0]


def test_texts_are_ascii_elsewhere_unless_a_path_is_not() -> None:
    assert drift.variables(ELSEWHERE, {}, ["/a"])["LC_ALL"] == "C"
    assert drift.variables(ELSEWHERE, {}, ["/ä"])["LC_ALL"] == "C.UTF-8"
    script = "import locale\nprint(json.dumps(locale.getpreferredencoding(False).lower()))"
    assert told(HERE, script) == "utf-8"
    assert "ascii" in told(ELSEWHERE, script) or "ansi" in told(ELSEWHERE, script)
