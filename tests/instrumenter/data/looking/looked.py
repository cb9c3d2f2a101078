"""The module that is looked at: each `check_` shows something that depends on frames, source or lifetimes."""

import collections
import contextlib
import copy
import dataclasses
import doctest
import enum
import functools
import gc
import inspect
import io
import logging
import operator
import os
import pdb
import pickle
import pydoc
import sys
import timeit
import traceback
import types
import typing
import unittest.mock
import warnings
import weakref

import library

HERE = os.path.basename(__file__)
COUNT = 0


def documented(a: int, b: "str" = "x" * 2, /, *c, d=(1, 2)[0], e: list = None, **f) -> dict:
    """Adds things.

    >>> documented(1)
    {'a': 1, 'b': 'xx'}
    >>> documented(2, "y")["a"] + 1
    3
    >>> documented()
    Traceback (most recent call last):
        ...
    TypeError: documented() missing 1 required positional argument: 'a'
    """
    # a comment of the source
    return {"a": a, "b": b}


class Sample:
    """A class
    with source."""

    kind: int = 1 + 1

    def __init__(self, value=0):
        self.value = value

    def method(self, x, *, y=(lambda: 3)()):  # noqa
        if x > 1 and self.value:
            return [i + y for i in range(x)]
        return None

    def __eq__(self, other):
        return type(self) is type(other) and self.value == other.value

    __hash__ = None

    class Nested:
        def deep(self): return lambda q: (q, [q
                                             for _ in range(2)])

    @property
    def prop(self):
        "property doc"
        return self.value * 2


@dataclasses.dataclass(order=True)
class Data:
    a: int
    b: list = dataclasses.field(default_factory=lambda: [1] * 2)
    c: typing.ClassVar[int] = 1 + 2


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Slotted:
    a: int = 1 + 1
    b: str = dataclasses.field(default="x" * 2, repr=False, compare=False)

    def total(self):
        return f"{self.a}{self.b}", __class__.__name__


Pair = collections.namedtuple("Pair", "left right", defaults=[len("abc")])
Colour = enum.Enum("Colour", "RED GREEN")
Level = enum.IntFlag("Level", {"LOW": 1, "HIGH": 1 << 1})
UserId = typing.NewType("UserId", int)
T = typing.TypeVar("T")
Made = type("Made", (Sample,), {"extra": 1 + 1})
Typed = typing.NamedTuple("Typed", [("a", int)])
Dicted = typing.TypedDict("Dicted", {"a": int})
DataMade = dataclasses.make_dataclass("DataMade", ["x", ("y", int, 5)])


class Shape(typing.Protocol):
    def area(self) -> "UserId": ...


class Generic(typing.Generic[T]):
    item: "T"

    def get(self, default: "T | None" = None) -> "list[T]": ...


def counting():
    n = COUNT + 1

    def bump(by=n * 2):
        nonlocal n
        n += by
        return n

    return bump


def shown_frames(frame):
    while frame is not None:
        if os.path.basename(frame.f_code.co_filename) in (HERE, "library.py"):
            yield frame.f_code.co_name, frame.f_lineno
        frame = frame.f_back


def check_source():
    for thing in (documented, Sample, Sample.method, Sample.Nested.deep, Sample.Nested().deep(), Sample.prop.fget, counting, counting(), check_source):
        print(inspect.getsourcelines(thing), os.path.basename(inspect.getfile(thing)), inspect.getmodule(thing).__name__)
        print(repr(inspect.getsource(thing)), inspect.getdoc(thing), inspect.getcomments(thing), inspect.unwrap(thing) is thing)
    print(inspect.getsource(sys.modules[__name__])[:80], inspect.getmodulename(__file__), inspect.getsourcefile(Sample) == __file__)
    print(inspect.getblock(["def f():\n", "  x\n", "y\n"]), inspect.cleandoc(" a\n  b"))


