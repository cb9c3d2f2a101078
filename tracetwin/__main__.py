"""`python -m tracetwin` is `tracetwin`."""

if __name__ == "__main__":
    import os
    import sys

    # With `-m` the current folder comes first on the path. It is where targets lie, and these are not to be
    # imported in our own process, whatever they are called.
    if not getattr(sys.flags, "safe_path", False) and sys.path[:1] == [os.getcwd()]:  # noqa: PTH109 - imports nothing
        del sys.path[0]

    from tracetwin.cli.main import main

    main(prog_name="tracetwin")
