"""Data-flow facts of a module: what its invokables may define and use, and definition-use pairs per class."""
