"""Takes the alarm and its timers: sets, clears, ignores and blocks them, and waits for what never comes."""

# options: --max-runs 70
# report: no answer after 3 s in line 
# within: 180
# alone: hangs blocks ignores no_alarm waits
# alone: dies alarm alarms_later

import signal
import time


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def alarm(x: int) -> int:
    signal.alarm(1)
    while x > 3:
        pass
    return x


def no_alarm(x: int) -> int:
    signal.setitimer(signal.ITIMER_REAL, 0)
    while x > 3:
        pass
    return x


def ignores(x: int) -> int:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while x > 3:
        pass
    return x


def blocks(x: int) -> int:
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
    while x > 3:
        pass
    return x


def waits(x: int) -> int:
    if x > 3:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        signal.sigwait([signal.SIGUSR2])
    return x


def alarms_later(x: int) -> int:
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    return x + 1 if x > 3 else x


def leaves_a_timer(x: int) -> int:
    signal.setitimer(signal.ITIMER_PROF, 0.01)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.01)
    return x


def handler_that_loops(x: int) -> int:
    def handler(*_: object) -> None:
        while True:
            pass

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(1)
    return x
