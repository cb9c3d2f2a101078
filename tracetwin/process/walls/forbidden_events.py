"""The forbidden audit events: always, without `net` or `subprocess`, or by path; and unaudited functions."""

from __future__ import annotations

import os
from typing import Final

LISTING: Final = ("os.listdir", "os.scandir")
WRITE_FLAGS: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
EXTENSIONS: Final = (".so", ".pyd", ".dylib", ".dll")
TYPE_BITS: Final = 0xF
UNIX: Final = 1
STANDARD: Final = 2
"""The last descriptor of a standard stream."""
FAMILIES: Final = (2, 10, 23, 30)  # the internet's, as the systems number them
STREAM, DATAGRAM = 1, 2


class Refused(PermissionError):
    """The target tried something that a worker does not allow."""


# Programs and processes: allowed by ``subprocess``.
RUNS: Final = (
    *("os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.startfile/2", "os.system"),
    *("os.forkpty", "pty.spawn", "subprocess.Popen", "_winapi.CreateProcess", "webbrowser.open"),
)
# The network: allowed by ``net``.
NETS: Final = (
    *("socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"),
    *("socket.gethostbyaddr", "socket.getnameinfo", "socket.sendmsg"),
    *("http.client.connect", "ftplib.connect", "smtplib.connect", "imaplib.open", "poplib.connect"),
    *("nntplib.connect", "telnetlib.Telnet.open"),
)
# Refused whatever the arguments: other processes, C code, other interpreters, the machine's settings.
NEVER: Final = (
    *("_winapi.OpenProcess", "_winapi.TerminateProcess", "_winapi.CreateNamedPipe", "_winapi.CreateFile"),
    *("_winapi.CreateJunction", "os.killpg", "signal.pthread_kill", "socket.sethostname"),
    *("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function"),
    *("ctypes.PyObj_FromPtr", "ctypes.string_at", "ctypes.wstring_at", "ctypes.cdata"),
    *("resource.setrlimit", "resource.prlimit", "syslog.openlog", "syslog.syslog", "syslog.setlogmask"),
    *("winreg.CreateKey", "winreg.DeleteKey", "winreg.DeleteValue", "winreg.SaveKey", "winreg.SetValue"),
    *("winreg.LoadKey", "winreg.ConnectRegistry", "winreg.DisableReflectionKey"),
    *("winreg.EnableReflectionKey", "cpython.remote_debugger_script", "sys.remote_exec"),
    *("cpython.PyInterpreterState_New", "sqlite3.enable_load_extension", "sqlite3.load_extension"),
    *("msvcrt.locking", "os.add_dll_directory", "ensurepip.bootstrap"),
)
# Events about files that are changed: the positions of the path and of its folder's descriptor, and whether a
# link at the end of the path is followed.
FILES: Final[dict[str, tuple[tuple[int, int | None, bool], ...]]] = {
    "os.chmod": ((0, 2, True),),
    "os.chown": ((0, 3, True),),
    "os.chflags": ((0, None, True),),
    "os.lockf": ((0, None, True),),
    "os.link": ((0, 2, True), (1, 3, False)),
    "os.symlink": ((1, 2, False),),
    "os.mkdir": ((0, 2, False),),
    "os.remove": ((0, 1, False),),
    "os.rename": ((0, 2, False), (1, 3, False)),
    "os.rmdir": ((0, 1, False),),
    "os.truncate": ((0, None, True),),
    "os.utime": ((0, 3, True),),
    "os.setxattr": ((0, None, True),),
    "os.removexattr": ((0, None, True),),
    "shutil.rmtree": ((0, 1, False),),
    "shutil.chown": ((0, None, True),),
    "shutil.copyfile": ((1, None, True),),
    "shutil.copymode": ((1, None, True),),
    "shutil.copystat": ((1, None, True),),
    "shutil.copytree": ((1, None, True),),
    "shutil.make_archive": ((0, None, True),),
    "shutil.unpack_archive": ((1, None, True),),
    "tempfile.mkstemp": ((0, None, True),),
    "tempfile.mkdtemp": ((0, None, True),),
}
# Attributes of files that nothing but the hook keeps from being changed outside, so the kernel lets nobody.
ATTRIBUTES: Final = frozenset(
    ("os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr", "shutil.chown")
)
# Events about what is read: the position of the path.
READS: Final = ("os.listdir", "os.scandir", "os.getxattr", "os.listxattr")
# Requests to devices: typing for the user, and attributes of files.
CONTROLS: Final = frozenset((0x5412, 0x541C, 0x40086602, 0x40046602, 0x401C5820, 0x40087602))
# Who gets a signal when a descriptor is ready; leases, which keep others from a file.
OWNERS: Final = frozenset((8, 10, 15, 1024, 1026))
# CPython's tests of itself: their functions do anything, without an event.
TESTING: Final = frozenset(
    ("_testcapi", "_testinternalcapi", "_testlimitedcapi", "_testexternalinspection", "_testmultiphase")
)

# Functions that report to no audit event: module and name. Some are allowed with programs.
SILENT: Final = (
    *(("os", name) for name in ("chroot", "mknod", "mkfifo", "setns", "unshare")),
    *(("os", name) for name in ("pidfd_open", "memfd_create", "openpty", "getlogin", "getgrouplist")),
    *(("os", name) for name in ("setpriority", "sched_setaffinity", "sched_setscheduler", "sched_setparam")),
    *(("os", name) for name in ("setuid", "setgid", "seteuid", "setegid", "setreuid", "setregid")),
    *(("os", name) for name in ("setresuid", "setresgid", "setgroups", "initgroups", "tcsetpgrp", "plock")),
    *(("os", name) for name in ("posix_openpt", "grantpt", "unlockpt", "pidfd_getfd")),
    *((module, "pidfd_send_signal") for module in ("signal", "_signal")),
    ("time", "clock_settime"),
    ("time", "clock_settime_ns"),
    *(("pwd", name) for name in ("getpwnam", "getpwuid", "getpwall")),
    *(("grp", name) for name in ("getgrnam", "getgrgid", "getgrall")),
    *(("_posixshmem", name) for name in ("shm_open", "shm_unlink")),
    ("_multiprocessing", "sem_unlink"),
    *(("spwd", name) for name in ("getspnam", "getspall")),
    *(("nis", name) for name in ("match", "cat", "maps")),
    # What they find here is no terminal; outside it may be the user's.
    *(("termios", name) for name in ("tcsetattr", "tcsetwinsize", "tcsendbreak", "tcflow", "tcflush")),
    *(("_curses", name) for name in ("initscr", "setupterm")),
    *(("_tkinter", "create"), ("sys", "activate_stack_trampoline")),
)
# Functions of C that open a file without an event: where its path stands, and whether they write it.
OPENING: Final = (
    ("readline", "read_init_file", 0, False),
    ("readline", "read_history_file", 0, False),
    ("readline", "write_history_file", 0, True),
    ("readline", "append_history_file", 1, True),
    ("_dbm", "open", 0, True),
    ("_gdbm", "open", 0, True),
)
SILENT_RUNS: Final = (
    ("_posixsubprocess", "fork_exec"),
    # They report nothing where they find no browser, which is so in here only.
    *(("webbrowser", name) for name in ("open", "open_new", "open_new_tab", "get")),
    *(("os", name) for name in ("setsid", "setpgid", "setpgrp")),
)
