"""Reaches for the machine itself by system calls of a C extension: each with arguments that change nothing."""
# needs: extension
# alone: no

import os

import canary
import direct

_REFUSED = (-1, -13, -38)  # not permitted, no access, not there


def _done(what, result):
    """Told where a call was not refused, but failed for its arguments, or went through."""
    return "no" if result in _REFUSED else canary.escaped(f"{what} was not refused: {result}")


def name(number: int) -> str:
    text = os.uname().nodename.encode()
    return _done("sethostname", direct.call(170, text, len(text)))


def domain(number: int) -> str:
    return _done("setdomainname", direct.call(171, b"", -1))


def clock(number: int) -> str:
    return _done("clock_settime", direct.call(227, 0, b"\xff" * 16))


def day(number: int) -> str:
    return _done("settimeofday", direct.call(164, b"\xff" * 16, 0))


def restart(number: int) -> str:
    return _done("reboot", direct.call(169, 1, 2, 3, 0))


def mounts(number: int) -> str:
    there = os.fsencode(canary.FOLDER) + b"/nowhere\0"
    return _done("mount", direct.call(165, b"none\0", there, b"tmpfs\0", 0, 0))


def unmounts(number: int) -> str:
    return _done("umount", direct.call(166, os.fsencode(canary.FOLDER) + b"/nowhere\0", 0))


def root(number: int) -> str:
    return _done("chroot", direct.call(161, os.fsencode(canary.FOLDER) + b"/nowhere\0"))


def swap(number: int) -> str:
    return _done("swapon", direct.call(167, os.fsencode(canary.FOLDER) + b"/nowhere\0", 0))


def kernel(number: int) -> str:
    return _done("init_module", direct.call(175, b"x", 1, b"\0"))


def kernel_from_file(number: int) -> str:
    return _done("finit_module", direct.call(313, -1, b"\0", 0))


def other_kernel(number: int) -> str:
    return _done("kexec_load", direct.call(246, 0, 0, 0, 1 << 20))


def rooms(number: int) -> str:
    return _done("unshare", direct.call(272, 0x10000000))


def other_room(number: int) -> str:
    return _done("setns", direct.call(308, -1, 0))


def events(number: int) -> str:
    return _done("perf_event_open", direct.call(298, bytearray(128), 0, -1, -1, 0))


def faults(number: int) -> str:
    result = direct.call(323, 1)
    return _done("userfaultfd", result)


def log(number: int) -> str:
    return _done("syslog", direct.call(103, 3, bytearray(10), 10))


def by_number(number: int) -> str:
    return _done("open_by_handle_at", direct.call(304, -1, bytearray(16), 0))


def by_number_of_name(number: int) -> str:
    buffer = bytearray((128).to_bytes(4, "little") + bytes(140))
    there = os.fsencode(canary.SECRET_FILE) + b"\0"
    if direct.call(303, -100, there, buffer, bytearray(4), 0):
        return "no"
    mount = direct.call(257, -100, b"/\0", os.O_RDONLY, 0)
    file = direct.call(304, mount, buffer, os.O_RDONLY)
    text = bytearray(100)
    return str(bytes(text[: max(direct.call(0, file, text, 100), 0)]))


def watches(number: int) -> str:
    return _done("fanotify_init", direct.call(300, 0, 0))


def quota(number: int) -> str:
    return _done("quotactl", direct.call(179, 0x80000100, 0, 0, 0))


def accounts(number: int) -> str:
    return _done("acct", direct.call(163, os.fsencode(canary.FOLDER) + b"/nowhere\0"))


def ports(number: int) -> str:
    return _done("ioperm", direct.call(173, 0, 0, 1))


def higher(number: int) -> str:
    """Rights that were given up come back."""
    direct.call(105, 0)
    direct.call(117, 0, 0, 0)
    header = (0x20080522).to_bytes(4, "little") + bytes(4)
    direct.call(126, header, b"\xff" * 24)
    return _done("mount", direct.call(165, b"none\0", b"/nowhere\0", b"tmpfs\0", 0, 0))


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
