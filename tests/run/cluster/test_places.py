"""Names of files where the same folder lies at different places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tracetwin.run.cluster.places import dumped, loaded

HERE = {0: "/home/me/shop", 1: "/home/me/shop/sub"}
THERE = {0: "/scratch/a", 1: "/scratch/b"}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("/home/me/shop", "/scratch/a"),
        ("/home/me/shop/cart.py", "/scratch/a/cart.py"),
        (Path("/home/me/shop/sub/x"), Path("/scratch/b/x")),
        ("in /home/me/shop/a, /home/me/shop/sub/b", "in /scratch/a/a, /scratch/b/b"),
        ("/home/me/shopping", "/home/me/shopping"),
        ({"/home/me/shop/a": [b"/home/me/shop/a", 1]}, {"/scratch/a/a": [b"/home/me/shop/a", 1]}),
        ("", ""),
    ],
)
def test_files_have_the_names_of_the_place_and_get_their_own_back(mine: Any, theirs: Any) -> None:
    assert theirs == loaded(dumped(mine, HERE), THERE)
    assert mine == loaded(dumped(theirs, THERE), HERE)
