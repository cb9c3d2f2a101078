"""The invokables of a module, with a plan for each parameter."""
