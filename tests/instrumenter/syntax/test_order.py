"""Order of evaluation: in each kind of scope, what is evaluated, how often, and when."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import sys

import pytest

from tests.instrumenter.alike import assert_alike

RECORDER = '''
class R:
    """Prints every operation on it."""
    def __init__(self, n, v=0): object.__setattr__(self, "n", n); object.__setattr__(self, "v", v)
    def __repr__(self): return f"<{self.n}>"
    def __getattr__(self, a):
        if a.startswith("__") and a.endswith("__"): raise AttributeError(a)
        print("getattr", self.n, a); return R(self.n + "." + a, self.v)
    def __setattr__(self, a, v): print("setattr", self.n, a, v)
    def __delattr__(self, a): print("delattr", self.n, a)
    def __getitem__(self, k): print("getitem", self.n, k); return R(self.n + "[]", self.v)
    def __setitem__(self, k, v): print("setitem", self.n, k, v)
    def __delitem__(self, k): print("delitem", self.n, k)
    def __iter__(self): print("iter", self.n); return iter((1, 2, 3))
    def __bool__(self): print("bool", self.n); return bool(self.v)
    def __hash__(self): return 0
def op(name):
    def method(self, *others): print(name, self.n, *others); return R(name + self.n, self.v)
    return method
for name in ("add sub mul truediv floordiv mod pow matmul lshift rshift and or xor lt le eq ne gt ge radd rsub contains".split()
             + "neg pos invert iadd isub imul itruediv ifloordiv imod ipow imatmul ilshift irshift iand ior ixor call".split()):
    setattr(R, f"__{name}__", op(name))
def t(n, v=1): print("load", n); return R(n, v)
'''

TARGETS = {
    "augmented": """
        x.a += t('v'); x.a.b -= t('v'); t('o').p *= t('v'); t('o').p[t('k')] /= t('v'); x[t('i')] //= t('v')
        x[t('i'), t('j')] %= t('v'); x[t('i'):t('j')] **= t('v'); x[::t('s')] @= t('v'); x[t('i'):, ...] <<= t('v')
        x[()] >>= t('v'); x[t('i')][t('j')] &= t('v'); x.a[t('i')].b |= t('v'); x ^= t('v'); (x) += t('v')
        t('f')()[t('k')](1).z += t('v'); x[-1] += 1; x[x] += x; x[x.a].b -= x[x]; x['k'] += t('v') if x else 2
        x[
            t('i')
        ] += t('v'); x[0] += (
            t('v')
        )
        x[t('i')] += (
            t('v') +
            t('w')); x.a += (
            t('v'))
        (x.a) += t('v'), t('w'); x[(t('k'))] += [*t('v')]; x[lambda: 1].q += (lambda: 2)()
        x[y := t('w')] += y; x.a += (x := t('n')); x[0] += (x := t('m')); x[t('i')].c += [x.d for x in [x]][0]; t('o').__class__ += 1 if 0 else t('v')
    """,
    "stores": """
        x[t('i')] = t('v'); x.a = t('v'); x[t('i')] = x.b = z = t('v'); x[t('i')], x.a, *x[t('j')] = t('v')
        [x[t('i')], (x.a, x[0])] = t('v'), (t('w'), 5); (x[t('i')]) = t('v'); x[t('i')]: t('annotation') = t('v')
        x.a: int = t('v'); x[t('i')][t('j')].k = t('v'); x[t('i'):t('j'):t('s')] = t('v'), *t('w'); t('o').a, t('p')[t('q')] = t('r')
        x[t('i')] = (
            t('v')
        ); x[
            t('i')
        ] = t('v')
        x[t('i')] = x[
            t('j')] = t('v')
        for x[t('i')] in t('it'): pass
        for x.a, *x[0] in ((1, 2), t('it')): pass
        [0 for z in (1, 2) for x.b in (z,)]
        x[t('i')] = y = t('v'); x[y] = y = t('u'); x[lambda: 0], y = t('v'), 1; x[*[t('i')], t('j')] = 1
        z = x[t('i')]: int = 5
    """.replace("\n        z = x[t('i')]: int = 5", ""),
    "deletions": """
        del x.a, x[t('i')], x[t('i'):t('j')], (x.b, [x[0], x[t('k')].c]), t('o')[t('i')], t('o').p
        del x[t('i')]; del (x[t('i')]); del [x[1]]; del x[t('i'), t('j')],
        del x[
            t('i')
        ], x[
            t('j')]
        del (
            x[0]
        )
        del ()
        y = z = 1; del y, (z), []
        del x[t('i')][t('j')][:]
        del x
    """,
    "comparisons": """
        print(t('a') < t('b') < t('c'), t('a', 0) < t('b') < t('c'), x in x not in x is not x is x, 1 < x > 2 == t('d', 0) != 3 >= 4)
        print(t('a') < (t('b') < t('c')) < t('d'), not t('a') < t('b') <= t('c'), (t('a') < t('b')) == t('c') == 1 == t('e'))
        if t('a') < x.b < x[t('i')] < t('c', 0) < t('never') : print('if')
        while t('a', 0) == t('b') == t('c'): pass
        print([z for z in (x,) if z < t('b') < z.c], (lambda: t('a') > t('b') > t('c'))(), {1 if t('a') < t('b') < 3 else 2})
        assert t('a') < t('b') < t('c'), 'no'; print(x < (y := t('w')) < y, 1 < 2 < 3, 1 < 2 < x, x < 1 < 2 < x.k)
        print(t('a') < t('b') and t('c') < t('d') < t('e') or t('f') == x != x, f"{t('a') <= t('b') >= t('c')!r}")
        print(t('a') is not None is not t('b') in [t('c')] in [t('d')], x == x == x, t('a') < f"{x}" < 'z' 'w' < x)
        print(t('a')
              < t('b')
              < t('c'), (
              x
              ) < (
              t('m')
              ) < x, x is
              not x not
              in x)
    """,
    "operators": """
        print(-t('a') + +t('b') * ~t('c') ** -t('d') @ t('e'), not t('a'), not not t('b', 0), t('a') - t('b') - t('c') if t('d', 0) else t('e') // t('f') % 2)
        print(t('a') and t('b', 0) or t('c'), t('a', 0) and t('b') or not t('c'), (t('a') or t('b')) and (t('c') and t('d')), t('a', 0) or t('b', 0) or 0)
        print(t('a') << t('b') >> t('c') & t('d') | t('e') ^ t('f'), 2 ** -x, (-x) ** 2, -x ** 2, 1 - -x, x - +(~x), x if x else x)
        print(t('f')(t('a'), *t('b'), k=t('c'), **{'l': t('d')}), t('o').m(t('a'))(t('b'))[t('c')](), [*t('a'), t('b')], {t('k'): t('v'), **{}}, {t('a'), *t('b')})
        print(x[t('a')], x[t('a'):t('b')], x[:t('b'):t('c')], x[t('a'), t('b'):], x[...], x[()], x[t('a'),], x[[t('a')]], x[t('a')][t('b')], x[1:2, ::3], x[-1], x[:])
        print(t('a') if t('b') and not t('c', 0) else t('d'), (t('a') if t('b') else t('c')) if t('d', 0) else t('e') if t('f') else t('g'))
        print(lambda a=t('default'): t('never'), (lambda a, *b, c=t('d'), **e: (a, b, c, e))(t('a'), *t('b')), t('a').b.c.d(), 1 + 2 * 3, 'a' 'b' + 'c', -1, ~5, not 1)
        print(t('a'
             ) + (
             t('b') *
             t('c')), not (
             t('d')), -(
             t('e')), t(
             'f')
             (1)
             [t('i')
             ])
    """,
}


@pytest.mark.parametrize("where", ["module", "function", "class", "method", "global"])
@pytest.mark.parametrize("body", TARGETS)
def test_order_of_evaluation(body, where):
    lines = TARGETS[body].strip("\n")
    if sys.version_info < (3, 11):
        lines = lines.replace("x[*[t('i')], t('j')]", "x[(*[t('i')], t('j'))]")
    heads = {
        "module": "if True:\n        x = R('x')\n",
        "function": "def f(x):\n        pass\n",
        "class": "class C:\n        x = R('x')\n",
        "method": "class C:\n      def f(self, x=R('x'), *, y=None):\n        z = [1 for self in ()]\n",
        "global": "x = R('x')\ndef f(_):\n        global x, y, z\n",
    }
    tails = {"function": "f(R('x'))", "method": "C().f()", "global": "f(1)"}
    source = f"{RECORDER}\n{heads[where]}{lines}\n{tails.get(where, '')}\n"
    if where == "class":
        # What cannot stand in a class body: a comprehension that assigns, one that reads its names.
        source = source.replace("[x.d for x in [x]][0]", "x").replace(
            "[0 for z in (1, 2) for x.b in (z,)]", "0"
        )
    assert_alike(source)
