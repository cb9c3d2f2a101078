"""Summaries of methods, and call sequences deduced from them (Buy, Orso, Pezze)."""
