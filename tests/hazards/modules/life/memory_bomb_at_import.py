"""Takes all memory while being imported, in pages that are touched."""

# import: fails
# alone: no

blocks = []
for _ in range(4096):
    blocks.append(bytearray(b"x") * (1 << 20))


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
