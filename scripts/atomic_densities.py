#!/usr/bin/env python3
"""Computes resources/tables/atomic_densities.txt: densities of free neutral atoms, as sums of r^n exp(-z r).

    scripts/atomic_densities.py [Z...] > table.txt      (atomic numbers; all that the table has)
    scripts/atomic_densities.py --check Z...            exit status 1 where the table has other numbers

Spin-restricted, non-relativistic Hartree-Fock of the ground configuration, the open shell spread evenly over its
orbitals, in even-tempered Slater functions on a logarithmic grid; then a fit by positive terms to the least squares of
the relative error. Needs numpy and scipy. An atom takes 1 to 45 s. Scandium does not converge and is left out.
"""

import math
import pathlib
import sys

import numpy
from scipy.optimize import nnls

TABLE = pathlib.Path(__file__).resolve().parents[1] / "resources/tables/atomic_densities.txt"
ELEMENTS = [z for z in range(1, 55) if z != 21]

POINTS = 2000
R = numpy.exp(numpy.linspace(math.log(1e-6), math.log(45.0), POINTS))  # bohr
STEP = math.log(R[1] / R[0])
WEIGHTS = numpy.full(POINTS, STEP)
WEIGHTS[[0, -1]] *= 0.5

# Electrons in s, p, d and f of the ground states that the order of filling does not give.
EXCEPTIONS = {24: (7, 12, 5, 0), 29: (7, 12, 10, 0), 41: (9, 18, 14, 0), 42: (9, 18, 15, 0), 44: (9, 18, 17, 0),
              45: (9, 18, 18, 0), 46: (8, 18, 20, 0), 47: (9, 18, 20, 0)}
FILLING = (0, 0, 1, 0, 1, 0, 2, 1, 0, 2, 1, 0)  # l of 1s 2s 2p 3s 3p 4s 3d 4p 5s 4d 5p 6s
# These have shells that three powers of r do not fit to 2 %.
MORE_POWERS = {4, 30, *range(37, 55)}


def running(f):
    """Integral of f d(log r) from the first point to each."""
    before = numpy.concatenate([f[..., :1] * 0, f[..., :-2]], -1)
    after = numpy.concatenate([f[..., 2:], f[..., :1] * 0], -1)
    total = numpy.zeros_like(f)
    total[..., 1:] = numpy.cumsum(STEP / 24 * (-before + 13 * f[..., :-1] + 13 * f[..., 1:] - after), -1)
    return total


def multipole(f, k):
    """Integral of f(s) min(r, s)^k / max(r, s)^(k + 1) ds at each r."""
    inner, outer = running(f * R ** (k + 1)), running(f / R**k)
    return inner / R ** (k + 1) + (outer[..., -1:] - outer) * R**k


def squared_3j(a, b, c):
    """The square of Wigner's 3j symbol (a b c; 0 0 0)."""
    total = a + b + c
    if total % 2 or c > a + b or c < abs(a - b):
        return 0.0
    f, g = math.factorial, total // 2
    return (f(total - 2 * a) * f(total - 2 * b) * f(total - 2 * c) / f(total + 1) *
            (f(g) / (f(g - a) * f(g - b) * f(g - c))) ** 2)


def ground_state(z):
    if z in EXCEPTIONS:
        return EXCEPTIONS[z]
    electrons, left = [0] * 4, z
    for l in FILLING:
        filled = min(left, 4 * l + 2)
        electrons[l] += filled
        left -= filled
    return tuple(electrons)


