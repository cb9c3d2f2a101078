"""`python -m tracetwin` is `tracetwin`."""

if __name__ == "__main__":
    from tracetwin.cli import main

    main(prog_name="tracetwin")
