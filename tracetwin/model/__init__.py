"""The data that all rooms share: cases, steps, recipes, and what a user can choose."""
