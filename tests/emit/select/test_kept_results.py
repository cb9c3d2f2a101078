"""What earlier calls returned is kept where a later call may change it, and is spoken of then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.emit.support import seen
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.render.spoken_of import told_names
from tracetwin.emit.select.kept_results import givers, is_kept, keeping, with_fewer_kept
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Root, ValuePath
from tracetwin.model.recipe import NONE, Recipe, Scalar, Variable, list_of
from tracetwin.model.snapshot import Attributes, Snapshot
from tracetwin.target.selection import resolve

SOURCE = """\
class Account:
    def __init__(self):
        self.points = 0


class Program:
    def __init__(self):
        self._accounts = {}

    def enroll(self, name):
        return self._accounts.setdefault(name, Account())

    def earn(self, name, points):
        if len(self._accounts) > 1:
            points *= 2
        self._accounts[name].points += points
"""


def case(*calls: Step, target: str = "Program.earn") -> Case:
    maker = Step(Act.CALL, "given_back", "Program", bind="program")
    return Case("given_back", target, "method", (maker, *calls))


def call(name: str, *args: Recipe, bind: str | None = None) -> Step:
    return Step(Act.METHOD, "program", name, args, bind=bind)


ENROLL = call("enroll", Scalar("ada"))
EARN = call("earn", Scalar("ada"), Scalar(3))


def given(value: Snapshot, same: ValuePath | None = None) -> frozenset[str]:
    return givers([(case(ENROLL, target="Program.enroll"), replace(exhibited(seen(value=value)), same=same))])


def test_objects_of_the_package_and_containers_may_change_later() -> None:
    account = Attributes("given_back", "Account", ())
    assert {"Program.enroll"} == given(account) == given(list_of(Scalar(1)))
    assert not given(Attributes("fractions", "Fraction", ()))
    assert not given(NONE) | given(Scalar("ada"))


def test_what_a_test_knows_by_name_is_not_kept_once_more() -> None:
    assert not given(Attributes("given_back", "Program", ()), same=ValuePath(Root.VAR, "program"))


def test_each_result_before_the_call_gets_a_name_of_its_own() -> None:
    kept = keeping(case(ENROLL, ENROLL, EARN), {"Program.enroll"})
    names = [step.bind for step in kept.setup]
    assert 3 == len({*names})
    assert None not in names
    assert [False, True, True] == [is_kept(step) for step in kept.setup]
    assert EARN == kept.last
    assert kept == keeping(kept, {"Program.enroll"})
    assert case(ENROLL, EARN) == keeping(case(ENROLL, EARN), {"Program.earn"})


def test_names_that_are_not_needed_go_and_so_do_their_calls() -> None:
    kept = keeping(case(ENROLL, EARN), {"Program.enroll"})
    assert [case(EARN), case(ENROLL, EARN)] == list(with_fewer_kept(kept))
    name = str(kept.steps[1].bind)
    used = replace(kept, steps=(*kept.setup, replace(EARN, args=(Variable(name), Scalar(3)))))
    assert [] == list(with_fewer_kept(used))


def test_a_test_asserts_what_a_call_changes_in_an_earlier_result(tmp_path: Path) -> None:
    (tmp_path / "given_back.py").write_text(SOURCE)
    (module,) = resolve(str(tmp_path / "given_back.py"))
    text = build_suite(module, [keeping(case(ENROLL, EARN), {"Program.enroll"})]).text
    assert 'account = program.enroll("ada")\n' in text
    assert "self.assertEqual(3, account.points)\n" in text


def test_what_a_call_leaves_alone_in_another_result_is_asserted_beside_it(tmp_path: Path) -> None:
    (tmp_path / "given_back.py").write_text(SOURCE)
    (module,) = resolve(str(tmp_path / "given_back.py"))
    other = keeping(case(ENROLL, call("enroll", Scalar("bob")), EARN), {"Program.enroll"})
    text = build_suite(module, [other]).text
    assert "self.assertEqual(6, account.points)\n" in text
    assert "self.assertEqual(0, other_account.points)\n" in text


def test_a_result_of_which_no_assertion_is_needed_is_not_told_of() -> None:
    path = ValuePath(Root.VAR, "account", "points")
    changed = replace(exhibited(seen(value=NONE)), changed=((path, Scalar(3)),))
    assert {"account"} == told_names(changed)
    assert set() == told_names(replace(changed, needless=frozenset({(path.value,)})))
