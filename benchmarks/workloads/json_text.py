"""JSON in pure Python: the standard library's encoder and decoder without their parts in C."""

from __future__ import annotations

import json

SIZE, SMALL = 20, 1


def document(number):
    """Something that has every kind of value in it."""
    return {
        "id": number,
        "name": f"item {number}",
        "tags": ["red", "größer", 'with "quotes"', "tab\tand\nline"],
        "price": number * 1.25,
        "nested": {"deep": {"deeper": [None, True, False, -number, [[], {}]]}, "empty": ""},
        "rows": [{"row": i, "values": [i, i * i, i / 4]} for i in range(8)],
    }


def run(size):
    """Documents written, read again and written indented."""
    result = []
    for number in range(size):
        data = document(number)
        text = json.dumps(data, sort_keys=True)
        again = json.loads(text)
        result.append((text, again == data, len(json.dumps(again, indent=2, ensure_ascii=False))))
    return result
