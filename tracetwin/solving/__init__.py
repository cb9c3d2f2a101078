"""Solving path conditions: problems in, checked models or proofs out. z3 is seen nowhere else."""

from tracetwin.solving.answers import HURRIED, Answer, Problem, Sat, Solver, Unknown, Unsat
from tracetwin.solving.chain import Chain, build_chain
from tracetwin.solving.figures import Statistics

__all__ = [
    "HURRIED", "Answer", "Chain", "Problem", "Sat", "Solver", "Statistics", "Unknown", "Unsat", "build_chain",
]  # fmt: skip
