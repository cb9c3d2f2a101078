"""Plans for the classes of libraries: the standard library, NumPy, attrs, pydantic."""
