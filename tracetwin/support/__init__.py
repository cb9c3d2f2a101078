"""Help that any room may use: errors, files, locks, the log, text for terminals."""
