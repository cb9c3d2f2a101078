"""Run by the tool, if it obeys the configuration of those whom it does not trust."""

import os

import canary

os.remove(canary.LEAF)
