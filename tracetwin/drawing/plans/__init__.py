"""Plans for values and containers, and the interface through which they draw."""