def check_signatures():
    for thing in (documented, Sample, Sample.method, Sample(1).method, Data, Pair, counting(), lambda a, *b: a, functools.partial(documented, 1), print, Slotted, len, Made, Colour, DataMade):
        try:
            print(getattr(thing, "__name__", "partial"), inspect.signature(thing))
        except ValueError as error:
            print(error)
    print(inspect.getfullargspec(documented), inspect.getcallargs(documented, 1, "z", 5, d=2, g=3))
    try:
        inspect.getcallargs(documented)
    except TypeError as error:
        print(error)
    bound = inspect.signature(documented).bind(1, "b", e=[])
    bound.apply_defaults()
    print(bound, inspect.get_annotations(documented, eval_str=True), documented.__defaults__, documented.__kwdefaults__)
    print([name for name, _ in inspect.getmembers(Sample, inspect.isfunction)], [a.name for a in inspect.classify_class_attrs(Sample) if a.defining_class is Sample])
    print(inspect.isgeneratorfunction(shown_frames), inspect.iscoroutinefunction(check_signatures), inspect.isbuiltin(len), inspect.isroutine(documented), inspect.getmro(Made))
    code = counting.__code__
    print(code.co_varnames, code.co_freevars, code.co_cellvars, code.co_argcount, code.co_posonlyargcount, code.co_nlocals, code.co_firstlineno, code.co_flags, code.co_name)
    code = documented.__code__
    print(code.co_varnames, code.co_kwonlyargcount, code.co_argcount, code.co_posonlyargcount, code.co_flags, code.co_nlocals)
    print([c.co_name for c in code.co_consts if isinstance(c, types.CodeType)], sorted(vars(counting())), counting().__closure__[0].cell_contents)
    print(inspect.getclosurevars(counting()).nonlocals)


def check_stack():
    def inner(x):
        if x:
            return [library.frames(lambda: inspect.stack()), [f.function for f in inspect.stack() if f.filename == __file__]]
        return None

    def lines(stack):
        return [(os.path.basename(f.filename), f.lineno, f.function, f.code_context, f.index) for f in stack if os.path.dirname(f.filename) == os.path.dirname(__file__)]

    stack, names = inner(1)
    print(lines(stack)[:-2], names[:3])
    frame = inspect.currentframe()
    print(frame.f_lineno, inspect.getframeinfo(frame)[1:4], sorted(frame.f_locals), frame.f_code.co_name, inspect.getargvalues(frame)[:3])
    print(sys._getframe().f_lineno, sys._getframe(
        0).f_lineno, [sys._getframe().f_code.co_name
                      for _ in range(1)])
    print([sys._getframe(1).f_code.co_name for _ in [0]][0] in ("check_stack", "<module>", "show"), (lambda: sys._getframe(1).f_code.co_name)())
    print(list(shown_frames(sys._getframe()))[:1], library.call(lambda: list(shown_frames(sys._getframe()))[:3]))
    print(max([1, 2], key=lambda x: len([0 for n, _ in shown_frames(sys._getframe())])))
    generator = shown_frames(sys._getframe())
    print(generator.gi_frame.f_lineno, next(generator), generator.gi_frame.f_lineno - shown_frames.__code__.co_firstlineno, inspect.getgeneratorstate(generator), sorted(inspect.getgeneratorlocals(generator)))
    out = io.StringIO()
    traceback.print_stack(file=out, limit=1)
    print(out.getvalue(), [f.lineno for f in traceback.extract_stack(limit=1)], traceback.format_stack(limit=1))


def check_warnings():
    def warn(level):
        warnings.warn(f"w{level}", UserWarning, stacklevel=level)

    def outer(level):
        return [warn(level),
                library.warn(level)]

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for level in (1, 2, 3):
            outer(level)
        library.warn(
            2)
        [library.warn(2) for _ in range(1)]
        Sample(library.warn(2)).method(library.warn(2) or 1)
        warnings.warn_explicit("e", UserWarning, "f", 3)
        library.Deprecated(
            1).old
        "%s" % library.Deprecated(2)
        library.Deprecated(3) + 1 < library.Deprecated(4)
        library.Deprecated(5)[0]
    for w in caught:
        print(w.message, os.path.basename(w.filename), w.lineno, w.category.__name__)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            warn(2)
            warn(1)
    print(len(caught), "__warningregistry__" in globals())


