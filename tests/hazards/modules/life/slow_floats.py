"""Arithmetic of floats that solvers find hard: what explores must end in time."""

# options: --max-runs 70
# within: 180
# alone: no


class Bucket:
    def __init__(self, rate: float, capacity: float) -> None:
        if rate <= 0 or capacity <= 0:
            raise ValueError("positive, please")
        self.rate = rate
        self.capacity = capacity
        self.tokens = capacity
        self.last = 0.0

    def take(self, now: float, amount: float) -> bool:
        passed = max(0.0, now - self.last)
        self.tokens = min(self.capacity, self.tokens + passed * self.rate)
        self.last = now
        if self.tokens >= amount:
            self.tokens -= amount
            return True
        return False

    def wait(self, amount: float) -> float:
        if amount > self.capacity:
            raise ValueError("too much")
        missing = amount - self.tokens
        return missing / self.rate if missing > 0 else 0.0


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
