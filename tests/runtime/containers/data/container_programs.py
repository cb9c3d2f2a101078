# ruff: noqa: PGH004
# ruff: noqa
"""Small programs over containers. The parameters' names say what they are; see `test_containers`."""

import bisect
import copy
import heapq
import io
import json
import operator
import pickle
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from functools import cmp_to_key, partial, reduce
from itertools import (
    accumulate, chain, combinations, combinations_with_replacement, compress, count, dropwhile, filterfalse,
    groupby, islice, pairwise, permutations, product, repeat, starmap, takewhile, zip_longest,
)  # fmt: skip


# ------------------------------------------------------------------------------------------ lists: reading


def list_index(xs, k):
    return xs[k]


def list_index_constant(xs):
    return xs[0], xs[-1]


def list_index_second(xs):
    return xs[1]


def list_index_minus_three(xs):
    return xs[-3]


def list_index_bool(xs, b):
    return xs[b]


def list_slice(xs, k, j):
    return xs[k:j]


def list_slice_from(xs, k):
    return xs[k:]


def list_slice_upto(xs, k):
    return xs[:k]


def list_slice_step(xs, k, j, p):
    return xs[k:j:p]


def list_slice_constant(xs):
    return xs[1:], xs[:-1], xs[1:-1], xs[:2], xs[-2:], xs[::-1], xs[::2], xs[:], xs[5:], xs[:-5]


def list_slice_length(xs):
    return len(xs[1:]), len(xs[:-1]), len(xs[2:4]), len(xs[-3:-1]), len(xs[3:1])


def list_slice_then_loop(xs):
    total = 0
    for x in xs[1:]:
        total += x
    return total


def list_slice_then_index(xs):
    return xs[1:][0], xs[:-1][-1]


def list_length(xs):
    return len(xs)


def list_length_compared(xs):
    if len(xs) > 2:
        return "many"
    return "few" if xs else "none"


def list_truth(xs):
    return bool(xs), not xs


def list_or_default(xs):
    return xs or [7]


def list_and(xs):
    return xs and xs[0]


def list_iteration(xs):
    out = []
    for x in xs:
        out.append(x + 1)
    return out


def list_iteration_break(xs):
    for x in xs:
        if x > 3:
            break
    else:
        return "no"
    return x


def list_iteration_nested(xs, ys):
    return [(x, y) for x in xs for y in ys if x < y]


def list_while_index(xs):
    i = 0
    total = 0
    while i < len(xs):
        total += xs[i]
        i += 1
    return total


def list_range_len(xs):
    return [xs[i] for i in range(len(xs))]


def list_reversed(xs):
    return list(reversed(xs))


def list_enumerate(xs):
    return list(enumerate(xs)), list(enumerate(xs, 5))


def list_zip(xs, ys):
    return list(zip(xs, ys))


def list_zip_strict(xs, ys):
    return list(zip(xs, ys))[::-1]


def list_zip_longest(xs, ys):
    return list(zip_longest(xs, ys, fillvalue=0))


def list_map(xs):
    return list(map(lambda x: x * 2, xs)), list(map(str, xs)), list(map(abs, xs))


def list_filter(xs):
    return list(filter(lambda x: x > 1, xs)), list(filter(None, xs))


def list_sorted(xs):
    return sorted(xs), sorted(xs, reverse=True), sorted(xs, key=lambda x: -x), sorted(xs, key=abs)


def list_min_max(xs):
    return min(xs), max(xs)


def list_min_default(xs):
    return min(xs, default=None), max(xs, default=99)


def list_min_key(xs):
    return min(xs, key=abs), max(xs, key=lambda x: -x)


def list_sum(xs):
    return sum(xs), sum(xs, 10)


def list_sum_generator(xs):
    return sum(x * x for x in xs if x > 0)


def list_any_all(xs):
    return any(xs), all(xs), any(x > 3 for x in xs), all(x > 3 for x in xs)


def list_conversions(xs):
    return list(xs), tuple(xs), set(xs), frozenset(xs), dict.fromkeys(xs, 0)


def list_unpack_star(xs):
    first, *rest = xs
    return first, rest


def list_unpack_two(xs):
    a, b = xs
    return a - b


def list_unpack_in_call(xs):
    return max(*xs, 0), [*xs, 1], (*xs,)


def list_membership(xs, k):
    return k in xs, k not in xs


def list_membership_constant(xs):
    return 3 in xs


def list_membership_branch(xs, k):
    if k in xs:
        return "in"
    return "out"


def list_membership_none(xs):
    return None in xs, "a" in xs


def list_find(xs, k):
    return xs.index(k)


def list_find_from(xs, k, j):
    return xs.index(k, j)


def list_count(xs, k):
    return xs.count(k)


def list_equal(xs, ys):
    return xs == ys, xs != ys


def list_equal_constant(xs):
    return xs == [1, 2], [1, 2] == xs, xs != [], [] != xs


def list_equal_other_types(xs):
    return xs == (1, 2), xs == None, xs != 3


def list_order(xs, ys):
    return xs < ys, xs <= ys, xs > ys, xs >= ys


def list_order_constant(xs):
    return [1, 2] < xs, xs >= [3]


