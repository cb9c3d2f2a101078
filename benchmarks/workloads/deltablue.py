"""A solver of one-way constraints that replans incrementally: small classes, lists of objects, dispatch."""

from __future__ import annotations

SIZE, SMALL = 100, 4

REQUIRED, PREFERRED, STRONG, NORMAL, WEAK, WEAKEST = range(6)
FORWARD, BACKWARD = 1, 2


class Variable:
    """A value, the constraint that determines it, and those that look at it."""

    def __init__(self, name, value=0):
        self.name = name
        self.value = value
        self.constraints = []
        self.determined_by = None
        self.mark = 0
        self.strength = WEAKEST
        self.stays = True

    def remove(self, constraint):
        """Forget a constraint."""
        self.constraints.remove(constraint)
        if self.determined_by is constraint:
            self.determined_by = None


class Constraint:
    """A relation that can be kept by computing one of its variables."""

    def __init__(self, strength):
        self.strength = strength

    def add(self, planner):
        """Enter the constraint and have it satisfied if possible."""
        self.enter()
        planner.add(self)

    def destroy(self, planner):
        """Take the constraint out."""
        if self.is_satisfied():
            planner.remove(self)
        else:
            self.leave()

    def satisfy(self, mark, planner):
        """Satisfy the constraint; return the weaker one that is overridden, if any."""
        self.choose(mark)
        if not self.is_satisfied():
            if self.strength == REQUIRED:
                raise RuntimeError("could not satisfy a required constraint")
            return None
        for variable in self.inputs():
            variable.mark = mark
        out = self.output()
        overridden = out.determined_by
        if overridden is not None:
            overridden.unsatisfy()
        out.determined_by = self
        if not planner.propagate(self, mark):
            raise RuntimeError("there is a cycle")
        out.mark = mark
        return overridden

    def inputs_known(self, mark):
        """Whether all inputs are known or stay as they are."""
        for variable in self.inputs():
            if not (variable.mark == mark or variable.stays or variable.determined_by is None):
                return False
        return True

    def is_input(self):
        """Whether the value comes from outside."""
        return False


class Unary(Constraint):
    """A constraint on one variable."""

    def __init__(self, variable, strength, planner):
        super().__init__(strength)
        self.variable = variable
        self.satisfied = False
        self.add(planner)

    def enter(self):
        self.variable.constraints.append(self)
        self.satisfied = False

    def leave(self):
        self.variable.remove(self)
        self.satisfied = False

    def choose(self, mark):
        self.satisfied = self.variable.mark != mark and self.strength < self.variable.strength

    def is_satisfied(self):
        return self.satisfied

    def unsatisfy(self):
        self.satisfied = False

    def inputs(self):
        return ()

    def output(self):
        return self.variable

    def recalculate(self):
        """What the variable's strength is now."""
        self.variable.strength = self.strength
        self.variable.stays = not self.is_input()
        if self.variable.stays:
            self.execute()

    def execute(self):
        pass


class Stay(Unary):
    """The variable keeps its value."""


class Edit(Unary):
    """The variable is set from outside."""

    def is_input(self):
        return True


class Equal(Constraint):
    """Two variables are equal."""

    def __init__(self, first, second, strength, planner):
        super().__init__(strength)
        self.first = first
        self.second = second
        self.direction = 0
        self.add(planner)

    def enter(self):
        self.first.constraints.append(self)
        self.second.constraints.append(self)
        self.direction = 0

    def leave(self):
        self.first.remove(self)
        self.second.remove(self)
        self.direction = 0

    def choose(self, mark):
        first, second = self.first, self.second
        if first.mark == mark:
            able = second.mark != mark and self.strength < second.strength
            self.direction = FORWARD if able else 0
        elif second.mark == mark:
            self.direction = BACKWARD if self.strength < first.strength else 0
        elif first.strength > second.strength:
            self.direction = BACKWARD if self.strength < first.strength else 0
        else:
            self.direction = FORWARD if self.strength < second.strength else 0

    def is_satisfied(self):
        return self.direction != 0

    def unsatisfy(self):
        self.direction = 0

    def inputs(self):
        return (self.first,) if self.direction == FORWARD else (self.second,)

    def output(self):
        return self.second if self.direction == FORWARD else self.first

    def recalculate(self):
        (source,) = self.inputs()[:1]
        target = self.output()
        target.strength = max(self.strength, source.strength)
        target.stays = source.stays
        if target.stays:
            self.execute()

    def execute(self):
        if self.direction == FORWARD:
            self.second.value = self.first.value
        else:
            self.first.value = self.second.value


