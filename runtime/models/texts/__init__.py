"""Models of the methods of plain str and bytes with traced arguments, and of formats read from texts."""
