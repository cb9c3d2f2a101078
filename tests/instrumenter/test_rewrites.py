from __future__ import annotations

import pytest

from instrumenter.interface import UNTOUCHED_CALLS
from tests.instrumenter.support import assert_twin, assert_untouched, twin_of, with_indices


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = a + b * c", "x = _.add(a, _.mul(b, c))"),
        ("x = (a - b) @ c", "x = _.matmul((_.sub(a, b)), c)"),
        ("x = a ** -b", "x = _.pow(a, _.neg(b))"),
        ("x = not a", "x = _.not_(a)"),
        ("x = ~a, +a", "x = _.invert(a), _.pos(a)"),
        ("x = '%s' % a", "x = _.mod('%s', a)"),
        ("x = a\\\n  + b", "x = _.add(a\\\n  , b)"),
        ("x = (a  # first\n     + b)  # last", "x = (_.add(a  # first\n     , b))  # last"),
    ],
)
def test_operators_become_calls(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = a < b", "x = _.lt(a, b)"),
        ("x = a is not None", "x = _.is_not_const(a, None)"),
        ("x = a not in b", "x = _.not_in(a, b)"),
        ("x = 0 < a <= 9", "x = (_.lt_const(0, a) and _.le_const(a, 9))"),
        ("x = a < b < c < d", "x = (_.lt(a, b) and _.lt(b, c) and _.lt(c, d))"),
        ("x = a < f.g < b", "x = a < f.g < b"),
        (
            "def f():\n  return a < g.h < b",
            "def f():\n  return ((_.lt(a, (_1 := g.h)) and _.lt(_1, b)), (_1 := None))[0]",
        ),
        (
            "def f():\n  return [a < g.h < b]",
            "def f():\n  return [((_.lt(a, (_1 := g.h)) and _.lt(_1, b)), (_1 := None))[0]]",
        ),
        ("def f():\n  return lambda: a < g.h < b", "def f():\n  return lambda: a < g.h < b"),
        ("def f():\n  locals()\n  return a < g.h < b", "def f():\n  locals()\n  return a < g.h < b"),
        ("def f():\n  class C:\n    x = a < g.h < b", "def f():\n  class C:\n    x = a < g.h < b"),
        (
            "if a < b < c: pass",
            "if _.truth((_.if_lt(a, b, #1) and _.if_lt(b, c, #2)), #0): pass",
        ),
    ],
)
def test_comparisons_become_calls_and_evaluate_once(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if a: pass\nelif b: pass", "if _.truth(a, #0): pass\nelif _.truth(b, #1): pass"),
        ("while not a: pass", "while _.if_not(a, #1, #0): pass"),
        ("assert a, b", "assert _.truth(a, #0), b"),
        ("x = a if b else c", "x = a if _.truth(b, #0) else c"),
        ("x = (a)if(b)else-c", "x = (a)if _.truth((b), #0)else _.neg(c)"),
        (
            "if a and b or not c: pass",
            "if _.truth(_.truth(a, #1) and _.truth(b, #2) or not _.truth(c, #3), #0): pass",
        ),
        ("x = a and b", "x = a and b"),
        ("if x := f(): pass", "if _.truth((x := _.callee0(f)()), #0): pass"),
        ("if __debug__ and a: pass", "if __debug__ and _.truth(a, #0): pass"),
        (
            "x = [a for a in b if a if c]",
            "x = [a for a in _.iterate(b, #0) if _.truth(a, #1) if _.truth(c, #2)]",
        ),
    ],
)
def test_conditions_are_decided_by_truth(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = a[i]", "x = _.getitem(a, i)"),
        ("x = a[i:]", "x = _.getitem(a, _.slice_(i, None, None))"),
        ("x = a[::2, ..., i]", "x = _.getitem(a, (_.slice_(None, None, 2), ..., i))"),
        ("x = a[i,]", "x = _.getitem(a, (i,))"),
        ("x = a[\n  i\n]", "x = _.getitem(a,\n  i\n)"),
        ("a[i] = v", "_.setitem(v, a, i)"),
        ("a[i] = v; b = 1", "_.setitem(v, a, i); b = 1"),
        ("a[i] = v, w", "_.setitem((v, w), a, i)"),
        ("a[i] = {\n}", "a[i] = {\n}"),
        ("a[i] = b[i] = v", "a[i] = b[i] = v"),
        ("a[b[i]], c = v", "a[_.getitem(b, i)], c = v"),
        ("a[i].x = v", "_.getitem(a, i).x = v"),
        ("del a[i]", "_.delitem(a, i)"),
        ("del a[b[i]], c", "del a[_.getitem(b, i)], c"),
        ("for a[i] in b: pass", "for a[i] in _.iterate(b, #0): pass"),
        ("with a as b[i]: pass", "with a as b[i]: pass"),
        ("a[i]: int = v[i]", "a[i]: int = _.getitem(v, i)"),
    ],
)
def test_subscripts_become_calls_where_exact(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x += 1", "x = _.iadd_const(x, 1)"),
        ("class C:\n  x //= y, z", "class C:\n  x = _.ifloordiv(x, (y, z))"),
        ("def f():\n  global x\n  x |= 1", "def f():\n  global x\n  x = _.ior_const(x, 1)"),
        ("a.b += v", "a.b += v"),
        ("def f(a):\n  a.b += v", "def f(a):\n  a.b = _.iadd(a.b, v)"),
        ("def f():\n  a.b += v", "def f():\n  _1.b = _.iadd((_1 := a).b, v); del _1"),
        ("def f(a):\n  a.b += (a := v)", "def f(a):\n  _1.b = _.iadd((_1 := a).b, (a := v)); del _1"),
        (
            "def f(a):\n  a.b += g()\n  def g():\n    nonlocal a",
            "def f(a):\n  _1.b = _.iadd((_1 := a).b, _.callee0(g)()); del _1\n  def g():\n    nonlocal a",
        ),
        ("def f(a, i):\n  a[i] += v", "def f(a, i):\n  _.setitem(_.iadd(_.getitem(a, i), v), a, i)"),
        ("def f(a, i):\n  a[i] += (\n  v)", "def f(a, i):\n  a[i] = _.iadd(_.getitem(a, i), (\n  v))"),
        (
            "def f(a):\n  a.b[c.d, 1] += v",
            (
                "def f(a):\n"
                "  _.setitem(_.iadd(_.getitem((_1 := a.b), (_2 := (c.d, 1))), v), _1, _2); del (_1, _2)"
            ),
        ),
        ("a[i] += v", "a[i] += v"),
        ("def f(x):\n  x += yield", "def f(x):\n  x = _.iadd(x, (yield))"),
    ],
)
def test_augmented_assignment_evaluates_its_target_once(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(a, *b, k=c, **d)", "_.callee(f)(a, *b, k=c, **d)"),
        ("a.b(c)(d)", "_.callee1(_.callee1(a.b)(c))(d)"),
        ("f(x for x in y)", "_.callee1(f)(x for x in _.iterate(y, #0))"),
        ("@f(a + b)\ndef g(): pass", "@f(_.add(a, b))\ndef g(): pass"),
        ("super().f(a)", "_.callee1(super().f)(a)"),
        ("super().f()", "_.callee0(super().f)()"),
        ("eval(a + b)", "eval(_.add(a, b))"),
        ("def f():\n  return(a)(b)", "def f():\n  return _.callee1((a))(b)"),
        ("class A(B[int], metaclass=C[int]): pass", "class A(B[int], metaclass=_.getitem(C, int)): pass"),
        ("class A(f(x)): pass", "class A(_.callee1(f)(x)): pass"),
        ("f(a, b)", "_.callee2(f)(a, b)"),
        ("f(a, b, c)", "_.callee(f)(a, b, c)"),
        ("f(a, k=b)", "_.callee(f)(a, k=b)"),
    ],
)
def test_calls_hand_their_callee_to_the_runtime(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()", "_.callee0(f)()"),
        ("a.f()()", "_.callee0(_.callee0(a.f)())()"),
        ("a.f('x', 1, k=None)", "_.callee0(a.f)('x', 1, k=None)"),
        ("f(-1, (1, 2), 'a' 'b')", "_.callee0(f)(-1, (1, 2), 'a' 'b')"),
        ("[].pop()", "_.callee0([].pop)()"),
        ("f(*())", "_.callee(f)(*())"),
    ],
)
def test_calls_that_hand_over_nothing_say_so(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize("call", sorted(f"{name}()" for name in UNTOUCHED_CALLS))
def test_builtins_that_look_at_their_caller_are_called_as_they_are(call):
    assert_untouched(call)


@pytest.mark.parametrize("method", ["get", "pop", "setdefault", "add", "discard", "remove"])
def test_look_ups_of_literals_hand_over_a_key(method):
    assert_twin(f"a.{method}('x')", f"_.callee1(a.{method})('x')")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a + 1", "_.add_const(a, 1)"),
        ("a % 'x'", "_.mod_const(a, 'x')"),
        ("a << -1", "_.lshift_const(a, -1)"),
        ("2 * a", "_.mul_const(2, a)"),
        ("-2 ** a", "_.neg(_.pow_const(2, a))"),
        ("'x' + a", "_.add_const('x', a)"),
        ("'x' 'y' < a", "_.lt_const('x' 'y', a)"),
        ("None == a", "_.eq_const(None, a)"),
        ("a is None", "_.is_const(a, None)"),
        ("... is not a", "_.is_not_const(..., a)"),
        ("a[0]", "_.getitem_const(a, 0)"),
        ("a[-1]", "_.getitem_const(a, -1)"),
        ("a[1:]", "_.getitem_const(a, _.slice_(1, None, None))"),
        ("a += 'x'", "a = _.iadd_const(a, 'x')"),
    ],
)
def test_literals_are_left_to_python_where_it_dispatches_on_the_other_operand(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2.0 * a", "_.mul(2.0, a)"),
        ("True + a", "_.add(True, a)"),
        ("'%s' % a", "_.mod('%s', a)"),
        ("1.5 < a", "_.lt(1.5, a)"),
        ("False == a", "_.eq(False, a)"),
        ("a is True", "_.is_(a, True)"),
        ("a['x']", "_.getitem(a, 'x')"),
        ("a[0:i]", "_.getitem(a, _.slice_(0, i, None))"),
        ("a in (1, 2)", "_.in_(a, (1, 2))"),
        ("a @ 1", "_.matmul(a, 1)"),
    ],
)
def test_other_literals_are_operands_like_any(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if a < b: pass", "if _.if_lt(a, b, #0): pass"),
        ("if (a == b): pass", "if (_.if_eq(a, b, #0)): pass"),
        ("if a not in b: pass", "if _.if_not_in(a, b, #0): pass"),
        ("if a > 0: pass", "if _.truth(_.gt_const(a, 0), #0): pass"),
        ("if a is b: pass", "if _.truth(_.is_(a, b), #0): pass"),
        ("if not a < b: pass", "if _.truth(not _.if_lt(a, b, #1), #0): pass"),
        ("if not (a and b): pass", "if _.truth(_.not_((_.truth(a, #1) and _.truth(b, #2))), #0): pass"),
        ("if a or not b: pass", "if _.truth(_.truth(a, #1) or not _.truth(b, #2), #0): pass"),
    ],
)
def test_operators_are_decided_in_the_same_call(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f'{a}'", "_.fstring(_.field(a, '', ''))"),
        ("f'x{a!r:>5}y'", "_.fstring('x', _.field(a, 'r', '>5'), 'y')"),
        (
            "f'{a:{b}.{c}}'",
            "_.fstring(_.field(a, '', _.fstring(_.field(b, '', ''), '.', _.field(c, '', ''))))",
        ),
        ("f'{ a = }{b=:>3}'", "_.fstring(' a = ', _.field(a, 'r', ''), 'b=', _.field(b, '', '>3'))"),
        ("f'{{{a}}}'", "_.fstring('{', _.field(a, '', ''), '}')"),
        (r"rf'\d{a}\\'", r"_.fstring(r'\d', _.field(a, '', ''), r'\\')"),
        ('f"""{a}"{b}"""', "_.fstring(_.field(a, '', ''), \"\"\"\\\"\"\"\", _.field(b, '', ''))"),
        ("x = ('a'\n  f'{b}'\n  'c' 'd')", "x = (_.fstring('a',\n  _.field(b, '', ''),\n  'c' 'd'))"),
        ("f'{a + b}'", "_.fstring(_.field(_.add(a, b), '', ''))"),
        ("f'plain'", "f'plain'"),
        ("'a' 'b'", "'a' 'b'"),
        ("'a' f'b'", "'a' f'b'"),
    ],
)
def test_fstrings_become_calls(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for x in a, b: pass", "for x in _.iterate((a, b), #0): pass"),
        ("for x in[a]: pass", "for x in _.iterate([a], #0): pass"),
        (
            "async def f():\n  async for x in y: pass\n  return [x async for x in y if x]",
            "async def f():\n  async for x in y: pass\n  return [x async for x in y if _.truth(x, #0)]",
        ),
        (
            "match a, b:\n  case [x, {'k': -1}] if x: pass",
            "match _.subject((a, b)):\n  case [x, {'k': -1}] if _.truth(x, #0): pass",
        ),
        ("match(a):\n  case C.x | C(y=1): pass", "match _.subject((a)):\n  case C.x | C(y=1): pass"),
    ],
)
def test_loops_and_match_show_what_they_walk(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def __bool__(self):\n  return self.a", "def __bool__(self):\n  return _.returned(self.a)"),
        ("def __len__(self):\n  return 3", "def __len__(self):\n  return 3"),
        ("def length(self):\n  return self.a", "def length(self):\n  return self.a"),
    ],
)
def test_methods_that_c_code_calls_return_plain_values(before, after):
    assert_twin(before, after)


