"""What reads give, and what is assumed of it."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest

from runtime import trace
from runtime.inputs import UnfitInput
from runtime.values import plain
from tests.drawing.environment.support import Reads
from tracetwin.drawing.environment.clock import MOMENT
from tracetwin.drawing.environment.sources import NOTHING, SOURCES, reads
from tracetwin.model.patch import PatchedCall, Way
from tracetwin.model.recipe import Call, Reference, Scalar, list_of
from tracetwin.model.recipes import evaluate


def test_a_clock_shows_a_fixed_moment_until_the_input_says_otherwise() -> None:
    assert (MOMENT, Scalar(float(MOMENT))) == Reads()("time.time")
    assert 5.5 == Reads(given={"time.time()": 5.5})("time.time")[0]


def test_a_clock_never_goes_backwards() -> None:
    read = Reads(given={"time.time()": 5.0, "time.time(2)": 4.0})
    read("time.time")
    with pytest.raises(UnfitInput):
        read("time.time")


def test_a_clock_stands_still_between_two_reads_but_for_what_was_slept() -> None:
    read = Reads()
    first, _ = read("time.monotonic")
    assert (None, NOTHING) == read("time.sleep", 2.5)
    assert plain(first) + 2.5 == plain(read("time.monotonic")[0])


def test_what_an_input_lets_sleep_is_not_negative() -> None:
    read = Reads(given={"delay": -1})
    with pytest.raises(UnfitInput):
        read("time.sleep", read.inputs.integer("delay"))


def test_a_clock_that_is_read_again_and_again_runs() -> None:
    read = Reads()
    shown = [plain(read("time.time_ns")[0]) for _ in range(12)]
    assert shown == sorted(shown)
    assert shown[-1] - shown[0] > 100 * 10**9


def test_a_random_integer_is_within_its_bounds() -> None:
    with pytest.raises(UnfitInput):
        Reads(given={"random.randint()": 7})("random.randint", 1, 6)
    assert (1, Scalar(1)) == Reads()("random.randint", 1, 6)


def test_random_bounds_may_be_inputs() -> None:
    read = Reads(given={"random.randint()": 3, "sides": 2})
    with pytest.raises(UnfitInput):
        read("random.randint", 1, read.inputs.integer("sides"))


@pytest.mark.parametrize(
    ("title", "args"),
    [
        ("random.randint", (2, 1)),
        ("random.choice", ([],)),
        ("random.choice", ({1},)),
        ("random.sample", ([1], 2)),
    ],
)
def test_what_would_raise_is_left_to_the_function_itself(title: str, args: tuple[Any, ...]) -> None:
    assert not Reads().is_drawn(title, *args)


def test_a_choice_is_a_place_in_the_sequence() -> None:
    assert ("b", Scalar("b")) == Reads(given={"random.choice()#": 1})("random.choice", ["a", "b"])


def test_of_what_can_not_be_written_down_the_place_is_kept() -> None:
    things = [object(), object()]
    read = Reads(given={"random.choice()#": 1})
    assert [(things[1], PatchedCall(Way.PICK, Scalar(1)))] * 2 == [
        read("random.choice", things) for _ in range(2)
    ]
    assert not read.is_drawn("random.choice", things[:1])


def test_a_sample_has_no_repetitions() -> None:
    value, recipe = Reads(given={"random.sample()#": 2})("random.sample", [1, 2, 3], 2)
    assert [3, 1] == value == evaluate(recipe)


def test_tokens_differ_from_one_another() -> None:
    read = Reads()
    for title in ("secrets.token_hex", "secrets.token_urlsafe", "secrets.token_bytes", "os.urandom"):
        first, second = (read(title, 4)[0] for _ in range(2))
        assert first != second
        assert len(first) == len(second)
    assert len({read("uuid.uuid4")[0] for _ in range(3)}) == 3


def test_an_identifier_is_written_as_a_call() -> None:
    value, recipe = Reads()("uuid.uuid4")
    assert isinstance(value, uuid.UUID)
    assert value == evaluate(recipe)


def test_the_moment_is_written_with_its_time_zone() -> None:
    utc = dt.timezone.utc
    value, recipe = Reads()("datetime.datetime.now", dt.datetime, utc)
    assert dt.datetime(2024, 1, 1, 12, tzinfo=utc) == value == evaluate(recipe)


def test_a_second_look_at_the_calendar_is_not_earlier() -> None:
    read = Reads(given={"datetime.datetime.now(2)-": 90})
    first, second = (read("datetime.datetime.now", dt.datetime)[0] for _ in range(2))
    assert dt.timedelta(seconds=90) == second - first


def test_a_day_that_does_not_exist_is_no_input() -> None:
    with pytest.raises(UnfitInput):
        Reads(given={"datetime.date.today().month": 2, "datetime.date.today().day": 30})(
            "datetime.date.today", dt.date
        )


def test_the_moment_by_its_parts_has_a_day_of_the_week() -> None:
    value, recipe = Reads(given={"time.localtime().day": 3})("time.localtime")
    assert (2024, 1, 3, 2, 3) == (*value[:3], value.tm_wday, value.tm_yday)
    assert value == evaluate(recipe)
    with pytest.raises(UnfitInput):
        Reads(given={"time.gmtime().month": 2, "time.gmtime().day": 30})("time.gmtime")
    assert not Reads().is_drawn("time.localtime", 5.0)


def test_a_text_of_the_moment_is_that_of_a_fixed_one() -> None:
    assert "2024-01-01 12" == Reads()("time.strftime", "%Y-%m-%d %H")[0]
    assert "Mon Jan  1 12:00:00 2024" == Reads()("time.ctime")[0]


def test_subclasses_of_dates_are_left_alone() -> None:
    class Mine(dt.datetime):
        pass

    assert not Reads().is_drawn("datetime.datetime.now", Mine)


def test_a_file_holds_one_text_for_all_who_open_it() -> None:
    read = Reads(given={"open().read()": "abc"})
    first, second = (read("open", "a.txt")[0] for _ in range(2))
    assert ["ab", "c", ""] == [first.read(2), first.read(), first.read()]
    assert "abc" == second.read()
    assert read.environment.inputs.variables.keys() >= {"open().read()"}


def test_a_file_that_is_read_by_line_has_lines() -> None:
    read = Reads(given={"open()#": 2, "open()[0]": "a", "open()[1]": "b"})
    file, patching = read("open", "a.txt")
    assert ["a\n", "b\n"] == list(file)
    assert PatchedCall(Way.FILE, Scalar("a\nb\n")) == patching()


def test_a_line_has_no_end_within() -> None:
    file, _ = Reads(given={"open()[0]": "a\nb"})("open", "a.txt")
    with pytest.raises(UnfitInput):
        file.readline()


def test_bytes_are_read_where_the_mode_says_so() -> None:
    file, _ = Reads(given={"open().read()": b"\x00"})("open", "a.txt", "rb")
    assert b"\x00" == file.read()


def test_what_is_written_is_no_input() -> None:
    read = Reads()
    file, recipe = read("open", "a.txt", "w")
    assert (None, PatchedCall(Way.SINK, Scalar(""))) == (file.write("a"), recipe)
    assert (3, Scalar(3)) == read("pathlib.Path.write_text", "a.txt", "abc")
    assert {} == dict(read.inputs.variables)


def test_a_file_that_is_not_there_can_not_be_opened() -> None:
    read = Reads(given={"os.path.exists()": False})
    assert not read("os.path.exists", "a.txt")[0]
    assert (FileNotFoundError, Reference("builtins", "FileNotFoundError")) == read("open", "a.txt")


@pytest.mark.parametrize(
    ("handled", "raised"),
    [
        (FileNotFoundError, FileNotFoundError),
        (OSError, OSError),
        (Exception, FileNotFoundError),
        (PermissionError, PermissionError),
    ],
)
def test_a_file_fails_as_the_program_expects(handled: type[Exception], raised: type[Exception]) -> None:
    assert raised is Reads(given={"open()!": 1})("open", "a.txt", handled=[handled])[0]


def test_a_file_does_not_fail_where_nobody_expects_it() -> None:
    read = Reads(given={"open()!": 1})
    assert "" == read("open", "a.txt", handled=[ValueError])[0].read()


def test_a_failure_counts_as_a_decision() -> None:
    Reads(given={"input()!": 1})("input", handled=[EOFError])
    assert [1] == [outcome for _, _, outcome, kind in trace.current.path if kind == trace.Kind.HINT]


@pytest.mark.parametrize("options", [{"text": True}, {"encoding": "utf-8"}, {"universal_newlines": True}])
def test_a_program_writes_text_where_it_is_asked_for(options: dict[str, Any]) -> None:
    done, recipe = Reads()("subprocess.run", ["a"], capture_output=True, **options)
    assert ("", "") == (done.stdout, done.stderr)
    assert "" == evaluate(recipe).stdout


def test_a_program_writes_bytes_else() -> None:
    done, _ = Reads(given={"subprocess.run().stdout": b"a"})("subprocess.run", ["a"], capture_output=True)
    assert b"a" == done.stdout


def test_streams_that_are_not_caught_are_not_there() -> None:
    done, recipe = Reads()("subprocess.run", ["a"])
    assert (None, 0) == (done.stdout, done.returncode)
    assert Call("subprocess", "CompletedProcess", (list_of(), Scalar(0))) == recipe


def test_a_program_that_fails_raises_where_that_is_checked() -> None:
    error, recipe = Reads(given={"subprocess.run().returncode": 3})("subprocess.run", ["a"], check=True)
    assert "CalledProcessError" == error.__name__ == type(evaluate(recipe)).__name__


def test_two_readers_of_one_function_are_a_mistake() -> None:
    with pytest.raises(TypeError, match=r"time\.time is read twice"):
        reads("time", "time:time")(lambda reading: (0, Scalar(0)))


def test_a_compressed_file_holds_bytes_unless_text_is_asked_for() -> None:
    file, patching = Reads(given={"gzip.open().read()": b"x"})("gzip.open", "a.gz")
    assert b"x" == plain(file.read())
    assert PatchedCall(Way.FILE, Scalar(b"x")) == patching()
    assert "y" == plain(Reads(given={"gzip.open().read()": "y"})("gzip.open", "a.gz", "rt")[0].read())


def test_every_source_exists() -> None:
    for source in SOURCES.values():
        found: Any = __import__(source.module, fromlist=["*"])
        for part in source.name.split("."):
            if not hasattr(found, part):
                assert (source.module, part) in [("os", "getlogin"), ("random", "randbytes")], source
            found = getattr(found, part, None)


@pytest.mark.parametrize("name", ["", "A=B", "A\0"])
def test_a_variable_that_no_environment_can_have_is_not_there(name: str) -> None:
    variables = Reads().environment.variables
    assert variables.get(name, expected=True) is None
    assert variables.get("A", expected=True) is not None
    assert variables.drawn() == {"A": "a"}