def check_logging():
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(filename)s:%(funcName)s:%(lineno)d:%(module)s:%(message)s"))
    logger = logging.getLogger("looked")
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(1)
    logger.info("one %s", 1)
    logger.warning(
        "two %d%%", 2)
    [logger.error(f"{i}") for i in (1,)]
    (lambda: logger.critical("lambda"))()
    list(map(logger.info, ["mapped"]))
    library.log(logger)
    logger.info("level", stacklevel=2)
    try:
        1 // COUNT
    except ZeroDivisionError:
        logger.exception("failed")
    logger.info("stack", stack_info=False)
    functools.partial(logger.info, "partial")()
    print(out.getvalue().replace(os.path.dirname(__file__), ""))


def check_made_classes():
    for thing in (Pair, Colour, Level, UserId, T, Made, Typed, Dicted, DataMade, Slotted, Shape, Generic, Data, Colour.RED.__class__):
        print(thing.__name__, thing.__module__, getattr(thing, "__qualname__", None))
    print(Pair(1), Pair(1)._replace(right=2), Pair._fields, Pair._field_defaults, Colour.RED, Level.LOW | Level.HIGH, Made(3).method(2), DataMade(1))
    print(Data(1), Data(1) < Data(2), Slotted(a=5), Slotted(a=5).total(), dataclasses.asdict(Data(1)), [f.name for f in dataclasses.fields(Slotted)], Slotted() == Slotted(b="z"), hash(Slotted()) == hash(Slotted()))
    print(typing.get_type_hints(Generic.get), typing.get_type_hints(Shape.area), typing.get_type_hints(Data), Generic[int], typing.get_args(Generic[int]), UserId.__supertype__)
    local = collections.namedtuple("Local", "x"), enum.Enum("LocalEnum", "A"), typing.TypeVar("U"), typing.NewType("N", str), type("L", (), {}), types.new_class("C"), dataclasses.make_dataclass("D", ["x"])
    print([(x.__module__, x.__name__) for x in local], [library.make(m).__module__ for m in (lambda: type("X", (), {}),)], library.made().__module__)
    class Inner(Sample): x = [i for i in range(2)]
    print(Inner.__qualname__, Inner.__module__, Inner.method.__qualname__, (lambda: 0).__qualname__, Inner.__mro__[1] is Sample, Inner.__dict__.keys() >= {"x"})


def check_pickle_and_copy():
    for thing in (documented, Sample, Sample(3), Data(1, [2]), Slotted(a=9), Pair(1, 2), Colour.RED, Level.HIGH, Sample.Nested, Sample.Nested.deep, Typed(3), [Made(1)], len, operator.add, Sample(2).method, functools.partial(documented, 1), T):
        for protocol in (0, 2, pickle.HIGHEST_PROTOCOL):
            back = pickle.loads(pickle.dumps(thing, protocol))
        print(back == thing or type(back), type(back) is type(thing), copy.copy(thing) == thing, type(copy.deepcopy(thing)) is type(thing))
    for thing in (lambda: 0, counting(), Sample.Nested().deep(), sys._getframe(), (x for x in ()), sys):
        try:
            pickle.dumps(thing)
        except Exception as error:
            print(type(error).__name__, str(error).split(" at 0x")[0].replace(f"<function {__name__}.", ""))
    deep = {"a": [Sample(1), (1, {2})]}
    deep["self"] = deep
    again = copy.deepcopy(deep)
    print(again["self"] is again, again["a"] == deep["a"], again["a"] is not deep["a"])


