"""From annotations, or evidence where there are none, to plans."""
