#!/usr/bin/env python3
"""Direct Coulomb summation by a numba loop on all threads: atom-point evaluations per second."""

import json
import time

import numba
import numpy as np


@numba.njit(parallel=True, fastmath=True)
def potential(atoms, counts, spacing, out):
    for k in numba.prange(counts):
        for j in range(counts):
            for i in range(counts):
                x, y, z = np.float32(i) * spacing, np.float32(j) * spacing, np.float32(k) * spacing
                total = np.float32(0)
                for a in range(atoms.shape[0]):
                    dx, dy, dz = atoms[a, 0] - x, atoms[a, 1] - y, atoms[a, 2] - z
                    total += atoms[a, 3] / np.sqrt(dx * dx + dy * dy + dz * dz)
                out[k, j, i] = total


def main():
    rng = np.random.default_rng(3)
    count, points = 10000, 48
    atoms = rng.uniform(0, 40, (count, 4)).astype(np.float32)
    atoms[:, 3] -= 20
    out = np.empty((points,) * 3, np.float32)
    spacing = np.float32(40.0 / points)
    potential(atoms[:10], points, spacing, out)
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        potential(atoms, points, spacing, out)
        times.append(time.perf_counter() - begin)
    seconds = sorted(times)[1]
    print(json.dumps({"peer": "numba, all threads, fastmath", "atoms": count, "points": points**3, "seconds": seconds,
                      "evaluations_per_second": count * points**3 / seconds}))


if __name__ == "__main__":
    main()
