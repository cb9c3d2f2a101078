"""From what the user named to modules: files, names, import roots, sources."""
