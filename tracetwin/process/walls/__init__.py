"""The walls around a target, and what they forbid: audit hook, Landlock, seccomp, limits."""