class Channel:
    """The electrons of one angular momentum: basis, one-electron matrix, density matrix and natural orbitals."""

    def __init__(self, z, l, electrons):
        self.l, self.electrons = l, electrons
        count = (20, 16, 12, 9)[l]
        if z < 20:
            count = min(count, 6 + z // 2)
        top = ((1.6, 0.8, 0.5, 0.35)[l]) * z + 1
        exponents = numpy.geomspace((0.35, 0.4, 0.5, 0.8)[l], top, max(count, 6))
        norm = numpy.array([math.factorial(2 * l + 2) / (2 * a) ** (2 * l + 3) for a in exponents]) ** -0.5
        self.basis = R ** (l + 1) * numpy.exp(-exponents[:, None] * R) * norm[:, None]
        a, b, both = exponents[:, None], exponents[None, :], norm[:, None] * norm[None, :]
        integral = lambda n: math.factorial(n) / (a + b) ** (n + 1)
        self.overlap = math.factorial(2 * l + 2) / (a + b) ** (2 * l + 3) * both
        kinetic = 0.5 * both * ((l + 1) ** 2 * integral(2 * l) - (l + 1) * (a + b) * integral(2 * l + 1) +
                                a * b * integral(2 * l + 2) + l * (l + 1) * integral(2 * l))
        self.core = kinetic - z * both * integral(2 * l + 1)
        values, vectors = numpy.linalg.eigh(self.overlap)
        kept = values > 1e-9
        self.orthogonal = vectors[:, kept] / numpy.sqrt(values[kept])
        self.take(self.filled(self.core))

    def filled(self, fock):
        _, vectors = numpy.linalg.eigh(self.orthogonal.T @ fock @ self.orthogonal)
        orbitals, left, density = self.orthogonal @ vectors, self.electrons, 0
        for i in range(orbitals.shape[1]):
            if left <= 0:
                break
            n = min(left, 4 * self.l + 2)
            density = density + n * numpy.outer(orbitals[:, i], orbitals[:, i])
            left -= n
        return density

    def take(self, density):
        self.density = density
        half = self.overlap @ self.orthogonal
        values, vectors = numpy.linalg.eigh(half.T @ density @ half)
        kept = numpy.abs(values) > 1e-10
        self.occupations = values[kept]
        self.orbitals = (self.orthogonal @ vectors[:, kept]).T @ self.basis

    def radial(self):
        return self.occupations @ self.orbitals**2


def atom(z):
    """The spherical density at R, bohr^-3."""
    channels = [Channel(z, l, n) for l, n in enumerate(ground_state(z)) if n]
    for step in range(150):
        coulomb = multipole(sum(c.radial() for c in channels), 0)
        new, change = [], 0
        for c in channels:
            fock = c.core
            if z > 1:
                fock = fock + running((c.basis[:, None, :] * c.basis[None, :, :]) * (coulomb * R))[..., -1]
                for other in channels:
                    for k in range(abs(c.l - other.l), c.l + other.l + 1, 2):
                        factor = squared_3j(c.l, k, other.l)
                        if factor == 0:
                            continue
                        for n, orbital in zip(other.occupations, other.orbitals):
                            exchange = multipole(c.basis * orbital, k) * orbital * R
                            fock = fock - 0.5 * n * factor * (exchange * WEIGHTS) @ c.basis.T
                fock = 0.5 * (fock + fock.T)
            new.append(c.filled(fock))
            change = max(change, numpy.abs(c.overlap @ (new[-1] - c.density)).max())
        part = 0.3 if step <= 6 else 0.5
        for c, density in zip(channels, new):
            c.take(c.density + part * (density - c.density))
        if change < 3e-6:
            break
    return sum(c.radial() for c in channels) / (4 * math.pi * R * R)


def fit(z, density):
    """Terms (exponent, power), their factors, and the largest relative errors: everywhere, and where atoms meet."""
    end = R[numpy.searchsorted(-density, -1e-7)]
    r = numpy.unique(numpy.concatenate([numpy.linspace(0.0, end, 1200), numpy.geomspace(0.02 / z, end, 1500)]))
    wanted = numpy.exp(numpy.interp(numpy.log(r + 1e-6), numpy.log(R), numpy.log(density)))
    meeting = (wanted < 0.2) & (wanted > 1e-5)
    weights = numpy.where(meeting, 2.0, 1.0)
    lowest = 1.5 if z == 1 else 1.2 if z == 2 else 0.7
    powers = (0, 2, 4, 6, 8) if z in MORE_POWERS else (0, 2, 4)
    terms = [(a, n) for n in powers for a in numpy.geomspace(lowest, 2.2 * z + 0.6, 30)]

    def solved(chosen):
        values = numpy.stack([r**n * numpy.exp(-a * r) / wanted for a, n in chosen], 1)
        scale = (values * weights[:, None]).max(0)
        scale[scale == 0] = 1
        factors, _ = nnls(values * weights[:, None] / scale, weights, maxiter=5000)
        return factors / scale, numpy.abs(values @ (factors / scale) - 1), scale

    def error_of(errors):
        return numpy.sqrt(numpy.mean((errors * weights) ** 2))

    factors, errors, scale = solved(terms)
    terms = [term for term, kept in zip(terms, factors * scale > 1e-5) if kept]
    factors, errors, _ = solved(terms)
    first = error_of(errors)
    # The least useful goes, one at a time, while that does little harm.
    while len(terms) > 4:
        best = None
        for i in range(len(terms)):
            fewer = terms[:i] + terms[i + 1:]
            found, apart, _ = solved(fewer)
            if best is None or error_of(apart) < best[0]:
                best = (error_of(apart), fewer, found, apart)
        bound = 1.2 * first if z in MORE_POWERS else 1.15 * error_of(errors)
        if best[0] > max(0.006, bound):
            break
        _, terms, factors, errors = best
    kept = sorted(((a, n, f) for (a, n), f in zip(terms, factors) if f > 0), key=lambda t: -t[0])
    return kept, errors.max(), errors[meeting].max()


def lines_of(z):
    if z == 1:
        return ["1 1 0.0000 0.0000", f"0 2 {1 / math.pi:.12g}"]  # exact
    terms, worst, where_atoms_meet = fit(z, atom(z))
    return [f"{z} {len(terms)} {worst:.4f} {where_atoms_meet:.4f}"] + [f"{n} {a:.9g} {f:.9g}" for a, n, f in terms]


def lines_in_table(z):
    """Those of the table: an element's first line has four numbers."""
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    at = next(i for i, line in enumerate(lines) if len(line.split()) == 4 and line.split()[0] == str(z))
    return lines[at:at + 1 + int(lines[at].split()[1])]


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    status = 0
    for z in [int(word) for word in words] or ELEMENTS:
        lines = lines_of(z)
        if "--check" not in sys.argv:
            print("\n".join(lines), flush=True)
            continue
        known = lines_in_table(z)
        same = len(lines) == len(known) and all(
            numpy.allclose([float(x) for x in a.split()], [float(x) for x in b.split()], rtol=1e-4)
            for a, b in zip(lines, known))
        print(f"{z}: {'as in the table' if same else 'NOT as in the table'}", flush=True)
        status = status or (0 if same else 1)
    return status


if __name__ == "__main__":
    sys.exit(main())
