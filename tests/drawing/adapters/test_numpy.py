"""Arrays and scalars of NumPy as arguments, where it is installed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.drawing.conftest import MakeModule
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.model import recipes
from tracetwin.model.recipe import Scalar, list_of
from tracetwin.model.snapshot import Attributes
from tracetwin.replay.observe.snap import Camera


def arguments(make_module: MakeModule, annotation: str, **assignment: Any) -> tuple[Any, Any]:
    module = make_module(f"import numpy as np\nimport numpy.typing as npt\ndef f(x: {annotation}): pass")
    (made,) = discover(module)
    assert made.problem is None
    drawn = build_arguments(PlainDraw(assignment), made.parameters)
    return drawn.args[0], recipes.evaluate(drawn.arg_recipes[0])


@pytest.mark.parametrize(
    ("annotation", "dtype"),
    [
        ("np.ndarray", "float64"),
        ("npt.NDArray[np.int64]", "int64"),
        ("npt.NDArray[np.float64]", "float64"),
        ("npt.NDArray[np.uint8]", "uint8"),
        ("npt.NDArray[np.bool_]", "bool"),
        ("np.float64", "float64"),
        ("np.int32", "int32"),
        ("np.bool_", "bool"),
        ("np.integer", "int64"),
    ],
)
def test_the_type_of_the_elements_is_kept(annotation: str, dtype: str, make_module: MakeModule) -> None:
    numpy = pytest.importorskip("numpy")
    drawn, again = arguments(make_module, annotation)
    assert (str(drawn.dtype), str(again.dtype)) == (dtype, dtype)
    numpy.testing.assert_array_equal(drawn, again)


def test_there_are_other_contents_to_choose_from(make_module: MakeModule) -> None:
    pytest.importorskip("numpy")
    array = "np.ndarray[tuple[int], np.dtype[np.int64]]"
    found = [arguments(make_module, array, **{"x?": n})[0] for n in (0, 1)]
    assert [value.ndim for value in found] == [1, 2]
    either = "np.int64 | npt.NDArray[np.int64]"
    others = [arguments(make_module, either, **{"x?": 1, "x|1?": n})[0] for n in range(4)]
    assert [value.tolist() for value in others] == [[1, 1], [], [100, 50, 7], [-3, 0, 2, 2]]


def test_values_of_numpy_are_seen_as_plain_ones(make_module: MakeModule) -> None:
    numpy = pytest.importorskip("numpy")
    camera = Camera(make_module("import numpy"))
    array, scalar = camera.take(numpy.array([1, 2])), camera.take(numpy.int64(3))
    assert isinstance(array, Attributes)
    assert array.attributes == ((".tolist()", list_of(Scalar(1), Scalar(2))),)
    assert isinstance(scalar, Attributes)
    assert scalar.attributes == ((".item()", Scalar(3)),)


def test_what_has_no_values_says_so(make_module: MakeModule) -> None:
    pytest.importorskip("numpy")
    (made,) = discover(make_module("import numpy as np\ndef f(x: np.void): pass"))
    assert "no values of numpy.void are known" in (made.problem or "")
