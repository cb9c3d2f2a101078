"""The source of tests: values, calls, assertions, layout, imports."""