def check_locals():
    def f(a, b=2, *c, **d):
        e = a + b
        c += (e,)
        d["k"] = [e]
        d["k"][0] += 1
        before = sorted(locals())
        for i in range(2):
            e -= i
        return before, locals(), vars(), sorted(dir())

    def through_frame(a):
        a.value += 1
        x = [1, [2]]
        x[1][a.value - 6] += 5
        if 0 < len(x) < 5:
            x.append(1)
        return sorted(sys._getframe().f_locals), sorted(library.caller_locals())

    print(f(1, 2, 3, z=5))
    print([name for name in through_frame(Sample(5))[0] if not name.startswith("_tt")])
    print(sorted(n for n in globals() if n.startswith("_")), "_tt" in dir(), "_tt" in vars(sys.modules[__name__]))
    print(eval("COUNT + 1"), eval("x", {"x": 5}), eval("x + y", {"x": 1}, {"y": 2}), eval(compile("COUNT", "f", "eval")))
    exec("made_here = COUNT + 1\ndef inside(): return made_here", space := {"COUNT": 4})
    print(space["inside"](), space["made_here"], "made_here" in globals(), space["inside"].__module__)
    z = 3
    print(eval("z + 1"), [eval("z", {"z": i}) for i in range(2)], (lambda q: eval("q"))(7))
    exec("z = 9")
    print(z, locals()["z"])
    print(eval("[a for a in (1, 2)]"), eval("(lambda: COUNT)()"), compile("1 + 1", "f", "eval").co_flags)
    names = compile("def g(x: undefined_name): pass", "f", "exec")
    try:
        exec(names, {})
    except NameError as error:
        print(error)
    print(type(__builtins__).__name__ in ("dict", "module"), __name__, __spec__.name, __package__ == "", os.path.basename(__file__), __loader__.get_source(__name__)[:12], __spec__.origin == __file__)
    print(sorted(k for k in vars(sys.modules[__name__]) if k[:2] == "__"), __import__("os") is os, __import__("os.path").__name__, __import__("os.path", fromlist=["x"]) is os.path)


