"""Values worth trying first: constants, samples, and what the project passes."""
