"""The concolic loop: run an input, pick a branch, solve for its other side, run again."""
