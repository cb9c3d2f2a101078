"""Scopes: comprehensions, assignment expressions, closures, class bodies, names."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import sys

import pytest

from tests.instrumenter.alike import assert_alike

PROGRAMS = {
    "comprehension kinds": """
        xs = [3, 1, 2]
        print([x * 2 for x in xs], {x % 2 for x in xs}, {x: -x for x in xs}, sorted(x + 1 for x in xs))
        print([(x, y) for x in xs if x > 1 for y in range(x) if y if x - y], [[a[0] + b for b in a] for a in [[1, 2], [3]]])
        print([x for x, *rest in [(1, 2, 3), (4,)] if not rest], [x for x in [y for y in xs if y != 1] if x])
        print([lambda: x for x in xs][0](), [f() for f in [lambda x=x: x for x in xs]])
        print({k: v for k, v in zip('ab', xs)}, {**{k: 1 for k in 'xy'}, 'z': 2}, [*(x for x in xs), *[0]])
        print(*[i for i in range(3)], sep='-')
        def f(n): return [[i * j + n for j in range(i)] for i in range(n)], n
        print(f(3))
        try: [y for x in xs]
        except NameError as e: print(e)
        try: [x for x in 5]
        except TypeError as e: print(e)
        try: (x for x in 5)
        except TypeError as e: print(e)
        print('x' in globals(), 'x' in dir())
    """,
    "comprehension in a class body": """
        n = 'global'
        class A:
            n = 3
            first = [i for i in range(n)]
            try: inner = [n for i in range(1)]
            except NameError as e: inner = str(e)
            pairs = [(i, j) for i in range(2) for j in range(2)]
            total = sum(x for x in first)
            table = {k: (lambda: n)() for k in first}
            nested = [[i for i in range(k)] for k in first]
            for n in (7, 8):
                n += 1
            if n > 5:
                chosen = n
            else:
                missed = n
            while n > 5: n -= 2
            text = f'{n}{first[0]}'
            def m(self, d=n + 1): return n, d
            x = y = n * 2
            del first[0], x
            with open('/dev/null') as fh: pass
            del fh
        print(A.first, A.inner, A.pairs, A.total, A.table, A.nested, A().m(), list(vars(A)))
    """,
    "comprehension in a class in a function": """
        def f(k):
            class A:
                k = k if False else 10
                y = [k for _ in range(2)]
                def g(self): return [__class__.__name__ for _ in range(2)], k
            return A
        try: print(f(1).y)
        except NameError as e: print(type(e), e)
        def h(k):
            class A:
                y = [k + i for i in range(2)]
                def g(self): return [__class__.__name__ for _ in range(2)], k
            return A
        print(h(1).y, h(1)().g())
    """,
    "walrus": """
        print((a := 1) + a, [b := 2, b ** 2], (c := (d := 3) + 1), a, b, c, d)
        if (n := len('abc')) > 2 and (m := n - 1): print(n, m)
        while (n := n - 1): print(n)
        print([last := x for x in range(4)], last, [(y := x, x / y) for x in (1, 2)], any((hit := x) > 2 for x in range(5)), hit)
        print({(k := x): (v := k * 2) for x in range(2)}, k, v)
        def f(x, y=(z := 5)):
            total = 0
            partial = [total := total + v for v in x]
            nested = [[(inner := j) for j in range(i)] for i in range(3)]
            return partial, total, nested, inner, locals().keys() - {'x'}
        print(f([1, 2, 3]), z)
        def g():
            global made
            [made := i for i in range(3)]
            def h():
                nonlocal_ = 1
                def k():
                    nonlocal nonlocal_
                    return [nonlocal_ := i for i in range(5)], (lambda: (w := nonlocal_) + w)()
                return k(), nonlocal_
            return h()
        print(g(), made)
        print(x := 1, x); assert (x := 0) == 0, x
        print(f'{(x := 7)}', f'{x:=5}', (lambda: (q := 3) * q)(), [1, 2, 3][(i := 1)], {'a': 1}[(j := 'a')], i, j)
        x = (y := 1, 2); print(x, y)
        def order(*a, **k): return a, k
        print(order(p := 1, p, k=(p := 2), l=p), p)
        print((s := 'abc')[1:(e := 3)], s, e, not (t := 0), t, -(u := 4), u, 1 < (v := 2) < 3, v)
    """,
    "nonlocal and global": """
        x = 0
        def f():
            x = 1
            def g():
                nonlocal x
                x += 1
                def h():
                    nonlocal x; x *= 5
                    def k():
                        global x; x -= 3; return x
                    return k(), x
                return h(), x
            return g(), x
        print(f(), x)
        global y
        y = 5
        y += 1
        def late():
            try: print(z)
            except NameError as e: print(type(e).__name__, e)
            z = 1
            del z
            try: z += 1
            except NameError as e: print(type(e).__name__, e)
            def inner(): return w
            try: inner()
            except NameError as e: print(type(e).__name__, e)
            w = 2
            return inner()
        print(late())
        class C:
            global made_here
            made_here = 1
            def m(self):
                global made_there
                made_there = self
        C().m(); print(made_here, type(made_there).__name__)
        def gen():
            count = 0
            def bump(by=1):
                nonlocal count
                count += by; return count
            yield bump; yield count
        g = gen(); b = next(g); b(); b(5); print(next(g))
        def outer(v):
            class K:
                nonlocal v
                v += 10
                own = v
            return K.own, v
        print(outer(1), 'v' in dir())
        print(undefined if False else 'ok'); undefined
    """,
    "mangled names": """
        class __A:
            __x = 1
            def __init__(self): self.__y = [1, {'k': 2}]; self.__z = 0
            def __m(self, __p=5, *__a, **__k): __q = __p; __q += 1; return __q, sorted(__k)
            def run(self):
                self.__z += 3; self.__y[0] += 10; self.__y[1]['k'] -= 1
                self.__dict__['n'] = self.__m(__p=2); self.other = self
                self.other.__z *= 2; self.other.other.__y[1]['k'] <<= 3
                for self.__w in range(2): pass
                self.__v: int = 2
                [self.__u, *self.__t] = 1, 2, 3
                with open('/dev/null') as self.__f: pass
                self.__f = 0
                del self.__u
                [__c for __c in range(2)]
                return self.__x + self.__y[0] + self.__z, [self.__z for __i in range(2)], (lambda __l: __l + self.__z)(1)
        a = _A__A = __A(); print(a.run(), sorted(vars(a).items(), key=lambda p: p[0])[1:4], [n for n in dir(a) if 'A' in n])
        class B:
            import os as __os
            from os import path as __path
            def __f(): pass
            class __C: __n = 1
            global __g
            __g = 2
            try: 1 / 0
            except ZeroDivisionError as __e: pass
            __l = [__x for __x in (1, 2)]
            __slots__ = ('__s', 't')
            def set(self, *, __kw=1): self.__s = __kw; self.__s += 1; return self.__s, __g
            lam = lambda self, __x: __x
        print(sorted(n for n in vars(B) if 'B' in n), B().set(), B().set(_B__kw=4), globals()['_B__g'])
        class ___: __x = 1; y = __x
        class _D_: __x = 1; __y__ = 2
        print(sorted(n for n in vars(___) if 'x' in n), sorted(n for n in vars(_D_) if n.endswith(('x', 'y__'))))
        def fun():
            class In: __hidden = 3; seen = __hidden; fn = lambda: __hidden2
            return In.seen, vars(In)['_In__hidden']
        print(fun())
    """,
    "zero-argument super and class cell": """
        class A:
            def f(self): return 'A.f'
            @classmethod
            def c(cls): return 'A.c', cls.__name__
            @property
            def p(self): return 'A.p'
            def __getitem__(self, k): return ('A', k)
            def __init_subclass__(cls, **kw): super().__init_subclass__(); cls.kw = kw
        class B(A, extra=1):
            def f(self): return 'B' + super().f(), __class__.__name__
            @classmethod
            def c(cls): return super().c() + ('B',)
            @property
            def p(self): return super().p + 'B'
            def __getitem__(self, k): return super().__getitem__(k) + ('B',)
            def nested(self):
                def inner(): return __class__, super(__class__, self).f()
                def first(self): return super().f()
                return inner()[1], first(self), (lambda self: super().f())(self), [super(B, self).f() for _ in range(2)]
            def comp(self):
                try: return [super().f() for _ in range(1)]
                except (TypeError, RuntimeError) as e: return type(e).__name__
            def gen(self): yield super().f()
            async def co(self): return super().f()
            @staticmethod
            def s(): return __class__
            def cell(self): return self.cell.__code__.co_freevars
            def deleted(self):
                this = self; del self
                try: return super().f()
                except RuntimeError as e: return str(e)
            def rebound(self): self = 5; return super
        b = B()
        print(b.f(), b.c(), b.p, b[1], b.nested(), B.kw, list(b.gen()), B.s() is B, b.cell(), b.deleted(), b.rebound() is super)
        try: b.co().send(None)
        except StopIteration as e: print(e.value)
        import sys
        print(b.comp() == (['A.f'] if sys.version_info >= (3, 12) else b.comp()))
        def free(self): return super().f()
        try: free(b)
        except RuntimeError as e: print(e)
        class Meta(type):
            def __new__(m, n, bs, ns, **k): c = super().__new__(m, n, bs, ns); c.seen = '__classcell__' in ns; return c
            def __call__(cls, *a): return super().__call__(*a)
        class M(metaclass=Meta):
            def f(self): return __class__
        print(M.seen, M().f() is M)
        class Shadow:
            def f(self, super=lambda: 'mine'): return super()
        print(Shadow().f())
    """,
    "functions": """
        def deco(*args):
            def wrap(f): f.__dict__.setdefault('tags', []).append(args); return f
            return wrap
        table = {'k': [deco]}
        @deco(1)
        @table['k'][0](2, 3)
        @(lambda f: f)
        @(d := deco(4))
        def f(a, b=[1, 2][0], /, c: int = 3 + 1, *args: 'x', d: list[int] = (1, 2)[1:], e, **kw: {'k': 1}['k']) -> table['k']:
            'doc' 'string'
            return a, b, c, args, d, e, kw
        print(f(1, e=2), f(1, 2, 3, 4, 5, e=6, g=7), f.tags, f.__annotations__['kw'], f.__doc__)
        for call in (lambda: f(), lambda: f(1), lambda: f(1, a=2, e=1), lambda: f(*[1], **{"e": 1}), lambda: f(b=1, a=1, e=3), lambda: f(1, *5),
                     lambda: f(1, **5), lambda: f(1, **{1: 2}), lambda: f(1, e=1, **{"e": 2}), lambda: int(*5), lambda: len(), lambda: len(1, 2),
                     lambda: len(x=1), lambda: print(**{1: 2}), lambda: {}[[]], lambda: 5(), lambda: None(), lambda: sorted(key=1),
                     lambda: int(**5), lambda: str.upper(*5), lambda: [].append(**{'a': 1}), lambda: max(), lambda: max(*[]),
                     lambda: range(1, **{'a': 1, **{'a': 2}}), lambda: isinstance(1), lambda: ''.join([1]), lambda: dict(**{'a': 1}, **{'a': 2})):
            try: print(call())
            except TypeError as error: print(error)
        g = lambda a, /, b=f(1, e=2)[1], *c, d=-1, **e: (a, b, c, d, e)
        print(g(1), g(1, 2, 3, d=4, e=5), g.__defaults__, g.__kwdefaults__, g.__name__)
        print((lambda: (yield))().__name__, (lambda *, k: k)(k=1), (lambda *_: _)(1, 2), (lambda: lambda: 3)()())
        def outer(n):
            def inner(m=n * 2): return n + m, inner.__qualname__
            return inner
        print(outer(2)(), outer(3)(1), outer.__code__.co_consts[1].co_name)
        def empty(): pass
        def doc_only(): 'just doc'
        def not_doc(): f'no {1} doc'
        def sum_doc(): 'a' + 'b'
        print(empty.__doc__, doc_only.__doc__, not_doc.__doc__, sum_doc.__doc__)
        def rec(n): return 1 if n < 2 else n * rec(n - 1)
        print(rec(20), (lambda s, n: s(s, n))(lambda s, n: n and n + s(s, n - 1), 10))
        print(f.__code__.co_varnames, f.__code__.co_flags, g.__code__.co_name)
    """,
    "namespaces": """
        a, (b, c) = 1, (2, 3)
        for i, (j, k) in enumerate([(1, 2)]): pass
        with open('/dev/null') as handle, open('/dev/null') as (other): pass
        try: 1 / 0
        except ZeroDivisionError as error: print('error' in dir())
        print('error' in dir())
        import os.path, sys as system
        from os import path as p, sep
        x: int = 5; y: 'later'; (z) = 1
        class C: u: int; v: str = 'v'; w = 2
        match [1, 2, {'k': 3}]:
            case [m, *n, {'k': o, **q}]: pass
        print(sorted(globals()), __annotations__, C.__annotations__, vars(C).keys() - {'__firstlineno__', '__static_attributes__'})
        def f(a, *b, c=1, **d):
            e = 2
            for g in (1,): h = g
            return sorted(locals()), sorted(vars()), dir()
        print(f(1), [sorted(locals()) for _ in [1]][0][:1], (lambda q: locals())(1))
        print(eval('a + 1'), eval('q', {'q': 2}), eval('b + a', {'a': 1}, {'b': 5}))
        exec('made = a + 1'); print(made)
        space = {}; exec('r = [i for i in range(3)]', space); print(space['r']); del space
        def g(t): exec('t = 5'); return t, eval('t * 2'), [eval('t', {'t': 9}) for _ in (1,)]
        print(g(1), __name__, __doc__)
        from math import *
        print(floor(2.5), pi > 3, globals()['floor'] is floor)
        globals()['dynamic'] = 3; print(dynamic); del globals()['dynamic'], a
        __all__ = ['b', 'c']
        if not __debug__: print('optimized')
        else: print('debug', __debug__)
    """,
    "names that look like ours": """
        _tt = 5; _tt1 = 6; _tt_ = 7; __tt = 8
        def f(_tt1, _tt2=_tt): o = {1: 2}; o[_tt1 + 0] += _tt2; return o, 0 < len(o) < 5
        print(f(1), _tt + _tt_, '_tt' in dir(), '_tt1' in globals())
        class C:
            __tt = 1; _tt_tt = 2
            def m(self): return self.__tt + self._tt_tt
        print(C().m())
    """,
    "names that are ours only once normalized": """
        _\U0001d4c9\U0001d4c9 = 5
        print(1 + _\U0001d4c9\U0001d4c9, [_tt for _tt in (1, 2)])
    """.replace("[_tt for _tt in (1, 2)]", "1"),
}  # fmt: skip


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_scopes(source):
    assert_alike(source)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="comprehensions are inlined since 3.12")
def test_inlined_comprehensions():
    assert_alike("""
        def f(x):
            [x for x in range(3)]; y = [x := 5 for _ in 'a']; return x, y, sorted(locals())
        class C:
            a = 1
            b = [a for a in range(2)]
            c = {locals().get('a') for _ in 'x'}
        print(f(1), C.b, C.a, C.c)
    """)
