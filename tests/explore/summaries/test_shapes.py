"""From states that were reached to the shape of a free receiver, and back to names."""

from __future__ import annotations

from runtime.expr import Sort, apply, const_int, var
from tracetwin.explore.loop.heap import Heap, Ref
from tracetwin.explore.summaries.places import after, ref_text
from tracetwin.explore.summaries.shapes import kinds_of, shape_of


def receiver(*cells: tuple[object, ...], **attributes: Ref) -> Heap:
    return (("object", "shop:Cart", tuple(sorted(attributes.items()))), *cells)


def shape(*heaps: Heap) -> dict[str, object]:
    found = shape_of(heaps, "shop")
    assert found is not None
    return dict(found.shape[2])


def test_scalars_become_symbolic_and_begin_as_they_were_seen() -> None:
    found = shape(receiver(count=("const", 3), name=("const", "x"), open=("const", True)))
    assert {"count": ("int", 3), "name": ("str", "x"), "open": ("bool", True)} == found


def test_an_expression_has_the_kind_of_its_value() -> None:
    assert {"count": ("int", 0)} == shape(receiver(count=("node", var("n", Sort.INT))))


def test_several_kinds_are_a_union_and_members_of_enumerations_constants() -> None:
    red, blue = (("const", ("enum", "shop:Colour", name)) for name in ("RED", "BLUE"))
    found = shape(receiver(user=("const", None), colour=red), receiver(user=("const", "ann"), colour=blue))
    assert ("union", (("const", None), ("str", "ann"))) == found["user"]
    assert ("union", (("const", red[1]), ("const", blue[1]))) == found["colour"]


def test_objects_of_the_module_are_looked_into_and_others_are_not() -> None:
    node = ("object", "shop:Node", (("value", ("const", 1)),))
    looked_into = ("object", "shop:Node", (("value", ("int", 1)),))
    assert {"head": looked_into} == shape(receiver(node, head=("cell", 1)))
    lock = receiver(("opaque", "threading:Lock"), head=("cell", 1))
    found = shape_of([receiver(node, head=("cell", 1)), lock], "shop")
    assert found is not None
    assert "self.head" in found.opaque
    assert ("kept",) == dict(found.shape[2])["head"]


def test_lists_of_scalars_are_lists_and_dicts_are_left() -> None:
    items = ("list", (("const", 1), ("const", 2)), None)
    table = ("dict", ((("const", "a"), ("const", 1)),), None)
    found = shape_of([receiver(items, table, items=("cell", 1), table=("cell", 2))], "shop")
    assert found is not None
    assert ("list", (("int", 1),), 1) == dict(found.shape[2])["items"]
    assert ("self.table",) == found.opaque


def test_a_list_that_was_always_empty_stays_so() -> None:
    found = shape_of([receiver(("list", (), None), items=("cell", 1))], "shop")
    assert found is not None
    assert {"self.items#"} == found.steady


def test_no_heaps_no_shape() -> None:
    assert shape_of([], "shop") is None


def test_afterwards_every_variable_has_an_expression() -> None:
    before = receiver(("list", (("const", 1),), None), items=("cell", 1), count=("const", 0))
    found = shape_of([before], "shop")
    assert found is not None
    more = apply("add", Sort.INT, var("self.count", Sort.INT), const_int(1))
    pushed = (("const", 5), ("node", var("n", Sort.INT)))
    state = after(found.shape, receiver(("list", pushed, None), items=("cell", 1), count=("node", more)))
    assert more is state.values["self.count"]
    assert const_int(2) is state.values["self.items#"]
    assert var("n", Sort.INT) is state.values["self.items[1]"]
    assert not state.unlike


def test_what_a_shape_does_not_provide_for_is_told() -> None:
    found = shape_of([receiver(user=("const", None))], "shop")
    assert found is not None
    assert not after(found.shape, receiver(user=("const", None))).unlike
    wider = shape_of([receiver(user=("const", 1))], "shop")
    assert wider is not None
    assert {"self.user"} == after(wider.shape, receiver(user=("const", "ann"))).unlike


def test_alternatives_are_named() -> None:
    found = shape_of([receiver(user=("const", None)), receiver(user=("const", "ann"))], "shop")
    assert found is not None
    assert {"self.user?": ("is None", "is a str")} == kinds_of(found.shape)


def test_heaps_are_told_as_python() -> None:
    heap = receiver(("list", (("const", 1), ("node", var("n", Sort.INT))), None), items=("cell", 1))
    assert "[1, n]" == ref_text(heap, ("cell", 1))
