"""A monitor that warns about heat, once it is switched on."""


class TemperatureMonitor:
    """Keeps the last temperature that was measured while it was enabled."""

    def __init__(self) -> None:
        self._enabled = False
        self._temperature = 0

    def set_enabled(self, enabled: bool) -> None:
        """Switch the monitor on or off."""
        self._enabled = enabled

    def update_temperature(self, temperature: int) -> None:
        """Take a measurement; it is ignored while the monitor is off."""
        if self._enabled:
            self._temperature = temperature

    def get_temperature(self) -> int:
        """Return the last measurement taken, in degrees."""
        return self._temperature

    def warning(self) -> str | None:
        """Return a message when it is too hot, else nothing."""
        if self.get_temperature() > 80:
            return "too hot"
        return None
