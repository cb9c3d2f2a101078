"""Runs found inputs on the original module, in fresh processes, and says what was seen.

Nothing is imported here: a replaying process starts from this package and should start quickly.
"""
