"""Mutants and their original, run together: inputs that tell them apart, or the proof that there is none."""
