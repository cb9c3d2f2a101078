"""Programs on which the runtime is known to differ or to lose a decision, and what is the matter.

Whoever closes a gap takes its programs out of here.
"""

from __future__ import annotations

DIFFERS: dict[str, str] = {
    **dict.fromkeys(
        ["json_of_scalars"],
        "values leave in C code (repr, json, pickle) without being held or noted as lost",
    ),
}
"""The twin does something else than the program."""

LOSES: dict[str, str] = {
    **dict.fromkeys(
        ["list_set_item"],
        "an element read from a list holds for this length only, and the path does not say so",
    ),
    **dict.fromkeys(
        ["list_slice_step"],
        "bounds of a slice or of index() of a traced list are not decided",
    ),
    **dict.fromkeys(
        [
            "dict_ior",
            "dict_equal",
            "dict_equal_constant",
            "dict_subclass",
            "dict_default_factory",
            "set_update",
            "set_operators",
            "set_operators_constant",
            "set_methods",
            "set_methods_in_place",
            "set_difference_update",
            "set_in_place",
            "set_order",
        ],
        "hashing compares traced values where nobody sees it when they differ",
    ),
    **dict.fromkeys(
        ["list_order"],
        "an operation on two containers pins the length of the first only",
    ),
    **dict.fromkeys(
        [
            "list_repr",
            "list_pickle",
            "list_json",
            "dict_repr",
            "dict_reversed",
            "dict_pickle",
            "dict_json",
            "json_of_scalars",
        ],
        "values leave in C code (repr, json, pickle) without being held or noted as lost",
    ),
    **dict.fromkeys(
        ["bool_index"],
        "a tuple or list indexed by a traced bool is not decided",
    ),
}
"""What the twin does depends on something that its path does not say."""
