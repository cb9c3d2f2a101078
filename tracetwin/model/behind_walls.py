"""The functions and classes with which programs begin what the walls refuse.

No test could be written of code that calls them, but with what stands in for them. Those that have a reader
of their own, such as `subprocess.run`, are not among them.
"""

from __future__ import annotations

from typing import Final

_BY_NEED: Final = {
    "subprocess": ("subprocess.Popen", "os.popen"),
    "net": (
        "socket.socket", "socket.create_connection", "socket.create_server", "socket.gethostbyname",
        "socket.SocketIO", "select.select", "urllib.request.urlopen",
        "http.client.HTTPConnection", "http.client.HTTPSConnection", "http.client.HTTPResponse",
        "smtplib.SMTP", "smtplib.SMTP_SSL", "ftplib.FTP", "imaplib.IMAP4_SSL", "poplib.POP3_SSL",
        "xmlrpc.client.ServerProxy",
        "requests.get", "requests.post", "requests.put", "requests.patch", "requests.delete", "requests.head",
        "requests.request", "requests.Session",
        "httpx.get", "httpx.post", "httpx.put", "httpx.delete", "httpx.request", "httpx.Client",
        "urllib3.PoolManager",
    ),
}  # fmt: skip

NEEDS: Final = {title: needs for needs, titles in _BY_NEED.items() for title in titles}
"""What a target must be allowed to do to call each of them really, by its title."""
