"""CrossHair's `cover` on one function, telling of each example when it was found.

Runs under the interpreter of an environment with crosshair-tool, by its own command line; only the record
that it makes of a finished path is wrapped, to be printed at once: a JSON list [CPU seconds since exploring
began, arguments as CrossHair prints them, names that these need]. Usage: crosshair_paths.py FUNCTION SECONDS
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

from crosshair import main as command  # type: ignore[import-not-found]
from crosshair import path_cover  # type: ignore[import-not-found]
from crosshair.tracers import NoTracing  # type: ignore[import-not-found]


def main() -> None:
    """Cover the function named on the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("function")
    parser.add_argument("seconds")
    wanted = parser.parse_args()
    # A function that prints must not write between the answers.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    started = time.process_time()
    summary, explore = path_cover.PathSummary, path_cover.explore_paths

    def begin(*args: Any, **kwargs: Any) -> Any:
        nonlocal started
        started = time.process_time()
        return explore(*args, **kwargs)

    def note(*args: Any) -> Any:
        with NoTracing():
            made = summary(*args)
            names = sorted({(ref.modulename, ref.qualname) for ref in made.references})
            out.write(json.dumps([time.process_time() - started, str(made.formatted_args), names]) + "\n")
            out.flush()
        return made

    path_cover.PathSummary, path_cover.explore_paths = note, begin
    options = ["--coverage_type=opcode", "--example_output_format=pytest"]
    sys.exit(command.main(["cover", *options, f"--per_condition_timeout={wanted.seconds}", wanted.function]))


if __name__ == "__main__":
    main()
