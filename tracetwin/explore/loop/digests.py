"""Digests of questions to the solver: the same for the same question in every process, and for no other."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from runtime.expr import Node
from tracetwin.solving.answers import Problem

DIGEST_BYTES: Final = 12

_PLAIN: Final = 2  # the version of marshal in which equal data have equal bytes
_MOST_REMEMBERED: Final = 200_000


class Digests:
    """Computes digests, and remembers those of expressions: questions of one path share most of them."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}

    def of_problem(self, problem: Problem) -> bytes:
        """The digest of a question: of its goal, conditions and the input at hand, whatever the effort."""
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        found = blake2b(self.of(problem.goal), digest_size=DIGEST_BYTES)
        known = self._known
        for node in problem.conditions:
            found.update(known.get(node.ident) or self.of(node))
        found.update(marshal.dumps(sorted(problem.current.items()), _PLAIN))
        return found.digest()

    def of(self, root: Node) -> bytes:
        """The digest of an expression, by its structure: the numbers of nodes differ between processes.

        Expressions of loops are thousands of levels deep, and their parts are shared: so there is a stack of
        our own, and each part is looked at once.
        """
        known = self._known
        waiting = [root]
        while waiting:
            node = waiting[-1]
            missing = [part for part in node.args if part.ident not in known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if node.ident not in known:
                digest = blake2b(digest_size=DIGEST_BYTES)
                for piece in _own(node):
                    digest.update(piece)
                for part in node.args:
                    digest.update(known[part.ident])
                known[node.ident] = digest.digest()
        return known[root.ident]


def _own(node: Node) -> Iterator[bytes]:
    """Give an expression's operator, sort and data; the type tells 1 from True."""
    yield f"{node.op} {int(node.sort)} {len(node.args)} {type(node.data).__name__} ".encode()
    yield repr(node.data).encode(errors="surrogatepass")
