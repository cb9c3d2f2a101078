"""The walls around a target: audit hook, Landlock, seccomp, limits."""
