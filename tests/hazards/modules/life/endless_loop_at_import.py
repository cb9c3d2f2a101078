"""A loop without an end while the module is imported."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: hangs import


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


while True:
    pass
