"""Words of the summary for refused audit events."""

from __future__ import annotations

from typing import Final

DELETE: Final = "delete files"
WRITE: Final = "write files"
READ: Final = "read files"
NET: Final = "use the network"
RUN: Final = "start programs"
FORK: Final = "fork"
SIGNAL: Final = "send signals"
LOAD: Final = "call C code through ctypes"
SHARE: Final = "share memory with other processes"
SYSTEM: Final = "change the system"

_ACTS: Final = {
    "os.remove": DELETE,
    "os.rmdir": DELETE,
    "shutil.rmtree": DELETE,
    "open.read": READ,
    "os.listdir": READ,
    "os.scandir": READ,
    "os.fork": FORK,
    "os.forkpty": FORK,
    "os.kill": SIGNAL,
    "os.killpg": SIGNAL,
    "signal.pthread_kill": SIGNAL,
    "signal.pidfd_send_signal": SIGNAL,
    "subprocess.Popen": RUN,
    "pty.spawn": RUN,
    "posixsubprocess.fork_exec": RUN,
    "os.getxattr": READ,
    "os.listxattr": READ,
    "os.setsid": RUN,
    "os.setpgid": RUN,
    "os.setpgrp": RUN,
    "os.pidfd_open": SIGNAL,
    "os.memfd_create": SHARE,
    "import": LOAD,
}
_PREFIXES: Final = (
    ("os.exec", RUN),
    ("os.posix_spawn", RUN),
    ("os.spawn", RUN),
    ("os.startfile", RUN),
    ("os.system", RUN),
    ("_winapi.", RUN),
    ("webbrowser.", RUN),
    ("socket.", NET),
    ("http.", NET),
    ("ftplib.", NET),
    ("smtplib.", NET),
    ("imaplib.", NET),
    ("poplib.", NET),
    ("nntplib.", NET),
    ("telnetlib.", NET),
    ("pwd.", READ),
    ("grp.", READ),
    ("posixshmem.", SHARE),
    ("multiprocessing.", SHARE),
    ("shutil.", WRITE),
    ("tempfile.", WRITE),
    ("ctypes.", LOAD),
    ("open", WRITE),
    ("sqlite3.", WRITE),
)
_CHANGES: Final = (
    "os.chmod", "os.chown", "os.chflags", "os.lockf", "os.link", "os.symlink", "os.mkdir", "os.rename",
    "os.truncate", "os.utime", "os.setxattr", "os.removexattr", "os.mkfifo", "os.mknod",
)  # fmt: skip


def act_of(event: str) -> str:
    """The act that was tried, as the end of "3 functions tried to ...".

    The event is an audit event's name, ``module.function`` of what reports to none, or ``open.read``.
    """
    if event in _ACTS:
        return _ACTS[event]
    if event in _CHANGES:
        return WRITE
    return next((act for prefix, act in _PREFIXES if event.startswith(prefix)), SYSTEM)