class Scale(Equal):
    """The second variable is the first, scaled and moved."""

    def __init__(self, first, scale, offset, second, strength, planner):
        self.scale = scale
        self.offset = offset
        super().__init__(first, second, strength, planner)

    def execute(self):
        if self.direction == FORWARD:
            self.second.value = self.first.value * self.scale.value + self.offset.value
        else:
            self.first.value = (self.second.value - self.offset.value) // self.scale.value


class Planner:
    """Keeps the strongest constraints satisfied, and orders them for execution."""

    def __init__(self):
        self.mark = 0

    def new_mark(self):
        """A mark that no variable has."""
        self.mark += 1
        return self.mark

    def add(self, constraint):
        """Satisfy a constraint, then again what it overrode."""
        mark = self.new_mark()
        overridden = constraint.satisfy(mark, self)
        while overridden is not None:
            overridden = overridden.satisfy(mark, self)

    def remove(self, constraint):
        """Take out a constraint and satisfy what can be satisfied now."""
        out = constraint.output()
        constraint.unsatisfy()
        constraint.leave()
        unsatisfied = self.unsatisfied_after(out)
        for strength in range(WEAKEST + 1):
            for candidate in unsatisfied:
                if candidate.strength == strength:
                    self.add(candidate)

    def unsatisfied_after(self, out):
        """Constraints downstream of a variable that nothing satisfies."""
        out.determined_by = None
        out.strength = WEAKEST
        out.stays = True
        unsatisfied = []
        todo = [out]
        while todo:
            variable = todo.pop()
            unsatisfied.extend(c for c in variable.constraints if not c.is_satisfied())
            for constraint in self.consuming(variable):
                constraint.recalculate()
                todo.append(constraint.output())
        return unsatisfied

    def consuming(self, variable):
        """Satisfied constraints that take the variable as input."""
        return [c for c in variable.constraints if c.is_satisfied() and c is not variable.determined_by]

    def propagate(self, constraint, mark):
        """Recompute strengths downstream; False where there is a cycle."""
        todo = [constraint]
        while todo:
            current = todo.pop()
            out = current.output()
            if out.mark == mark:
                return False
            current.recalculate()
            todo.extend(self.consuming(out))
        return True

    def plan(self, sources):
        """The constraints in an order in which they can be executed."""
        mark = self.new_mark()
        plan = []
        todo = list(sources)
        while todo:
            constraint = todo.pop()
            out = constraint.output()
            if out.mark != mark and constraint.inputs_known(mark):
                plan.append(constraint)
                out.mark = mark
                todo.extend(self.consuming(out))
        return plan


def change(variable, value, planner):
    """Set a variable by an edit constraint and let the plan run."""
    edit = Edit(variable, PREFERRED, planner)
    plan = planner.plan([edit])
    for _ in range(10):
        variable.value = value
        for constraint in plan:
            constraint.execute()
    edit.destroy(planner)


def chain(count):
    """A chain of equalities, pushed from its first variable."""
    planner = Planner()
    variables = [Variable(f"v{i}") for i in range(count + 1)]
    for i in range(count):
        Equal(variables[i], variables[i + 1], REQUIRED, planner)
    Stay(variables[-1], STRONG, planner)
    seen = []
    for value in range(10):
        change(variables[0], value, planner)
        seen.append(variables[-1].value)
    return seen


def projection(count):
    """Pairs of variables tied by one scale and offset, each changed in turn."""
    planner = Planner()
    scale = Variable("scale", 10)
    offset = Variable("offset", 1000)
    pairs = []
    for i in range(count):
        source, target = Variable(f"s{i}", i), Variable(f"t{i}", i)
        pairs.append((source, target))
        Stay(source, NORMAL, planner)
        Scale(source, scale, offset, target, REQUIRED, planner)
    change(pairs[0][0], 17, planner)
    change(pairs[-1][1], 1050, planner)
    for source, _ in pairs:
        change(source, source.value + 1, planner)
    return [(source.value, target.value) for source, target in pairs]


def run(size):
    """The values that the constraints led to."""
    return chain(size), projection(size)
