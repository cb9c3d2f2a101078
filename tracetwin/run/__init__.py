"""A run of `generate`: scheduler, explorer processes, stages of a module, results."""
