"""Worker processes: started, limited, spoken to, forked, and replaced."""
