from __future__ import annotations

from pathlib import Path

from tracetwin.emit import file_names as places


def names(*modules: str) -> list[str]:
    return [place.name for place in places.test_files(modules, Path("out"))]


def test_each_module_has_a_file_named_after_it() -> None:
    assert places.test_files(["shop.cart", "tax"], Path("out")) == [
        Path("out/test_shop_cart.py"),
        Path("out/test_tax.py"),
    ]


def test_no_name_is_taken_twice() -> None:
    found = names("a.b", "a_b", "A_B", "a_b_2", "a_b")
    assert found == ["test_a_b.py", "test_a_b_2.py", "test_A_B_3.py", "test_a_b_2_2.py", "test_a_b_4.py"]


def test_long_names_stay_apart_and_leave_room_for_an_ending() -> None:
    found = names("m" * 300, "m" * 301, "ä" * 150 + "b")
    assert len(set(found)) == 3
    assert all(len(f"{name}.new2".encode()) < 255 for name in found)
