"""The conditions that a stable result may not depend on: clock, chance, hash seed, streams."""
