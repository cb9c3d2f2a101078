"""What runs in the project's own test processes; standard library only, and nothing of ours is imported."""
