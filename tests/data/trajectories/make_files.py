#!/usr/bin/env python3
"""Writes small trajectories in every format, next to itself: 12 atoms (four waters), three frames.

Positions follow a formula, so that a test needs no reference: atom i of frame f is at
  x = 1 + 1.5 i + 0.25 f,  y = 2 + 0.5 i - 0.125 f,  z = 3 - 0.25 i + 0.5 f      angstrom
and velocities are (0.5, -0.25 i, 0.125 f) angstrom/ps. Frame f is at 2 f ps in a cell of 30, 31 and 32 + f angstrom with right
angles. All numbers are exact in binary and in three decimals of a nanometre, save the atoms' y and z at odd f."""
import os
import struct

folder = os.path.dirname(os.path.abspath(__file__))
atoms, frames = 12, 3


def position(i, f):
    return (1 + 1.5 * i + 0.25 * f, 2 + 0.5 * i - 0.125 * f, 3 - 0.25 * i + 0.5 * f)


def velocity(i, f):
    return (0.5, -0.25 * i, 0.125 * f)


def cell(f):
    return (30.0, 31.0, 32.0 + f)


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


# GROMACS: XDR, nanometres
class Bits:
    """Bits as GROMACS packs them: the most significant first."""

    def __init__(self):
        self.bits = []

    def put(self, value, count):
        self.bits += [value >> k & 1 for k in range(count - 1, -1, -1)]

    def put_three(self, values, sizes, count):
        """Three numbers as one in a mixed base, its bytes from the lowest on."""
        number = (values[0] * sizes[1] + values[1]) * sizes[2] + values[2]
        while count > 0:
            self.put(number & 255 if count >= 8 else number, min(8, count))
            number >>= 8
            count -= 8

    def data(self):
        bits = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(int("".join(map(str, bits[k:k + 8])), 2) for k in range(0, len(bits), 8))


def box(f):
    a, b, c = (x / 10 for x in cell(f))
    return struct.pack(">9f", a, 0, 0, 0, b, 0, 0, 0, c)


small_index, small_size = 27, 512  # of GROMACS' table of sizes, whose bits for three numbers are the index itself


