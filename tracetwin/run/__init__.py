"""A run of `generate`: scheduler, explorer processes, resuming, and why lines are not covered."""
