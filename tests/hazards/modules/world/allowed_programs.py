"""May start programs, which do what it may not do itself."""
# options: --allow subprocess
# suite: unchecked

import os
import subprocess

import canary


def _shell(command: str) -> str:
    return subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True).stdout


def removes(number: int) -> str:
    return _shell(f"rm -rf {canary.FOLDER}")


def writes(number: int) -> str:
    return _shell(f"echo was here >> {canary.FILE}")


def mode(number: int) -> str:
    return _shell(f"chmod 777 {canary.FILE}; touch {canary.FILE}")


def reads(number: int) -> str:
    return _shell(f"cat {canary.SECRET_FILE} {canary.HOME}/.netrc")


def environment(number: int) -> str:
    return _shell("env; cat /proc/$PPID/environ /proc/self/environ")


def neighbours_environment(number: int) -> str:
    return _shell(f"cat /proc/{canary.NEIGHBOUR}/environ")


def kills(number: int) -> str:
    return _shell(f"kill -TERM {canary.NEIGHBOUR}")


def priority(number: int) -> str:
    return _shell(f"renice -n 15 -p {canary.NEIGHBOUR}")


def connects(number: int) -> str:
    import sys

    program = f"import socket; socket.create_connection(('127.0.0.1', {canary.TCP_PORT}))"
    return str(subprocess.run([sys.executable, "-c", program], capture_output=True).returncode)


def sends(number: int) -> str:
    import sys

    program = (
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"
        f".sendto(b'x', ('127.0.0.1', {canary.UDP_PORT}))"
    )
    return str(subprocess.run([sys.executable, "-c", program], capture_output=True).returncode)


def local(number: int) -> str:
    import sys

    program = f"import socket; socket.socket(socket.AF_UNIX).connect({canary.SOCKET!r})"
    return str(subprocess.run([sys.executable, "-c", program], capture_output=True).returncode)


def python(number: int) -> str:
    import sys

    program = f"import ctypes; ctypes.CDLL(None).unlink({os.fsencode(canary.FILE)!r})"
    return str(subprocess.run([sys.executable, "-c", program], capture_output=True).returncode)


def daemon(number: int) -> str:
    return _shell("setsid sh -c 'trap \"\" HUP; sleep 20' </dev/null >/dev/null 2>&1 &")


def daemon_at_once(number: int) -> int:
    subprocess.Popen(["sleep", "20"], start_new_session=True)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
