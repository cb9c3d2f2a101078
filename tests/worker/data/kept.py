# ruff: noqa: PLW0602, PLW0603, RUF012, UP033, PTH109, B006, B018, B019, UP006, E731
"""State of every kind that a run may leave behind: `write_...` leaves it, `read_...` raises what it finds."""

from __future__ import annotations

import abc
import array
import builtins
import collections
import contextlib
import contextvars
import copyreg
import dataclasses
import decimal
import enum
import functools
import gc
import heapq
import io
import itertools
import json
import locale
import logging
import math
import os
import queue
import random
import re
import string
import sys
import threading
import types
import typing
import warnings
import weakref


def tell(*seen: object) -> None:
    """Raise an exception whose type says what was seen."""
    raise type(repr(seen), (Exception,), {})


# Globals

NUMBER = 0
MAYBE = None


def write_global():
    global NUMBER
    NUMBER += 1


def read_global():
    tell(NUMBER)


def write_new_global():
    globals()["fresh"] = 1


def read_new_global():
    tell("fresh" in globals())


def write_deleted_global():
    global MAYBE
    del MAYBE


def read_deleted_global():
    tell("MAYBE" in globals())


def helper():
    return "old"


def write_replaced_function():
    global helper
    helper = lambda: "new"


def read_replaced_function():
    tell(helper())


def write_function_code():
    helper.__code__ = (lambda: "other").__code__


def read_function_code():
    tell(helper())


def defaulted(found=[], *, more={}):
    found.append(1)
    more[len(more)] = 1
    return len(found), len(more)


def write_mutable_default():
    defaulted()


def read_mutable_default():
    tell(defaulted())


def write_replaced_defaults():
    defaulted.__defaults__ = ([1, 2, 3],)


def read_replaced_defaults():
    tell(defaulted())


def write_replaced_keyword_defaults():
    defaulted.__kwdefaults__ = {"more": {1: 1, 2: 2}}


def read_replaced_keyword_defaults():
    tell(defaulted())


def write_function_attribute():
    helper.calls = getattr(helper, "calls", 0) + 1


def read_function_attribute():
    tell(getattr(helper, "calls", 0))


def marked():
    return 1


marked.calls = 0
marked.log = []


def write_marked_function():
    marked.calls += 1
    marked.log.append(1)


def read_marked_function():
    tell(marked.calls, marked.log)


def write_annotations():
    tell.__annotations__["new"] = int


def read_annotations():
    tell(sorted(tell.__annotations__))


def make_counter():
    count = 0
    history = []

    def step():
        nonlocal count
        count += 1
        history.append(count)
        return count, list(history)

    return step


counter = make_counter()


def write_closure():
    counter()


def read_closure():
    tell(counter())


# Containers

LIST = [1, 2]
DICT = {"a": 1}
SET = {1}
QUEUE = collections.deque([1, 2], maxlen=3)
ORDERED = collections.OrderedDict(a=1, b=2)
DEFAULTING = collections.defaultdict(list)
COUNTER = collections.Counter("aab")
CHAIN = collections.ChainMap({}, {"a": 1})
ARRAY = array.array("i", [1, 2])
BYTES = bytearray(b"abc")
VIEW = memoryview(bytearray(b"abc"))
NESTED = {"a": [{"b": ({1, 2}, collections.deque([[]]))}]}
HEAP = [3, 5, 7]
USER_DICT = collections.UserDict(a=1)
USER_LIST = collections.UserList([1])
LIFO = queue.LifoQueue()
NAMESPACE = types.SimpleNamespace(a=1)
PROXIED = {"a": 1}
PROXY = types.MappingProxyType(PROXIED)


def write_list():
    LIST.append(3)
    LIST[0] = 9


def read_list():
    tell(LIST)


def write_list_order():
    LIST.reverse()


def read_list_order():
    tell(LIST)


def write_dict():
    DICT["b"] = 2
    DICT["a"] = 5


def read_dict():
    tell(DICT)


def write_dict_order():
    DICT["c"] = DICT.pop("a")
    DICT["a"] = DICT.pop("c")


def read_dict_order():
    tell(list(DICT.items()))


def write_set():
    SET.add(2)
    SET.discard(1)


def read_set():
    tell(SET)


def write_set_of_equal():
    SET.discard(1)
    SET.add(True)


def read_set_of_equal():
    tell(SET)


def write_deque():
    QUEUE.append(7)
    QUEUE.append(8)


def read_deque():
    tell(QUEUE)


def write_ordered():
    ORDERED.move_to_end("a")


