"""Observation of a replayed case: snapshots, state, calls on mocks."""
