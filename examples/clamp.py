"""Keep numbers within limits."""


def clamp(value: int, low: int, high: int) -> int:
    """Return `value`, or the limit it exceeds."""
    if low > high:
        raise ValueError("low must not exceed high")
    if value < low:
        return low
    if value > high:
        return high
    return value


def priority_band(score: int) -> str:
    """Sort a score, of which only 0 to 100 counts, into one of three bands."""
    bounded = clamp(score, 0, 100)
    if bounded >= 70:
        return "high"
    if bounded >= 30:
        return "normal"
    if bounded >= 0:
        return "low"
    # Unreachable: a clamped score is never negative. It stays to catch a change of the limits above.
    return "invalid"


def saturating_add(left: int, right: int, bits: int = 8) -> int:
    """Add two unsigned numbers of `bits` bits; stop at the largest one instead of wrapping round."""
    if bits not in (8, 16, 32):
        raise ValueError("bits must be 8, 16 or 32")
    largest = {8: 0xFF, 16: 0xFFFF, 32: 0xFFFFFFFF}[bits]
    if left < 0 or right < 0:
        raise ValueError("operands must not be negative")
    return min(left + right, largest)