def check_exc_info():
    def info():
        kind, value, tb = sys.exc_info()
        return kind and kind.__name__, tb and tb.tb_lineno

    try:
        try:
            {}["a"] + [][5]
        except KeyError:
            print(info(), [info() for _ in "a"], (lambda: info())())
            try:
                1 / COUNT
            except ZeroDivisionError as error:
                print(info(), repr(error.__context__))
            print(info())
            raise ValueError("v") from None
    except ValueError as error:
        print(repr(error.__context__), error.__suppress_context__, [f.lineno for f in traceback.extract_tb(error.__traceback__)])
    print(info(), getattr(sys, "last_value", None))

    def failing(n):
        return failing(n - 1) + 1 if n else int(
            "x")

    try:
        failing(2)
    except ValueError as error:
        print(traceback.format_exc(), repr(error.__context__), traceback.format_exception_only(type(error), error))
        print([(f.name, f.lineno, f.line) for f in traceback.TracebackException.from_exception(error).stack])
    for bad in (lambda: sorted([1, "a"]), lambda: library.call(lambda: [][0]), lambda: max([1, 2], key=lambda x: x.none), lambda: [*map(int, "1x")], lambda: sum(1 // x for x in [1, 0]), lambda: dict([1]),
                lambda: Sample() < 1, lambda: getattr(1, "none"), lambda: (1).none, lambda: len(5), lambda: "a".join([1]), lambda: next(iter([])), lambda: f"{1:z}", lambda: open("/nowhere/none"), lambda: library.missing):
        try:
            bad()
        except Exception as error:
            print(type(error).__name__, error, [(f.name, f.lineno) for f in traceback.extract_tb(error.__traceback__)], repr(error.__context__))


def traced_target(n):
    total = 0
    for i in range(n):
        if i % 2 and n > i or not total:
            total += i
        else:
            total -= 1
    values = [x * total
              for x in range(n)
              if x]
    try:
        values[n + 5] = 3
    except IndexError:
        values[0] += 1
    finally:
        total = (values[0]
                 + total)
    while total > 5: total //= 2
    sample = Sample(n)
    sample.value += sample.prop; sample.method(2)
    with contextlib.suppress(KeyError):
        {}[total]
    return f"{total:>{n}}" if total else {
        k: v
        for k, v in zip("ab",
                        values)}


def check_tracing():
    events = []

    def tracer(frame, event, arg):
        if frame.f_code.co_filename != __file__:
            return None
        events.append((event, frame.f_code.co_name, frame.f_lineno, arg[0].__name__ if event == "exception" else None))
        return tracer

    sys.settrace(tracer)
    try:
        traced_target(3)
    finally:
        sys.settrace(None)
    for event in events:
        print(event)
    calls = []

    def profiler(frame, event, arg):
        if frame.f_code.co_filename == __file__ and event in ("call", "return"):
            calls.append((event, frame.f_code.co_name, frame.f_lineno))

    sys.setprofile(profiler)
    try:
        traced_target(4)
    finally:
        sys.setprofile(None)
    print(calls)


def check_pdb():
    out = io.StringIO()
    first = traced_target.__code__.co_firstlineno
    commands = f"break {first + 4}\ncontinue\nwhere 1\nargs\np total, i\nnext\nnext\np total\nstep\nlist {first}, {first + 2}\nup\ndown\nclear\n1\nuntil {first + 21}\nw 1\np sample.value\nstep\np self.value\nargs\nreturn\nnext\nwhatis total\np sorted(locals())\ntbreak {first + 27}\nc\nreturn\nc\n"
    debugger = pdb.Pdb(stdin=io.StringIO(commands), stdout=out, nosigint=True, readrc=False, skip=["runtime", "runtime.*"])
    debugger.use_rawinput = False
    debugger.prompt = ""
    try:
        debugger.runcall(traced_target, 3)
    finally:
        sys.settrace(None)
    for line in out.getvalue().splitlines():
        print(line.replace(os.path.dirname(__file__), "").split(" at 0x")[0])


def check_doctest_and_help():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        results = doctest.testmod(sys.modules[__name__], verbose=True)
    print(results, out.getvalue().count("ok"), [(t.name, t.lineno) for t in doctest.DocTestFinder().find(sys.modules[__name__]) if t.examples])
    print(pydoc.render_doc(documented, renderer=pydoc.plaintext), pydoc.render_doc(Sample, renderer=pydoc.plaintext), pydoc.render_doc(Slotted, renderer=pydoc.plaintext))
    text = pydoc.render_doc(sys.modules[__name__], renderer=pydoc.plaintext)
    print(text.replace(os.path.dirname(__file__), ""))


def check_wrapping():
    @functools.wraps(documented)
    def wrapped(*args):
        return documented(*args)

    @contextlib.contextmanager
    def manager(x):
        print("in", x)
        try:
            yield x + 1
        except KeyError as error:
            print("caught", error, error.__traceback__.tb_lineno)
        finally:
            print("out")

    class Cached:
        @functools.cached_property
        def value(self):
            print("computed")
            return [1]

        @functools.lru_cache(maxsize=2)
        def square(self, n):
            print("square", n)
            return n * n

    @functools.singledispatch
    def kind(x):
        return "any"

    @kind.register
    def _(x: int):
        return "int" + kind(str(x))

    @functools.lru_cache
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    print(wrapped.__name__, wrapped.__wrapped__ is documented, inspect.signature(wrapped), wrapped.__doc__[:4], inspect.getsource(wrapped)[:20])
    with manager(1) as got:
        print(got)
        raise KeyError("k")
    c = Cached()
    c.value += [2]
    print(c.value, c.square(2), c.square(2), vars(c), kind(1), kind.registry.keys(), fib(20), fib.cache_info(), functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]))
    print(timeit.timeit(lambda: None, number=3) >= 0, timeit.timeit("x + 1", "x = 1", number=2) >= 0, functools.partial(documented, 1)("q"), sorted([Pair(2), Pair(1)], key=operator.attrgetter("left")))


def uses_builtins(path):
    with open(path) as file:
        return len(file.read()), print("printed"), range(2)


def check_mock():
    with unittest.mock.patch(f"{__name__}.open", unittest.mock.mock_open(read_data="abc"), create=True) as opened:
        print(uses_builtins("p"), opened.mock_calls)
    with unittest.mock.patch(f"{__name__}.len", return_value=7, create=True), unittest.mock.patch("builtins.print") as printed:
        result = uses_builtins(__file__)
    print(result, printed.mock_calls)
    with unittest.mock.patch.object(Sample, "method", autospec=True, side_effect=lambda self, x: x * 2) as method:
        print(Sample(1).method(4), method.call_args.args[1], method.call_count)
    with unittest.mock.patch.dict(globals(), {"COUNT": 5}), unittest.mock.patch("looked.documented", lambda: COUNT):
        print(documented(), eval("COUNT"))
    mock = unittest.mock.MagicMock(name="m")
    mock.a[1] += 2
    mock.b -= 1
    mock.c().d[0] = 5
    if 0 < mock.size.__len__() < 3 or mock in [5] if mock.e else mock:
        pass
    print(mock.mock_calls, unittest.mock.create_autospec(documented)(1) is not None)


