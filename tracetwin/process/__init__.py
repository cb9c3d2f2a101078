"""Worker processes: started, limited, spoken to, forked, replaced, and walled in."""
