"""Facts about ints that follow from conditions without a solver."""
