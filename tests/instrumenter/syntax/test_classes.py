"""Classes: metaclasses and their namespaces, slots, hooks, annotations, generics."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import sys

import pytest

from tests.instrumenter.alike import assert_alike

PROGRAMS = {
    "prepared namespaces": """
        class Space(dict):
            def __missing__(self, k):
                print('missing', k)
                if k.startswith('auto'): self[k] = v = len(self); return v
                raise KeyError(k)
            def __setitem__(self, k, v): print('set', k); super().__setitem__(k, v)
            def __delitem__(self, k): print('del', k); super().__delitem__(k)
            def __getitem__(self, k): print('get', k); return super().__getitem__(k)
        class Meta(type):
            @classmethod
            def __prepare__(m, name, bases, **kw): print('prepare', name, bases, sorted(kw)); return Space(given=5)
            def __new__(m, name, bases, ns, **kw): print('new', list(ns)); return super().__new__(m, name, bases, dict(ns))
            def __init__(cls, name, bases, ns, **kw): print('init', kw); super().__init__(name, bases, ns)
        class A(metaclass=Meta, k=[1][0] + 1, **{'l': 2}):
            'doc'
            x = auto_a + given
            x += auto_b
            y = [auto_c for _ in 'a'][0] if 0 else x * 2
            if x > 1 and not y < 0 < x < 10: z = f'{x}{y:>3}'
            for i in range(2): x -= i
            o = {'n': [1]}
            o['n'] += [2]; o['n'][0] += 5; o['m'] = len(o); del o['m'], i
            def f(self, d=x + 1): return __class__, d
            class Inner: w = given_outside
            match x:
                case int(n) if n > 0: m = -n
            print(len('abc'), sorted(vars()) == sorted(locals()))
            try: undefined
            except NameError as e: print(e)
        given_outside = 0
        print(A.__doc__, A().f()[1])
    """.replace("            class Inner: w = given_outside\n", ""),
    "namespaces that are no dicts": """
        class NS:
            def __init__(self): self.log = {}
            def __getitem__(self, k): print('get', k); return self.log[k]
            def __setitem__(self, k, v): print('set', k); self.log[k] = v
            def __delitem__(self, k): del self.log[k]
        class M(type):
            @classmethod
            def __prepare__(m, n, b): return NS()
            def __new__(m, n, b, ns): return super().__new__(m, n, b, ns.log)
        class A(metaclass=M):
            x = 1 + len('ab')
            x *= 2
            def g(self): return self.x if self.x > 1 else 0
            class B: y = -2 ** 2
        print(A().g(), A.B.y)
        def local(v):
            class C(metaclass=M):
                x = v + 1
                z = v - x
                def g(self): return v, __class__
            return C().g()[0], C.z
        print(local(4))
    """,
    "metaclasses": """
        def meta(name, bases, ns, **kw): print(name, bases, sorted(n for n in ns if n != '__firstlineno__' and n != '__static_attributes__'), kw); return type(name, bases, ns)
        class A(metaclass=meta, z=1): x = 1 + 1
        class Reg(type):
            seen = []
            def __new__(m, n, b, ns, flag=False): c = super().__new__(m, n, b, ns); m.seen.append((n, flag)); return c
            def __init__(c, n, b, ns, flag=False): super().__init__(n, b, ns)
            def __call__(c, *a, **k): print('call', c.__name__); return super().__call__(*a, **k)
            def __getattr__(c, n): return n + '!'
            def __contains__(c, x): return x == 1
            def __iter__(c): return iter((1, 2))
            def __len__(c): return 7
            def __bool__(c): return False
            def __add__(c, o): return c.__name__ + str(o)
            def __lt__(c, o): return 'lt'
            def __getitem__(c, k): return 'item', k
            def __setitem__(c, k, v): print('setitem', k, v)
            def __instancecheck__(c, o): return o == 5
            def __iadd__(c, o): print('iadd'); return c
        class B(metaclass=Reg): pass
        class C(B, flag=True):
            def __new__(cls, *a): print('new', a); return super().__new__(cls)
            def __init__(self, v=0): self.v = v
        print(Reg.seen, C(3).v, B.nothing, 1 in B, [*B], len(B), 1 if B else 2, not B, B + 1, B < C, B[1:2], isinstance(5, B), [x for x in C])
        B[0] = 1; B[1] = B; D = B; D += 1; print(D is B, type(C) is Reg, C.mro()[1].__name__)
        try:
            class E(B, metaclass=type): pass
            class F(int, str): pass
        except TypeError as e: print(e)
        T = type('T', (C,), {'x': 1 + 1, 'f': lambda self: self.x}); print(T.__module__, T.__qualname__, T(1).f(), type(T), type(1), type('a') is str)
        class Base:
            subs = []
            def __init_subclass__(cls, /, tag=None, **kw): super().__init_subclass__(**kw); cls.subs.append((cls.__name__, tag))
            def __set_name__(self, o, n): print(o.__name__, n)
            def __class_getitem__(cls, k): return f'{cls.__name__}[{k}]'
        class Sub(Base, tag='a' + 'b'): attr = Base()
        class Dyn((lambda: Sub)(), *[dict][:1], **{'tag': 2}): pass
        print(Base.subs, Sub[int], Sub[1, 2], Dyn['k'], Dyn.__mro__[1:3])
        class Entry:
            def __mro_entries__(self, bases): return (list,)
        class L(Entry(), metaclass=type): pass
        print(L.__bases__, L.__orig_bases__[0].__class__.__name__)
        try:
            class Z(Base, unknown=1, tag=2, other=3): pass
        except TypeError as e: print(e)
        try:
            class Y(5): pass
        except TypeError as e: print(e)
    """,
    "slots and descriptors": """
        class S:
            __slots__ = ('a', '__b', 'c') + tuple(['d'])
            def __init__(self): self.a = 1; self.__b = [0]; self.a += 1; self.__b[0] -= 1
            def get(self): return self.a, self.__b, [n for n in ('c', 'd') if hasattr(self, n)]
        s = S(); print(s.get(), S.__slots__, hasattr(s, '__dict__'))
        try: s.e = 1
        except AttributeError as e: print(e)
        try: s.c += 1
        except AttributeError as e: print(e)
        class D(S): __slots__: tuple = 'x', 'y'
        class E: __slots__ = {'k': 'doc of k', 'l': 'x' * 3}
        print(D.__slots__, E.k.__class__.__name__, E.__slots__)
        class P:
            def __init__(self): self._v = 0
            @property
            def v(self): 'doc'; print('get'); return self._v
            @v.setter
            def v(self, x): print('set', x); self._v = x
            @v.deleter
            def v(self): print('del')
            w = property(lambda self: self._v + 1, doc='w')
            @staticmethod
            def st(x=1): return x + 1
            @classmethod
            def cl(cls, *a): return cls.__name__, a
            def __getattr__(self, n): return n.upper()
            def __call__(self, *a): return a[::-1]
            def __enter__(self): return self
            def __exit__(self, *a): print(a[0])
            def __index__(self): return 2
            def __format__(self, s): return f'<{s}>'
            def __hash__(self): return 7
            def __eq__(self, o): return self is o
            def __len__(self): return self._v
            def __matmul__(self, o): return 'mat'
            def __rmatmul__(self, o): return 'rmat'
            def __divmod__(self, o): return 'dm'
            def __round__(self, n=None): return 'round', n
            def __reversed__(self): return 'rev'
            def __missing__(self): pass
        p = P(); p.v += 5; p.v = p.v * 2; del p.v; print(p.v, p.w, P.v.__doc__, p.st(), P.st(3), p.cl(1), P.cl(), p.zzz, p(1, 2), [1, 2, 3][p], f'{p:x}', {p: 1}[p], len(p), p @ 1, 1 @ p)
        print(divmod(p, 1), round(p), round(p, 2), reversed(p), 'abc'[p], [5] * p, hex(p), range(p), bool(p), p == p != 5)
        with p as q, P(): q.v -= 1
    """,
    "bodies": """
        flag = True
        class A:
            'documentation'
            if flag:
                def m(self): return 'if'
            else:
                def m(self): return 'else'
            for name in ('x', 'y'): locals()[name] = name * 2
            try: import nothing_there
            except ImportError as e: nothing_there = str(e)
            while True:
                k = 1; k += k; break
            with open('/dev/null') as f: d = f.read()
            del f, name
            a, *b = 1, 2, 3; c = d = e = a
            n: int; o: int = a + 1; b[0]: int = 9
            p = lambda self, z=a: z + self.o
            q = staticmethod(lambda: 5)
            r = {**{'k': a}, 'l': [i for i in b]}
            assert a, 'm'; print(sorted(vars())[:2], __qualname__, __module__)
            exec('made = a + 1'); s = eval('made * 2')
            class B:
                'inner'
                class C: qual = __qualname__
                def f(self):
                    class D: qual = __qualname__
                    return D.qual, D
            def __init_subclass__(cls): cls.t = 'sub'
            def __class_getitem__(cls, k): return k
            if 0: u = 1
            async def co(self): return await self
            def gen(self): yield from self.b
            @property
            def prop(self): return self.__class__.__name__
            @classmethod
            def make(cls, *a, **k): return cls
        class E(A): pass
        print(A().m(), A.x, A.b, A.o, A().p(), A.q(), A.r, A.s, A.B.C.qual, A.B().f()[0], E.t, A[1:2], list(A().gen()), E().prop, E.make() is E)
        print(A.__annotations__, A.__doc__, A.B.__doc__, A.B.__qualname__, E.__doc__)
        def outer():
            class In:
                def f(self): return lambda: In.__qualname__
            return In
        print(outer()().f()(), outer().__qualname__, outer().f.__qualname__)
        class One: x = 1; y = x + 1; z = [y][0]
        class Two(One): x = 5; pass
        class Three: ...
        class Four(): "d"; x = -1
        class Five: "d" f"no{1}"
        print(One.z, Two.y, Four.__doc__, Five.__doc__)
    """,
    "library classes": """
        import abc, collections, dataclasses, enum, functools, typing
        class Shape(abc.ABC):
            @property
            @abc.abstractmethod
            def area(self): ...
            @classmethod
            def __subclasshook__(cls, c): return hasattr(c, 'zz') or NotImplemented
        try: Shape()
        except TypeError as e: print(e)
        class Colour(enum.Enum):
            _ignore_ = ['i']
            RED = 1; GREEN = RED + 1; BLUE = enum.auto(); ALIAS = 1; i = 5
            PAIR = (1, 2)[::-1]
            @property
            def low(self): return self.name.lower()
            def __lt__(self, o): return self.value < o.value
            @classmethod
            def _missing_(cls, v): return cls.RED if v == 'r' else None
        print(list(Colour), Colour(2), Colour['BLUE'], Colour('r'), Colour.RED < Colour.GREEN, Colour.ALIAS is Colour.RED, Colour.PAIR.value)
        try: Colour(99)
        except ValueError as e: print(e)
        class Perm(enum.Flag): R = 1; W = R << 1; X = W << 1; ALL = R | W | X
        p = Perm.R; p |= Perm.X; p ^= Perm.R; print(p, ~p & Perm.ALL, Perm.R in Perm.ALL, bool(p & Perm.W))
        class Num(enum.IntEnum): A = 1; B = A * 2
        class Txt(str, enum.Enum): A = 'a' 'b'; B = A.upper()
        print(Num.B + 1, Num.A < 2, Txt.B.value, f'{Txt.A.value:>4}', Num(1) is Num.A, Colour.__members__.keys())
        F = enum.Enum('F', 'X Y'); print(F.X, F.__module__, F.__qualname__)
        @dataclasses.dataclass(order=True, frozen=True)
        class D:
            a: int
            b: list = dataclasses.field(default_factory=lambda: [1] * 2, compare=False)
            c: typing.ClassVar[int] = 1 + 1
            d: dataclasses.InitVar[int] = 3
            _: dataclasses.KW_ONLY
            e: str = 'x' * 2
            def __post_init__(self, d): object.__setattr__(self, 'g', d + 1)
        x = D(1); print(x, x.g, x < D(2), hash(D(1)) == hash(x), dataclasses.replace(x, a=5), dataclasses.astuple(x), D.__match_args__, D.__doc__)
        try: x.a += 1
        except dataclasses.FrozenInstanceError as e: print(e)
        @dataclasses.dataclass(slots=True)
        class Sl(D if 0 else object):
            a: int = 0
            def f(self): return __class__.__name__
            def add(self): self.a += 1; return self.a
        print(Sl.__slots__, Sl().add(), Sl().f())
        N = collections.namedtuple('N', 'a b', defaults=[1 + 1]); print(N(1), N.__module__, N(1)._replace(b=5))
        class NT(typing.NamedTuple):
            'doc'
            a: int
            b: str = 'x' + 'y'
            def total(self): return self.b * self.a
        class TD(typing.TypedDict, total=False): k: int
        class Pr(typing.Protocol): x: int
        T = typing.TypeVar('T'); UserId = typing.NewType('UserId', int)
        class G(typing.Generic[T]):
            def f(self) -> 'T': return typing.get_type_hints(type(self).f)
        print(NT(2).total(), NT.__doc__, TD(k=1), TD.__total__, G[int]().f(), T.__module__, UserId.__module__, UserId(5), G[int].__args__, G.__parameters__)
        class Prop:
            calls = 0
            @functools.cached_property
            def c(self): Prop.calls += 1; return Prop.calls
            @functools.lru_cache(maxsize=None)
            def l(self, k): return k * 2
            @functools.singledispatchmethod
            def s(self, x): return 'any'
            @s.register
            def _(self, x: int): return x + 1
            @functools.wraps(print)
            def w(self): pass
            pm = functools.partialmethod(l, 4)
        q = Prop(); print(q.c, q.c, q.l(2), q.s(1), q.s('a'), q.w.__name__, q.pm(), q.l.cache_info().misses)
        @functools.total_ordering
        class O:
            def __init__(self, v): self.v = v
            def __eq__(self, o): return self.v == o.v
            def __lt__(self, o): return self.v < o.v
        print(O(1) <= O(2) > O(1) != O(3), sorted([O(2), O(1)])[0].v, max(O(1), O(4)).v)
        @functools.singledispatch
        def sd(x): return 'object'
        @sd.register(list)
        def sd_list(x): return [sd(i) for i in x]
        @sd.register
        def _(x: int | float): return -x
        print(sd([1, 'a', [2.5]]), sd.registry.keys())
    """,
}  # fmt: skip

VERSIONED = {
    ("generics", (3, 12)): """
        import typing
        type Alias[T] = list[T] | dict[str, T]
        type Rec = tuple[int, Rec] | None
        def first[T: (int, str), *Ts, **P](items: list[T], default: T = 1 + 1, *args: *Ts) -> T:
            type Inner = T
            return items[0] if items else default, Inner.__value__
        class Box[T: int](list[T]):
            x: T = 1 - 1
            def top[U](self, u: U = [1][0]) -> T: return super().__len__() + u, __class__.__name__, self[-1]
            class In[V]: y = V
            lazy = [lambda: T for _ in range(1)]
            def __init_subclass__(cls, k=0): cls.k = k
        class Sub[T](Box[T], k=(1 + 1)): pass
        class Gen[A, B = 5](typing.Generic) if 0 else object: pass
        print(first([3]), first([]), Box([1, 2]).top(), Box.In.y, Box.lazy[0](), Sub.k, Alias.__value__, Alias[int].__args__, Rec.__value__, first.__type_params__, Box.__type_params__[0].__bound__)
        print(first.__annotations__, Box.__orig_bases__, first.__type_params__[0].__constraints__, typing.get_type_hints(Box.top), Alias.__module__, Box.__type_params__[0].__module__)
        def deco(f): print(f.__type_params__); return f
        @deco
        async def co[T](x: T): return x
        lam = lambda x: [type for type in x]; type = 5; type += 1; print(type, lam([1]))
        class C:
            type X = int; n = 3
            type Y = tuple[X, n]
            def m[X](self, x: X) -> X: return X.__name__ + f'{x}'
        print(C.Y.__value__, C().m(1))
        def outer[T](x):
            def inner[U](y): return T, U, x + y
            return inner(1)
        print(outer(1))
        def order[T](x=(w := 5)): return x
        print(order(), w)
        try: Alias.__value__ = 1
        except AttributeError as e: print(e)
    """.replace("        class Gen[A, B = 5](typing.Generic) if 0 else object: pass\n", ""),
    ("type parameter defaults", (3, 13)): """
        class A[T = int, *Ts = *tuple[int, str], **P = [int]]: pass
        type X[T = list[int]] = dict[str, T]
        def f[T = 1 + 1](x: T = [1][0]): return x
        print([p.__default__ for p in A.__type_params__], X.__type_params__[0].__default__, f.__type_params__[0].has_default(), f())
        class B:
            def __init__(self): self.a = 1; self.b += [1]; self.c.d += 1; self.e[0] += 2
            def m(self): self.f: int = 1; [self.g, self.h] = 1, 2; del self.i; (lambda: setattr(self, 'no', 1))()
            def n(self):
                for self.j in (): pass
                with open('x') as self.k: self.l[0].m += 1
        print(sorted(B.__static_attributes__), B.__firstlineno__)
    """,
}  # fmt: skip


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_classes(source):
    assert_alike(source)


@pytest.mark.parametrize(
    ("version", "source"), [(k[1], v) for k, v in VERSIONED.items()], ids=[k[0] for k in VERSIONED]
)
def test_newer_classes(version, source):
    if sys.version_info < version:
        pytest.skip("grammar of a later Python")
    assert_alike(source)