@pytest.mark.parametrize(
    "source",
    [
        "x = -1, 60 * 60, 'a' 'b', 1 < 2, not True",
        "while True: pass",
        "while 1: pass",
        "if __debug__: pass",
        "if not __debug__: pass",
        "from __future__ import annotations\nimport a.b as c",
        '"""Doc."""\n',
        "def f(a: B[int] = 1, *b: C | D) -> E[int]: pass",
        "x: list[int | str] = 1",
        "class A:\n  __slots__ = a + b",
        "super().__init__",
        "@a.b\n@c(d)\ndef f(): pass",
        "a, b = b, a",
        "try: pass\nexcept (A, B) as e: raise C from e",
        "del a, b.c, (d, e)",
        "x = lambda a, *b, c=1: a",
        "",
        "\n\n",
        "# only a comment",
    ],
)
def test_what_computes_nothing_is_left_alone(source):
    assert_untouched(source)


def test_prelude_and_helpers_avoid_the_names_of_the_source():
    twin = twin_of("_tt = 1\ndef f(_tt_1): return a < b.c < _tt + 1")
    assert twin.prelude_name == "_tt__"
    assert "(_tt__.lt(a, (_tt__1 := b.c)) and _tt__.lt(_tt__1, _tt__.add" in twin.source


def test_deep_nesting_is_rewritten_as_far_as_the_tokenizer_allows():
    twin = twin_of("x = " + " + ".join(["a"] * 400))
    assert 40 == twin.source.count("_tt.add")
    compile(twin.source, "twin", "exec")


def test_site_table_tells_kind_place_and_scope():
    source = (
        "class A:\n  def f(self):\n    def g():\n      return 1 if\tx else y\n    if a: pass\nif b: pass\n"
    )
    found = [(site.kind.name, site.line, site.column, site.scope) for site in twin_of(source).sites]
    assert [
        ("TERNARY", 4, 18, "A.f.<locals>.g"),
        ("IF", 5, 7, "A.f"),
        ("IF", 6, 3, ""),
    ] == found


def test_sites_are_numbered_by_module():
    one = twin_of("if a: pass", "one")
    other = twin_of("if a: pass", "other")
    assert one.sites[0].id != other.sites[0].id
    assert "if _tt.truth(a, #0): pass" == with_indices(one, "one")
