"""The choice of cases: the fewest that keep all goals, each as short as it can be."""
