"""What an installer would run."""

import os

import canary

os.remove(canary.FILE)
