"""Seccomp: the kernel refuses system calls that Landlock has no rule for (Linux, on x86-64 and arm64).

Python code meets the audit hook first, and what the hook lets pass does not need these calls. What is left
to be refused comes from C code: what a library may try on occasion fails with EPERM; what reaches others, or
what only an attack needs, ends the process (SIGSYS), so that nothing is made of what follows. There are two
filters: one for the whole life of a process, and one for a process that forks no more.
"""

from __future__ import annotations

import errno
import functools
import struct
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tracetwin.process.walls import syscalls
from tracetwin.process.walls.kernel import Kernel
from tracetwin.process.walls.paths import getpid

_PR_SET_SECCOMP: Final = 22
_FILTER_MODE: Final = 2

# Instructions of classic BPF (linux/filter.h): load a word, compare, answer.
_LOAD: Final = 0x20
_IS: Final = 0x15
_ABOVE: Final = 0x25
_JUMP: Final = 0x05
_MASK: Final = 0x54
_ANSWER: Final = 0x06
_NUMBER_AT: Final = 0
_MACHINE_AT: Final = 4
_FIRST_ARGUMENT_AT: Final = 16

_KILL: Final = 0x80000000
_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000
_FAILED: Final = _FAIL | errno.EPERM
_X32: Final = 0x40000000

_ENDING: Final = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise"),
    *("process_mrelease", "mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "move_mount"),
    *("open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"),
    *("open_by_handle_at", "bpf", "kexec_load", "kexec_file_load", "reboot", "init_module"),
    *("finit_module", "delete_module", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd"),
    *("settimeofday", "clock_settime", "sethostname", "setdomainname", "iopl", "ioperm", "vhangup"),
    *("fanotify_init", "fanotify_mark", "uselib"),
)
_FAILING: Final = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"),
    *("shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop"),
    *("msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "mq_timedsend"),
    *("mq_timedreceive", "mq_notify", "mq_getsetattr", "memfd_create", "memfd_secret"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "perf_event_open", "userfaultfd"),
    *("keyctl", "add_key", "request_key", "syslog", "adjtimex", "clock_adjtime", "personality"),
    *("name_to_handle_at", "lookup_dcookie", "ioprio_set", "migrate_pages", "move_pages"),
)
_PROGRAMS: Final = ("execve", "execveat")
_NET: Final = ("connect", "bind", "listen", "sendmsg", "sendmmsg")
_NEW_GROUPS: Final = ("setsid", "setpgid")
# Calls about a process, which is their first argument: 0 is oneself.
_ABOUT_ITSELF: Final = (
    *("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"),
)
_SIGNALS: Final = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
# Keys typed into a terminal, and attributes of files, which are set by a descriptor that may only read.
_CONTROLS: Final = (0x5412, 0x541C, 0x40086602, 0x40046602, 0x401C5820, 0x40087602)
# Who gets a signal when a descriptor is ready; leases, which keep others from a file.
_OWNERS: Final = (8, 15, 1024, 1026)
_PR_SET_PDEATHSIG: Final = 1
_SIGKILL: Final = 9
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_STREAM: Final = 1
_DATAGRAM: Final = 2
_SEQPACKET: Final = 5
_TYPE_BITS: Final = 0xF
_IP, _IPV6 = 0, 41
_EVERYBODY: Final = 0xFFFFFFFF
_THREAD: Final = 0x10000
_NAMESPACES: Final = 0x7E020000  # CLONE_NEW*

_Instruction = tuple[int, int, int, int]


class Demand(NamedTuple):
    """A condition on an argument: it, or these bits of it, is one of the values, or is none of them.

    Arguments are looked at by halves: the lower one is all that counts of numbers, a null pointer has two.
    """

    position: int
    values: tuple[int, ...]
    mask: int = 0
    none: bool = False
    upper: bool = False

    def code(self, otherwise: int) -> list[_Instruction]:
        """Instructions that give this answer unless the test holds."""
        load = (_LOAD, 0, 0, _FIRST_ARGUMENT_AT + 8 * self.position + 4 * self.upper)
        count = len(self.values)
        steps = [(_IS, count - place, 0, value) for place, value in enumerate(self.values)]
        over = [(_JUMP, 0, 0, 1)] if self.none else []
        mask = [(_MASK, 0, 0, self.mask)] if self.mask else []
        return [load, *mask, *steps, *over, (_ANSWER, 0, 0, otherwise)]


class Filter:
    """One program, instruction by instruction, with at most one rule per call; other calls are allowed."""

    def __init__(self, machine: int, column: int) -> None:
        self._column = column
        self._code: list[_Instruction] = [
            (_LOAD, 0, 0, _MACHINE_AT),
            (_IS, 1, 0, machine),
            (_ANSWER, 0, 0, _KILL),  # a call of another architecture, which this kernel runs as well
            (_LOAD, 0, 0, _NUMBER_AT),
            (_ABOVE, 0, 3, syscalls.LAST),
            (_ABOVE, 0, 1, _X32 - 1),
            (_ANSWER, 0, 0, _KILL),
            (_ANSWER, 0, 0, _FAIL | errno.ENOSYS),
        ]

    def answer(self, names: Iterable[str], answer: int) -> None:
        """Calls of these names, whatever their arguments."""
        for name in names:
            self._rule(name, [(_ANSWER, 0, 0, answer)])

    def fail(self, names: Iterable[str], number: int = errno.EPERM) -> None:
        """Calls of these names fail."""
        self.answer(names, _FAIL | number)

    def demand(
        self, name: str, *tests: Demand, otherwise: int = _FAILED, given: tuple[int, int] | None = None
    ) -> None:
        """A call fails unless all this holds of its arguments."""
        code = [part for test in tests for part in test.code(otherwise)]
        if given is not None:
            load = (_LOAD, 0, 0, _FIRST_ARGUMENT_AT + 8 * given[0])
            code = [load, (_IS, 0, len(code), given[1]), *code]
        self._rule(name, [*code, (_ANSWER, 0, 0, _ALLOW)])

    def program(self) -> bytes:
        """The finished program, in the machine's form."""
        code = [*self._code, (_ANSWER, 0, 0, _ALLOW)]
        return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)

    def _rule(self, name: str, code: Sequence[_Instruction]) -> None:
        number = syscalls.number(name, self._column)
        if number is not None:
            self._code += [(_IS, 0, len(code), number), *code]


