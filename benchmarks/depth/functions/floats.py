"""Floating-point numbers: rounding, NaN, infinities, signed zero, `math`."""

import math


def tenth_steps(step: float) -> bool:
    """The famous sum that is not three tenths."""
    if 0.05 < step < 0.15 and step + 0.2 != 0.3 and abs(step + 0.2 - 0.3) < 1e-15:
        return True  # reach
    return False


def not_a_number(reading: float) -> str:
    """A sensor that sends what equals nothing, itself included."""
    if reading != reading:
        return "broken"  # reach
    return "fine"


def endless_value(limit: float) -> str:
    """A limit without an end in the negative direction."""
    if math.isinf(limit) and limit < 0:
        return "no lower limit"  # reach
    return "limited"


def signed_zero(velocity: float) -> str:
    """Standing still after a move to the left."""
    if velocity == 0.0 and math.copysign(1.0, velocity) < 0:
        return "came from the right"  # reach
    return "moving or at rest"


def body_mass(mass: float, height: float) -> str:
    """A narrow band of the body-mass index at a given height."""
    if not 1.0 < height < 2.5:
        return "height?"
    index = mass / (height * height)
    if 24.99 < index < 25.0 and mass > 100:
        return "just normal"  # reach
    return "other"


def exact_root(area: float) -> float:
    """The side of a square whose root is a whole number."""
    if area <= 0 or math.isinf(area):
        return 0.0
    side = math.sqrt(area)
    if side.is_integer() and 1000 < side < 1100:
        return side  # reach
    return -1.0


def distance_from_origin(x: float, y: float) -> str:
    """Two legs, neither a whole number, with a hypotenuse that is."""
    if x.is_integer() or y.is_integer():
        return "whole"
    if math.hypot(x, y) == 5.0:
        return "on the circle"  # reach
    return "elsewhere"


def close_but_not_equal(measured: float, expected: float) -> str:
    """Nearly what was expected, of a large value."""
    if expected < 1e6:
        return "small"
    if measured != expected and math.isclose(measured, expected, rel_tol=1e-12):
        return "rounding"  # reach
    return "other"


def phase_of(angle: float) -> float:
    """The rest of an angle, with the sign of the angle."""
    rest = math.fmod(angle, 360.0)
    if rest == -45.5 and angle < -1000:
        return 1.0  # reach
    return rest


def read_percentage(text: str) -> float:
    """A percentage as people write it."""
    if not text.endswith("%"):
        raise ValueError(text)
    value = float(text[:-1])
    if 99.8 < value < 99.95:
        return 1.0  # reach
    return value / 100


def bankers_rounding(value: float) -> str:
    """Half way between two numbers, rounded down to an even one."""
    if round(value) < value and value - round(value) == 0.5 and value > 100:
        return "to even"  # reach
    return "as in school"


def rounded_price(price: float) -> str:
    """Two places; some halves fall down because they are not exact."""
    if round(price, 2) == 2.67 and price >= 2.675:
        return "lost a cent"  # reach
    return "fine"


def decay(half_lives: float) -> str:
    """How much is left after some half-lives (found by search: transcendental)."""
    if half_lives < 0 or half_lives > 50:
        return "range"
    left = math.exp(-0.693147 * half_lives)
    if 0.0199 < left < 0.0201:
        return "two percent"  # reach
    return "other"


def rising_sine(angle: float) -> bool:
    """An angle at which the sine is nearly one half, on the way down."""
    if 0 < angle < 10 and abs(math.sin(angle) - 0.5) < 1e-6 and math.cos(angle) < 0:
        return True  # reach
    return False


def log_scale(power: float) -> str:
    """Decibels of a power."""
    if power <= 0:
        return "silence"
    level = 10 * math.log10(power)
    if 93.9 < level < 94.1:
        return "calibrator"  # reach
    return "other"


def halves_to_nothing(value: float) -> int:
    """A number so small that half of it is nothing."""
    if value > 0 and value / 2 == 0:
        return 1  # reach
    return 0


def absorbed(big: float) -> bool:
    """A number to which adding one changes nothing, below infinity."""
    if big + 1.0 == big and big < 1e300 and big > 0:
        return True  # reach
    return False


def whole_cents(amount: float) -> int:
    """An amount that becomes so many cents when it is truncated."""
    cents = int(amount * 100)
    if cents == 1998 and amount >= 19.99:
        return cents  # reach
    return 0


def ceiling_and_floor(weight: float) -> int:
    """Postage goes by started kilograms."""
    if math.ceil(weight) - math.floor(weight) == 0 and math.ceil(weight) == 1234:
        return 1  # reach
    return math.ceil(weight)


def complex_square(real: float, imag: float) -> str:
    """A complex number whose square is a given one."""
    number = complex(real, imag)
    if number * number == complex(-5, 12):
        return "root"  # reach
    return "other"


def sum_of_squares(x: float, y: float) -> str:
    """Squares of real numbers don't add up to less than nothing."""
    if x * x + y * y < 0.0:
        return "imaginary"  # unreachable
    if x * x + y * y == 0.25 and x != 0 and y != 0:
        return "circle"  # reach
    return "real"


def relative_error(measured: float, expected: float) -> str:
    """An error of exactly one eighth, downwards."""
    if math.isnan(measured) or expected == 0 or math.isinf(expected):
        return "undefined"
    if math.fabs(measured - expected) / math.fabs(expected) == 0.125 and measured < expected < -3:
        return "one eighth"  # reach
    return "other"
