"""Reaches for the network in every way that sockets have."""
# report: use the network
# alone: no netlink

import socket

import canary


def connects(number: int) -> int:
    socket.create_connection(("127.0.0.1", canary.TCP_PORT), 1).close()
    return number


def connects_quietly(number: int) -> int:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", canary.TCP_PORT))


def sends(number: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        return one.sendto(b"was here", ("127.0.0.1", canary.UDP_PORT))


def sends_parts(number: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        return one.sendmsg([b"was here"], [], 0, ("127.0.0.1", canary.UDP_PORT))


def sends_connected(number: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("127.0.0.1", canary.UDP_PORT))
        return one.send(b"was here")


def sends_at_once(number: int) -> int:
    """A connection that is opened by its first data."""
    with socket.socket() as one:
        return one.sendto(b"was here", socket.MSG_FASTOPEN, ("127.0.0.1", canary.TCP_PORT))


def local(number: int) -> int:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(canary.SOCKET)
    return number


def nameless(number: int) -> int:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(canary.ABSTRACT)
    return number


def listens(number: int) -> str:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return canary.escaped(f"it listens at {one.getsockname()}")


def listens_unbound(number: int) -> str:
    """A port that the system chooses, without a bind."""
    with socket.socket() as one:
        one.listen()
        return canary.escaped(f"it listens at {one.getsockname()}")


def listens_nameless(number: int) -> str:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("\0" + canary.SHARED)
        return canary.escaped("it listens at a local name")


def looks_up(number: int) -> str:
    return canary.escaped(f"a name was looked up: {socket.getaddrinfo('localhost', 80)}")


def looks_up_simply(number: int) -> str:
    return canary.escaped("a name was looked up: " + socket.gethostbyname("localhost"))


def netlink(number: int) -> str:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as one:
        one.bind((0, 0))
        return canary.escaped("it speaks to the kernel")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
