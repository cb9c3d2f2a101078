"""What methods do to their receiver, path by path, and call sequences deduced from it."""
