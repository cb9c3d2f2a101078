"""An import that never ends, ignores every signal and swallows every exception."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: hangs import

import signal


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass

try:
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
finally:
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
