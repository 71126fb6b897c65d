#!/usr/bin/env python3
"""Writes small volumes in every format, next to itself: 4 x 3 x 5 points, value 100 i + 10 j + k - 111 at point (i, j, k).

cube: origin (1, 2, 3) bohr, steps (0.5, 0, 0), (0, 0.25, 0), (0, 0, 1) bohr, one atom (O at 1, 2, 3). sheared.cube: the second
step is (0.1, 0.25, 0). dx: origin (1, 2, 3) and steps (0.5, 0.25, 1) in angstrom. ccp4: cell 8 x 6 x 10 angstrom divided
into 16 x 24 x 10, starting at (2, 8, 3); zyx.ccp4 is the same with sections along x."""
import os
import struct

folder = os.path.dirname(os.path.abspath(__file__))
counts = (4, 3, 5)


def value(i, j, k):
    return 100 * i + 10 * j + k - 111


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


everywhere = [(i, j, k) for i in range(4) for j in range(3) for k in range(5)]  # z fastest


def cube(second_step, orbital=False):
    text = "made up\nvalues by a formula\n"
    text += f"{-1 if orbital else 1:5d}{1.0:12.6f}{2.0:12.6f}{3.0:12.6f}\n"
    for count, step in zip(counts, ((0.5, 0, 0), second_step, (0, 0, 1.0))):
        text += f"{count:5d}" + "".join(f"{x:12.6f}" for x in step) + "\n"
    text += f"{8:5d}{8.0:12.6f}{1.0:12.6f}{2.0:12.6f}{3.0:12.6f}\n"
    if orbital:
        text += "    2    4    7\n"
    for i in range(4):
        for j in range(3):
            row = [value(i, j, k) for k in range(5)]
            if orbital:
                row = [x for v in row for x in (v, -v)]  # two orbitals, the second the negative of the first
            for k in range(0, len(row), 6):
                text += "".join(f"{x:13.5E}" for x in row[k:k + 6]) + "\n"
    return text


write("straight.cube", cube((0, 0.25, 0)))
write("sheared.cube", cube((0.1, 0.25, 0)))
write("orbitals.cube", cube((0, 0.25, 0), True))

dx = "# made up\nobject 1 class gridpositions counts 4 3 5\norigin 1 2 3\ndelta 0.5 0 0\ndelta 0 0.25 0\ndelta 0 0 1\n"
dx += "object 2 class gridconnections counts 4 3 5\nobject 3 class array type double rank 0 items 60 data follows\n"
values = [value(*p) for p in everywhere]
dx += "".join(" ".join(f"{v:.6e}" for v in values[k:k + 3]) + "\n" for k in range(0, 60, 3))
dx += 'attribute "dep" string "positions"\nobject "regular positions regular connections" class field\n'
dx += 'component "positions" value 1\ncomponent "connections" value 2\ncomponent "data" value 3\n'
write("straight.dx", dx)


def ccp4(axes, order):
    """axes: which of x, y, z (1, 2, 3) columns, rows and sections run along."""
    n, start = [counts[a - 1] for a in axes], [(2, 8, 3)[a - 1] for a in axes]
    mean = sum(values) / 60
    rms = (sum((v - mean) ** 2 for v in values) / 60) ** 0.5
    head = struct.pack(order + "10i", *n, 2, *start, 16, 24, 10) + struct.pack(order + "6f", 8, 6, 10, 90, 90, 90)
    head += struct.pack(order + "3i", *axes) + struct.pack(order + "3f", min(values), max(values), mean)
    head += struct.pack(order + "2i", 1, 0) + b"\0" * 100  # words 25 to 49
    head += struct.pack(order + "3f", 0, 0, 0) + b"MAP " + (b"\x44\x44\0\0" if order == "<" else b"\x11\x11\0\0")
    head += struct.pack(order + "fi", rms, 1) + b"made up".ljust(800)
    data = b""
    for s in range(n[2]):
        for r in range(n[1]):
            for c in range(n[0]):
                at = [0, 0, 0]
                for axis, index in zip(axes, (c, r, s)):
                    at[axis - 1] = index
                data += struct.pack(order + "f", value(*at))
    assert len(head) == 1024, len(head)
    return head + data


write("xyz.ccp4", ccp4((1, 2, 3), "<"))
write("zyx.ccp4", ccp4((3, 2, 1), ">"))