def read_ordered():
    tell(ORDERED)


def write_defaulting():
    DEFAULTING["k"].append(1)


def read_defaulting():
    tell(dict(DEFAULTING))


def write_default_factory():
    DEFAULTING.default_factory = set


def read_default_factory():
    tell(DEFAULTING.default_factory)


def write_counter():
    COUNTER.update("a")


def read_counter():
    tell(COUNTER)


def write_chain():
    CHAIN["z"] = 1


def read_chain():
    tell(CHAIN)


def write_array():
    ARRAY.append(3)
    ARRAY[0] = 7


def read_array():
    tell(ARRAY)


def write_bytes():
    BYTES[0] = 65


def read_bytes():
    tell(BYTES)


def write_view():
    VIEW[0] = 65


def read_view():
    tell(VIEW.tobytes())


def write_nested():
    NESTED["a"][0]["b"][1][0].append(1)


def read_nested():
    tell(NESTED)


def write_heap():
    heapq.heappop(HEAP)


def read_heap():
    tell(HEAP)


def write_user_dict():
    USER_DICT["b"] = 1


def read_user_dict():
    tell(USER_DICT)


def write_user_list():
    USER_LIST.append(2)


def read_user_list():
    tell(USER_LIST)


def write_fifo():
    LIFO.put(1)


def read_fifo():
    tell(LIFO.qsize())


def write_namespace():
    NAMESPACE.a = 2
    NAMESPACE.b = 3


def read_namespace():
    tell(NAMESPACE)


def write_proxied():
    PROXIED["b"] = 2


def read_proxied():
    tell(PROXY)


# Classes


class Registry:
    known = {}
    total = 0
    instances = []

    def __init__(self):
        type(self).total += 1
        self.instances.append(self)


class Derived(Registry):
    total = 10


def write_class_counter():
    Registry()


def read_class_counter():
    tell(Registry.total, len(Registry.instances))


def write_derived_counter():
    Derived()


def read_derived_counter():
    tell(Registry.total, Derived.total, len(Registry.instances))


def write_class_registry():
    Registry.known["a"] = 1


def read_class_registry():
    tell(Registry.known)


def write_class_method():
    Registry.describe = lambda self: "patched"
    Registry.__init__ = lambda self: None


def read_class_method():
    Registry()
    tell(hasattr(Registry, "describe"), Registry.total)


def write_deleted_class_attribute():
    del Registry.total


def read_deleted_class_attribute():
    tell(Registry.total)


def write_class_name():
    Registry.__name__ = "Other"
    Registry.__qualname__ = "Other"


def read_class_name():
    tell(Registry.__name__, Registry.__qualname__)


class Other:
    def hello(self):
        return "other"


class Plain:
    def hello(self):
        return "plain"


plain = Plain()


def write_class_of_instance():
    plain.__class__ = Other


def read_class_of_instance():
    tell(plain.hello())


class Changed(Plain):
    pass


def write_bases():
    Changed.__bases__ = (Other,)


def read_bases():
    tell(Changed().hello())


class Described:
    class Descriptor:
        def __init__(self):
            self.values = {}

        def __get__(self, thing, owner=None):
            return self.values.get("x", 0)

        def __set__(self, thing, value):
            self.values["x"] = value

    field = Descriptor()


def write_descriptor():
    Described().field = 5


def read_descriptor():
    tell(Described().field)


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Round:
    def area(self):
        return 1


def write_abc_registration():
    Shape.register(Round)


def read_abc_registration():
    tell(isinstance(Round(), Shape))


def write_abc_cache():
    class Local(Shape):
        def area(self):
            return 2

    isinstance(Local(), Shape)


def read_abc_cache():
    tell(isinstance(Round(), Shape), len(Shape.__subclasses__()))


class Meta(type):
    made = []

    def __call__(cls, *args):
        Meta.made.append(cls.__name__)
        return super().__call__(*args)


class Made(metaclass=Meta):
    pass


def write_metaclass():
    Made()


def read_metaclass():
    tell(Meta.made)


class Plugin:
    plugins = []

    def __init_subclass__(cls):
        Plugin.plugins.append(cls.__name__)


def write_subclass():
    class Mine(Plugin):
        pass

    tell.kept = Mine


def read_subclass():
    tell(Plugin.plugins, len(Plugin.__subclasses__()))


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Flag(enum.Flag):
    A = 1
    B = 2
    C = 4


def write_enum_member():
    Colour.RED.note = "seen"
    Colour._value2member_map_[5] = Colour.RED


