#!/usr/bin/env python3
"""PySCF's evaluation of one orbital on the grid of the published C60 case: mol.eval_gto and a product, in blocks."""

import json
import sys
import time

import numpy as np
from pyscf.tools import molden

def main():
    path, counts = sys.argv[1], (258, 260, 254)
    share = float(sys.argv[2]) if len(sys.argv) > 2 else 0.02
    mol, _, coefficients, _, _, _ = molden.load(path)
    orbital = np.ascontiguousarray(coefficients[:, mol.nelectron // 2 - 1])
    bohr = 0.529177210903
    step = 13.1 / bohr / (max(counts) - 1)
    axes = [(np.arange(n) - (n - 1) / 2) * step for n in counts]
    kind = "GTOval_cart" if mol.cart else "GTOval_sph"
    total = int(np.prod(counts))
    # A share of the points, spread over the grid by whole planes, and scaled to all of it.
    planes = np.linspace(0, counts[2] - 1, max(2, int(counts[2] * share))).astype(int)
    y, x = np.meshgrid(axes[1], axes[0], indexing="ij")
    points = np.empty((x.size, 3))
    points[:, 0], points[:, 1] = x.ravel(), y.ravel()
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        for k in planes:
            points[:, 2] = axes[2][k]
            mol.eval_gto(kind, points) @ orbital
        times.append(time.perf_counter() - begin)
    seconds = sorted(times)[1] * total / (x.size * len(planes))
    print(json.dumps({"peer": "PySCF eval_gto and a product", "grid": counts, "functions": int(mol.nao),
                      "measured_share": x.size * len(planes) / total, "seconds_whole_grid": seconds}))


if __name__ == "__main__":
    main()
