"""Everything in here wants to be taken for source."""

import enum
import sys
import types

CALL = "__import__('os').abort()"
BREAK = '"""\n' + CALL + '\n"""'


class Plain:
    def __init__(self):
        self.value = 1


def attribute():
    made = Plain()
    vars(made)["value or " + CALL] = 2
    vars(made)["x\n        " + CALL] = 3
    vars(made)[".x(" + CALL + ")"] = 4
    vars(made)["list()"] = 5
    return made


def namespace():
    return types.SimpleNamespace(**{"a=1), " + CALL + " #": 1, "b": 2})


Odd = enum.Enum("Odd", {"RED or " + CALL: 1, "x\n" + CALL: 2, "GREEN": 3})


def member(number):
    return list(Odd)[number]


def lying_class():
    name = "Plain if " + CALL + " else Plain"
    made = type("Liar", (), {"__qualname__": name, "__module__": __name__})
    setattr(sys.modules[__name__], name, made)
    return made()


def lying_module():
    name = "hostile;" + CALL
    module = types.ModuleType(name)
    module.Liar = type("Liar", (), {"__module__": name})
    sys.modules[name] = module
    return module.Liar


def restless_module():
    module = types.ModuleType("antigravity")
    module.Flies = type("Flies", (), {"__module__": "antigravity"})
    sys.modules["antigravity"] = module
    return module.Flies


def foreign_module():
    module = types.ModuleType("winreg")
    module.Keys = type("Keys", (), {"__module__": "winreg"})
    sys.modules["winreg"] = module
    return module.Keys


def text():
    return BREAK + "\u202e\u2066\x00\x1b[31m\ud800\r\u2028\\"


def raising():
    raise type("Bad" + BREAK, (Exception,), {})(BREAK)


def keys(**named):
    return sorted(named)


class Repr:
    def __repr__(self):
        return CALL

    def __str__(self):
        return CALL

    def __reduce__(self):
        return (exec, (CALL,))


def shown():
    return [Repr(), {Repr(): 1}]


class Loud(str):
    __slots__ = ()

    def __repr__(self):
        return CALL


class Big(int):
    def __repr__(self):
        return CALL

    __str__ = __format__ = __repr__


class Half(float):
    def __repr__(self):
        return CALL


def subclasses():
    return [Loud("x"), Big(3), Half(0.5), {Big(1): Loud("y")}]


class Asks:
    def use(self, helper):
        getattr(helper, "x; " + CALL)
        return getattr(helper, 'y"); ' + CALL + '; ("')(1)


def printing():
    print(BREAK)
    print("\x1b]0;title\x07")
