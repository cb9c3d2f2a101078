"""A helper that a file has already is used by new tests, whatever name it was given for them."""

from __future__ import annotations

import pytest

from tracetwin.emit.merge.merge import with_helpers_of


def patchable(name: str, base: str, extra: str = "") -> str:
    return (
        f"class {name}Type(type):\n"
        "    def __instancecheck__(cls, instance):\n"
        "        return isinstance(instance, cls.__base__)\n\n\n"
        f"class {name}({base}, metaclass={name}Type):\n"
        "    def __new__(cls, *args):\n"
        f"        return {name}.__base__(*args){extra}\n\n\n"
    )


def use_of(name: str, said: str = "") -> str:
    return f"class TestDay(TestCase):\n    def test_day(self):\n        use({name}, {said!r})\n"


DATES = patchable("PatchableDate", "date") + patchable("PatchableDatetime", "datetime")
OLD = DATES + use_of("PatchableDate")


def test_classes_that_say_the_same_under_another_name_are_not_defined_again() -> None:
    page = patchable("PatchableDatetime2", "datetime") + use_of("PatchableDatetime2")
    found = with_helpers_of(OLD, page)
    assert found == patchable("PatchableDatetime", "datetime") + use_of("PatchableDatetime")
    assert found.count("\n") == page.count("\n")


@pytest.mark.parametrize(("base", "extra"), [("time", ""), ("date", " or None")])
def test_a_helper_that_says_something_else_stays(base: str, extra: str) -> None:
    page = patchable("PatchableDate2", base, extra) + use_of("PatchableDate2")
    found = with_helpers_of(OLD, page)
    assert f"class PatchableDate2({base}, metaclass=PatchableDateType):" in found
    assert "use(PatchableDate2," in found


def test_tests_without_new_helpers_stay_as_they_are() -> None:
    for page in (use_of("PatchableDate"), OLD):
        assert with_helpers_of(OLD, page) == page


def test_a_helper_whose_name_a_test_shows_stays() -> None:
    page = patchable("PatchableDate2", "date") + use_of("PatchableDate2", "<PatchableDate2 object>")
    assert "class PatchableDate2(" in with_helpers_of(OLD, page)
