"""Plans for instances: constructors, factories, and the calls that prepare an object."""
