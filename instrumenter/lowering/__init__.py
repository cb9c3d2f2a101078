"""From source to a control-flow graph of simple instructions, for data-flow analysis."""
