"""What is called in place of a callable written in C: its model, or itself with a note of what was lost."""
