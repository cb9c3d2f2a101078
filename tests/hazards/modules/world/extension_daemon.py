"""A C extension leaves a daemon when the module is imported: another session, no parent."""
# import: acts
# needs: extension

import direct

direct.leave_daemon(20)


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
