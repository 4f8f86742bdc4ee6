"""Draws the programs' icon for Windows, the same as app_icon() in gui/base/Icons.cpp.

    python3 packaging/windows/icon.py OUT.ico
"""
import math
import struct
import sys
import zlib

SIZES = (16, 24, 32, 48, 64, 256)
BLUE = (0x00, 0x6A, 0xA8)
MARK = [(3.5, 11.5), (3.5, 4.8), (8, 9.2), (12.5, 4.8), (12.5, 11.5)]


def to_square(x, y):
    """Signed distance to the rounded square of 15 units, negative inside."""
    dx, dy = abs(x - 8) - 4, abs(y - 8) - 4
    return math.hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - 3.5


def to_mark(x, y):
    """Distance to the outline of the stroke."""
    best = math.inf
    for (ax, ay), (bx, by) in zip(MARK, MARK[1:]):
        ux, uy = bx - ax, by - ay
        t = min(max(((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy), 0), 1)
        best = min(best, math.hypot(x - ax - t * ux, y - ay - t * uy))
    return best - 0.85


def png(size):
    rows = bytearray()
    for row in range(size):
        rows.append(0)  # no filter
        for column in range(size):
            x, y = (column + 0.5) * 16 / size, (row + 0.5) * 16 / size
            inside, white = (min(max(0.5 - distance(x, y) * size / 16, 0), 1)
                             for distance in (to_square, to_mark))
            rows += bytes(round(c + (255 - c) * white) for c in BLUE)
            rows.append(round(255 * inside))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    images = [png(size) for size in SIZES]
    at = 6 + 16 * len(SIZES)
    entries = b""
    for size, image in zip(SIZES, images):
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), at)
        at += len(image)
    with open(sys.argv[1], "wb") as out:
        out.write(struct.pack("<HHH", 0, 1, len(SIZES)) + entries + b"".join(images))


main()
