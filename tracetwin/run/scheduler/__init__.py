"""The scheduler: modules go from stage to stage, their tasks to explorer processes."""
