#!/usr/bin/env python3
"""Interpolation in multilevel summation: the nodal basis of Isolume beside B-splines with as many nodes.

    msm_bsplines.py      prints CSV: degree, a/h, error of the nodal basis, error of B-splines

One level's kernel gamma(r/a)/a - gamma(r/2a)/2a of 400 charges in a cube of 24 A is interpolated from a lattice of
spacing 1 A at 300 points, with numpy in double precision, and compared with the sum itself. The B-splines are made
interpolating: the transform of the lattice's kernel is divided by that of the sampled B-spline, once for the charges
and once for the points, which gives the kernel unlimited reach. Errors are relative to the RMS of the sum.
"""
import math

import numpy as np

SIDE, COUNT, POINTS, BOX = 24.0, 400, 300, 96


def gamma(rho2, order):
    s = np.minimum(rho2, 1.0) - 1.0
    series = sum(math.prod((-0.5 - i) / (i + 1) for i in range(k)) * s**k for k in range(order + 1))
    return np.where(rho2 <= 1.0, series, 1.0 / np.sqrt(np.maximum(rho2, 1e-12)))


def kernel(r2, a, order):
    return gamma(r2 / a**2, order) / a - gamma(r2 / (4 * a**2), order) / (2 * a)


def lagrange(nodes, t):
    return [np.prod([(t - m) / (n - m) for m in nodes if m != n], axis=0) for n in nodes]


def nodal(p, t):
    """(1 - t) L_0(t) + t L_1(t): p + 1 nodes from -(p-1)/2 on."""
    half = (p - 1) // 2
    weights = np.zeros((p + 1, len(t)))
    for shift, blend in ((0, 1 - t), (1, t)):
        for i, w in enumerate(lagrange(range(shift - half, shift + half + 1), t)):
            weights[i + shift] += blend * w
    return weights


def bspline(p, t):
    """Centred B-splines of degree p (odd), on the same p + 1 nodes."""
    n = p + 1
    rows = [t, 1 - t]  # M_2 at t + 0 and t + 1
    for k in range(3, n + 1):
        rows = [((t + j) * (rows[j] if j < k - 1 else 0) + (k - t - j) * (rows[j - 1] if j > 0 else 0)) / (k - 1)
                for j in range(k)]
    return np.array(rows[::-1])


def relative_error(basis, p, a, order, charges, q, points, exact):
    def weights(x):
        base = np.floor(x).astype(int)
        nodes = (base[None] - (p - 1) // 2 + np.arange(p + 1)[:, None, None]) % BOX
        return nodes, np.stack([basis(p, (x - base)[:, axis]) for axis in range(3)], axis=2)

    lattice = np.zeros((BOX,) * 3)
    nodes, w = weights(charges)
    for i in range(p + 1):
        for j in range(p + 1):
            for k in range(p + 1):
                np.add.at(lattice, (nodes[i, :, 0], nodes[j, :, 1], nodes[k, :, 2]),
                          q * w[i, :, 0] * w[j, :, 1] * w[k, :, 2])
    d = np.minimum(np.arange(BOX), BOX - np.arange(BOX))**2.0
    green = np.fft.rfftn(kernel(d[:, None, None] + d[None, :, None] + d[None, None, :], a, order))
    if basis is bspline:
        sampled = np.zeros(BOX)
        sampled[np.arange(p + 1) - (p - 1) // 2] = bspline(p, np.zeros(1))[:, 0]
        f = np.fft.fft(sampled).real
        green /= (f[:, None, None] * f[None, :, None] * f[None, None, :BOX // 2 + 1])**2
    potential = np.fft.irfftn(np.fft.rfftn(lattice) * green, s=(BOX,) * 3, axes=(0, 1, 2))
    nodes, w = weights(points)
    found = np.zeros(len(points))
    for i in range(p + 1):
        for j in range(p + 1):
            for k in range(p + 1):
                found += potential[nodes[i, :, 0], nodes[j, :, 1], nodes[k, :, 2]] * w[i, :, 0] * w[j, :, 1] * w[k, :, 2]
    return np.sqrt(np.mean((found - exact)**2) / np.mean(exact**2))


def main():
    rng = np.random.default_rng(1)
    charges, points = 36 + rng.uniform(0, SIDE, (COUNT, 3)), 36 + rng.uniform(0, SIDE, (POINTS, 3))
    q = np.where(np.arange(COUNT) % 2, 1.0, -1.0)
    print("degree,smoothing,a_over_h,nodal,bspline")
    for p, order in ((3, 2), (5, 3), (7, 4)):
        for a in (3.0, 4.0, 6.0, 8.0, 12.0):
            r2 = ((points[:, None] - charges[None])**2).sum(2)
            exact = kernel(r2, a, order) @ q
            row = [relative_error(basis, p, a, order, charges, q, points, exact) for basis in (nodal, bspline)]
            print(f"{p},{order},{a:g},{row[0]:.3e},{row[1]:.3e}", flush=True)


if __name__ == "__main__":
    main()
