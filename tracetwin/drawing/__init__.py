"""Arguments and their making: plans that draw values, mocks, and the environment of a run."""
