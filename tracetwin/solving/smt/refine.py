"""Facts about operations that z3 lacks, computed by Python, and guesses to try first."""

from __future__ import annotations

from typing import Final

from runtime.expr import Node, Sort
from tracetwin.solving.program import UNDEFINED, Program
from tracetwin.solving.smt.terms import Term, Unsupported
from tracetwin.solving.smt.translate import Translator

_LONGEST_TEXT: Final = 60


def lemmas(translator: Translator, program: Program, nodes: list[Node]) -> list[Term]:
    """Facts "if the operands are these, the result is this", from the last evaluation of `program`."""
    t = translator.terms
    made = []
    for node in nodes:
        equalities = _operands_as_evaluated(translator, program, node)
        value = _value(program, node)
        if equalities is None or value is UNDEFINED:
            continue
        try:
            result = translator.equals(node, value)
        except Unsupported:
            continue
        made.append(t.or_(t.not_(t.and_(*equalities)), result) if equalities else result)
    return made


def pins(translator: Translator, program: Program, nodes: list[Node]) -> list[Term]:
    """Operands and results exactly as in the last evaluation: a guess that makes the rest simple."""
    made = []
    for node in nodes:
        equalities = _operands_as_evaluated(translator, program, node)
        value = _value(program, node)
        if equalities is None or value is UNDEFINED:
            continue
        try:
            made += [*equalities, translator.equals(node, value)]
        except Unsupported:
            continue
    return made


def _value(program: Program, node: Node) -> object:
    return program.value(node) if node in program.place else UNDEFINED


def _operands_as_evaluated(translator: Translator, program: Program, node: Node) -> list[Term] | None:
    equalities = []
    for arg in node.args:
        if arg.op == "const":
            continue
        value = _value(program, arg)
        if value is UNDEFINED or (isinstance(value, (str, bytes)) and len(value) > _LONGEST_TEXT):
            return None
        if translator.done[arg].term is None:
            return None
        try:
            equalities.append(translator.equals(arg, value))
        except Unsupported:
            return None
    return equalities


def unchanged(translator: Translator, nodes: list[Node]) -> list[Term]:
    """The guess that text methods change nothing: ``s.lower() == s``, ``s.title() == s``."""
    made = []
    for node in nodes:
        if node.op.startswith(("str.", "bytes.")) and node.sort in (Sort.STR, Sort.BYTES):
            source = node.args[0]
            if source.sort is node.sort and translator.done[source].term is not None:  # both have terms
                made.append(translator.text.equal(translator.abstracted[node], translator.done[source].term))
    return made
