"""Planets that attract each other: float arithmetic on lists and in loops."""

from __future__ import annotations

SIZE, SMALL = 2000, 5

_PI = 3.14159265358979323
_SOLAR_MASS = 4 * _PI * _PI
_DAYS = 365.24


def bodies():
    """The sun and four planets: position, velocity, mass."""
    system = {
        "sun": ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], _SOLAR_MASS),
        "jupiter": (
            [4.841431442464721, -1.1603200440274284, -0.10362204447112311],
            [0.001660076642744037 * _DAYS, 0.007699011184197404 * _DAYS, -6.90460016972063e-05 * _DAYS],
            0.0009547919384243266 * _SOLAR_MASS,
        ),
        "saturn": (
            [8.34336671824458, 4.124798564124305, -0.4035234171143214],
            [-0.002767425107268624 * _DAYS, 0.004998528012349172 * _DAYS, 2.3041729757376393e-05 * _DAYS],
            0.0002858859806661308 * _SOLAR_MASS,
        ),
        "uranus": (
            [12.894369562139131, -15.111151401698631, -0.22330757889265573],
            [0.002964601375647616 * _DAYS, 0.0023784717395948095 * _DAYS, -2.9658956854023756e-05 * _DAYS],
            4.366244043351563e-05 * _SOLAR_MASS,
        ),
        "neptune": (
            [15.379697114850917, -25.919314609987964, 0.17925877295037118],
            [0.0026806777249038932 * _DAYS, 0.001628241700382423 * _DAYS, -9.515922545197159e-05 * _DAYS],
            5.1513890204661145e-05 * _SOLAR_MASS,
        ),
    }
    return list(system.values())


def pairs_of(items):
    """All pairs of different items."""
    return [(items[i], items[j]) for i in range(len(items) - 1) for j in range(i + 1, len(items))]


def advance(step, count, system, pairs):
    """Move the system by `count` steps."""
    for _ in range(count):
        for (place1, speed1, mass1), (place2, speed2, mass2) in pairs:
            dx = place1[0] - place2[0]
            dy = place1[1] - place2[1]
            dz = place1[2] - place2[2]
            pull = step * ((dx * dx + dy * dy + dz * dz) ** -1.5)
            pull1 = mass1 * pull
            pull2 = mass2 * pull
            speed1[0] -= dx * pull2
            speed1[1] -= dy * pull2
            speed1[2] -= dz * pull2
            speed2[0] += dx * pull1
            speed2[1] += dy * pull1
            speed2[2] += dz * pull1
        for place, (vx, vy, vz), _mass in system:
            place[0] += step * vx
            place[1] += step * vy
            place[2] += step * vz


def energy(system, pairs):
    """The energy of the whole system."""
    total = 0.0
    for ((x1, y1, z1), _, mass1), ((x2, y2, z2), _, mass2) in pairs:
        dx, dy, dz = x1 - x2, y1 - y2, z1 - z2
        total -= (mass1 * mass2) / ((dx * dx + dy * dy + dz * dz) ** 0.5)
    for _, (vx, vy, vz), mass in system:
        total += mass * (vx * vx + vy * vy + vz * vz) / 2.0
    return total


def run(size):
    """Energy before and after, and where the planets are."""
    system = bodies()
    pairs = pairs_of(system)
    before = energy(system, pairs)
    advance(0.01, size, system, pairs)
    return before, energy(system, pairs), [place for place, _, _ in system]
