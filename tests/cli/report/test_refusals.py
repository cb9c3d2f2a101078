from __future__ import annotations

from tests.cli.report.samples import module
from tracetwin.cli.report.table import render
from tracetwin.explore.loop.budget import RefusalCounts
from tracetwin.explore.loop.run import PREPARING
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.refusals import (
    MOST_NAMES,
    Refusal,
    detail_lines,
    of_functions,
    of_import,
    refusal_lines,
)


def invokable(qualname: str, kind: str = "function", owner: str = "") -> Invokable:
    return Invokable(qualname, kind, owner, 1, 2, typed=True, problem="")


def refused(*acts: tuple[str, str, str]) -> RefusalCounts:
    found = RefusalCounts()
    found.note(acts)
    return found


def test_functions_that_tried_the_same_are_told_in_one_sentence():
    tried = [Refusal(name, "os.remove", "/x") for name in ("clean_up", "Cart.purge", "wipe")]
    assert list(refusal_lines(tried)) == [
        "3 functions tried to delete files: clean_up, Cart.purge and wipe (refused; --allow write:PATH)"
    ]


def test_each_act_has_its_own_sentence_and_option():
    tried = [
        Refusal("", "socket.connect", "socket"), Refusal("run", "subprocess.Popen", "ls"),
        Refusal("peep", "open.read", "/etc/passwd"), Refusal("stop", "os.kill", "1"),
        Refusal("Conn.query", "socket.connect", "socket", making=True),
    ]  # fmt: skip
    assert list(refusal_lines(tried)) == [
        "importing it tried to use the network (refused; --allow net)",
        "what is called before Conn.query tried to use the network (refused; --allow net)",
        "run tried to start programs (refused; --allow subprocess)",
        "peep tried to read files (refused; --allow read:PATH)",
        "stop tried to send signals (refused)",
    ]


def test_of_many_functions_the_first_are_named():
    tried = [Refusal(f"f{number}", "os.remove", "/x") for number in range(MOST_NAMES + 3)]
    (line,) = refusal_lines(tried)
    assert line.startswith("9 functions tried to delete files: f0, f1, f2, f3, f4, f5 and 3 more (refused")


def test_names_and_paths_are_no_way_into_the_terminal():
    tried = [Refusal("\x1b[31mf", "os.remove", "\x1b]0;pwned\x07/x\n/y")]
    text = "\n".join([*refusal_lines(tried), *detail_lines(tried)])
    assert "\x1b" not in text
    assert "pwned" not in text
    assert "refused to f: os.remove(/x /y), in 1 run" in text


def test_the_report_shows_them_and_verbose_each_of_them():
    result = module(refusals=[Refusal("wipe", "os.remove", "/x", 3)])
    sentence = "  wipe tried to delete files (refused; --allow write:PATH)"
    detail = "  refused to wipe: os.remove(/x), in 3 runs"
    assert sentence in render([result])
    assert detail not in render([result])
    assert {sentence, detail} <= set(render([result], verbose=True))


def test_the_import_is_told_once_for_each_act():
    assert of_import([("os.remove", "/x"), ("os.remove", "/x")]) == [Refusal("", "os.remove", "/x")]


def test_a_call_before_the_target_is_blamed_on_its_own_method():
    add, purge = invokable("Cart.add", "method", "Cart"), invokable("Cart.purge", "method", "Cart")
    before, itself = refused(("os.remove", "/x", "purge")), refused(("os.remove", "/x", ""))
    found = of_functions([(add, before), (purge, itself)])
    assert found == [Refusal("Cart.purge", "os.remove", "/x", 2)]


def test_words_of_a_sequence_name_functions_and_attributes_too():
    add = invokable("Cart.add", "method", "Cart")
    found = of_functions([(add, refused(("os.remove", "", ":reset"), ("os.remove", "", "size=")))])
    assert ["reset", "Cart.size"] == [each.function for each in found]


def test_what_is_made_for_a_function_is_told_unless_somebody_else_is_to_blame():
    query, connect = invokable("query"), invokable("connect")
    needs = refused(("socket.connect", "a", PREPARING))
    assert of_functions([(query, needs)]) == [Refusal("query", "socket.connect", "a", making=True)]
    found = of_functions([(query, needs), (connect, refused(("socket.connect", "b", "")))])
    assert found == [Refusal("connect", "socket.connect", "b")]


def test_a_target_can_not_fill_the_memory_with_acts():
    found = RefusalCounts()
    for number in range(10 * RefusalCounts.MOST):
        found.note([("os.remove", f"/tmp/{number}", "")])
    assert RefusalCounts.MOST == len(found)
