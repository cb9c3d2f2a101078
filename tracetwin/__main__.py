"""`python -m tracetwin` is `tracetwin`."""

from tracetwin.cli import main

if __name__ == "__main__":
    main(prog_name="tracetwin")
