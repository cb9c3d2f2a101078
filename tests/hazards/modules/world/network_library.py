"""Has modules of the library use the network for it."""
# report: use the network
# alone: no logs_to_system

import asyncio
import ftplib
import http.client
import http.server
import logging
import logging.handlers
import multiprocessing.connection
import poplib
import smtplib
import urllib.request
import xmlrpc.client

import canary

_HOST = "127.0.0.1"


def fetches(number: int) -> bytes:
    return urllib.request.urlopen(f"http://{_HOST}:{canary.TCP_PORT}/", timeout=1).read()


def asks(number: int) -> int:
    connection = http.client.HTTPConnection(_HOST, canary.TCP_PORT, timeout=1)
    connection.request("GET", "/")
    return number


def posts(number: int) -> int:
    smtplib.SMTP(_HOST, canary.TCP_PORT, timeout=1)
    return number


def gets_posts(number: int) -> int:
    poplib.POP3(_HOST, canary.TCP_PORT, timeout=1)
    return number


def transfers(number: int) -> int:
    ftplib.FTP().connect(_HOST, canary.TCP_PORT, timeout=1)
    return number


def calls(number: int) -> int:
    return xmlrpc.client.ServerProxy(f"http://{_HOST}:{canary.TCP_PORT}/").ping()


def streams(number: int) -> int:
    async def talk():
        _reader, writer = await asyncio.open_connection(_HOST, canary.TCP_PORT)
        writer.write(b"was here")
        await writer.drain()

    asyncio.run(talk())
    return number


def packets(number: int) -> int:
    async def talk():
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(
            asyncio.DatagramProtocol, remote_addr=(_HOST, canary.UDP_PORT)
        )
        transport.sendto(b"was here")
        await asyncio.sleep(0.01)

    asyncio.run(talk())
    return number


def serves(number: int) -> str:
    with http.server.HTTPServer((_HOST, 0), http.server.BaseHTTPRequestHandler) as server:
        return canary.escaped(f"it serves at {server.server_port}")


def listens(number: int) -> str:
    with multiprocessing.connection.Listener() as listener:
        return canary.escaped(f"it listens at {listener.address}")


def client(number: int) -> int:
    multiprocessing.connection.Client(canary.SOCKET)
    return number


def logs(number: int) -> int:
    handler = logging.handlers.DatagramHandler(_HOST, canary.UDP_PORT)
    handler.emit(logging.makeLogRecord({"msg": "was here"}))
    return number


def logs_locally(number: int) -> int:
    handler = logging.handlers.SysLogHandler(canary.SOCKET)
    handler.emit(logging.makeLogRecord({"msg": "was here"}))
    return number


def logs_to_system(number: int) -> str:
    import syslog

    syslog.syslog("hazard")
    return canary.escaped("it wrote into the system's log")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
