"""What the user sees while tracetwin works and when it is done."""
