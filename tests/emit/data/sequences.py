"""Classes whose methods need calls before them."""

log = []


class CoinBox:
    def __init__(self):
        self.total_qtrs = 0
        self.cur_qtrs = 0
        self.allow_vend = False

    def add_qtr(self):
        self.cur_qtrs += 1
        if self.cur_qtrs > 1:
            self.allow_vend = True

    def return_qtrs(self):
        self.cur_qtrs = 0

    def vend(self):
        if self.allow_vend:
            if self.cur_qtrs == 0:
                raise ValueError("no quarters")
            self.total_qtrs += 2
            self.cur_qtrs -= 2
            self.allow_vend = False


class Counter:
    def __init__(self, step=1):
        self._count = 0
        self._step = step

    def increment(self):
        self._count += self._step

    def size(self):
        return self._count

    def check(self):
        return "done" if self._count >= 50 else None


class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        if not self._items:
            raise IndexError("empty stack")
        return self._items.pop()

    def __len__(self):
        return len(self._items)

    def __getitem__(self, position):
        return self._items[position]

    def __setitem__(self, position, item):
        self._items[position] = item

    def __delitem__(self, position):
        del self._items[position]

    def __contains__(self, item):
        return item in self._items

    def __iadd__(self, items):
        self._items += items
        return self

    def is_full(self):
        return len(self._items) >= 6


class Token:
    def __init__(self, number):
        self.number = number


class Connection:
    def __init__(self):
        self.opened = False
        self._token = None

    def __enter__(self):
        self.opened = True
        return self

    def __exit__(self, *exc):
        self.opened = False

    def login(self):
        if not self.opened:
            raise RuntimeError("closed")
        self._token = Token(7)
        return self._token

    def send(self, token, text):
        if token is not self._token:
            raise PermissionError("not yours")
        return len(text)


class Account:
    def __init__(self, balance=0):
        self.balance = balance
        self.limit = 0

    @classmethod
    def parse(cls, text):
        return cls(int(text))

    def deposit(self, amount):
        self.balance += amount
        return self

    def transfer(self, target, amount):
        if target is self:
            raise ValueError("the same account")
        if amount > self.balance + self.limit:
            return False
        self.balance -= amount
        target.balance += amount
        return True


class Gate:
    def __init__(self):
        self.red = False
        self.green = False

    def press_red(self):
        self.red = True

    def press_green(self):
        self.green = True

    def opens(self):
        return 1 if self.red or self.green else 2


def configure(name):
    log.append(name)


def last_configured():
    return log[-1]
