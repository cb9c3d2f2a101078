"""Cases with telling values, made of what the text of a module says of its parameters."""
