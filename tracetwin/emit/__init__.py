"""From cases and observations to a test file that was seen to pass."""
