"""The price of sending a parcel, in cents."""

from dataclasses import dataclass
from enum import Enum

FREE_FROM = 10_000
HEAVIEST = 30_000
LONGEST_GIRTH = 300


class Zone(Enum):
    """Where a parcel goes."""

    DOMESTIC = "domestic"
    EUROPE = "europe"
    WORLD = "world"


@dataclass(frozen=True)
class Parcel:
    """A box, measured in grams and centimetres."""

    weight: int
    length: int = 10
    width: int = 10
    height: int = 10

    def girth(self) -> int:
        """Add the length to the circumference across it, as carriers do."""
        return self.length + 2 * (self.width + self.height)

    def is_bulky(self) -> bool:
        """Tell whether the parcel needs handling by two people."""
        return self.weight > 20_000 or self.girth() > LONGEST_GIRTH


def base_rate(weight: int, zone: Zone) -> int:
    """Look up the rate for a weight in grams."""
    if weight <= 0:
        raise ValueError("weight must be positive")
    if weight > HEAVIEST:
        raise ValueError("parcel is too heavy")
    rate = 450 if weight <= 2_000 else 790
    if zone is Zone.EUROPE:
        return rate * 2
    if zone is Zone.WORLD:
        return rate * 4
    return rate


def shipping_cost(parcel: Parcel, zone: Zone, order_total: int = 0, express: bool = False) -> int:
    """Price a parcel; large domestic orders travel free unless they are bulky or in a hurry."""
    cost = base_rate(parcel.weight, zone)
    if parcel.is_bulky():
        if express:
            raise ValueError("bulky parcels cannot go by express")
        return cost + 2_500
    if express:
        return cost + 900
    if zone is Zone.DOMESTIC and order_total >= FREE_FROM:
        return 0
    return cost
