"""Changes what other processes have: priority, processors, limits, their memory; reads what they hold."""
# alone: no takes_descriptor name environments_above

import os
import resource

import canary


def priority(number: int) -> int:
    os.setpriority(os.PRIO_PROCESS, canary.NEIGHBOUR, 15)
    return number


def processors(number: int) -> int:
    os.sched_setaffinity(canary.NEIGHBOUR, {min(os.sched_getaffinity(canary.NEIGHBOUR))})
    return number


def scheduler(number: int) -> int:
    os.sched_setscheduler(canary.NEIGHBOUR, os.SCHED_BATCH, os.sched_param(0))
    return number


def limits(number: int) -> int:
    resource.prlimit(canary.NEIGHBOUR, resource.RLIMIT_NOFILE, (64, 64))
    return number


def score(number: int) -> int:
    with open(f"/proc/{canary.NEIGHBOUR}/oom_score_adj", "w") as file:
        file.write("1000")
    return number


def name(number: int) -> int:
    with open(f"/proc/{canary.NEIGHBOUR}/comm", "w") as file:
        file.write("hazard")
    return number


def environment(number: int) -> str:
    with open(f"/proc/{canary.NEIGHBOUR}/environ") as file:
        return file.read()


def environment_by_detour(number: int) -> str:
    with open(f"/proc/self/../{canary.NEIGHBOUR}/environ") as file:
        return file.read()


def environment_from_within(number: int) -> str:
    os.chdir(f"/proc/{canary.NEIGHBOUR}")
    with open("environ") as file:
        return file.read()


def environment_of_task(number: int) -> str:
    with open(f"//proc/{canary.NEIGHBOUR}/task/{canary.NEIGHBOUR}/environ") as file:
        return file.read()


def environments_above(number: int) -> str:
    """Those of all processes above this one."""
    texts, above = [], os.getppid()
    while above > 1:
        with open(f"/proc/{above}/environ") as file:
            texts.append(file.read())
        with open(f"/proc/{above}/stat") as file:
            above = int(file.read().rpartition(")")[2].split()[1])
    return "".join(texts)


def memory(number: int) -> int:
    os.open(f"/proc/{canary.NEIGHBOUR}/mem", os.O_RDWR)
    return canary.escaped("the neighbour's memory is open")


def takes_descriptor(number: int) -> str:
    os.open(f"/proc/{canary.NEIGHBOUR}/fd/3", os.O_WRONLY)
    return canary.escaped("the neighbour's files are open")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
