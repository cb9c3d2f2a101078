"""Programs that fail, or go their way, at one certain operation."""

from __future__ import annotations

# What the programs below fail with: everything about it raises.
PROGRAM = """\
class Bad:
    __slots__ = ()
    def fail(self, *args):
        raise ValueError
    __add__ = __radd__ = __iadd__ = __neg__ = __lt__ = __eq__ = __contains__ = fail
    __getitem__ = __setitem__ = __delitem__ = __bool__ = __iter__ = __format__ = fail
    __call__ = __mod__ = __matmul__ = __repr__ = __invert__ = fail
    __hash__ = None
bad = Bad()
class Ok:
    def __init__(self):
        self.a = self
        self.b = bad
        self.n = 1
    def m(self, *args, **kwargs):
        return self
    def __getitem__(self, key):
        return self
    def fail(self, *args, **kwargs):
        raise ValueError(args)
ok = Ok()
one = 1
items = [3, 1, 2]
table = {'a': 1}
def ident(x):
    return x
"""

EXPRESSIONS = [line.strip() for line in """
    bad + one
    one + one + bad + one
    one * (one + bad)
    - bad
    not bad
    ~ bad
    bad @ one
    bad % (one, one)
    '%d' % items
    bad < one
    one < bad
    one == bad
    one in bad
    bad not in bad
    one < bad < one
    0 < one < bad < 9
    0 < one < ok.n < bad
    0 < ok.n + 1 < bad + 1 < 4
    bad[0]
    items[10]
    items[one:bad]
    items[one:one:'x']
    table['missing']
    table['a']['b']
    ok.a.n.missing
    ident(bad)()
    one()
    ok.n()
    ident(ident)(ident)(one)(one)
    ok.fail(one, 2)
    ok.m().m(one).fail(k=one)
    ok.m(*items).fail(*items, **table)
    ok[1][2].fail(one)
    ident(one + bad)
    ident(x=one)
    [x + bad for x in items]
    [x for x in bad]
    [x for x in one]
    [x for x in items if bad]
    [x for x in items if x + bad]
    [x for x in items if x < bad]
    [x for x in items for y in bad]
    {x: x / 0 for x in items}
    {x % 0 for x in items}
    list(x // 0 for x in items)
    (lambda: bad + 1)()
    (lambda x: x / 0)(one)
    one if bad else 2
    one / 0 if one else 2
    one if not one else one / 0
    one and bad + 1
    (one or 0) and one / 0
    one if one and bad else 2
    one if one < 2 and not bad else 2
    f'{bad}'
    f'a{one}b{bad:>10}c'
    f'{one!r:>{bad}}'
    f'{one:{one / 0}}'
    f'{bad!r}'
    f'{bad=}'
    f'{one + bad}'
    'text' f'{one / 0}' 'more'
    f'ä{one / 0}ö'
    'äöü' + one
    'äöü' and items['ß']
    ident(one)[0]
    (x := one / 0)
    [*items, *bad]
    {**table, **bad}
    print(*bad)
    ident(**bad)
    int('x')
    ''.join(items)
    items.index(one / 0)
    (bad)[(0)]
    not (bad == 3)
    not bad < 3
    not 3 in bad
    (not (bad == 3)) or one
    [1 for _ in items if not (bad == 3)]
    ((one) + (bad))
    (ident)((one) / (0))
    super().missing
    one.missing
    isinstance(one, one) or one / 0
""".strip().splitlines()]

STATEMENTS = {
    "if": "if bad:\n    pass",
    "if comparing": "if one < bad:\n    pass",
    "elif": "if not one:\n    pass\nelif bad:\n    pass",
    "if with operands": "if one and bad or one:\n    pass",
    "if with comparison and operand": "if one < 2 and bad:\n    pass",
    "if with not": "if not (one and bad):\n    pass",
    "if on one line": "if bad: pass",
    "not on several lines": "x = (not\n     (bad == 1))",
    "while": "while bad:\n    pass",
    "while, second time": "for x in [0]:\n    y = one\n    while y:\n        y = bad",
    "for": "for x in bad:\n    pass",
    "for an int": "for x in one:\n    pass",
    "for with a failing next": "for x in map(int, 'x'):\n    pass",
    "unpacking": "for x, y in items:\n    pass",
    "assert": "assert not one",
    "assert of a comparison": "assert one > 2",
    "assert with message": "assert one > 2, 'text'",
    "assert with failing message": "assert one > 2, bad + 1",
    "assert of a bad value": "assert bad",
    "assert with operands": "assert one and one > 2 and one",
    "assert not": "assert not one < 2",
    "assert of a chain": "assert 0 < one < 1 < 3",
    "augmented": "y = 1\ny += bad",
    "augmented bad": "y = bad\ny += 1",
    "augmented item": "items[0] += bad",
    "augmented missing item": "table['b'] += 1",
    "augmented store": "x = ('a', 1)\nx[0] += 'b'",
    "augmented attribute": "ok.n += bad",
    "augmented missing attribute": "ok.missing += 1",
    "augmented attribute store": "bad.__class__ += 1",
    "augmented deep": "ok.a.a.n += bad",
    "store": "bad[0] = 1",
    "store in a list": "items[10] = 1",
    "store of a bad value": "items[0] = bad + 1",
    "store with a bad key": "items[bad + 1] = 0",
    "store unhashable": "table[[]] = 1",
    "store in slices": "items[::2] = [1, 2, 3, 4, 5]",
    "delete": "del bad[0]",
    "delete in a list": "del items[10]",
    "delete second": "x = [1, 2]\ndel x[0], x[1]",
    "raise": "raise ValueError(one / 0)",
    "raise with args": "raise ValueError(one, 'two')",
    "raise from": "try:\n    one / 0\nexcept ZeroDivisionError as error:\n    raise KeyError(1) from error",
    "raise in handler": "try:\n    one / 0\nexcept ZeroDivisionError:\n    items[9]",
    "except of no class": "try:\n    one / 0\nexcept one:\n    pass",
    "with": "with one:\n    pass",
    "with failing inside": "import io\nwith io.StringIO() as x:\n    x.read(one / 0)",
    "return": "def g():\n    return one / 0\ng()",
    "decorator": "@ident(one / 0)\ndef g(): pass",
    "decorator called": "@one\ndef g(): pass",
    "default": "def g(x=one / 0): pass",
    "class body": "class C:\n    x = one / 0",
    "base": "class C(bad + 1): pass",
    "match": "match one / 0:\n    case 1: pass",
    "match guard": "match one:\n    case 1 if bad: pass",
    "match guard comparing": "match one:\n    case int(x) if x < bad: pass",
    "generator": "def g():\n    x = yield one\n    yield x / 0\nlist(g())",
    "yield from": "def g():\n    yield from bad\nlist(g())",
    "await": "async def g():\n    await bad\ng().send(None)",
    "nested": "def g():\n    def h():\n        return one + bad\n    return h()\ng()",
    "finally": "try:\n    one / 0\nfinally:\n    one + 1",
    "global": "global gone\ngone + 1",
    "import": "import missing_module_of_that_name",
}

