#!/usr/bin/env python3
"""screen.py FRAMEBUFFER PNG [SECONDS]: waits until a virtual display (Xvfb -fbdir) shows a window with a molecule, and keeps the picture.

Ends with an error after SECONDS (60).
"""

import struct
import sys
import time
import zlib


def pixels(path):
    """Width, height and rows of B, G, R, X bytes of an XWD file (X Window Dump, version 7)."""
    data = open(path, "rb").read()
    header = struct.unpack(">25I", data[:100])
    size, width, height, depth, row = header[0], header[4], header[5], header[11], header[12]
    colours = header[19]
    assert depth == 32, depth
    begin = size + 12 * colours
    return width, height, [data[begin + y * row : begin + y * row + 4 * width] for y in range(height)]


def png(path, width, height, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = bytearray()
    for row in rows:
        line = bytearray(3 * width)
        line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
        lines += b"\0" + line
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(lines), 6)) + chunk(b"IEND", b""))


def shows_molecule(width, height, rows):
    """Whether some of the middle of the picture is coloured: it is white, black or grey before the molecule is there."""
    coloured = seen = 0
    for row in rows[height // 8 : height // 8 * 5 : 2]:
        for at in range(0, 4 * (width // 2), 8):
            seen += 1
            coloured += max(row[at : at + 3]) - min(row[at : at + 3]) > 40
    return coloured > seen / 50


def main():
    framebuffer, to = sys.argv[1:3]
    last = time.monotonic() + (float(sys.argv[3]) if len(sys.argv) > 3 else 60)
    while True:
        screen = pixels(framebuffer)
        shown = shows_molecule(*screen)
        if shown or time.monotonic() > last:
            break
        time.sleep(0.5)
    png(to, *screen)
    print(("shown: " if shown else "no window with a molecule: ") + to)
    return 0 if shown else 1


if __name__ == "__main__":
    sys.exit(main())
