"""Counters and timers that report to a sink."""


class Sink:
    """Where metrics go. Subclasses do the sending."""

    prefix = ""

    def increment(self, name, value=1, tags=None):
        """Count something.

        Args:
            name (str): what.
            value (int): how often.
            tags (dict[str, str]): labels.

        Returns:
            bool: whether it was taken.
        """
        raise NotImplementedError

    def gauge(self, name, value):
        """
        :param name: what
        :type name: str
        :param value: how much
        :type value: float
        :rtype: None
        """
        raise NotImplementedError

    def flush(self):
        """Send what was collected; returns the number of metrics."""
        raise NotImplementedError


class BufferFull(Exception):
    pass


class Metrics:
    def __init__(self, sink: Sink, batch: int = 3):
        self.sink = sink
        self.batch = batch
        self.pending = 0
        self.dropped = 0

    def count(self, name: str, value: int = 1, **tags: str) -> bool:
        if value == 0:
            return False
        if self.sink.prefix:
            name = self.sink.prefix + "." + name
        try:
            taken = self.sink.increment(name, value, tags=tags or None)
        except BufferFull:
            self.dropped += 1
            if self.dropped >= self.batch:
                self.sink.flush()
                self.dropped = 0
            return False
        if not taken:
            return False
        self.pending += 1
        if self.pending >= self.batch:
            if self.sink.flush() != self.pending:
                raise RuntimeError("metrics were lost")
            self.pending = 0
        return True


class Timer:
    """Times a block and reports it."""

    def __init__(self, sink, name, clock, slow=1.0):
        self.sink = sink
        self.name = name
        self.clock = clock
        self.slow = slow
        self.started = None

    def __enter__(self):
        self.started = self.clock()
        return self

    def __exit__(self, kind, error, trace):
        elapsed = self.clock() - self.started
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            return False
        self.sink.gauge(self.name, elapsed)
        if elapsed > self.slow:
            self.sink.increment(self.name + ".slow")
        return False


def timed(function, sink, clock):
    """Call a function in a timer; whether it worked."""
    with Timer(sink, "call", clock):
        try:
            function()
        except ValueError:
            return False
    return True