def read_enum_member():
    tell(hasattr(Colour.RED, "note"), 5 in Colour._value2member_map_)


def write_flag_cache():
    Flag.A | Flag.B


def read_flag_cache():
    tell([flag.name for flag in Flag], repr(Flag(5)))


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self):
        self.x = [1]


slotted = Slotted()


def write_slots():
    slotted.x.append(2)
    slotted.y = 1


def read_slots():
    tell(slotted.x, hasattr(slotted, "y"))


class Single:
    instance = None

    def __new__(cls):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            cls.instance.values = {}
        return cls.instance


def write_singleton():
    Single().values["a"] = 1


def read_singleton():
    tell(Single.instance is None, Single().values)


class Subject:
    def __init__(self):
        self.listeners = []
        self._cache = None

    @functools.cached_property
    def slow(self):
        return NUMBER

    def notify(self):
        return [listener() for listener in self.listeners]


SUBJECT = Subject()


def write_callbacks():
    SUBJECT.listeners.append(lambda: 1)


def read_callbacks():
    tell(SUBJECT.notify())


def write_cached_property():
    global NUMBER
    NUMBER = 7
    SUBJECT.slow


def read_cached_property():
    tell(SUBJECT.slow, sorted(vars(SUBJECT)))


@dataclasses.dataclass
class Data:
    items: list = dataclasses.field(default_factory=list)
    table: dict = dataclasses.field(default_factory=lambda kept={}: kept)


def write_default_factory_of_field():
    Data().table["a"] = 1


def read_default_factory_of_field():
    tell(Data().table)


class Words(list):
    def __init__(self, *args):
        super().__init__(*args)
        self.note = 0


WORDS = Words(["a"])


def write_list_subclass():
    WORDS.append("b")
    WORDS.note = 1


def read_list_subclass():
    tell(WORDS, WORDS.note)


class Keyed(dict):
    __slots__ = ("extra",)


KEYED = Keyed(a=1)


def write_dict_subclass():
    KEYED["b"] = 2
    KEYED.extra = 1


def read_dict_subclass():
    tell(KEYED, hasattr(KEYED, "extra"))


class Failure(Exception):
    count = 0


FAILURE = Failure("kept")


def write_exception():
    FAILURE.args = ("changed",)
    FAILURE.extra = 1
    with contextlib.suppress(Failure):
        raise FAILURE


def read_exception():
    tell(FAILURE.args, hasattr(FAILURE, "extra"), FAILURE.__traceback__ is None)


# Functions with memory


@functools.lru_cache(maxsize=None)
def cached(x):
    return [x]


@functools.lru_cache(maxsize=1)
def cached_one(x):
    return NUMBER


class Cached:
    base = 1

    @functools.lru_cache(maxsize=None)
    def power(self, n):
        return self.base * n

    @classmethod
    @functools.lru_cache(maxsize=None)
    def shared(cls):
        return cls.base


ONE = Cached()


def write_cache():
    cached(3).append(9)


def read_cache():
    tell(cached(3), cached.cache_info().hits)


def write_full_cache():
    global NUMBER
    NUMBER = 5
    cached_one(1)


def read_full_cache():
    tell(cached_one(1))


def write_method_cache():
    ONE.base = 4
    ONE.power(3)


def read_method_cache():
    tell(ONE.power(3))


def write_class_cache():
    Cached.base = 9
    Cached.shared()


def read_class_cache():
    tell(Cached.shared())


@functools.singledispatch
def show(value):
    return "any"


def write_dispatch():
    show.register(int, lambda value: "int")


def read_dispatch():
    tell(show(1))


@functools.singledispatch
def shown(value):
    return "any"


@shown.register
def _(value: collections.abc.Sized):
    return "sized"


def write_dispatch_cache():
    shown([])
    shown(1)


def read_dispatch_cache():
    tell(shown([]), shown(1), shown(""))


# Iterators

IDS = itertools.count(1)
CYCLE = itertools.cycle("ab")
CHAINED = itertools.chain([1], [2])
ITERATOR = iter([1, 2, 3])
KEYS = iter({"a": 1, "b": 2})
ZIPPED = zip([1, 2], [3, 4], strict=True)
MAPPED = map(str, [1, 2])
ENUMERATED = enumerate("ab")
FILTERED = filter(None, [1, 2])
REVERSED = reversed([1, 2])


def generate():
    value = 0
    while True:
        value += (yield value) or 1


GENERATOR = generate()


class Ticket:
    numbers = itertools.count()

    def __init__(self):
        self.number = next(self.numbers)


def write_count():
    next(IDS)


