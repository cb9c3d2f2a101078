"""Reports that a person can walk through, and formats for other machines, all made from the JSON of a run."""
