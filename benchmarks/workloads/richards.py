"""An operating system's scheduler in the small: objects with state, linked queues, method calls."""

from __future__ import annotations

SIZE, SMALL = 2000, 30

IDLE, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B = range(6)
DEVICE, WORK = 0, 1
BUFFER = 4


class Packet:
    """What tasks send each other; packets form linked queues."""

    def __init__(self, link, ident, kind):
        self.link = link
        self.ident = ident
        self.kind = kind
        self.datum = 0
        self.data = [0] * BUFFER

    def append_to(self, queue):
        """Put the packet at the end of a queue and return the queue."""
        self.link = None
        if queue is None:
            return self
        place = queue
        while place.link is not None:
            place = place.link
        place.link = self
        return queue


class State:
    """Whether a task waits, is held, or has a packet."""

    def __init__(self, pending=False, waiting=False, held=False):
        self.pending = pending
        self.waiting = waiting
        self.held = held

    def is_held_or_waiting(self):
        """Whether the task can't run."""
        return self.held or (not self.pending and self.waiting)

    def is_waiting_with_packet(self):
        """Whether a packet is to be handed to the task."""
        return self.pending and (self.waiting and not self.held)


class Task(State):
    """A task of the scheduler."""

    def __init__(self, scheduler, ident, priority, queue, state):
        super().__init__(*state)
        self.scheduler = scheduler
        self.ident = ident
        self.priority = priority
        self.queue = queue
        scheduler.add(self)

    def add_packet(self, packet, sender):
        """Take a packet; tell which task goes on."""
        if self.queue is None:
            self.queue = packet
            self.pending = True
            if self.priority > sender.priority:
                return self
        else:
            packet.append_to(self.queue)
        return sender

    def run_once(self):
        """Let the task work once; tell which task goes on."""
        if self.is_waiting_with_packet():
            packet = self.queue
            self.queue = packet.link
            self.waiting = False
            self.pending = self.queue is not None
        else:
            packet = None
        return self.work(packet)

    def work(self, packet):
        """What this kind of task does."""
        raise NotImplementedError

    def wait(self):
        """Wait for a packet."""
        self.waiting = True
        return self


class Idle(Task):
    """Releases one device or the other, as a shift register says."""

    def __init__(self, scheduler, count):
        super().__init__(scheduler, IDLE, 0, None, (False, False, False))
        self.control = 1
        self.count = count

    def work(self, packet):
        self.count -= 1
        if self.count == 0:
            return self.scheduler.hold(self)
        if self.control & 1 == 0:
            self.control //= 2
            return self.scheduler.release(DEVICE_A)
        self.control = self.control // 2 ^ 0xD008
        return self.scheduler.release(DEVICE_B)


class Worker(Task):
    """Fills packets with letters and sends them to the handlers in turn."""

    def __init__(self, scheduler, queue):
        super().__init__(scheduler, WORKER, 1000, queue, (True, True, False))
        self.destination = HANDLER_A
        self.count = 0

    def work(self, packet):
        if packet is None:
            return self.wait()
        self.destination = HANDLER_B if self.destination == HANDLER_A else HANDLER_A
        packet.ident = self.destination
        packet.datum = 0
        for i in range(BUFFER):
            self.count += 1
            if self.count > 26:
                self.count = 1
            packet.data[i] = ord("A") + self.count - 1
        return self.scheduler.send(packet)


class Handler(Task):
    """Takes work apart and hands it to a device, letter by letter."""

    def __init__(self, scheduler, ident, priority, queue):
        super().__init__(scheduler, ident, priority, queue, (True, True, False))
        self.work_in = None
        self.device_in = None

    def work(self, packet):
        if packet is not None:
            if packet.kind == WORK:
                self.work_in = packet.append_to(self.work_in)
            else:
                self.device_in = packet.append_to(self.device_in)
        work = self.work_in
        if work is None:
            return self.wait()
        count = work.datum
        if count >= BUFFER:
            self.work_in = work.link
            return self.scheduler.send(work)
        device = self.device_in
        if device is None:
            return self.wait()
        self.device_in = device.link
        device.datum = work.data[count]
        work.datum = count + 1
        return self.scheduler.send(device)


class Device(Task):
    """Holds a packet until it is released."""

    def __init__(self, scheduler, ident, priority):
        super().__init__(scheduler, ident, priority, None, (False, True, False))
        self.packet = None

    def work(self, packet):
        if packet is None:
            packet = self.packet
            if packet is None:
                return self.wait()
            self.packet = None
            return self.scheduler.send(packet)
        self.packet = packet
        return self.scheduler.hold(self)


class Scheduler:
    """Runs the tasks in the order of their links until none can run."""

    def __init__(self):
        self.table = {}
        self.order = []
        self.current = None
        self.held = 0
        self.sent = 0

    def add(self, task):
        """A new task comes first."""
        self.table[task.ident] = task
        self.order.insert(0, task)

    def hold(self, task):
        """Hold a task; the next one goes on."""
        self.held += 1
        task.held = True
        return self.after(task)

    def after(self, task):
        """The task after this one, None after the last."""
        place = self.order.index(task) + 1
        return self.order[place] if place < len(self.order) else None

    def release(self, ident):
        """Release a held task; the more urgent one goes on."""
        task = self.table[ident]
        task.held = False
        return task if task.priority > self.current.priority else self.current

    def send(self, packet):
        """Hand a packet to the task that it names."""
        receiver = self.table[packet.ident]
        self.sent += 1
        packet.link = None
        packet.ident = self.current.ident
        return receiver.add_packet(packet, self.current)

    def run(self):
        """Run until no task is left that could."""
        task = self.order[0]
        while task is not None:
            self.current = task
            task = self.after(task) if task.is_held_or_waiting() else task.run_once()


def run(size):
    """How many packets were sent and how often a task was held."""
    scheduler = Scheduler()
    Idle(scheduler, size)
    queue = Packet(None, 0, WORK)
    Worker(scheduler, Packet(queue, 0, WORK))
    for ident, device, priority in ((HANDLER_A, DEVICE_A, 2000), (HANDLER_B, DEVICE_B, 3000)):
        queue = None
        for _ in range(3):
            queue = Packet(queue, device, DEVICE)
        Handler(scheduler, ident, priority, queue)
    Device(scheduler, DEVICE_A, 4000)
    Device(scheduler, DEVICE_B, 5000)
    scheduler.run()
    return scheduler.sent, scheduler.held
