"""How arguments are made: plans that draw values, mocks, and the environment of a run."""
