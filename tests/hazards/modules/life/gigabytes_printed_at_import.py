"""Prints without an end while being imported."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: no


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


while True:
    print("y" * 1_000_000)
