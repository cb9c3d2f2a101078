"""What was found is written down as it is found, so that a run can be gone on with."""
