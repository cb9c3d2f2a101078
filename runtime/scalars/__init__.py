"""What traced numbers and texts do."""