def read_count():
    tell(next(IDS))


def write_cycle():
    next(CYCLE)


def read_cycle():
    tell(next(CYCLE))


def write_chained():
    next(CHAINED)


def read_chained():
    tell(next(CHAINED))


def write_iterator():
    next(ITERATOR)


def read_iterator():
    tell(next(ITERATOR))


def write_keys():
    next(KEYS)


def read_keys():
    tell(next(KEYS))


def write_zipped():
    next(ZIPPED)


def read_zipped():
    tell(next(ZIPPED))


def write_mapped():
    next(MAPPED)


def read_mapped():
    tell(next(MAPPED))


def write_enumerated():
    next(ENUMERATED)


def read_enumerated():
    tell(next(ENUMERATED))


def write_filtered():
    next(FILTERED)


def read_filtered():
    tell(next(FILTERED))


def write_reversed():
    next(REVERSED)


def read_reversed():
    tell(next(REVERSED))


def write_generator():
    next(GENERATOR)


def read_generator():
    tell(next(GENERATOR))


def write_sent():
    next(GENERATOR)
    GENERATOR.send(5)


def read_sent():
    tell(next(GENERATOR))


def write_class_count():
    Ticket()


def read_class_count():
    tell(Ticket().number)


# Objects of the library

RANDOM = random.Random(3)
FILE = io.StringIO("text")
LOCAL = threading.local()
LOCK = threading.Lock()
EVENT = threading.Event()
VARIABLE = contextvars.ContextVar("VARIABLE", default=1)
BARE_VARIABLE = contextvars.ContextVar("BARE_VARIABLE")
WEAK = weakref.WeakValueDictionary()
WEAK_SET = weakref.WeakSet()
WEAK_KEYS = weakref.WeakKeyDictionary()
PART = functools.partial(sorted, key=None)
TEMPLATE = string.Template("a $b")
STACK = contextlib.ExitStack()
LOG = logging.getLogger("kept.log")
CONTEXT = decimal.Context(prec=5)


def write_random():
    RANDOM.random()


def read_random():
    tell(RANDOM.random())


def write_shared_random():
    random.seed(9)


def read_shared_random():
    tell(random.random())


def write_file():
    FILE.read(2)
    FILE.write("more")


def read_file():
    tell(FILE.getvalue(), FILE.tell())


def write_local():
    LOCAL.value = 1


def read_local():
    tell(hasattr(LOCAL, "value"))


def write_lock():
    LOCK.acquire()


def read_lock():
    tell(LOCK.locked())


def write_event():
    EVENT.set()


def read_event():
    tell(EVENT.is_set())


def write_variable():
    VARIABLE.set(2)


def read_variable():
    tell(VARIABLE.get())


def write_bare_variable():
    BARE_VARIABLE.set(2)


def read_bare_variable():
    tell(BARE_VARIABLE.get("none"))


def write_weak_values():
    WEAK["a"] = plain


def read_weak_values():
    tell(dict(WEAK))


def write_weak_set():
    WEAK_SET.add(plain)


def read_weak_set():
    tell(len(WEAK_SET))


def write_weak_keys():
    WEAK_KEYS[plain] = 1


def read_weak_keys():
    tell(len(WEAK_KEYS))


def write_partial():
    PART.keywords["reverse"] = True


def read_partial():
    tell(PART([1, 2]))


def write_partial_attribute():
    PART.note = 1


def read_partial_attribute():
    tell(hasattr(PART, "note"))


def write_template():
    TEMPLATE.template = "other"


def read_template():
    tell(TEMPLATE.template)


def write_exit_stack():
    STACK.callback(print)


def read_exit_stack():
    tell(len(STACK._exit_callbacks))


def write_log_level():
    LOG.setLevel(logging.DEBUG)
    LOG.disabled = True


def read_log_level():
    tell(LOG.level, LOG.disabled)


def write_log_handler():
    LOG.addHandler(logging.NullHandler())
    logging.getLogger().addHandler(logging.NullHandler())


def read_log_handler():
    tell(len(LOG.handlers), len(logging.getLogger().handlers))


def write_new_logger():
    logging.getLogger("kept.fresh").setLevel(10)


def read_new_logger():
    tell(logging.getLogger("kept.fresh").level)


def write_root_level():
    logging.getLogger().setLevel(5)
    logging.disable(20)


def read_root_level():
    tell(logging.getLogger().level, logging.root.manager.disable)


def write_level_name():
    logging.addLevelName(35, "LOUD")


def read_level_name():
    tell(logging.getLevelName(35))


