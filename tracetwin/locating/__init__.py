"""From what the user wrote to modules with a file, a name and an import root."""
