"""Module and class state: changes noticed after a run, and undone."""
