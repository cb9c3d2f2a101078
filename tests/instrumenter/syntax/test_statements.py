"""Statements and operators on values of Python: what they do in place, how they fail, where they lead."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import sys

import pytest

from tests.instrumenter.alike import assert_alike

PROGRAMS = {
    "in place": """
        a = b = [1]; a += [2]; print(a is b, b); a = a + [3]; print(a is b); a *= 2; a += 'xy'; a += (i for i in (1,)); print(a)
        t = ([1], 2)
        try: t[0] += [3]
        except TypeError as e: print(e, t)
        try: t[1] += 1
        except TypeError as e: print(e, t)
        d = {'k': [0]}; alias = d['k']; d['k'] += [1]; d['k'] *= 2; print(d, alias is d['k'])
        try: d['none'] += 1
        except KeyError as e: print(repr(e))
        s = {1}; r = s; s |= {2}; s -= {1}; s ^= {5}; s &= {5, 2}; print(s is r, s); f = frozenset(s); g = f; f |= {9}; print(f is g, sorted(f))
        x = 5; x += 1.5; x **= 2; x //= 1; x %= 7; y = True; y &= False; y |= 1; z = 'a'; z += 'b'; z *= 3; z %= (); w = 1; w <<= 70; w >>= 69; w ^= 3; print(x, y, z, w)
        class D:
            def __get__(self, o, t=None): print('get'); return o.__dict__.get('v', 0) if o else self
            def __set__(self, o, v): print('set', v); o.__dict__['v'] = v
            def __delete__(self, o): print('delete')
        class C: d = D(); n = 0; l = []
        c = C(); c.d += 2; c.d *= 5; del c.d; c.n += 1; print(C.n, c.n, vars(c)); c.l += [1]; print(C.l, c.l is C.l, 'l' in vars(c)); C.n -= 1; print(C.n)
        class NotI:
            def __iadd__(self, o): print('iadd'); return NotImplemented
            def __add__(self, o): print('add'); return NotImplemented
            def __radd__(self, o): return 'radd'
        n = NotI()
        try: n += 1
        except TypeError as e: print(e)
        n = 1; n += NotI(); print(n)
        for op in (lambda: 1 + 'a', lambda: 'a' + 1, lambda: [] + (), lambda: {} | 1, lambda: -'a', lambda: ~1.5, lambda: 1 < 'a', lambda: 1 in 2, lambda: {}[{}], lambda: [][0],
                   lambda: (1, 2)['a'], lambda: 1[0], lambda: [1]['a'], lambda: 'abc'[5], lambda: 1 @ 2, lambda: 2 ** 'a', lambda: 5 // 0, lambda: 5 % 0, lambda: 1 << -1, lambda: 5.0 / 0,
                   lambda: '%d' % 'a', lambda: '%s %s' % 1, lambda: 'a' % 1, lambda: b'%d' % 'x', lambda: [1] * 'a', lambda: [1] * 1.5, lambda: 'a' in 1, lambda: 1 in 'a', lambda: None < None, lambda: {1}[0],
                   lambda: slice(1)[0], lambda: print[0], lambda: int[0], lambda: list[int], lambda: 0 ** -1, lambda: divmod(1, 0), lambda: object() + 1, lambda: len + 1, lambda: range(3)[9]):
            try: print(op())
            except Exception as e: print(type(e).__name__, e, e.__context__, e.__cause__, e.args)
        def aug(l, k, v): l[k] += v; l[k][0] *= 3; l[k].append(l); l[k] -= 1
        l = [[1], 2]
        try: aug(l, 0, [2])
        except TypeError as e: print(e, l)
        def unbound(): u += 1
        try: unbound()
        except UnboundLocalError as e: print(e)
        class Missing(dict):
            def __missing__(self, k): print('missing', k); return []
        m = Missing(); m['a'] += [1]; m['a'] += [2]; print(m)
        class NoLoad:
            def __setitem__(self, k, v): print('set')
        try: NoLoad()[0] += 1
        except TypeError as e: print(e)
        b = bytearray(b'a'); c_ = b; b += b'bc'; b[0] += 1; b[1:] *= 2; print(b, b is c_)
        try: b[0] += 300
        except ValueError as e: print(e)
        lst = [1, 2, 3, 4]; lst[1:3] += [9]; lst[::2] *= 1; print(lst)
        try: lst[::2] = [1]
        except ValueError as e: print(e)
        try: del lst[10]
        except IndexError as e: print(e)
        try: del (1, 2)[0]
        except TypeError as e: print(e)
        try: (1, 2)[0] = 3
        except TypeError as e: print(e)
        try: 'abc'[0] = 'd'
        except TypeError as e: print(e)
        try: {}[[]] = 1
        except TypeError as e: print(e)
        try: del {}['x']
        except KeyError as e: print(repr(e))
        try: None[0] += 1
        except TypeError as e: print(e)
    """,
    "not bool": """
        class V(list):
            def __lt__(self, o): print('lt'); return V(a < b for a, b in zip(self, o))
            def __eq__(self, o): return V(a == b for a, b in zip(self, o))
            __hash__ = None
            def __bool__(self): raise ValueError('ambiguous')
            def __contains__(self, o): print('in', o); return [o]
            def __invert__(self): return V(not a for a in self)
            def __and__(self, o): return V(a and b for a, b in zip(self, o))
        a, b = V([1, 5]), V([2, 3])
        print(a < b, (a == b) & ~(a < b), a == a, 3 in a, 3 not in a)
        for test in (lambda: a < b < a, lambda: not a, lambda: a and b, lambda: 1 if a else 2, lambda: [1 for _ in 'x' if a < b], lambda: a != b, lambda: 1 < 2 and a < b, lambda: a is b or a < b):
            try: print(test())
            except ValueError as e: print('raised', e)
        try:
            while a < b: pass
        except ValueError as e: print(e)
        try: assert a < b
        except ValueError as e: print(e)
        class Zero:
            def __bool__(self): print('bool'); return False
            def __len__(self): return 5
            def __lt__(self, o): return self
            __gt__ = __lt__
        class Len:
            def __len__(self): print('len'); return 0
        z = Zero(); print(z < 1 < 2, (z and 1) is z, not z, 1 if Len() else 2, z < 1 and 5, bool(z), any([z, Len()]))
        class Bad:
            def __bool__(self): return 2
            def __lt__(self, o): return NotImplemented
        for test in (lambda: not Bad(), lambda: Bad() and 1, lambda: 1 if Bad() else 2, lambda: Bad() < 1, lambda: Bad() < Bad(), lambda: 1 > Bad() > 2):
            try: print(test())
            except TypeError as e: print(e)
        nan = float('nan'); print(nan == nan, nan is nan, nan in [nan], nan < 1 < nan, not nan < 1, 0.0 == -0.0, 1 == 1.0 == True, [nan] == [nan], (nan,) != (nan,))
        class Calls:
            def __eq__(self, o): return 'eq'
            def __ne__(self, o): return 'ne'
            def __contains__(self, o): return 'non-empty'
        c = Calls(); print(c == 1, c != 1, 1 == c, 1 in c, 1 not in c, c == c == c)
    """,
    "truths asked once": """
        class T:
            def __init__(s,n,v): s.n=n; s.v=v
            def __bool__(s): print('bool',s.n); return s.v
            def __lt__(s,o): return s
        import itertools
        for v in itertools.product((True,False),repeat=3):
            a,b,c=(T(n,w) for n,w in zip('abc',v))
            print(v)
            if (a or b) if c else (b and a): print(1)
            if (not (a and b)) if c else not (a or b): print(2)
            if (a < b < c) if c else 1: print(3)
            if (1 if a else 0) if b else (0 if c else (a or 5)): print(4)
            while not ((a or b) if c else (b if a else c)): break
            x = 1 if (a if b else c or a) and b else 2
            y = [i for i in 'x' if (a or b if c else b and c)]
            assert ((a or not a) if c else 1), 2
            z = (a or b) if c else (b and a)
            if z: pass
            z = not ((a or b) if c else (b and a))
            if (w := a or b) if c else 0: pass
            if (a or b if 1 else c): print(5)
            if (a or b if 0 else c and a): print(6)
            if (a, b) and (c or None): print(7)
            if (a and 1 or c) or None and b: print(8)
            match 1:
                case 1 if (a or b if c else b and c): print(9)
    """,
    "stars": """
        def f(*a, **k): return a, sorted(k.items())
        x, y = [1, 2], {'p': 3}
        print(f(*x, *x, **y, **{'q': 4}), f(*x, 0, *[], k=1, **{}), f(*'ab', *{5: 6}, *range(2)), [*x, 0, *x], (*x,), {*x, *x}, {**y, 'p': 5, **{'z': 1}}, *x)
        a, *b = x; *c, d = 'xyz'; e, *g, h = range(5); [*i] = x; (j, (*k, l)), *m = (1, (2, 3)), 4; *n, = 'a'; print(a, b, c, d, e, g, h, i, j, k, l, m, n)
        for o, *p in [(1, 2, 3), 'ab']: print(o, p)
        for q in *x, *y, 5: print(q)
        def r(): return *x, *y
        def s(): yield *x, 1
        print(r(), list(s()), [*x, *(z for z in x)], f(*(lambda: x)()), f(*x or [9]), f(*x if x else y), f(*[z for z in x if z > 1]))
        for bad in ('a, b = 1,', 'a, *b, c = 1,', 'a, b = 5', 'a, b = {1}', '[a] = ()', 'a, b = "abc"'):
            try: exec(bad)
            except (ValueError, TypeError) as err: print(err)
        try: a, b = x[0],
        except ValueError as err: print(err)
        try: a, (b, c) = 1, x[0]
        except TypeError as err: print(err)
        try: [*5]
        except TypeError as err: print(err)
        try: {**5}
        except TypeError as err: print(err)
        try: f(**{**y}, p=1)
        except TypeError as err: print(err)
        class G:
            def __getitem__(self, k): return k
            def __class_getitem__(cls, k): return cls.__name__, k
        g = G(); print(g[1, 2], g[(1, 2)], g[1:2, 3], g[()], g[1,], g[:, ...], g[(*x,)], G[int], G[int, str], G[()], G[1:2])
        a = b, c = d = 1, 2; print(a, b, c, d); a, b = b, a = 5, 6; print(a, b); x[0], x[x[0]] = 1, 7; print(x); i = 0; i, x[i] = 1, 9; print(x)
    """,
    "control": """
        def f(n):
            try:
                if n == 0: return 'try'
                if n == 1: raise KeyError(n)
                if n == 2: 1 / 0
            except KeyError as e: return 'except', e
            else: return 'else'
            finally:
                if n == 2: return 'swallowed'
                if n == 3: return 'over'
            return 'end'
        print([f(n) for n in range(5)])
        def g():
            out = []
            for i in range(6):
                try:
                    if i == 1: continue
                    if i == 4: break
                    if i == 2: raise ValueError(i)
                except ValueError: continue
                else: out.append(('else', i))
                finally: out.append(('finally', i))
            else: out.append('no')
            while True:
                try: break
                finally: out.append('left')
            for i in (1, 2):
                try: raise KeyError
                finally:
                    if i == 1: continue
                    break
            return out
        print(g())
        def h():
            try:
                try: raise KeyError('a')
                except KeyError:
                    try: raise ValueError('b')
                    finally: raise TypeError('c')
            except TypeError as e: return repr(e), repr(e.__context__), repr(e.__context__.__context__)
        print(h())
        try:
            try: raise KeyError(1)
            except (ValueError, KeyError) as e:
                kept = e
                raise RuntimeError('x') from e
        except RuntimeError as e: print(repr(e.__cause__), e.__cause__ is kept, e.__suppress_context__)
        try: e
        except NameError as err: print(err)
        try: raise KeyError from None
        except KeyError as e2: print(e2.__context__, e2.__suppress_context__)
        try: raise 5
        except TypeError as e2: print(e2)
        try:
            try: 1 / 0
            except 5: pass
        except TypeError as e2: print(e2, repr(e2.__context__))
        try:
            try: 1 / 0
            except [ZeroDivisionError][0] if True else KeyError: raise
        except ZeroDivisionError as e2: print(e2.__traceback__.tb_lineno)
        def reraise():
            try: raise
            except RuntimeError as e: return str(e)
        print(reraise())
        def assertions(x):
            assert x, f'message {x}'
            assert (x > 1
                    and x < 5), (
                'two', x)
            assert not x % 2
        for x in (0, 1, 9, 3, 4):
            try: print(assertions(x))
            except AssertionError as e: print(repr(e), e.args, e.__traceback__.tb_next.tb_lineno)
        n = 5
        while n: n -= 1; continue
        else: print('else', n)
        while n < 10:
            n += 1
            if n == 3: break
        else: print('never')
        for n in []: pass
        else: print('empty', n)
        for i in (l := [1, 2, 3]):
            if i == 1: l.append(9)
        print(l, i)
        if n > 5: print(1)
        elif n == 3: print('elif')
        else: print(2)
        if not n or n is None and n: pass
        elif (n and n < 5) != (not n): print('mixed')
        pass; ...; 1; 'text'; None; (); n
        import sys
        def exc(): return sys.exc_info()[0]
        try: 1 / 0
        except ZeroDivisionError: print(exc(), [sys.exc_info()[0] for _ in 'a'], sys.exc_info()[2].tb_lineno)
        print(exc())
        lambda: (yield); print([print(x) or x for x in (1, 2) if not print('if', x)])
        raise SystemExit(n + 1)
    """,
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_statements(source):
    assert_alike(source)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="grammar of 3.11")
def test_exception_groups_and_starred_subscripts():
    assert_alike("""
        def f(*kinds):
            out = []
            try:
                if kinds: raise ExceptionGroup('g', [k(i) for i, k in enumerate(kinds)] + [ExceptionGroup('n', [KeyError('deep')])])
                out.append('none')
            except* (ValueError, TypeError) as e: out.append([repr(x) for x in e.exceptions]); e.add_note('n')
            except* KeyError as e: out.append(('key', len(e.exceptions), e.exceptions[0].message if len(e.exceptions) else 0))
            else: out.append('else')
            finally: out.append('finally')
            return out
        for kinds in ((), (ValueError,), (ValueError, TypeError, KeyError)): print(f(*kinds))
        try: f(OSError)
        except ExceptionGroup as e: print(repr(e), e.__traceback__.tb_next.tb_lineno)
        try:
            try: raise ValueError('naked')
            except* ValueError as e: print(repr(e)); raise KeyError('in handler')
        except BaseException as e: print(repr(e), repr(e.__context__))
        try:
            try: raise ExceptionGroup('g', [ValueError(1), KeyError(2)])
            except* ValueError as e: raise
            except* KeyError as e: 1 / 0
        except ExceptionGroup as e: print(repr(e))
        for i in range(3):
            try: raise ExceptionGroup('g', [ValueError(i)])
            except* ValueError as e:
                if i + 1 > 1: x = [e.exceptions[0].args[0] * 2 for _ in 'a'][0]
        print(x)
        class G:
            def __getitem__(self, k): return k
            def __setitem__(self, k, v): print('set', k, v)
            def __delitem__(self, k): print('del', k)
        g = G(); a = [1, 2]
        print(g[*a], g[0, *a], g[*a, 1:2], g[*a, *'xy'], g[*()], g[*[x for x in a]])
        g[*a] = 5; g[*a, 0] += (1,); del g[*a], g[0, *a]
        def va(*args: *tuple[int, str]): return args
        print(va(1, 2), va.__annotations__)
    """)
