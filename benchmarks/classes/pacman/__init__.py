"""The model of a game in which a player eats all food before a ghost meets him; contracts are assertions."""
