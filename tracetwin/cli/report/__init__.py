"""The display of a run, and the tables at its end."""
