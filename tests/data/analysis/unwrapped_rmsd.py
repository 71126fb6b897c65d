#!/usr/bin/env python3
"""RMSD of a chain that crosses its periodic cell, unwrapped by nearest images along the chain and superposed.

    isolume convert adk_oplsaa.gro.gz adk_oplsaa.xtc ca.pdb --select "name CA" --pbc as-is
    tests/data/analysis/unwrapped_rmsd.py ca.pdb

prints the RMSD of every model to the first: the reference of the test of Periodic in tests/app/cli/cli_periodic.cpp.
Nothing but Python: the largest eigenvalue of Horn's matrix (J. Opt. Soc. Am. A 4 (1987) 629) by power iteration.
"""
import itertools
import math
import sys


def read(path):
    """Cells (three vectors) and positions of the models of a PDB file."""
    cells, frames = [], [[]]
    for line in open(path, encoding="ascii"):
        if line.startswith("CRYST1"):
            a, b, c = (float(line[i : i + 9]) for i in (6, 15, 24))
            alpha, beta, gamma = (math.radians(float(line[i : i + 7])) for i in (33, 40, 47))
            y = (math.cos(alpha) - math.cos(beta) * math.cos(gamma)) / math.sin(gamma)
            z = math.sqrt(1 - math.cos(beta) ** 2 - y**2)
            cells.append([(a, 0, 0), (b * math.cos(gamma), b * math.sin(gamma), 0), (c * math.cos(beta), c * y, c * z)])
        elif line.startswith("ATOM"):
            frames[-1].append([float(line[i : i + 8]) for i in (30, 38, 46)])
        elif line.startswith("ENDMDL"):
            frames.append([])
    return cells, [f for f in frames if f]


def unwrapped(points, cell):
    """Each point in the image nearest to the one before."""
    result = [points[0]]
    for point in points[1:]:
        images = []
        for n in itertools.product((-1, 0, 1), repeat=3):
            image = [point[k] + sum(n[v] * cell[v][k] for v in range(3)) for k in range(3)]
            images.append((sum((image[k] - result[-1][k]) ** 2 for k in range(3)), image))
        nearest = min(images)[1]
        # One more round, where the last point is several cells away.
        while (better := nearer(nearest, result[-1], cell)) is not None:
            nearest = better
        result.append(nearest)
    return result


def nearer(point, to, cell):
    """A neighbouring image that is nearer, None where there is none."""
    best = sum((point[k] - to[k]) ** 2 for k in range(3)) - 1e-6
    found = None
    for n in itertools.product((-1, 0, 1), repeat=3):
        image = [point[k] + sum(n[v] * cell[v][k] for v in range(3)) for k in range(3)]
        square = sum((image[k] - to[k]) ** 2 for k in range(3))
        if square < best:
            best, found = square, image
    return found


def rmsd(a, b):
    """After superposition by least squares."""
    def centred(points):
        mean = [sum(p[k] for p in points) / len(points) for k in range(3)]
        return [[p[k] - mean[k] for k in range(3)] for p in points]

    a, b = centred(a), centred(b)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (
        [sum(p[i] * q[j] for p, q in zip(a, b)) for j in range(3)] for i in range(3)
    )
    matrix = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ]
    squares = sum(t * t for p in a + b for t in p)
    vector, largest = [1.0, 0.1, 0.1, 0.1], 0.0
    for _ in range(3000):
        image = [sum(matrix[i][j] * vector[j] for j in range(4)) + squares * vector[i] for i in range(4)]
        largest = math.sqrt(sum(t * t for t in image))
        vector = [t / largest for t in image]
    return math.sqrt(max(0.0, (squares - 2 * (largest - squares)) / len(a)))


if __name__ == "__main__":
    boxes, models = read(sys.argv[1])
    chains = [unwrapped(model, boxes[min(i, len(boxes) - 1)]) for i, model in enumerate(models)]
    for chain in chains:
        print(f"{rmsd(chain, chains[0]):.4f}")
