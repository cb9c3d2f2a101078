"""The one codec: recipes, snapshots, cases and observations as plain data at the borders of processes."""
