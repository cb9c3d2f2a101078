"""Type stubs, documents and comments that look like code, in a project that the tool reads."""
# alone: no
# shadows: conftest

import canary


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def typed(number: "__import__('os').remove(__import__('canary').FILE) or int") -> int:
    """Do something.

    >>> __import__('os').remove(__import__('canary').FILE)

    Args:
        number (__import__('os').remove(__import__('canary').FILE)): a number.

    :type number: __import__('os').remove(__import__('canary').FILE)
    """
    return number


def commented(number):  # type: (__import__('os').remove(__import__('canary').FILE)) -> int
    return number


def defaulted(number=__import__("os").environ.get(canary.TOKEN, "none")):
    return number
