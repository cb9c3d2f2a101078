"""The journal of a run: findings written down as they are found, for `--resume`."""