def xtc_frame(f, runs):
    head = struct.pack(">iiif", 1995, atoms, 100 * f, 2.0 * f) + box(f) + struct.pack(">i", atoms)
    whole = [[round(x * 100) for x in position(i, f)] for i in range(atoms)]  # 1000 per nm
    low = [min(p[k] for p in whole) for k in range(3)]
    high = [max(p[k] for p in whole) for k in range(3)]
    sizes = [h - l + 1 for h, l in zip(high, low)]
    count = (sizes[0] * sizes[1] * sizes[2]).bit_length()
    bits = Bits()
    i = 0
    while i < atoms:
        pair = runs and i + 1 < atoms
        # Of a run the first two atoms are exchanged: the second is written whole, the first less the second.
        large = whole[i + 1] if pair else whole[i]
        bits.put_three([x - l for x, l in zip(large, low)], sizes, count)
        if not pair:
            bits.put(1 if runs else 0, 1)
            if runs:
                bits.put(1, 5)  # no run, the same size
            i += 1
            continue
        bits.put(1, 1)
        bits.put(4, 5)  # a run of one atom, the same size
        bits.put_three([a - b + small_size // 2 for a, b in zip(whole[i], large)], [small_size] * 3, small_index)
        i += 2
    data = bits.data()
    return (head + struct.pack(">f6i", 1000.0, *low, *high) + struct.pack(">ii", small_index, len(data)) + data
            + b"\0" * (-len(data) % 4))


write("plain.xtc", b"".join(xtc_frame(f, False) for f in range(frames)))
write("runs.xtc", b"".join(xtc_frame(f, True) for f in range(frames)))


def trr_frame(f, double):
    real, width = ("d", 8) if double else ("f", 4)
    out = struct.pack(">iii", 1993, 13, 12) + b"GMX_trn_file"
    out += struct.pack(">10i", 0, 0, 9 * width, 0, 0, 0, 0, 3 * atoms * width, 3 * atoms * width, 0)
    out += struct.pack(">iii", atoms, 100 * f, 0) + struct.pack(">2" + real, 2.0 * f, 0)
    a, b, c = (x / 10 for x in cell(f))
    out += struct.pack(">9" + real, a, 0, 0, 0, b, 0, 0, 0, c)
    for vector in (position, velocity):
        for i in range(atoms):
            out += struct.pack(">3" + real, *(x / 10 for x in vector(i, f)))
    return out


write("single.trr", b"".join(trr_frame(f, False) for f in range(frames)))
write("double.trr", b"".join(trr_frame(f, True) for f in range(frames)))


# CHARMM and NAMD: Fortran records
def record(data, order):
    return struct.pack(order + "i", len(data)) + data + struct.pack(order + "i", len(data))


def dcd(order):
    flags = [frames, 0, 100, frames * 100] + [0] * 5
    head = b"CORD" + struct.pack(order + "9i", *flags) + struct.pack(order + "f", 2.0 / 0.04888821 / 100)
    head += struct.pack(order + "10i", 1, 0, 0, 0, 0, 0, 0, 0, 0, 24)
    out = record(head, order) + record(struct.pack(order + "i", 1) + b"made up".ljust(80), order)
    out += record(struct.pack(order + "i", atoms), order)
    for f in range(frames):
        a, b, c = cell(f)
        out += record(struct.pack(order + "6d", a, 90, b, 90, 90, c), order)
        for k in range(3):
            out += record(struct.pack(order + f"{atoms}f", *(position(i, f)[k] for i in range(atoms))), order)
    return out


write("little.dcd", dcd("<"))
write("big.dcd", dcd(">"))

# NAMD's binary coordinates and velocities (its unit is 20.45482706 angstrom/ps)
write("last.coor", struct.pack("<i", atoms) + b"".join(struct.pack("<3d", *position(i, 2)) for i in range(atoms)))
write("last.vel", struct.pack("<i", atoms) + b"".join(
    struct.pack("<3d", *(x / 20.45482706 for x in velocity(i, 2))) for i in range(atoms)))


# AMBER: restart as text, trajectory as NetCDF 3
def columns(values):
    return "".join("".join(f"{v:12.7f}" for v in values[k:k + 6]) + "\n" for k in range(0, len(values), 6))


flat = [x for i in range(atoms) for x in position(i, 2)]
rates = [x / 20.455 for i in range(atoms) for x in velocity(i, 2)]
write("last.rst7", ("made up\n" + f"{atoms:5d}{4.0:15.7E}\n" + columns(flat) + columns(rates)
                    + columns([*cell(2), 90, 90, 90])).encode())


def netcdf():
    def text(value):
        return struct.pack(">i", len(value)) + value.encode() + b"\0" * (-len(value) % 4)

    dimensions = [("frame", 0), ("spatial", 3), ("atom", atoms), ("cell_spatial", 3), ("cell_angular", 3)]
    sizes = [4, 12 * atoms, 24, 24]
    variables = [("time", [0], 5), ("coordinates", [0, 2, 1], 5), ("cell_lengths", [0, 3], 6), ("cell_angles", [0, 4], 6)]
    out = b"CDF\1" + struct.pack(">i", frames) + struct.pack(">ii", 10, len(dimensions))
    out += b"".join(text(name) + struct.pack(">i", length) for name, length in dimensions)
    out += struct.pack(">ii", 12, 1) + text("Conventions") + struct.pack(">i", 2) + text("AMBER")
    out += struct.pack(">ii", 11, len(variables))
    length = len(out) + sum(len(text(name)) + 4 + 4 * len(d) + 8 + 12 for name, d, _ in variables)
    for (name, d, kind), size in zip(variables, sizes):
        out += text(name) + struct.pack(">i", len(d)) + b"".join(struct.pack(">i", x) for x in d)
        out += struct.pack(">ii", 0, 0) + struct.pack(">iii", kind, size, length)
        length += size
    for f in range(frames):
        out += struct.pack(">f", 2.0 * f) + b"".join(struct.pack(">3f", *position(i, f)) for i in range(atoms))
        out += struct.pack(">3d", *cell(f)) + struct.pack(">3d", 90, 90, 90)
    return out


write("classic.nc", netcdf())
