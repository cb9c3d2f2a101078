"""The meaning of operators that stand for functions of the library."""
