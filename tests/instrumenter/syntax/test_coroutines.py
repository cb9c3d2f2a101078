"""Generators, coroutines, asynchronous generators, comprehensions and managers."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import sys

import pytest

from tests.instrumenter.alike import assert_alike

PROGRAMS = {
    "send, throw, close": """
        def g(n):
            try:
                while True:
                    try: got = yield n
                    except ValueError as e: n = -n; print('caught', e.args)
                    else: n += got or 1
            except KeyError as e: print('key', e); yield 'last'; return 'returned'
            except GeneratorExit: print('exit'); raise
            finally: print('finally', n)
        it = g(1)
        print(next(it), it.send(5), it.throw(ValueError(1, 2)), it.send(3), it.throw(KeyError('k')))
        try: next(it)
        except StopIteration as e: print('value', e.value)
        it = g(0); next(it); it.close(); it.close(); print(list(it))
        it = g(0)
        try: it.send(1)
        except TypeError as e: print(e)
        try: it.throw(IndexError('unstarted'))
        except IndexError as e: print(repr(e))
        def stubborn():
            try: yield
            except GeneratorExit: yield 'no'
        it = stubborn(); next(it)
        try: it.close()
        except RuntimeError as e: print(e)
        def stops(): yield 1; raise StopIteration(5)
        try: print(list(stops()))
        except RuntimeError as e: print(e, repr(e.__cause__))
        def again(): yield from me
        me = again()
        try: next(me)
        except ValueError as e: print(e)
        def states(): x = yield; print(it2.gi_running, it2.gi_frame.f_lineno, sorted(it2.gi_frame.f_locals))
        it2 = states(); print(it2.gi_running, it2.gi_frame is not None, it2.gi_yieldfrom, it2.__name__, it2.__qualname__); next(it2); next(it2, None); print(it2.gi_frame)
    """,
    "yield from": """
        def inner(k):
            try:
                got = yield k
                while got: got = yield got * k
            except ZeroDivisionError: yield 'zero'
            finally: print('inner done', k)
            return k * 100
        def outer():
            total = yield from inner(1)
            total += yield from inner(2)
            x = [(yield from inner(3)), (yield), *((yield from [4, 5]) or ())]
            yield total, x
            return (yield from ()), (yield from iter('ab'))
        it = outer(); out = [next(it)]
        for v in (5, 0, 7, 0, 9, 0, 1, 2, 3, 4, None, None):
            try: out.append(it.send(v))
            except StopIteration as e: out.append(e.value); break
            except AttributeError as e: out.append(str(e)); break
        print(out)
        it = outer(); next(it); print(it.throw(ZeroDivisionError), next(it), it.gi_yieldfrom.__name__)
        it.close()
        class Iter:
            def __iter__(self): return self
            def __next__(self): raise StopIteration(7)
            def send(self, v): return v
        def d(): return (yield from Iter())
        try: next(d())
        except StopIteration as e: print(e.value)
        def tree(t):
            if isinstance(t, list):
                for x in t: yield from tree(x)
            else: yield t + 1
        print(list(tree([1, [2, [3, []], 4]])))
        def bad(): yield from 5
        try: next(bad())
        except TypeError as e: print(e)
        def expr(): x = yield (yield 1) + 1; x += yield x, 2; print((yield)); return lambda: (yield x)
        it = expr(); print(next(it), it.send(5), it.send(6), it.send(7))
        try: it.send(8)
        except StopIteration as e: e
        def stars(): a, *b = yield *[1], 2; d = {'k': (yield)}; d['k'] += yield; d[(yield)] = yield; print(a, b, d); return *b, a
        it = stars(); print(next(it), it.send('xyz'), it.send(1), it.send(2), it.send('value'))
        try: it.send('key')
        except StopIteration as e: print(e.value)
    """,
    "generator expressions": """
        log = []
        def t(x): log.append(x); return x
        g = (t(x) + t(y) for x in t([1, 2]) if t(x) for y in t([10, 20]) if y > x)
        print(log); print(next(g), log); print(list(g), log)
        def consume(*a, **k): return [list(x) for x in a]
        print(consume(x for x in 'ab'), consume((x for x in 'ab'), (y for y in 'c')), sum(x * x for x in range(4)), max((x, -x) for x in range(3)))
        print(dict((k, v) for k, v in zip('ab', (1, 2))), ''.join(c for c in 'abc' if c != 'b'), all(x for x in [1, 0, t('never')][:2]))
        g = (x for x in [1, 2, 3]); print(2 in g, list(g)); print(type(g).__name__, g.__name__, g.__qualname__, g.gi_code.co_name)
        def first(it):
            for x in it: return x
        g = (t(x) for x in range(100)); print(first(g), first(g), next(g))
        def late(): return (n for _ in 'ab'), 1
        try: list(late()[0])
        except NameError as e: print(e)
        x = 5; gens = [(lambda: (x + i for i in range(2)))() for x in (10, 20)]; print([list(g) for g in gens], x)
        try: list(1 // k for k in (1, 0))
        except ZeroDivisionError as e: print(e)
    """,
    "coroutines": """
        import asyncio
        class Awaitable:
            def __init__(self, v): self.v = v
            def __await__(self): got = yield self.v; print('got', got); return self.v * 2
        async def f(x, *, y=1): return await Awaitable(x) + (await Awaitable(y)) ** 2
        c = f(3, y=2); print(c.send(None), c.send('a'))
        try: c.send('b')
        except StopIteration as e: print(e.value)
        async def failing():
            try: await Awaitable(1)
            except ValueError as e: print('failed', e); return -await Awaitable(2)
            finally: print('finally')
        c = failing(); print(c.send(None), c.throw(ValueError('x')))
        try: c.send(None)
        except StopIteration as e: print(e.value)
        c = failing(); c.send(None); c.close()
        async def bad(): await 5
        try: bad().send(None)
        except TypeError as e: print(e)
        async def main():
            a, b = await asyncio.gather(g(1), g(2))
            t = asyncio.create_task(g(3)); d = {'k': 1, 'l': [0]}
            d['k'] += await t; d['l'][await g(0)] -= await g(5); d[await g('m')] = await g(6)
            x = [await g(i) for i in range(3)]; y = {await g(i): await g(-i) for i in range(2)}; z = (await g(1) < await g(2) < await g(3), not await g(0))
            w = await g(1) if await g(0) else await g(2); assert await g(1), await g('m')
            s = f"{await g(1)}{(await g('x')):>{await g(3)}}"; u = (await g([1, 2]))[await g(1)]; v = lambda: 1
            if await g(1) and (await g(0) or await g(1)): x.append(await g('if'))
            while await g(len(x) < 6): x.append(0)
            for i in await g([1]): x += [await g(i)]
            return a, b, d, x, y, z, w, s, u, await (await g(g))(9), [await x for x in [g(1), g(2)]], await asyncio.wait_for(g(4), 1)
        async def g(v): await asyncio.sleep(0); return v
        print(asyncio.run(main()))
        try: asyncio.run(asyncio.wait_for(asyncio.sleep(10), 0.001))
        except asyncio.TimeoutError as e: print('timeout', type(e).__name__)
    """,
    "asynchronous generators": """
        import asyncio
        async def numbers(n):
            try:
                for i in range(n):
                    got = yield i
                    if got: print('got', got)
            except ValueError as e: print('thrown', e); yield -1
            finally: await asyncio.sleep(0); print('closed')
        async def main():
            print([x async for x in numbers(3)], {x async for x in numbers(2) if x}, {x: await d(x) async for x in numbers(2) if await d(x)})
            print([x + y async for x in numbers(2) for y in range(2)], [x for y in [1, 2] if y async for x in numbers(y)])
            g = (await d(x) async for x in numbers(2) if x); print(type(g).__name__, [x async for x in g])
            a = numbers(5); print(await a.__anext__(), await a.asend('s'), await a.athrow(ValueError('v'))); await a.aclose()
            async for i in numbers(4):
                if i == 1: continue
                if i == 3: break
            else: print('no')
            async for i, *(j) in pairs(): print(i, j)
            else: print('else')
            try:
                async for x in 5: pass
            except TypeError as e: print(e)
            async for a_[0] in numbers(2): pass
            async with Manager(1) as m, Manager(2) as (n, o), Manager(3): print(m, n, o)
            async with (Manager(4) as a_[0], Manager(5)): raise KeyError('swallowed')
            try:
                async with Manager(0): 1 / a_[0][0] - a_[5]
            except IndexError as e: print(repr(e))
            return 'r'
        a_ = [0]
        async def pairs(): yield 1, 2, 3; yield 4, 5
        async def d(x): return x * 2
        class Manager:
            def __init__(self, k): self.k = k
            async def __aenter__(self): print('enter', self.k); return self.k, -self.k
            async def __aexit__(self, t, e, tb): print('exit', self.k, t, e); return self.k == 4
        print(asyncio.run(main()), numbers.__code__.co_flags & 0x200 != 0)
    """,
    "with": """
        import contextlib
        class M:
            def __init__(self, n, swallow=False): self.n, self.swallow = n, swallow
            def __enter__(self): print('enter', self.n); return [self.n, self]
            def __exit__(self, t, e, tb): print('exit', self.n, t and t.__name__, tb and tb.tb_lineno); return self.swallow
        with M(1): pass
        with M(1) as a, M(a[0] + 1) as (b, c), M(b * 2) as [d, *e]: print(a[0], b, d, len(e))
        with (M(1) as x, M(2),): pass
        with (M(1)), (M(2)) as y: pass
        with (M(3) if x else M(4)) as z: print(z[0])
        with (M(5)) as q: pass
    """,
    "with, leaving": """
        import contextlib
        class M:
            def __init__(self, n, swallow=False): self.n, self.swallow = n, swallow
            def __enter__(self): print('enter', self.n); return self
            def __exit__(self, t, e, tb): print('exit', self.n, t and t.__name__, tb and tb.tb_lineno); return self.swallow
        class O: pass
        o = O(); l = [0, 0]
        with M(1) as o.a, M(2) as l[0], M(3) as l[1:]: print(o.a.n, l[0].n) if 0 else None
        def f(k):
            for i in range(3):
                with M(i, swallow=True):
                    if k == 0: return 'returned'
                    if k == 1: break
                    if k == 2: continue
                    raise KeyError(k)
            else: print('else')
            return i
        try: print([f(k) for k in range(4)])
        except TypeError as e: print(e)
        try:
            with M(1), M(2, True), M(3): 1 / 0
            with M(4): raise ValueError('v') from KeyError('k')
        except ValueError as e: print(repr(e), repr(e.__cause__))
        class NoExit:
            def __enter__(self): pass
        for bad in (5, NoExit()):
            try:
                with bad: pass
            except (TypeError, AttributeError) as e: print(type(e).__name__, e)
        @contextlib.contextmanager
        def manager(x):
            print('in', x)
            try: yield x * 2
            except KeyError as e: print('saw', e)
            finally: print('out')
        with manager(1) as v, manager(v) as w: print(v, w)
        with manager(3): raise KeyError('k')
        @manager('deco')
        def g(): return 'g'
        print(g())
        with contextlib.ExitStack() as stack: [stack.enter_context(manager(i)) for i in range(2)]
        with contextlib.suppress(ZeroDivisionError): 1 / 0
    """,
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_coroutines(source):
    assert_alike(source)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="asynchronous comprehensions nest since 3.11")
def test_nested_asynchronous_comprehensions():
    assert_alike("""
        import asyncio
        async def n(k):
            for i in range(k): yield i
        async def main(): return [[x + y async for x in n(y)] for y in [1, 2]], {k: [v async for v in n(k)] for k in (1, 2)}
        print(asyncio.run(main()))
        async def tasks():
            async with asyncio.TaskGroup() as group: made = [group.create_task(one(i)) for i in range(3)]
            return [t.result() for t in made]
        async def one(i): return i * 2
        print(asyncio.run(tasks()))
    """)
