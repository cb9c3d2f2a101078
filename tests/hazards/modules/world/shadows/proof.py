"""Proves that what lies beside the module acts when it is imported, if nothing keeps it from that."""

import contextlib

import canary

with contextlib.suppress(OSError), open(canary.FILE, "a") as file:
    file.write("was here")
