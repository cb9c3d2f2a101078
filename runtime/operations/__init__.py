"""What a twin calls in place of its operations."""
