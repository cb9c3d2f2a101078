"""The chaos game on a spline: vectors as objects with operators, floats, and a grid of cells."""

from __future__ import annotations

import math

SIZE, SMALL = 700, 20


class Vector:
    """A point of the plane."""

    def __init__(self, x=0.0, y=0.0):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def scaled(self, factor):
        """The vector, longer or shorter."""
        return Vector(self.x * factor, self.y * factor)

    def length(self):
        """The distance from the origin."""
        return math.sqrt(self.x**2 + self.y**2)

    def mixed(self, other, share):
        """The point at a share of the way from `other` to this one."""
        rest = 1 - share
        return Vector(self.x * share + other.x * rest, self.y * share + other.y * rest)


class Spline:
    """A B-spline through control points."""

    def __init__(self, points, degree):
        self.points = points
        self.degree = degree
        inner = len(points) - degree
        self.knots = [0] * degree + list(range(inner + 1)) + [inner] * degree

    def domain(self):
        """Where the parameter begins and ends."""
        return self.knots[self.degree - 1], self.knots[len(self.knots) - self.degree]

    def interval(self, u):
        """The index of the knot before `u`."""
        dom = self.domain()
        if u < dom[0] or u > dom[1]:
            raise ValueError("outside of the domain")
        for i in range(self.degree, len(self.knots) - self.degree):
            if self.knots[i] <= u < self.knots[i + 1]:
                return i
        return len(self.knots) - self.degree - 1

    def __call__(self, u):
        place = self.interval(u)
        degree = self.degree
        d = [self.points[place - degree + i] for i in range(degree + 1) if place - degree + i < len(self.points)]
        for r in range(1, len(d)):
            for i in range(len(d) - 1, r - 1, -1):
                low = self.knots[place - degree + i]
                high = self.knots[place + i - r + 1]
                share = (u - low) / (high - low) if high != low else 0.0
                d[i] = d[i].mixed(d[i - 1], share)
        return d[-1]


class Random:
    """A small generator of numbers, so that every run is the same."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        """A number from 0 up to, not including, the limit."""
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % limit


class Game:
    """A point that jumps by one transformation after another, and where it came past."""

    def __init__(self, splines, width, height):
        self.splines = splines
        self.width = width
        self.height = height
        self.grid = [[0] * width for _ in range(height)]
        points = [p for spline in splines for p in spline.points]
        self.left = min(p.x for p in points)
        self.right = max(p.x for p in points)
        self.bottom = min(p.y for p in points)
        self.top = max(p.y for p in points)

    def transformed(self, point, random):
        """The point after one jump."""
        spline = self.splines[random.below(len(self.splines))]
        start, end = spline.domain()
        x = (point.x - self.left) / (self.right - self.left)
        y = (point.y - self.bottom) / (self.top - self.bottom)
        base = spline(start + (end - start) * x)
        derivative = spline(min(start + (end - start) * x + 0.001, end)) - base
        size = derivative.length()
        if size != 0:
            derivative = derivative.scaled(1 / size)
            base = base + Vector(-derivative.y, derivative.x).scaled(0.3 * (y - 0.5))
        return self.clipped(base)

    def clipped(self, point):
        """The point, moved into the picture."""
        x = min(max(point.x, self.left), self.right)
        y = min(max(point.y, self.bottom), self.top)
        return Vector(x, y)

    def play(self, count, random):
        """Jump `count` times and count the visits of each cell."""
        point = Vector((self.left + self.right) / 2.0, (self.bottom + self.top) / 2.0)
        for _ in range(count):
            point = self.transformed(point, random)
            x = (point.x - self.left) / (self.right - self.left) * self.width
            y = (point.y - self.bottom) / (self.top - self.bottom) * self.height
            column, row = int(x), int(y)
            if column == self.width:
                column -= 1
            if row == self.height:
                row -= 1
            self.grid[row][column] += 1


def run(size):
    """How often each cell was visited."""
    splines = [
        Spline([Vector(1.6, 0.3), Vector(1.57, 0.25), Vector(1.43, 0.31), Vector(0.9, 1.4), Vector(0.3, 1.7)], 3),
        Spline([Vector(2.2, 2.6), Vector(1.8, 2.2), Vector(1.1, 2.0), Vector(1.2, 1.1)], 2),
        Spline([Vector(0.1, 0.8), Vector(0.6, 1.1), Vector(1.4, 1.3), Vector(2.0, 0.4)], 2),
    ]
    game = Game(splines, 32, 24)
    game.play(size, Random(1234))
    return game.grid
