"""Runs jobs from a queue: an old module without annotations."""

import logging

log = logging.getLogger(__name__)

DONE, FAILED, SKIPPED = "done", "failed", "skipped"


class JobError(Exception):
    def __init__(self, message="", retry=False):
        Exception.__init__(self, message)
        self.retry = retry


class Worker:
    def __init__(self, queue, handlers=None, on_done=None):
        self.queue = queue
        self.handlers = handlers or {}
        self.on_done = on_done
        self.stats = {DONE: 0, FAILED: 0, SKIPPED: 0}

    def run_one(self):
        """Run the next job, if there is one."""
        job = self.queue.get()
        if job is None:
            return None
        if job.kind not in self.handlers:
            self.stats[SKIPPED] += 1
            return SKIPPED
        try:
            result = self.handlers[job.kind](job.payload)
        except JobError as error:
            if error.retry and job.attempts < 3:
                job.attempts += 1
                self.queue.put(job)
            self.stats[FAILED] += 1
            return FAILED
        if self.on_done:
            self.on_done(job, result)
        self.stats[DONE] += 1
        return DONE


def priority(job):
    """A number for sorting: smaller is earlier."""
    if hasattr(job, "deadline"):
        return job.deadline - 100
    if isinstance(job, dict):
        return job.get("priority", 0)
    if isinstance(job, (list, tuple)):
        return len(job)
    if job is None:
        return 1000
    return int(job)


def transfer(source, target, amount):
    """Move an amount between two accounts, ducks of some kind."""
    if amount <= 0:
        raise ValueError("amount")
    if source.frozen or target.frozen:
        return False
    if source.balance() < amount:
        return False
    with source.lock:
        source.withdraw(amount)
        try:
            target.deposit(amount)
        except JobError:
            source.deposit(amount)
            return False
    return True


def summarize(jobs, key=None):
    """Count jobs by kind; `key` may say what the kind is."""
    counts = {}
    for job in jobs:
        kind = key(job) if key else job.kind
        counts[kind] = counts.get(kind, 0) + 1
    if not counts:
        log.info("nothing to do")
    return counts
