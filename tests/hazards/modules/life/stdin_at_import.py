"""Asks its user while being imported."""

# import: fails
# report: EOFError
# alone: dies import

import sys

answer = sys.stdin.readline()
name = input("Your name? ")


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