def whole_life(column: int, machine: int, *, net: bool, programs: bool) -> bytes:
    """The filter that a process has from the moment when its walls are put up."""
    made = Filter(machine, column)
    made.answer(_ENDING, _KILL)
    made.fail(_FAILING)
    # What pretends to leave the group stays in it, and is ended with it.
    made.answer(_NEW_GROUPS, _FAIL | 0)
    made.fail(["clone3"], errno.ENOSYS)  # its flags can't be seen; libraries fall back to clone
    made.demand("clone", Demand(0, (0,), _NAMESPACES))
    made.demand("kill", Demand(0, (_EVERYBODY,), none=True), otherwise=_KILL)
    for name in _ABOUT_ITSELF:
        made.demand(name, Demand(0, (0,)), otherwise=_KILL)
    # Of one process, which is itself: 0 may be a group or a user as well.
    made.demand("setpriority", Demand(0, (0,)), Demand(1, (0,)), otherwise=_KILL)
    made.demand("ioctl", Demand(1, _CONTROLS, none=True))
    made.demand("fcntl", Demand(1, _OWNERS, none=True))
    made.demand("prctl", Demand(1, (_SIGKILL,)), given=(0, _PR_SET_PDEATHSIG))
    made.demand("socketpair", Demand(0, (_AF_UNIX,)), Demand(1, (_STREAM, _SEQPACKET), _TYPE_BITS))
    if not programs:
        made.answer(_PROGRAMS, _KILL)
    if net:
        # Not those of this machine: who may speak to its services may do anything.
        made.demand("socket", Demand(0, (_AF_INET, _AF_INET6, _AF_NETLINK)))
    else:
        made.answer(_NET, _KILL)
        made.demand("socket", Demand(0, (_AF_INET, _AF_INET6)), Demand(1, (_STREAM, _DATAGRAM), _TYPE_BITS))
        made.demand("sendto", Demand(4, (0,)), Demand(4, (0,), upper=True), otherwise=_KILL)
        made.demand("setsockopt", Demand(1, (_IP, _IPV6), none=True))  # joining a group tells the network
    return made.program()


def last_part(column: int, machine: int) -> bytes:
    """The filter of a process that forks no more, and sends signals to nobody but itself."""
    return _last_part(column, machine).replace(_word(_ME), _word(getpid()))


@functools.cache
def _last_part(column: int, machine: int) -> bytes:
    """The last part for any process, which stands in it as `_ME`: forks of one process share the work."""
    made = Filter(machine, column)
    made.answer(["fork", "vfork"], _KILL)
    made.demand("clone", Demand(0, (_THREAD,), _THREAD), otherwise=_KILL)
    for name in _SIGNALS:
        made.demand(name, Demand(0, (_ME,)), otherwise=_KILL)
    made.answer(["pidfd_send_signal"], _KILL)
    return made.program()


def prepare() -> None:
    """Do what each copy of this process would have to do before `last_part`."""
    known = syscalls.architecture()
    if known is not None:
        _last_part(known[1], known[0])


_word: Final = struct.Struct("=I").pack
_ME: Final = 0x7EAD_BEEF  # above every number of a process


def load(kernel: Kernel, program: bytes) -> bool:
    """Put a filter up, for ever; whether the kernel took it."""
    block, address = kernel.keep(program)
    header, place = kernel.keep(struct.pack("@HP", len(program) // 8, address))
    done = kernel.prctl(_PR_SET_SECCOMP, _FILTER_MODE, place)
    del block, header
    return done