def list_repr(xs):
    return repr(xs), str(xs), f"{xs}", "%s" % (xs,), "{}".format(xs)


def list_join(words):
    return ",".join(words)


def list_join_numbers(xs):
    return "-".join(str(x) for x in xs)


def list_hash(xs):
    return hash(xs)


def list_type(xs):
    return (
        type(xs) is list,
        isinstance(xs, list),
        isinstance(xs, (tuple, set)),
        xs.__class__ is list,
        type(xs).__name__,
    )


def list_identity(xs):
    ys = xs
    zs = list(xs)
    return ys is xs, zs is xs, ys is not xs, xs is None


def list_match(xs):
    match xs:
        case []:
            return "empty"
        case [x]:
            return "one", x
        case [x, *rest] if x > 2:
            return "big", rest
        case [_, y, *_]:
            return "other", y


def list_iter_next(xs):
    it = iter(xs)
    return next(it), next(it, None)


def list_two_iterators(xs):
    a, b = iter(xs), iter(xs)
    return next(a, 0), next(b, 0), next(a, 0)


def list_islice(xs):
    return list(islice(xs, 2)), list(islice(xs, 1, None))


def list_chain(xs, ys):
    return list(chain(xs, ys))


def list_accumulate(xs):
    return list(accumulate(xs))


def list_combinations(xs):
    return list(combinations(xs, 2))


def list_groupby(xs):
    return [(k, len(list(g))) for k, g in groupby(xs, key=lambda x: x > 1)]


def list_reduce(xs):
    return reduce(lambda a, b: a * 2 + b, xs, 1)


def list_comprehensions(xs):
    return [x for x in xs if x], {x: x + 1 for x in xs}, {x % 3 for x in xs}


def list_dot_get(xs, k):
    return xs.__getitem__(k), xs.__len__(), xs.__contains__(k)


# ------------------------------------------------------------------------------------------ lists: writing


def list_append(xs, k):
    xs.append(k)
    return xs, len(xs), xs[-1]


def list_append_loop(xs, ys):
    for y in ys:
        xs.append(y)
    return len(xs)


def list_insert(xs, k, j):
    xs.insert(j, k)
    return xs, len(xs)


def list_insert_first(xs, k):
    xs.insert(0, k)
    return len(xs), xs[0]


def list_extend(xs, ys):
    xs.extend(ys)
    return len(xs)


def list_extend_tuple(xs):
    xs.extend((1, 2))
    xs.extend(x for x in "ab")
    return len(xs)


def list_add(xs, ys):
    zs = xs + ys
    return zs, len(zs)


def list_add_constant(xs):
    return xs + [1], [1] + xs, len([1, 2] + xs)


def list_add_tuple(xs):
    return xs + (1,)


def list_iadd(xs, ys):
    zs = xs
    xs += ys
    return zs is xs, len(zs)


def list_iadd_tuple(xs):
    xs += (1, 2)
    return xs


def list_mul(xs, k):
    return xs * k, k * xs


def list_mul_constant(xs):
    return xs * 2, 2 * xs


def list_imul(xs):
    ys = xs
    xs *= 2
    return ys is xs, len(ys)


def list_native_mul(k):
    return [0] * k, k * [1, 2], (0,) * k


def list_pop(xs):
    x = xs.pop()
    return x, len(xs)


def list_pop_at(xs, k):
    return xs.pop(k), len(xs), xs


def list_pop_first(xs):
    return xs.pop(0), len(xs), xs


def list_pop_all(xs):
    out = []
    while xs:
        out.append(xs.pop())
    return out


def list_remove(xs, k):
    xs.remove(k)
    return xs


def list_clear(xs):
    xs.clear()
    return xs, len(xs)


def list_clear_and_fill(xs, k):
    xs.clear()
    xs.append(k)
    return xs, len(xs)


def list_copy(xs):
    ys = xs.copy()
    ys.append(1)
    zs = xs[:]
    zs.append(2)
    return len(xs), len(ys), len(zs)


def list_reverse(xs):
    xs.reverse()
    return xs


def list_sort(xs):
    xs.sort()
    return xs


def list_sort_key(xs):
    xs.sort(key=lambda x: (x % 3, x), reverse=True)
    return xs


def list_set_item(xs, k, j):
    xs[k] = j
    return xs


def list_set_constant(xs, k):
    xs[0] = k
    xs[-1] += 1
    return xs


def list_set_slice(xs, ys):
    xs[1:2] = ys
    return xs, len(xs)


def list_set_slice_traced(xs, k, ys):
    xs[k:] = ys
    return xs


def list_delete_item(xs, k):
    del xs[k]
    return xs, len(xs)


def list_delete_constant(xs):
    del xs[0]
    return xs


def list_delete_slice(xs):
    del xs[1:]
    return xs, len(xs)


def list_delete_slice_traced(xs, k):
    del xs[:k]
    return xs


def list_swap(xs):
    xs[0], xs[1] = xs[1], xs[0]
    return xs


