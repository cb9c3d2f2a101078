"""Objects that are asked, entered, handed around."""


class Shelf:
    """All its state is private; it tells when asked."""

    def __init__(self):
        self._books = []
        self._asked = 0

    def put(self, book):
        self._books.append(book)
        return self

    def first(self, default=None):
        return self._books[0] if self._books else default

    def size(self):
        return len(self._books)

    def is_full(self):
        return len(self._books) > 2

    def get_next(self):
        self._asked += 1
        return self._asked

    def count(self, book):
        return self._books.count(book)

    def __iter__(self):
        return iter(self._books)


class Session:
    def __init__(self, fails=False):
        self.depth = 0
        self.fails = fails

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, *exc):
        assert exc == (None, None, None)
        if self.fails:
            raise RuntimeError("can't leave")
        self.depth -= 1

    def work(self, hand_back):
        return hand_back


class Row:
    def __init__(self):
        self._cells = [1, 2]

    def __len__(self):
        return len(self._cells)

    def __getitem__(self, position):
        return self._cells[position]

    def grow(self):
        self._cells.append(3)


def either(a, b):
    return 1 if a or b else 2


def spin():
    while True:
        pass


class Catalogue:
    """An attribute of the object hides a method of its class."""

    def __init__(self):
        self._names = []
        self.find = None

    def find(self, name):
        return self._names.index(name)

    def has_names(self):
        return bool(self._names)

    def add(self, name):
        self._names.append(name)
