"""The replaying process: `python -m tracetwin.replay`, driven over standard input and output."""

from tracetwin.replay.zygote import main

if __name__ == "__main__":
    main()
