"""Body-mass index and the weight category that follows from it."""

UNDERWEIGHT_BELOW = 18.5
NORMAL_BELOW = 25.0
OVERWEIGHT_BELOW = 30.0


def body_mass_index(mass: float, length: float) -> float:
    """Divide the mass in kilograms by the square of the length in metres."""
    assert length != 0, "length must not be zero"
    return mass / (length * length)


def weight_category(mass: float, length: float) -> str:
    """Name the category in which a person of this mass and length falls."""
    index = body_mass_index(mass, length)
    if index < UNDERWEIGHT_BELOW:
        return "underweight"
    if index < NORMAL_BELOW:
        return "normal"
    if index < OVERWEIGHT_BELOW:
        return "overweight"
    return "obese"
