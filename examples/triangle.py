"""Classify triangles by the lengths of their sides."""


def is_triangle(a: int, b: int, c: int) -> bool:
    """Tell whether three positive lengths close into a triangle."""
    if a <= 0 or b <= 0 or c <= 0:
        return False
    return a + b > c and b + c > a and a + c > b


def kind(a: int, b: int, c: int) -> str:
    """Name the triangle by its equal sides."""
    if not is_triangle(a, b, c):
        raise ValueError("these sides do not form a triangle")
    if a == b == c:
        return "equilateral"
    if a == b or b == c or a == c:  # noqa: PLR1714 - symmetric, as in the textbook
        return "isosceles"
    return "scalene"


def is_right_angled(a: int, b: int, c: int) -> bool:
    """Tell whether the triangle has a right angle."""
    if not is_triangle(a, b, c):
        return False
    longest = max(a, b, c)
    return a * a + b * b + c * c == 2 * longest * longest
