"""The filters, run by an interpreter of their instructions: for machines that are not here, too."""

from __future__ import annotations

import errno
import os
import struct

import pytest

from tracetwin.process.walls import seccomp, syscalls

ALLOWED = "allowed"
KILLED = "killed"
MACHINES = [(0, 0xC000003E), (1, 0xC00000B7)]


def run(program: bytes, machine: int, number: int, *args: int) -> str | int:
    """What the filter answers: allowed, killed, or the number of the error."""
    code = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    data = struct.pack("=IIQ6Q", number, machine, 0, *(arg & (2**64 - 1) for arg in (*args, *[0] * 6)[:6]))
    at = value = 0
    while True:
        kind, then, otherwise, constant = code[at]
        at += 1
        if kind == 0x20:
            (value,) = struct.unpack_from("=I", data, constant)
        elif kind == 0x54:
            value &= constant
        elif kind == 0x05:
            at += constant
        elif kind == 0x15:
            at += then if value == constant else otherwise
        elif kind == 0x25:
            at += then if value > constant else otherwise
        else:
            assert kind == 0x06
            answers: dict[int, str] = {0x7FFF0000: ALLOWED, 0x80000000: KILLED}
            return answers.get(constant) or int(constant & 0xFFFF)


def asked(
    column: int, machine: int, name: str, *args: int, net: bool = False, programs: bool = False
) -> str | int:
    number = syscalls.number(name, column)
    if number is None:
        pytest.skip(f"this machine has no {name}")
    filters = seccomp.whole_life(column, machine, net=net, programs=programs)
    return run(filters, machine, number, *args)


UNIX, INET, INET6, NETLINK, PACKET = 1, 2, 10, 16, 17
STREAM, DATAGRAM, RAW, SEQUENCE = 1, 2, 3, 5
NON_BLOCKING = 0o4000


@pytest.mark.parametrize(("column", "machine"), MACHINES)
@pytest.mark.parametrize(
    ("name", "args", "answer"),
    [
        ("ptrace", (0,), KILLED),
        ("mount", (), KILLED),
        ("fchmodat", (), errno.EPERM),
        ("utimensat", (), errno.EPERM),
        ("file_setattr", (), errno.EPERM),
        ("execve", (), KILLED),
        ("setsid", (), 0),
        ("clone3", (), errno.ENOSYS),
        ("clone", (17,), ALLOWED),
        ("clone", (0x10000000 | 17,), errno.EPERM),
        ("prlimit64", (0,), ALLOWED),
        ("prlimit64", (4711,), KILLED),
        ("sched_setaffinity", (4711,), KILLED),
        ("setpriority", (0, 0, 5), ALLOWED),
        ("setpriority", (0, 4711, 5), KILLED),
        ("setpriority", (2, 0, 5), KILLED),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x5412), errno.EPERM),
        ("ioctl", (0, 0x100005412), errno.EPERM),
        ("prctl", (1, 9), ALLOWED),
        ("prctl", (1, 0), errno.EPERM),
        ("prctl", (15, 0), ALLOWED),
        ("socketpair", (UNIX, STREAM), ALLOWED),
        ("socketpair", (UNIX, STREAM | NON_BLOCKING), ALLOWED),
        ("socketpair", (UNIX, SEQUENCE), ALLOWED),
        ("socketpair", (UNIX, DATAGRAM), errno.EPERM),
        ("socketpair", (INET, STREAM), errno.EPERM),
        ("socket", (INET, STREAM), ALLOWED),
        ("socket", (INET6, STREAM | NON_BLOCKING), ALLOWED),
        ("socket", (INET, DATAGRAM), ALLOWED),
        ("setsockopt", (3, 1, 2), ALLOWED),
        ("setsockopt", (3, 0, 35), errno.EPERM),
        ("kill", (4711, 9), ALLOWED),
        ("kill", (-1, 9), KILLED),
        ("socket", (INET, RAW), errno.EPERM),
        ("socket", (NETLINK, RAW), errno.EPERM),
        ("socket", (PACKET, RAW), errno.EPERM),
        ("socket", (UNIX, STREAM), errno.EPERM),
        ("connect", (), KILLED),
        ("listen", (), KILLED),
        ("sendto", (3, 1, 1, 0, 0, 0), ALLOWED),
        ("sendto", (3, 1, 1, 0, 0x7FFF1234, 16), KILLED),
        ("sendto", (3, 1, 1, 0, 0x700000000, 16), KILLED),
        ("sendmsg", (3, 1, 0), KILLED),
    ],
)
def test_what_is_answered(
    column: int, machine: int, name: str, args: tuple[int, ...], answer: str | int
) -> None:
    assert asked(column, machine, name, *args) == answer


@pytest.mark.parametrize(("column", "machine"), MACHINES)
def test_what_the_user_allows_is_allowed(column: int, machine: int) -> None:
    assert asked(column, machine, "execve", programs=True) == ALLOWED
    assert asked(column, machine, "connect", net=True) == ALLOWED
    assert asked(column, machine, "socket", INET, DATAGRAM, net=True) == ALLOWED
    assert asked(column, machine, "socket", UNIX, STREAM, net=True) == errno.EPERM
    assert asked(column, machine, "execve", net=True) == KILLED
    assert asked(column, machine, "connect", programs=True) == KILLED


@pytest.mark.parametrize(("column", "machine"), MACHINES)
def test_other_machines_and_later_calls_are_not_there(column: int, machine: int) -> None:
    program = seccomp.whole_life(column, machine, net=True, programs=True)
    assert run(program, 0x40000003, 1) == KILLED  # the 32-bit calls of the same processor
    assert run(program, machine, 0x40000000 | 1) == KILLED  # x32
    assert run(program, machine, syscalls.LAST + 1) == errno.ENOSYS
    assert run(program, machine, syscalls.LAST - 4) == ALLOWED


@pytest.mark.parametrize(("column", "machine"), MACHINES)
def test_a_process_that_forks_no_more(column: int, machine: int) -> None:
    clone, kill = syscalls.number("clone", column), syscalls.number("kill", column)
    assert clone is not None
    assert kill is not None
    threads, child = 0x3D0F00, 17
    program = seccomp.last_part(column, machine)
    assert run(program, machine, clone, threads) == ALLOWED
    assert run(program, machine, clone, child) == KILLED
    assert run(program, machine, kill, os.getpid()) == ALLOWED
    for other in (os.getppid(), 0, -1):
        assert run(program, machine, kill, other) == KILLED