def list_bubble(xs):
    n = len(xs)
    for i in range(n):
        for j in range(n - i - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


def list_remove_while_iterating(xs):
    for x in xs:
        if x > 2:
            xs.remove(x)
    return xs


def list_append_while_iterating(xs):
    for x in xs:
        if len(xs) < 5:
            xs.append(x + 1)
    return xs


def list_pop_while_iterating(xs):
    out = []
    for x in xs:
        out.append(x)
        xs.pop()
    return out


def list_clear_while_iterating(xs):
    for x in xs:
        xs.clear()
    return xs


def list_iterator_exhausted_stays_so(xs):
    it = iter(xs)
    out = list(it)
    xs.append(5)
    return out, list(it)


def list_copy_module(xs):
    ys = copy.copy(xs)
    zs = copy.deepcopy(xs)
    ys.append(1)
    return len(ys), len(zs), zs == xs, type(zs) is list


def list_pickle(xs):
    return pickle.loads(pickle.dumps(xs))


def list_json(xs):
    return json.dumps(xs), json.loads(json.dumps({"a": xs}))


def list_stack(xs, k):
    stack = []
    for x in xs:
        if stack and stack[-1] > x:
            stack.pop()
        else:
            stack.append(x)
    return stack


def list_running(xs):
    out = []
    best = None
    for x in xs:
        best = x if best is None else max(best, x)
        out.append(best)
    return out


def list_of_traced_in_new_list(k, j):
    xs = [k, j, 3]
    return xs[k], 3 in xs, k in xs, xs.index(j), xs == [j, k, 3], sorted(xs)


def list_default_dict(xs):
    counts = defaultdict(int)
    for x in xs:
        counts[x] += 1
    return dict(counts)


def list_counts(xs):
    counts = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    return counts


def list_counter(xs):
    return Counter(xs), Counter(xs).most_common(1)


def list_deque(xs):
    q = deque(xs, maxlen=2)
    q.appendleft(9)
    return list(q)


def list_dedup(xs):
    seen = set()
    out = []
    for x in xs:
        if x not in seen:
            seen.add(x)
            out.append(x)
    return out


# ---------------------------------------------------------------------------------------- nested containers


def nested_sum(rows):
    return sum(sum(row) for row in rows)


def nested_index(rows, k, j):
    return rows[k][j]


def nested_write(rows, k):
    rows[0].append(k)
    return len(rows[0]), rows


def nested_flatten(rows):
    return [x for row in rows for x in row]


def nested_transpose(rows):
    return [list(column) for column in zip(*rows)]


def nested_copy(rows):
    shallow, deep = rows.copy(), copy.deepcopy(rows)
    if rows:
        rows[0].append(9)
    return shallow, deep


def nested_equal(rows, xs):
    return rows == [xs], [xs] == rows, xs in rows


def nested_sorted(rows):
    return sorted(rows), sorted(rows, key=len), max(rows, key=len, default=None)


def nested_truth(rows):
    return [bool(row) for row in rows], any(rows), all(rows)


def nested_lengths(rows):
    return [len(row) for row in rows], sum(len(row) for row in rows)


def nested_min(rows):
    return min(rows)


# ----------------------------------------------------------------------------------------------------- dicts


def dict_index(d, w):
    return d[w]


def dict_index_constant(d):
    return d["a"]


def dict_get(d, w):
    return d.get(w), d.get(w, 5)


def dict_get_constant(d):
    return d.get("a", 0) + d.get("b", 0)


def dict_membership(d, w):
    return w in d, w not in d, "a" in d


def dict_membership_branch(d, w):
    if w in d:
        return d[w] + 1
    return -1


def dict_length(d):
    return len(d), bool(d), not d


def dict_iteration(d):
    return [k for k in d], [(k, v) for k, v in d.items()], [v for v in d.values()]


def dict_views(d):
    return list(d.keys()), list(d.values()), list(d.items()), sorted(d), len(d.keys()), len(d.items())


def dict_view_membership(d, w, k):
    return w in d.keys(), k in d.values(), (w, k) in d.items()


def dict_view_types(d):
    return type(d.keys()).__name__, isinstance(d.items(), list)


def dict_view_is_live(d):
    keys = d.keys()
    d["zz"] = 1
    return len(keys), "zz" in keys


def dict_view_operations(d):
    return sorted(d.keys() & {"a", "b"}), sorted(d.keys() | {"c"}), sorted(d.keys() - {"a"})


def dict_sums(d):
    return sum(d.values()), max(d.values(), default=0)


def dict_best(d):
    return max(d, key=d.get), min(d.items(), key=lambda pair: pair[1])


def dict_set(d, w, k):
    d[w] = k
    return d, len(d), d[w]


def dict_set_constant(d, k):
    d["a"] = k
    return d, len(d)


def dict_set_many(d, xs):
    for x in xs:
        d[str(x)] = x
    return len(d)


def dict_increment(d, w):
    d[w] += 1
    return d


def dict_increment_get(d, w):
    d[w] = d.get(w, 0) + 1
    return d


def dict_setdefault(d, w, k):
    return d.setdefault(w, k), d, len(d)


def dict_setdefault_list(words):
    groups = {}
    for word in words:
        groups.setdefault(word[:1], []).append(word)
    return groups


def dict_pop(d, w):
    return d.pop(w), d, len(d)


def dict_pop_default(d, w):
    return d.pop(w, None), d, len(d)


def dict_popitem(d):
    return d.popitem(), d, len(d)


def dict_delete(d, w):
    del d[w]
    return d, len(d)


def dict_delete_constant(d):
    del d["a"]
    return d, len(d)


def dict_clear(d):
    d.clear()
    return d, len(d)


def dict_copy(d):
    other = d.copy()
    other["zz"] = 1
    return len(d), len(other)


def dict_copy_constructor(d):
    other = dict(d)
    other["zz"] = 1
    return d, other, dict(d, a=3), {**d, "a": 1}


def dict_update(d, e):
    d.update(e)
    return d, len(d)


def dict_update_kwargs(d, k):
    d.update(a=k)
    d.update([("b", 1)])
    return d, len(d)


def dict_update_nothing(d):
    d.update()
    return len(d)


def dict_merge(d, e):
    return d | e, {**d, **e}


def dict_ior(d, e):
    other = d
    d |= e
    return other is d, d


def dict_equal(d, e):
    return d == e, d != e


def dict_equal_constant(d):
    return d == {}, d == {"a": 1}, {"a": 1} == d, d != {"a": 1}


def dict_repr(d):
    return repr(d), str(d), f"{d}"


def dict_reversed(d):
    return list(reversed(d))


def dict_type(d):
    return type(d) is dict, isinstance(d, dict), d.__class__ is dict, isinstance(d, list)


def dict_unpack(d):
    def take(a=0, **rest):
        return a, rest

    return take(**d)


def dict_sorted_items(d):
    return sorted(d.items()), sorted(d.items(), key=lambda item: (-item[1], item[0]))


def dict_comprehension(d):
    return {k: v * 2 for k, v in d.items() if v > 0}, {v: k for k, v in d.items()}


def dict_change_while_iterating(d):
    for key in d:
        d[key + "x"] = 1
    return d


def dict_overwrite_while_iterating(d):
    for key in d:
        d[key] += 1
    return d


def dict_delete_while_iterating(d):
    for key in list(d):
        if d[key] > 1:
            del d[key]
    return d


def dict_match(d):
    match d:
        case {"a": x, **rest}:
            return x, rest
        case {}:
            return "none"


def dict_pickle(d):
    return pickle.loads(pickle.dumps(d)), copy.copy(d), copy.deepcopy(d)


def dict_json(d):
    return json.dumps(d), json.dumps(d, sort_keys=True)


def dict_hash(d):
    return hash(d)


def dict_ordered(d):
    other = OrderedDict(d)
    if other:
        other.move_to_end(next(iter(other)))
    return list(other.items())


def dict_native_lookup(w):
    table = {"a": 1, "b": 2, "": 3}
    return table[w]


def dict_native_get(w):
    table = {"a": 1, "b": "two"}
    return table.get(w, 0)


def dict_native_membership(w, k):
    return (
        w in {"a": 1},
        k in {1, 2},
        k in (3, 4),
        k in [5],
        w in {"a", "b"},
        k in frozenset((1, 2)),
        w in "abc",
    )


def dict_native_write(w, k):
    table = {"a": 1, "b": 2}
    table[w] = k
    table[k] = w
    return table, len(table)


def dict_native_traced_keys(w, k):
    table = {w: k}
    table["a"] = 5
    return table[w], len(table), table.get("b"), "a" in table


def dict_native_two_traced_keys(k, j):
    table = {k: "k", j: "j"}
    return table[3], len(table)


def dict_native_two_traced_keys_length(k, j):
    return len({k: 1, j: 2}), len({k, j})


def dict_native_pop(w):
    table = {"a": 1, "b": 2}
    return table.pop(w, None), table


def dict_native_delete(w):
    table = {"a": 1, "b": 2}
    del table[w]
    return table


def dict_native_setdefault(w):
    table = {"a": [1]}
    table.setdefault(w, []).append(2)
    return table


def dict_native_numeric_keys(k, b, f):
    table = {1: "one", 2.0: "two", 0: "zero"}
    return table.get(k), table.get(b), table.get(f)


def dict_tuple_keys(k, j):
    table = {(0, 0): "origin", (1, 0): "right"}
    return table.get((k, j), "away")


def dict_subclass(w):
    class Table(dict):
        def __missing__(self, key):
            return "missing " + key

    return Table(a=1)[w]


def dict_default_factory(w):
    table = defaultdict(list)
    table[w].append(1)
    table["a"].append(2)
    return dict(table)


def dict_fromkeys(xs):
    return dict.fromkeys(xs), len(dict.fromkeys(xs))


def dict_zip(words, xs):
    return dict(zip(words, xs))


# ------------------------------------------------------------------------------------------------------ sets


def set_membership(s, k):
    return k in s, k not in s


def set_membership_branch(s, k):
    if k in s:
        return "in"
    return "out"


def set_length(s):
    return len(s), bool(s)


def set_sum(s):
    return sum(s), sorted(s), sum(x for x in s if x > 0)


def set_iteration(s):
    total = 0
    for x in s:
        total += x
    return total


def set_add(s, k):
    s.add(k)
    return s, len(s)


def set_add_constant(s):
    s.add(3)
    return len(s), 3 in s


def set_discard(s, k):
    s.discard(k)
    return s, len(s)


def set_remove(s, k):
    s.remove(k)
    return s, len(s)


def set_pop(s):
    before = len(s)
    s.pop()
    return before, len(s)


def set_clear(s):
    s.clear()
    return s, len(s)


def set_copy(s):
    other = s.copy()
    other.add(99)
    return len(s), len(other)


def set_update(s, u, xs):
    s.update(u, xs)
    return s, len(s)


def set_operators(s, u):
    return s | u, s & u, s - u, s ^ u


def set_operators_constant(s):
    return s | {1}, {1} | s, s & {1}, {1, 2} - s, s - {1}


def set_methods(s, xs):
    return s.union(xs), s.intersection(xs), s.difference(xs), s.symmetric_difference(xs)


def set_methods_in_place(s, u):
    s.intersection_update(u)
    return s, len(s)


def set_difference_update(s, xs):
    s.difference_update(xs)
    s.symmetric_difference_update({1})
    return s, len(s)


def set_in_place(s, u):
    other = s
    s |= u
    s -= {1}
    s ^= {2}
    s &= {2, 3, 4}
    return other is s, s, len(s)


def set_order(s, u):
    return s <= u, s < u, s >= u, s > u, s.issubset(u), s.issuperset(u), s.isdisjoint(u)


def set_equal(s, u):
    return s == u, s != u, s == {1}, {1} == s, s != {1}, s == set()


def set_equal_other_types(s):
    return s == [1], s == frozenset(s), s == None


def set_repr_of_one(k):
    return repr({k}), str({k})


def set_conversions(s):
    return sorted(list(s)), sorted(tuple(s)), frozenset(s), set(s), len(set(s))


def set_type(s):
    return type(s) is set, isinstance(s, set), s.__class__ is set


def set_comprehension(s):
    return {x * 2 for x in s}, {x for x in s if x > 1}


def set_any_all(s):
    return any(s), all(x > 0 for x in s), min(s, default=0), max(s, default=0)


def set_of_list(xs):
    return len(set(xs)) == len(xs)


def set_native_add(k, j):
    seen = {1, 2}
    seen.add(k)
    seen.discard(j)
    return seen, len(seen)


def set_native_remove(k):
    seen = {1, 2}
    seen.remove(k)
    return seen


def set_native_operators(k):
    return {k} | {1}, {k} & {1, 2}, {1} - {k}, {k} == {1}, {k} <= {1, 2}


def set_frozen(xs, k):
    frozen = frozenset(xs)
    return k in frozen, len(frozen)


def set_pickle(s):
    return pickle.loads(pickle.dumps(s)), copy.copy(s), copy.deepcopy(s)


def set_change_while_iterating(s):
    for x in s:
        s.add(x + 100)
    return len(s)


def set_hash(s):
    return hash(s)


# ---------------------------------------------------------------------------------------- tuples and scalars


def tuple_index(pair, k):
    return pair[k]


def tuple_index_native(k):
    return (10, 20, 30)[k], [1, "b", None][k]


def tuple_unpack(pair):
    a, b = pair
    return a < b


def tuple_equal(pair, k):
    return pair == (1, 2), pair == (k, k), (1, 2) != pair


def tuple_order(pair):
    return pair < (1, 2), pair >= (0,), max(pair, (1, 1))


def tuple_membership(pair, k):
    return k in pair, pair.index(k), pair.count(k)


def tuple_hash(pair):
    return pair in {(1, 2): 3}, {pair: 1}.get((0, 0))


def tuple_slice(pair, k):
    return pair[k:], pair[::-1], pair + (k,), len(pair * 2)


def bool_identity(b, c):
    return b is True, b is False, b is not True, b is c, (not b) is True, b is None


def bool_identity_computed(k):
    positive = k > 0
    return positive is True, (k == 3) is False, bool(k) is True, isinstance(positive, bool)


def bool_identity_branch(k):
    if (k > 3) is True:
        return "yes"
    return "no"


def bool_arithmetic(b, c, k):
    return b + c, b & c, b | c, b ^ c, -b, b * k, sum([b, c]), b == 1, int(b), [b, c].count(True)


def bool_index(b):
    return ("no", "yes")[b], {True: 1, False: 0}[b], {1: "one", 0: "zero"}[b]


def bool_text(b):
    return str(b), repr(b), f"{b}", "%s" % b, "%d" % b, "{!r}".format(b), format(b)


def types_of_scalars(b, k, f, w):
    return (
        type(b) is bool, type(k) is int, type(f) is float, type(w) is str, type(b).__name__,
        isinstance(b, int), isinstance(k, bool), isinstance(k, (int, float)), isinstance(f, float),
        isinstance(w, (str, bytes)), k.__class__ is int, b.__class__ is bool, w.__class__ is str,
        type(k) == type(3), type(b) in (bool,), isinstance(k, float),
    )  # fmt: skip


def types_decide(k, w):
    kinds = {int: "number", str: "text"}
    return kinds[type(k)], kinds.get(type(w)), kinds[k.__class__]


def types_match(k):
    match k:
        case bool():
            return "bool"
        case 0 | 1:
            return "bit"
        case int(x) if x > 5:
            return "big"
        case int():
            return "int"


def types_match_bool(b):
    match b:
        case True:
            return "yes"
        case False:
            return "no"


def copies_of_scalars(b, k, f, w):
    values = [b, k, f, w]
    return copy.copy(values), copy.deepcopy(values), pickle.loads(pickle.dumps(values)), copy.copy(b) is b


def json_of_scalars(b, k, w):
    return json.dumps([b, k, w]), json.dumps({w: b})


def sum_of_bools(xs):
    return sum(x > 1 for x in xs), [x > 1 for x in xs].count(True)


def sort_of_bools(b, c, k):
    return sorted([b, c, k > 0]), min(b, c), max([b, c])


def keys_of_bools(b, c):
    return {b: 1, c: 2}, {b, c}, {b, 1}


def text_methods_of_list(words, w):
    return [x.upper() for x in words if x.startswith("a")], w in words, words.count(w), sorted(words)


def text_index_of_list(words, k):
    return words[k][0]


def object_attributes(k, xs):
    class Box:
        def __init__(self, size, items):
            self.size, self.items = size, items

        def __eq__(self, other):
            return self.size == other.size

    box = Box(k, xs)
    box.items.append(box.size)
    return box.size, len(box.items), Box(1, []) == box, vars(box)["size"], getattr(box, "size")


def optional_chain(k):
    table = {1: None, 2: [5]}
    found = table.get(k)
    return None if found is None else found[0]


def global_sum_of_lengths(xs, ys, d):
    if len(xs) + len(ys) > len(d) * 2:
        return "more"
    return "less"


def generator_in_list(xs):
    def double():
        for x in xs:
            yield x * 2

    return list(double()), sum(double()), next(double(), None)


def star_arguments(xs, d):
    def take(*args, **kwargs):
        return len(args), len(kwargs), sum(args)

    return take(*xs, **d)


def walrus(xs):
    if (n := len(xs)) > 1:
        return n
    return -n


def ternary_chain(k, j):
    return "a" if k > j else "b" if k == j else "c"


def comparison_chain(k, j):
    return 0 < k < 5, k == j == 1, 0 <= k <= j


# ------------------------------------------------------------------------- collections, heaps, iterators, texts


def list_native_places(k, j):
    xs = [1, 2, 3]
    xs.insert(k, j)
    return xs, xs.index(3, 0), xs


def list_native_pop(k):
    xs = [1, "b", None]
    return xs.pop(k), xs


def list_native_index_from(k, j):
    xs = [k, 2, 3, 2]
    return xs.index(2, j)


def list_native_slices(k, j):
    xs = [1, 2, 3, 4]
    ys = xs[k:j]
    xs[k:j] = [k]
    del xs[:j]
    return xs, ys


def list_native_store(k, j):
    xs = [1, 2, 3]
    xs[k] = j
    xs[-1] += k
    return xs


def tuple_index_from(pair, k, j):
    return pair.index(k, j)


def deque_ends(xs, k):
    q = deque(xs)
    q.append(k)
    q.appendleft(k + 1)
    return q, len(q), q[0], q[-1], q.pop(), q.popleft(), list(q)


def deque_rotated(xs, p):
    q = deque(xs)
    q.rotate(p)
    return q


def deque_bounded(xs, ys):
    q = deque(xs, 2)
    q.extend(ys)
    q.extendleft([1])
    return q, q.maxlen


def deque_maxlen(xs, k):
    return deque(xs, maxlen=k)


def deque_places(k, j):
    q = deque([1, 2, 3])
    q.insert(k, j)
    q[j] = k
    return q


def deque_index(k, j):
    q = deque([1, 2, 3])
    return q[k], q.index(3, j), k in q, q.count(k), 2 in q


def deque_delete(k):
    q = deque([1, 2, 3])
    del q[k]
    return q


def deque_remove(xs, k):
    q = deque(xs)
    q.remove(k)
    return q


def deque_compared(xs, ys):
    return deque(xs) == deque(ys), deque(xs) < deque(ys), deque(xs) == xs


def deque_copied(xs):
    q = deque(xs)
    other = q.copy()
    other.append(1)
    other.reverse()
    return q, other, q + other, copy.copy(q)


def counter_counts(xs, k):
    c = Counter(xs)
    return c[k], c[3], len(c), k in c, sum(c.values()), c


def counter_changed(xs, k):
    c = Counter(xs)
    c[k] += 2
    c["a"] = 1
    return c, c.most_common(1)


def counter_equal(xs, ys):
    return Counter(xs) == Counter(ys), Counter(xs) != Counter([1, 2])


def counter_arithmetic(xs, ys):
    return Counter(xs) + Counter(ys), Counter(xs) - Counter(ys)


def counter_sets(xs, ys):
    return Counter(xs) | Counter(ys), Counter(xs) & Counter(ys)


def counter_updated(xs, ys):
    c = Counter(xs)
    c.update(ys)
    return c


def counter_text(w):
    c = Counter(w)
    return c["a"], len(c)


def counter_elements(xs):
    return sorted(Counter(xs).elements()), Counter(xs).most_common()


def defaultdict_lists(words, w):
    groups = defaultdict(list)
    for word in words:
        groups[word[:1]].append(word)
    return groups[w], len(groups), w in groups


def defaultdict_counts(xs, k):
    counts = defaultdict(int)
    for x in xs:
        counts[x] += 1
    return counts[3], counts.get(k), counts.pop(k, None), len(counts)


def defaultdict_without_factory(k):
    table = defaultdict(None, {1: 2})
    return table[k]


def ordered_dict(words, w):
    order = OrderedDict.fromkeys(words, 0)
    if w in order:
        order.move_to_end(w)
    order["a"] = 1
    return list(order.items())


def ordered_moved(words, w):
    order = OrderedDict((word, 1) for word in words)
    order.move_to_end(w, last=False)
    return order


def ordered_equal(words):
    order = OrderedDict.fromkeys(words)
    return order == OrderedDict.fromkeys(["a", "b"]), order == {"b": None, "a": None}


def dict_native_update(w, k, e):
    table = {"a": 1}
    table[w] = k
    table.update(e)
    table.update([("b", 2)], zz=3)
    return table


def dict_native_equal(w, k):
    table = {"a": 1}
    table[w] = k
    return table == {"a": 1}, table != {"a": 1, "b": 2}, {"b": 3, "a": 1} == table


def dict_native_union(w, k):
    table = {}
    table[w] = k
    other = {"a": 0} | table
    other |= {"b": 1}
    return other, table.keys() & {"a"}, table.keys() == {"b"}, {"a": 1}.keys() - table.keys()


def dict_of_pairs(words, xs):
    return dict(zip(words, xs)), dict([(1, 2), (3, 4)]), len(dict(zip(xs, words)))


def dict_from_keys(words, k):
    return dict.fromkeys(words, k), dict.fromkeys("ab"), len(dict.fromkeys(words))


def dict_copied_deep(w, k):
    table = {}
    table[w] = [k]
    other = copy.deepcopy(table)
    other[w].append(1)
    return table, other, "a" in other


def set_native_methods(xs, s):
    seen = set()
    for x in xs:
        seen.add(x)
    return seen.union([1, 2]), seen & {1, 2}, seen.isdisjoint(s), seen <= {1, 2, 3}, len(seen | s)


def set_native_updates(xs, s):
    seen = set(xs)
    seen.update([1], (2,))
    seen -= s
    seen.difference_update([2])
    seen ^= {1}
    return seen, len(seen)


def set_frozen_methods(xs, s):
    frozen = frozenset(xs)
    return frozen | s, frozen.intersection([1, 2]), frozen == s, frozen.issuperset(s), frozen - {1}


def set_of_pairs(xs, k, j):
    return (k, j) in set(zip(xs, xs[1:])), len({*zip(xs, xs)})


def heap_sorted(xs):
    heapq.heapify(xs)
    return [heapq.heappop(xs) for _ in range(len(xs))], xs


def heap_pushed(xs, k):
    heap = []
    for x in xs:
        heapq.heappush(heap, x)
    return heapq.heappushpop(heap, k), heap, heapq.heapreplace([1, 2], k)


def heap_pairs(xs, words):
    heap = list(zip(xs, words))
    heapq.heapify(heap)
    return heap and heapq.heappop(heap)


def heap_extremes(xs, p):
    return heapq.nlargest(2, xs), heapq.nsmallest(p, xs), heapq.nsmallest(2, xs, key=abs)


def heap_merged(xs, ys):
    return list(heapq.merge(sorted(xs), sorted(ys)))


def bisected(xs, k):
    xs.sort()
    return bisect.bisect(xs, k), bisect.bisect_left(xs, k), bisect.bisect_right([1, 2, 3], k)


def bisected_within(k, j):
    return bisect.bisect_left([1, 2, 3, 4], k, j), bisect.bisect([1, 2, 3], 2, 0, j), bisect.bisect([3], k)


def insorted(xs, k):
    xs.sort()
    bisect.insort(xs, k)
    return xs, len(xs)


def iter_counted(k, xs):
    return list(zip(count(k), xs)), list(islice(count(k, 2), 2)), next(count(5))


def iter_enumerated(k, xs):
    return list(enumerate(xs, k)), list(enumerate(xs, start=k))


def iter_sliced(xs, p):
    return list(islice(xs, p))


def iter_taken(xs):
    return list(takewhile(lambda x: x < 2, xs)), list(dropwhile(lambda x: x < 2, xs)), list(filterfalse(abs, xs))


def iter_grouped(xs):
    return [(k, list(g)) for k, g in groupby(xs)], [(k, list(g)) for k, g in groupby(xs, abs)]


def iter_products(xs, pair):
    return list(product(xs[:2], pair)), list(permutations(pair)), list(pairwise(xs))


def iter_combined(pair, p):
    return list(combinations(pair, p)), list(combinations_with_replacement(pair, 2))


def iter_accumulated(xs):
    return list(accumulate(xs, max)), list(accumulate(xs, initial=3)), list(accumulate(xs, operator.mul))


def iter_starmapped(xs, b):
    return list(starmap(pow, zip(xs, (2, 2)))), list(compress(xs, [b, True])), list(chain.from_iterable([xs, xs]))


def iter_repeated(k, p):
    return list(repeat(k, p))


def sum_of_mixed(xs, f, k, b):
    return sum([1.5, k]), sum(xs, 0.5), sum(x / 2 for x in xs), sum([f, b, k]), sum([]), sum([k], f)


def sum_of_lists(rows, k):
    return sum(rows, []), sum([(1,), (k,)], ())


def operator_functions(k, j, xs, f):
    return (
        operator.add(1.5, k), operator.sub(f, j), operator.lt(1.5, k), operator.getitem([1, 2, 3], 1),
        operator.contains(xs, k), operator.itemgetter(0, 1)((k, j)), operator.not_(k), operator.eq(k, j),
    )  # fmt: skip


def operator_items(k, j):
    xs = [1, 2, 3]
    operator.setitem(xs, k, j)
    return operator.getitem(xs, j), operator.itemgetter(k)(xs)


def partial_calls(k, w):
    return partial(int, w)() if w.isdigit() else None, partial(operator.add, 1.5)(k), partial(max, k)(2)


def sorted_by_cmp(xs):
    return sorted(xs, key=cmp_to_key(lambda a, b: b % 3 - a % 3)), max(xs, key=cmp_to_key(lambda a, b: a - b))


def sorted_stably(words, b):
    return sorted(words, key=len, reverse=b), sorted(words, key=lambda word: word[:1])


def namedtuple_fields(k, j):
    Point = namedtuple("Point", "x y", defaults=[0])
    p = Point(k, j)
    q = p._replace(x=p.y)
    return p.x + p.y, q == p, p < q, p[0], tuple(q), k in p, Point(k)._asdict(), p == (1, 2), Point._make([k, 1]).x


def texts_of_containers(k, w, f, b):
    return (
        repr([k, (w,), {w: f}]), str({"a": b}), f"{[k]!r:>9} {(k, w)}", "%s %r" % ([k], w), "{}".format([w]),
        repr({k}), ascii([w]), str(()), repr(frozenset()), format([k]), str(deque([k])),
    )  # fmt: skip


def texts_of_lists(xs, words):
    return str(xs), repr(words), f"{words}"


def text_of_itself(k):
    xs = [k]
    xs.append(xs)
    return repr(xs), str({"a": xs})


def printed(xs, d, w):
    print(xs, d, w, {1: xs}, sep="", file=io.StringIO())
    return len(xs)


def copied_deep(d, rows):
    other = copy.deepcopy((d, rows))
    other[1].append([])
    other[0]["zz"] = 1
    return other, len(d), len(rows)


def nested_dict_default(w, k):
    tree = {"a": {"b": 1}, "b": {}}
    return tree.get(w, {}).get("b", k)


def unpacked_nested(rows):
    (a, *rest), *others = rows
    return a, rest, others


def merged_displays(d, e, k):
    return {**d, "a": k, **e}, [*d, *e], (*d.values(),), {*d}


def a_constant_entry_in_items(d):
    return ("a", 2) in d.items(), "b" in d.keys(), ("a", 2) not in dict(d).items()


def an_entry_with_a_list_in_items(d, k):
    lists = {key: [value] for key, value in d.items()}
    lists.setdefault("b", [k])
    return ("a", [2]) in lists.items()


def octets_of_an_iterator(xs):
    return bytes(reversed([x % 4 for x in xs])) == b"\1\2", bytes(filter(None, [x & 3 for x in xs]))


class Upper(dict):
    """Reads no key as it is."""

    def __getitem__(self, key):
        return super().__getitem__(key.upper())

    def get(self, key, default=None):
        return super().get(key.upper(), default)


class Tree(OrderedDict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.stored = 0

    def __setitem__(self, key, value):
        super().__setitem__(key, value)

    def path(self, key, default=None):
        found = super().get(key, default)
        return found if key in self else -1

    def pop(self, key, default=None):
        self.stored -= 1
        return super().pop(key, default)


class Bag(dict):
    def __missing__(self, key):
        return len(key)


def heirs_of_dicts(d, w, k):
    tree = Tree(d)
    tree[w] = k
    tree.setdefault("b", k)
    return tree.path(w), tree.path("a"), tree.pop(w), "b" in tree, len(tree), sorted(tree.items())


def an_heir_that_reads_in_its_own_way(w, k):
    upper = Upper(A=1, ZZ=k)
    found = upper.get(w, 0)
    try:
        return found, upper[w]
    except KeyError as error:
        return found, error.args


def an_heir_with_what_is_missing(d, w):
    bag = Bag(d)
    bag.update(e for e in d.items())
    bag[w] = bag[w] + 1
    del bag[w]
    return bag[w], w in bag, bag == d


def an_heir_filled_with_pairs(words, k):
    bag = Bag([(word, k) for word in words], b=2)
    bag.update([("a", 3), *((word, 4) for word in words)])
    return dict(bag), list(bag), bag.get("zz"), Bag([(w, 1) for w in words] or ()).keys() <= bag.keys()
