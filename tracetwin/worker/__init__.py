"""Execution of inputs on a twin inside a worker process."""
