#!/usr/bin/env python3
"""The orbital of the published C60 case with PyTorch on a GPU: every function at every point, a block of points at a time."""

import gzip
import json
import math
import sys
import time

import torch

BOHR = 0.529177210903


def powers(l):
    return [(i, j, l - i - j) for i in range(l, -1, -1) for j in range(l - i, -1, -1)]


# Molden's order of d functions: xx yy zz xy xz yz.
MOLDEN_D = [(2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (1, 0, 1), (0, 1, 1)]


def double_factorial(n):
    return 1 if n <= 0 else n * double_factorial(n - 2)


def norm(a, i, j, k):
    l = i + j + k
    odd = double_factorial(2 * i - 1) * double_factorial(2 * j - 1) * double_factorial(2 * k - 1)
    return (2 * a / math.pi) ** 0.75 * (4 * a) ** (l / 2) / math.sqrt(odd)


def read_molden(path):
    """Atoms (bohr), shells (atom, l, [(exponent, coefficient)]) and the HOMO, of Cartesian s to d functions."""
    opener = gzip.open if path.endswith(".gz") else open
    atoms, shells, orbital, best, section, scale = [], [], None, None, "", 1.0
    energy = occupation = None
    coefficients = {}
    atom, left = 0, 0

    def finish():
        nonlocal orbital, best
        if occupation and occupation > 0 and (best is None or energy >= best):
            best, orbital = energy, dict(coefficients)

    for line in opener(path, "rt"):
        words = line.replace("D+", "E+").replace("D-", "E-").split()
        if line.startswith("["):
            section = line.strip().lower()
            if section.startswith("[atoms]"):
                scale = 1 / BOHR if "angs" in section else 1.0
            continue
        if section.startswith("[atoms]") and len(words) == 6:
            atoms.append([float(w) * scale for w in words[3:6]])
        elif section.startswith("[gto]") and words:
            if left:
                shells[-1][2].append((float(words[0]), float(words[1])))
                left -= 1
            elif words[0].isdigit():
                atom = int(words[0]) - 1
            else:
                shells.append((atom, "spdf".index(words[0].lower()), []))
                left = int(words[1])
        elif section.startswith("[mo]") and words:
            if "=" in line:
                name, value = (part.strip() for part in line.split("=", 1))
                if coefficients:
                    finish()
                    coefficients = {}
                if name == "Ene":
                    energy = float(value)
                if name == "Occup":
                    occupation = float(value)
            else:
                coefficients[int(words[0]) - 1] = float(words[1])
    finish()
    return atoms, shells, orbital


def main():
    path, counts = sys.argv[1], (258, 260, 254)
    atoms, shells, orbital = read_molden(path)
    device = torch.device("cuda")
    step = 13.1 / BOHR / 259
    axes = [(torch.arange(n, device=device, dtype=torch.float32) - (n - 1) / 2) * step for n in counts]
    terms = []
    at = 0
    for atom, l, primitives in shells:
        functions = MOLDEN_D if l == 2 else powers(l)
        terms.append((atom, primitives, [(q, orbital.get(at + n, 0.0)) for n, q in enumerate(functions)]))
        at += len(functions)
    largest = 0.0

    def evaluate():
        nonlocal largest
        planes = 16
        for first in range(0, counts[2], planes):
            z, y, x = torch.meshgrid(axes[2][first:first + planes], axes[1], axes[0], indexing="ij")
            psi = torch.zeros_like(x)
            for atom, primitives, functions in terms:
                d = [x - atoms[atom][0], y - atoms[atom][1], z - atoms[atom][2]]
                r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
                l = sum(functions[0][0])
                radial = sum(c * norm(a, l, 0, 0) * torch.exp(-a * r2) for a, c in primitives)
                polynomial = 0
                for q, c in functions:
                    part = c * norm(1, *q) / norm(1, l, 0, 0)
                    for axis in range(3):
                        for _ in range(q[axis]):
                            part = part * d[axis]
                    polynomial = polynomial + part
                psi += polynomial * radial
            largest = max(largest, float(psi.abs().max()))
        torch.cuda.synchronize()

    evaluate()
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        evaluate()
        times.append(time.perf_counter() - begin)
    print(json.dumps({"peer": "PyTorch " + torch.__version__ + ", single precision", "device": torch.cuda.get_device_name(),
                      "grid": counts, "functions": at, "seconds": min(times), "largest": largest}))


if __name__ == "__main__":
    main()