SEVERAL_LINES = {
    "binary": "x = (one +\n     one +\n     bad)",
    "left in parentheses": "x = (\n    one\n) + bad",
    "display": "x = [\n    one,\n    2,\n] + bad",
    "call": "ident(\n    one,\n    bad,\n)",
    "call of what is in parentheses": "x = (\n    ident\n)(one,\n  2)",
    "methods": "x = (ok\n     .m()\n     .m(one,\n        2)\n     .fail(one,\n           3))",
    "methods with stars": "x = (ok\n     .m(*items)\n     .fail(*items))",
    "methods with keywords": "x = (ok\n     .m(k=one)\n     .fail(k=\n       one))",
    "method of an import": "import os\nx = (os\n     .fspath(one))",
    "attribute": "x = (ok\n     .a\n     .missing)",
    "subscript": "x = table[\n    'b'\n]",
    "slice": "x = items[\n    one:\n    bad]",
    "slice with a step": "x = items[\n    one:\n    one:\n    'a']",
    "display and key": "x = {\n    'a': one,\n    'b': 2,\n}['c']",
    "if": "if (one and\n        bad and\n        one):\n    pass",
    "if that is false at once": "if (not one and\n        bad):\n    pass\none / 0",
    "if with comparisons": "if (one < 2 and\n        one < 3 and\n        one > 5):\n    pass\none / 0",
    "if in parentheses": "if (\n    bad\n):\n    pass",
    "if comparing in parentheses": "if (\n    one < bad\n):\n    pass",
    "if not": "if not (\n    bad\n):\n    pass",
    "while": "y = 0\nwhile (y < 2 and\n       one):\n    y += 1\ny / 0",
    "assert": "assert (one and\n        one > 3), 'text'",
    "assert with a message below": "assert one > 3, (\n    'text')",
    "assert in parentheses": "assert (\n    not one\n)",
    "conditional": "x = (one\n     if not one\n     else bad + 1)",
    "conditional comparing": "x = (one\n     if one < 2\n     else 3) / 0",
    "chain": "x = (0 <\n     one <\n     bad)",
    "for": "for x in (\n    bad\n):\n    pass",
    "for over a call": "for x in map(\n    int,\n    'x',\n):\n    pass",
    "comprehension": "x = [\n    y / 0\n    for y in items\n]",
    "comprehension with a bad iterable": "x = [\n    y\n    for y in\n    bad\n]",
    "store": "items[0] = (\n    bad\n    + 1)",
    "augmented": "y = 1\ny += (\n    bad)",
    "augmented item": "items[0] += (\n    bad)",
    "augmented attribute": "ok.n += (\n    bad)",
    "delete": "del items[\n    10\n]",
    "return": "def g():\n    return (\n        one /\n        0\n    )\ng()",
    "f-string": "x = f'''\n{one}\n{one / 0}\n'''",
    "concatenated f-string": "x = (f'{one}'\n     'text'\n     f'{one / 0}')",
    "string": "x = '''a\nb''' + one",
    "format": "x = '''a\n%d''' % (\n    bad)",
    "argument": "ident(one,\n      one +\n      bad)",
    "raise": "raise ValueError(\n    one / 0)",
    "with": "with ident(\n    one\n):\n    pass",
    "lambda": "x = ident(\n    lambda:\n    one / 0)\nx()",
    "match": "match (\n    one /\n    0\n):\n    case 1: pass",
    "decorator": "@ident(\n    one / 0\n)\ndef g(): pass",
    "for over constants": "for x in [\n    1,\n    'a',\n]:\n    one / x",
    "for over nested constants": "for x, y in (\n    (1, 2),\n    (3, 'a')):\n    one / y",
    "in constants": "x = one in [\n    1,\n    2,\n] and bad + 1",
    "in a tuple": "if one in (\n    1,\n    -2,\n):\n    bad + 1",
    "constants and operator": "x = [\n    1,\n    -2,\n    3,\n] + bad",
    "simple format": "x = '%s and ' \\\n    '%r' % (\n    one,\n    one / 0)",
    "format in parentheses": "x = ('%s'\n     '%d' % (\n         one,\n         'a'))",
    "if over a comprehension": "if [x\n    for x in items\n    if x > 2 and\n    one] and bad:\n    pass",
}
