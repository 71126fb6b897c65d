"""Checks that a program holds GPU code for every architecture that it was configured for.

gpu_code.py PROGRAM ARCHITECTURE...: as in CMAKE_CUDA_ARCHITECTURES: 75 (machine code and PTX), 80-real (machine code),
90-virtual (PTX). Reads the program's fat binaries itself: a header of 16 bytes, then entries, each with its kind and
architecture.
"""

import collections
import struct
import sys

MAGIC = struct.pack("<I", 0xBA55ED50)
PTX, MACHINE_CODE = 1, 2


def entries(data):
    """Yields, for each fat binary, the list of its (kind, architecture)."""
    at = data.find(MAGIC)
    while at >= 0:
        version, header, size = struct.unpack_from("<HHQ", data, at + 4)
        begin, end = at + header, at + header + size
        if version != 1 or header < 16 or end > len(data):  # bytes that only look like a fat binary
            at = data.find(MAGIC, at + 4)
            continue
        found = []
        while begin + 32 <= end:
            kind, _, entry_header, entry_size = struct.unpack_from("<HHIQ", data, begin)
            found.append((kind, struct.unpack_from("<I", data, begin + 28)[0]))
            begin += entry_header + entry_size
        yield found
        at = data.find(MAGIC, end)


def main(program, architectures):
    with open(program, "rb") as file:
        counts = collections.Counter()
        fat_binaries = 0
        for found in entries(file.read()):
            fat_binaries += 1
            counts.update(set(found))
    wanted = set()
    for name in architectures:
        number, _, which = name.partition("-")
        number = int("".join(c for c in number if c.isdigit()))
        if which != "virtual":
            wanted.add((MACHINE_CODE, number))
        if which != "real":
            wanted.add((PTX, number))
    names = {PTX: "PTX", MACHINE_CODE: "machine code"}
    print(f"{program}: {fat_binaries} fat binaries")
    for (kind, number), count in sorted(counts.items()):
        print(f"  {names.get(kind, kind)} of {number / 10}: in {count}")
    # Every file with kernels is one fat binary; the CUDA runtime brings none of its own.
    short = [f"{names[kind]} of {number / 10}" for kind, number in sorted(wanted) if counts[kind, number] < fat_binaries]
    if fat_binaries == 0:
        short = ["any GPU code"]
    for name in short:
        print(f"not everywhere: {name}")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
