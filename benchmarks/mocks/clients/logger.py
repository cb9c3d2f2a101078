"""Writes records to loggers and handlers of anybody; typed in docstrings only."""

import logging


class NullLogger:
    def isEnabledFor(self, level):  # noqa: N802 - the name in logging
        return False

    def log(self, level, message, *args):
        pass


class Reporter:
    """Reports progress to a logger.

    Args:
        logger (logging.Logger): where lines go.
        every (int): report each n-th step.
    """

    def __init__(self, logger=None, every=10):
        if every <= 0:
            raise ValueError("every must be positive")
        self.logger = logger if logger is not None else NullLogger()
        self.every = every
        self.steps = 0
        self.lines = 0

    def step(self, name, failed=False):
        """Count a step.

        :param str name: what was done
        :param bool failed: whether it went wrong
        """
        self.steps += 1
        if failed:
            if self.logger.isEnabledFor(logging.ERROR):
                self.logger.log(logging.ERROR, "%s failed", name)
                self.lines += 1
            return self.steps
        if self.steps % self.every == 0 and self.logger.isEnabledFor(logging.INFO):
            self.logger.log(logging.INFO, "%d steps, last %s", self.steps, name)
            self.lines += 1
        return self.steps


def emit_all(handlers, record):
    """Pass a record to every handler whose level allows it.

    Parameters
    ----------
    handlers : list
        Objects with ``level``, ``filter(record)`` and ``handle(record)``.
    record : dict
        With "level" and "text".

    Returns
    -------
    int
        How many took it.
    """
    taken = 0
    level = record.get("level", 0)
    for handler in handlers:
        if handler.level > level:
            continue
        if not handler.filter(record):
            continue
        try:
            handler.handle(record)
        except OSError:
            if not hasattr(handler, "on_error"):
                raise
            handler.on_error(record)
        else:
            taken += 1
    return taken
