#!/usr/bin/env python3
"""use_package.py EXAMPLES: what a user does first with the Python package of an installed package: a potential map, a picture without a
display, and a thousand small calls of each of two kinds, which one long-lived worker answers. Ends with an error where one is wrong."""

import gzip
import os
import pathlib
import sys
import time

import numpy

import isolume

SMALL_CALLS = 1000


def compare_map(charges, folder):
    """A map in memory, against the file that the command wrote before, map.dx in the folder."""
    field = isolume.compute.potential(charges, spacing=2, device="cpu")
    lines = pathlib.Path(folder, "map.dx").read_text().splitlines()
    numbers = numpy.array([float(word) for line in lines if line and line[0] in "-0123456789" for word in line.split()])
    assert numbers.size == field.values.size, (numbers.size, field.values.size)
    # An OpenDX file has seven digits.
    assert numpy.allclose(numbers, field.values.ravel(), rtol=1e-5, atol=1e-6), "map.dx has other values"
    print("map:", field.values.size, "points, as the command's")


def draw(structure):
    picture = isolume.render(structure, size="320x240", device="cpu")
    assert picture.png[:4] == b"\x89PNG" and len(picture.png) > 5000, len(picture.png)
    print("picture:", len(picture.png), "bytes")


def processor_seconds():
    """Of this process, and of those that it has started and that have ended."""
    spent = os.times()
    return spent.user + spent.system, spent.children_user + spent.children_system


def small_calls(structure, charges):
    """The same answers each time; the time of a call is said, not judged: it is the machine's."""
    first = isolume.info(structure)
    with gzip.open(structure, "rt") as file:
        atoms = sum(line.startswith(("ATOM", "HETATM")) for line in file)
    assert first["atoms"] == atoms > 0, (first["atoms"], atoms)
    kinds = {
        "info": lambda: isolume.info(structure) == first,
        "potential at a point": lambda: isolume.compute.potential(charges, at=[[0, 0, 30]], device="cpu").values[0] == wanted,
    }
    wanted = isolume.compute.potential(charges, at=[[0, 0, 30]], device="cpu").values[0]
    for name, call in kinds.items():
        # A worker of its own, whose processor time is known when it has ended; its start is a part of that.
        isolume.use_worker(False)
        isolume.use_worker(True)
        before, times = processor_seconds(), []
        for _ in range(SMALL_CALLS):
            begin = time.perf_counter()
            assert call(), name
            times.append(time.perf_counter() - begin)
        isolume.use_worker(False)
        python, program = (after - earlier for after, earlier in zip(processor_seconds(), before))
        isolume.use_worker(True)
        print(
            f"{len(times)} calls of {name}: {1e3 * sum(times) / len(times):.2f} ms each, median {1e3 * sorted(times)[len(times) // 2]:.2f}; "
            f"of processor {1e3 * (python + program) / len(times):.2f} ms ({1e3 * python / len(times):.2f} of Python)"
        )


def main():
    examples = pathlib.Path(sys.argv[1])
    structure = str(examples / "crambin.pdb.gz")
    charges = str(examples / "crambin_charges/crambin_charges.pqr.gz")
    print("program:", isolume.find_program(), isolume.version())
    compare_map(charges, ".")
    draw(structure)
    small_calls(structure, charges)


main()
