"""A monitor that warns when something becomes too hot."""


class TemperatureMonitor:
    """Remembers the last temperature seen while it was enabled."""

    LIMIT = 80

    def __init__(self) -> None:
        """Start disabled, at zero degrees."""
        self.enabled = False
        self.temperature = 0

    def set_enabled(self, enabled: bool) -> None:
        """Switch the monitor on or off."""
        self.enabled = enabled

    def update_temperature(self, temperature: int) -> None:
        """Take a new measurement; a disabled monitor ignores it."""
        if self.enabled:
            self.temperature = temperature

    def warning(self) -> bool:
        """Tell whether the last measurement lies above the limit."""
        return self.temperature > self.LIMIT


def hottest(readings: list[int], limit: int = TemperatureMonitor.LIMIT) -> int | None:
    """Find the highest reading above the limit, if there is one."""
    found: int | None = None
    for reading in readings:
        if reading <= limit:
            continue
        if found is None or reading > found:
            found = reading
    return found
