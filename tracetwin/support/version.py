"""The version of tracetwin, also for the build."""

__version__ = "0.1.0"
