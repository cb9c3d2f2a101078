"""Static analysis of the target: evidence for types, effects of calls, data flow."""
