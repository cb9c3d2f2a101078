"""The recorder inside the project's test processes; needs the standard library only."""
