"""`json`: reading and writing documents."""

import json


def parse_flag(document: str) -> bool:
    """A document that is an object with one flag."""
    try:
        data = json.loads(document)
    except ValueError:
        return False
    if isinstance(data, dict) and data.get("debug") is True:
        return True  # reach
    return False


def list_of_three(document: str) -> int:
    """A list of numbers."""
    data = json.loads(document)
    if isinstance(data, list) and len(data) == 3 and data[0] == 17 and data[2] == "x":
        return 1  # reach
    return 0


def nested_name(document: str) -> str:
    """A name two levels down."""
    try:
        data = json.loads(document)
        name = data["user"]["name"]
    except (ValueError, KeyError, TypeError):
        return "?"
    if name == "root":
        return "refused"  # reach
    return "hello"


def escaped(document: str) -> bool:
    """A text with an escaped character."""
    try:
        text = json.loads(document)
    except json.JSONDecodeError:
        return False
    if isinstance(text, str) and text == "a\nb":
        return True  # reach
    return False


def number_in_text(document: str) -> str:
    """A number with a fraction or an exponent."""
    try:
        value = json.loads(document)
    except json.JSONDecodeError as problem:
        return f"column {problem.colno}"
    if isinstance(value, float) and value > 1e20:
        return "astronomical"  # reach
    return "ordinary"


def error_place(document: str) -> int:
    """Where reading a document fails."""
    try:
        json.loads(document)
    except json.JSONDecodeError as problem:
        if problem.pos == 6 and document.startswith('{"a":'):
            return problem.pos  # reach
        return 0
    return -1


def dumped(record: dict[str, int]) -> str:
    """A record as it is sent."""
    text = json.dumps(record, sort_keys=True)
    if text == '{"id": 12, "size": 3}':
        return "known"  # reach
    return text


def dumped_list(items: list[int]) -> int:
    """How long a list is when it is sent without blanks."""
    text = json.dumps(items, separators=(",", ":"))
    if len(text) == 14 and text.count(",") == 2 and "-" in text:
        return 1  # reach
    return len(text)
