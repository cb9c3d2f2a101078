"""`str.maketrans`: the keys of the table are held, what they are translated to stays an expression."""

from __future__ import annotations

from typing import Any

from runtime.library_model import Model, register
from runtime.private_builtins import keep_builtins

keep_builtins(globals())


def _table(shadow: Any, *args: Any) -> Any:
    """Run ``str.maketrans`` of a dict, of two texts or of three."""
    kinds = [shadow.class_of(arg) for arg in args]
    if kinds == [dict]:
        return dict(_entry(shadow, key, value) for key, value in args[0].items())
    if len(args) not in (2, 3) or set(kinds) != {str}:
        return shadow.lossy(str.maketrans, *args)
    old, new = args[:2]
    shadow.check(shadow.compare("eq", shadow.length(old), shadow.length(new)))
    str.maketrans(*map(shadow.plain, args))  # which raises where they differ
    keys = [ord(shadow.settle(character)) for character in shadow.characters(old)]
    values = [shadow.code(character) for character in shadow.characters(new)]
    table: dict[int, Any] = dict(zip(keys, values, strict=True))
    for deleted in shadow.characters(args[2]) if len(args) > 2 else ():
        table[ord(shadow.settle(deleted))] = None
    return table


def _entry(shadow: Any, key: Any, value: Any) -> tuple[int, Any]:
    """Return an entry of the table for one of a dict."""
    if shadow.class_of(key) is str:
        shadow.check(shadow.compare("eq", shadow.length(key), 1))
    (code,) = str.maketrans({shadow.plain(key): None})  # which raises for what can be no key
    shadow.settle(key)
    return code, value


register(
    Model(
        str.maketrans,
        run=_table,
        nested=True,
        takes="'ab' str; str 'xy'; 'ab' 'cd' str; str str; dict[char,str]; dict[int,str]",
    )
)