def write_own_decimal_context():
    CONTEXT.prec = 9


def read_own_decimal_context():
    tell(CONTEXT.prec)


# The interpreter


def write_environment():
    os.environ["KEPT"] = "1"


def read_environment():
    tell(os.environ.get("KEPT"))


def write_modules():
    sys.modules["kept_fresh"] = types.ModuleType("kept_fresh")


def read_modules():
    tell("kept_fresh" in sys.modules)


def write_import():
    import colorsys

    colorsys.kept = 1


def read_import():
    import colorsys

    tell(hasattr(colorsys, "kept"))


def write_removed_module():
    sys.modules.pop("json", None)


def read_removed_module():
    tell("json" in sys.modules)


def write_other_module():
    json.kept = 1
    math.kept = 1
    json.loads = None


def read_other_module():
    tell(hasattr(json, "kept"), hasattr(math, "kept"), json.loads is None)


def write_other_class():
    json.JSONEncoder.kept = 1
    json.JSONEncoder.item_separator = ";"


def read_other_class():
    tell(hasattr(json.JSONEncoder, "kept"), json.JSONEncoder.item_separator)


def write_warning_filters():
    warnings.simplefilter("error")


def read_warning_filters():
    tell([row[0] for row in warnings.filters])


def write_show_warning():
    warnings.showwarning = print


def read_show_warning():
    tell(warnings.showwarning is print)


def write_decimal_context():
    decimal.getcontext().prec = 3


def read_decimal_context():
    tell(decimal.getcontext().prec)


def write_default_decimal_context():
    decimal.DefaultContext.prec = 3


def read_default_decimal_context():
    tell(decimal.DefaultContext.prec)


def write_locale():
    locale.setlocale(locale.LC_ALL, "C.UTF-8")


def read_locale():
    tell(locale.setlocale(locale.LC_ALL, None))


def write_builtins():
    builtins.len = lambda thing: 99


def read_builtins():
    tell(len([]))


def write_new_builtin():
    builtins.kept = 1


def read_new_builtin():
    tell(hasattr(builtins, "kept"))


def write_recursion_limit():
    sys.setrecursionlimit(5000)


def read_recursion_limit():
    tell(sys.getrecursionlimit())


def write_switch_interval():
    sys.setswitchinterval(0.5)


def read_switch_interval():
    tell(round(sys.getswitchinterval(), 3))


def write_int_limit():
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(10_000)


def read_int_limit():
    tell(getattr(sys, "get_int_max_str_digits", int)())


def write_collector():
    gc.disable()
    gc.callbacks.append(print)


def read_collector():
    tell(gc.isenabled(), len(gc.callbacks))


def write_streams():
    sys.stdout = io.StringIO()


def read_streams():
    tell(type(sys.stdout).__module__ == "_io" and isinstance(sys.stdout, io.StringIO))


def write_path():
    sys.path.append("/kept")


def read_path():
    tell("/kept" in sys.path)


def write_hooks():
    sys.excepthook = print
    sys.displayhook = print


def read_hooks():
    tell(sys.excepthook is print, sys.displayhook is print)


def write_profile():
    sys.setprofile(lambda *args: None)
    threading.settrace(print)


def read_profile():
    tell(sys.getprofile() is None, threading.gettrace() is None)


def write_copy_registry():
    copyreg.pickle(Plain, repr)


def read_copy_registry():
    tell(Plain in copyreg.dispatch_table)


def write_json_default():
    json._default_encoder.indent = 9


def read_json_default():
    tell(json._default_encoder.indent)


def write_working_directory():
    os.chdir("/")


def read_working_directory():
    tell(os.getcwd() == "/")


def write_umask():
    os.umask(0o077)


def read_umask():
    tell(oct(os.umask(0o022)))


def write_thread():
    threading.Thread(target=threading.Event().wait, args=(20,), daemon=True).start()


def read_thread():
    tell(threading.active_count())


def write_regex_cache():
    re.compile("kept+", re.DEBUG * 0)


def read_regex_cache():
    tell(re.match("kept+", "kepttt").end())


def write_type_cache():
    typing.List[Plain]


def read_type_cache():
    tell(str(typing.get_type_hints(tell)["seen"]))


def write_own_module_class():
    sys.modules[__name__].__class__ = type("M", (types.ModuleType,), {"kept": 1})


def read_own_module_class():
    tell(type(sys.modules[__name__]).__name__)


def write_name_of_module():
    global __name__, __doc__
    __doc__ = "changed"


def read_name_of_module():
    tell(__doc__[:5])
