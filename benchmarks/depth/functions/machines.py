"""State machines: locks, protocols, small interpreters."""

from __future__ import annotations


def combination_lock(turns: list[int]) -> str:
    """Right, left and right again, to given numbers."""
    state = 0
    for turn in turns:
        if state == 0 and turn == 31:
            state = 1
        elif state == 1 and turn == -14:
            state = 2
        elif state == 2 and turn == 55:
            return "open"  # reach
        else:
            state = 0
    return "closed"


def traffic_light(events: str) -> str:
    """A light that goes through its phases."""
    phase = "red"
    follow = {("red", "t"): "green", ("green", "t"): "yellow", ("yellow", "t"): "red", ("green", "e"): "off"}
    for event in events:
        phase = follow.get((phase, event), phase)
        if phase == "off":
            return "out of order"  # reach
    return phase


def vending(coins: list[int]) -> str:
    """A machine that takes three kinds of coins and gives no change."""
    paid = 0
    for coin in coins:
        if coin not in (10, 20, 50):
            return "coin refused"
        paid += coin
        if paid == 130:
            return "drink"  # reach
        if paid > 130:
            return "too much"
    return "more"


def protocol(messages: list[str]) -> str:
    """A dialogue that needs a greeting, a name and a farewell."""
    state, name = "start", ""
    for message in messages:
        match state, message.split():
            case "start", ["HELO"]:
                state = "greeted"
            case "greeted", ["USER", name]:
                state = "known"
            case "known", ["QUIT"]:
                return f"bye {name}"  # reach
            case _:
                return "error"
    return state


def stack_machine(program: list[str]) -> int:
    """A calculator in reverse Polish notation."""
    stack: list[int] = []
    for word in program:
        if word == "+" and len(stack) > 1:
            stack.append(stack.pop() + stack.pop())
        elif word == "*" and len(stack) > 1:
            stack.append(stack.pop() * stack.pop())
        elif word.isdecimal():
            stack.append(int(word))
        else:
            raise ValueError(word)
    if stack == [42] and len(program) == 5:
        return 1  # reach
    return 0


def turtle(moves: str) -> bool:
    """A turtle on a grid that comes to a point in six moves."""
    x = y = 0
    for move in moves:
        if move == "N":
            y += 1
        elif move == "S":
            y -= 1
        elif move == "E":
            x += 1
        elif move == "W":
            x -= 1
        else:
            return False
    if (x, y) == (-2, 3) and len(moves) == 5:
        return True  # reach
    return False


def comment_scanner(text: str) -> int:
    """The depth of comments that may be nested."""
    depth = place = 0
    while place < len(text):
        pair = text[place : place + 2]
        if pair == "/*":
            depth += 1
            place += 2
        elif pair == "*/" and depth:
            depth -= 1
            place += 2
        else:
            place += 1
        if depth == 3:
            return place  # reach
    return -1


def elevator(calls: list[int]) -> str:
    """An elevator that counts the floors it passes."""
    floor = passed = 0
    for call in calls:
        if not 0 <= call < 20:
            return "no such floor"
        passed += abs(call - floor)
        floor = call
    if passed == 47 and floor == 3:
        return "serviced"  # reach
    return "running"


def maze(path: str) -> str:
    """Walk through a maze of constants."""
    walls = ["#########", "#..#....#", "##.#.##.#", "#....#.E#", "#########"]
    row, column = 1, 1
    steps = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    for step in path:
        if step not in steps:
            return "stuck"
        down, right = steps[step]
        if walls[row + down][column + right] == "#":
            return "wall"
        row, column = row + down, column + right
        if walls[row][column] == "E":
            return "exit"  # reach
    return "inside"


def tcp_flags(packets: list[tuple[bool, bool, int]]) -> str:
    """A handshake: SYN, then SYN and ACK, then ACK with the right number."""
    state, expected = "closed", 0
    for syn, ack, number in packets:
        if state == "closed" and syn and not ack:
            state, expected = "listening", number + 1
        elif state == "listening" and syn and ack and number == expected:
            state = "answered"
        elif state == "answered" and ack and not syn and number == expected + 1:
            return "established"  # reach
        else:
            return "reset"
    return state
