"""Dictionaries and sets."""

STOCK = {"apple": 3, "pear": 12, "plum": 0, "quince": 57}


def price_of(article: str) -> str:
    """An article of a table of constants, by what the table says of it."""
    count = STOCK.get(article, -1)
    if count > 50:
        return "plenty"  # reach
    return "some" if count > 0 else "none"


def configured(options: dict[str, int]) -> bool:
    """Two options with values that go together."""
    if "width" in options and options.get("height", 0) == 2 * options["width"] > 100:
        return True  # reach
    return False


def by_key(table: dict[int, int], key: int) -> int:
    """A table that leads from a key to another one and back."""
    if key in table and table[key] != key and table.get(table[key]) == key:
        if key > 1000:
            return 1  # reach
    return 0


def chain_of_keys(links: dict[str, str]) -> str:
    """Follow links from a start."""
    here = "start"
    for _ in range(4):
        if here not in links:
            return here
        here = links[here]
    if here == "goal":
        return "reached"  # reach
    return "far"


def set_algebra(left: set[int], right: set[int]) -> bool:
    """Two sets with one common element and a given difference."""
    if len(left & right) == 1 and left - right == {10, 20} and 77 in right:
        return True  # reach
    return False


def subset_of(allowed: frozenset[str], asked: set[str]) -> str:
    """What was asked for, and may be had."""
    if len(asked) == 2 and asked <= allowed and "admin" in asked:
        return "granted"  # reach
    return "denied"


def count_words(text: str) -> int:
    """How often words stand in a text."""
    counts: dict[str, int] = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    if counts.get("ho") == 3:
        return 1  # reach
    return 0


def group_by_length(words: list[str]) -> bool:
    """Words by their lengths."""
    groups: dict[int, list[str]] = {}
    for word in words:
        groups.setdefault(len(word), []).append(word)
    if len(groups.get(4, [])) == 2 and groups[4][0] != groups[4][1] and 2 in groups:
        return True  # reach
    return False


def update_and_pop(stock: dict[str, int]) -> int:
    """Change a dictionary and look at the rest."""
    stock.update(nails=5)
    taken = stock.pop("screws", None)
    if taken == 321 and len(stock) == 2:
        return 1  # reach
    return 0


def inverted(table: dict[str, int]) -> str:
    """The name of a number, from the inverted table."""
    names = {number: name for name, number in table.items()}
    if names.get(443) == "https":
        return "secure"  # reach
    return "plain"


def sum_of_values(accounts: dict[str, int]) -> str:
    """Accounts that balance although none is empty."""
    if len(accounts) == 3 and sum(accounts.values()) == 0 and all(accounts.values()):
        if max(accounts.values()) == 999:
            return "balanced"  # reach
    return "open"


def nested(config: dict[str, dict[str, int]]) -> int:
    """A setting two levels down."""
    try:
        port = config["server"]["port"]
    except KeyError:
        return -1
    if port == 8443:
        return 1  # reach
    return 0


def two_sum(numbers: list[int], target: int) -> tuple[int, int] | None:
    """The classic with a dictionary of what was seen."""
    seen: dict[int, int] = {}
    for place, number in enumerate(numbers):
        if target - number in seen and target == 1234:
            return seen[target - number], place  # reach
        seen[number] = place
    return None


def duplicates(numbers: list[int]) -> bool:
    """Five different numbers from a small range."""
    if len(numbers) == 5 and len(set(numbers)) == 5 and all(20 <= n < 25 for n in numbers):
        return True  # reach
    return False


def set_of_pairs(edges: list[tuple[int, int]]) -> bool:
    """A triangle in a graph of three edges."""
    links = set(edges)
    if len(links) == 3 and (1, 2) in links and (2, 3) in links and (3, 1) in links:
        return True  # reach
    return False


def smaller_than_itself(stock: dict[str, int]) -> str:
    """No dictionary has more keys than values."""
    if len(stock.keys()) > len(stock.values()):
        return "impossible"  # unreachable
    if len(stock) == 2 and min(stock) == "bolt" and stock["bolt"] == 64:
        return "bolts"  # reach
    return "other"
