"""The command line: commands, their options, exit statuses."""
