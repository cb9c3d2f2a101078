"""Solving path conditions: problems in, checked models or proofs out. z3 is seen nowhere else."""

from tracetwin.solving.answers import Answer, Problem, Sat, Solver, Unknown, Unsat
from tracetwin.solving.chain import Chain, Statistics, build_chain

__all__ = ["Answer", "Chain", "Problem", "Sat", "Solver", "Statistics", "Unknown", "Unsat", "build_chain"]
