"""Data flow of a class over its control-flow graph: definitions, uses, and definition-use pairs."""
