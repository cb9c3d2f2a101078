"""Replay of found inputs on the original module, in fresh processes."""
