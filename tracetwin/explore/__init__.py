"""The concolic loop: run an input, pick a branch, solve for the other side, run again."""