class Tracked:
    alive = []

    def __init__(self, name):
        self.name, self.items, self.count = name, {"k": 0}, 0
        Tracked.alive.append(name)

    def __del__(self):
        Tracked.alive.remove(self.name)

    def __lt__(self, other): return True

    __gt__ = __le__ = __lt__

    def me(self): return self


def check_lifetimes():
    def augmented():
        holder = {"t": Tracked("item")}
        holder["t"].items["k"] += 1
        holder["t"].count += 1
        del holder["t"]
        print("item", Tracked.alive)
        Tracked("temp").items["k"] += 1
        print("temp", Tracked.alive)
        Tracked("temp").me().count -= 1
        print("temp", Tracked.alive)
        {"k": 1}[Tracked("key").me().count or "k"]
        print("key", Tracked.alive)

    def chained():
        if 0 < Tracked("middle") < 5:
            print("chain", Tracked.alive)
        x = 0 < Tracked("value").me() < Tracked("last") < 5
        print(x, Tracked.alive)
        while 0 < Tracked("while") < 2:
            print("while", Tracked.alive)
            break
        print(Tracked.alive)

    def others():
        for item in [Tracked("for")]:
            item = None
            print("for", Tracked.alive)
        print("after", Tracked.alive)
        x = Tracked("rebound")
        x = 1
        print(Tracked.alive, len([Tracked("list")]), Tracked.alive)
        x = Tracked("argument")
        def taking(y): del y; return list(Tracked.alive)
        print(taking(x), taking(Tracked("passed")), [taking(z) for z in [Tracked("comp")]], Tracked.alive)
        del x
        try:
            local = Tracked("local")
            raise KeyError(Tracked("error").name)
        except KeyError as error:
            del local
            print(Tracked.alive)
        print(Tracked.alive, f"{Tracked('field').name}", Tracked.alive)
        ref = weakref.ref(y := Tracked("weak"))
        y.self = y
        del y
        print(ref() is None, gc.collect() > 0, ref() is None, Tracked.alive)
        g = (t.name for t in [Tracked("gen")])
        next(g)
        print(Tracked.alive)
        del g
        print(Tracked.alive)
        match Tracked("subject"):
            case Tracked(name=n): print(n, Tracked.alive)
        print(Tracked.alive)
        with contextlib.nullcontext(Tracked("with")) as w:
            w = None
            print(Tracked.alive)
        print(Tracked.alive, sorted([Tracked("sorted")])[0].name, Tracked.alive)
        print(sys.getrefcount(ref), sys.getrefcount(o := []), len(gc.get_referrers(o)))

    augmented()
    chained()
    others()
    print(Tracked.alive)


def check_reflection():
    module = sys.modules[__name__]
    print(sorted(vars(module)), dir(Sample), dir(module) == sorted(vars(module)), module)
    print(hasattr(module, "_tt"), getattr(module, "COUNT"), vars(Sample(1)), type(module).__name__, callable(documented), isinstance(documented, types.FunctionType))
    setattr(module, "COUNT", COUNT + 1)
    globals()["COUNT"] += 1
    print(COUNT, module.COUNT)
    module.COUNT = 0
    print(documented.__globals__ is globals(), documented.__module__, documented.__code__.co_filename == __file__, documented.__builtins__ is not None if hasattr(documented, "__builtins__") else None)
    copied = types.FunctionType(traced_target.__code__, globals(), "copied", traced_target.__defaults__, traced_target.__closure__)
    print(copied(2), types.FunctionType(traced_target.__code__.replace(co_name="renamed"), globals())(3))
    print(operator.attrgetter("value")(Sample(4)), operator.methodcaller("method", 2)(Sample(4)), sys.getsizeof(Sample(1).__dict__) > 0, id(module) == id(sys.modules[__name__]))
