"""The rules of the user, and what the project's own tests have passed."""
