"""What a traced twin calls: traced values, expressions, the trace of a run. Standard library only."""
