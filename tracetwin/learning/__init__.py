"""Learning from the project's own tests: which arguments do they pass?"""
