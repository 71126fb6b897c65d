#!/usr/bin/env python3
"""Radial distribution functions beside MDAnalysis and freud: points at the density of water's oxygens, at random.

    rdf.py [POINTS [CUTOFF]]

Times one frame with a cutoff (default: 100 000 points, 10 angstrom) and all pairs of 10 000 points up to half the edge
of the cell, on the threads that each takes: freud two, MDAnalysis one.
"""

import sys
import time
import warnings

import freud
import MDAnalysis as mda
import numpy as np
from MDAnalysis.analysis.rdf import InterRDF

warnings.simplefilter("ignore")


def points_of(count):
    side = (count / 0.0334) ** (1 / 3)
    return np.random.default_rng(1).random((count, 3), dtype=np.float32) * np.float32(side), side


def timed(what, call, repeats=3):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
        if times[-1] > 20:
            break
    print(f"{what:<60} {sorted(times)[len(times) // 2] * 1e3:10.1f} ms ({min(times) * 1e3:.1f} to {max(times) * 1e3:.1f})")


def problem(count, cutoff, bins):
    points, side = points_of(count)
    reach = cutoff or side / 2 * 0.9999
    name = f"{count} points, {f'{cutoff:g} A' if cutoff else 'all pairs'}, {bins} bins"
    box = freud.box.Box.cube(side)
    wrapped = box.wrap(points - np.float32(side / 2))
    rdf = freud.density.RDF(bins=bins, r_max=reach)
    timed(f"freud {freud.__version__}, {name}", lambda: rdf.compute((box, wrapped), reset=True))
    u = mda.Universe.empty(count, trajectory=True)
    u.atoms.positions = points
    u.dimensions = [side, side, side, 90, 90, 90]
    run = lambda: InterRDF(u.atoms, u.atoms, nbins=bins, range=(0, reach), exclusion_block=(1, 1)).run()
    timed(f"MDAnalysis {mda.__version__}, {name}", run)


freud.parallel.set_num_threads(2)
many = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
problem(many, float(sys.argv[2]) if len(sys.argv) > 2 else 10.0, 500)
problem(10_000, None, 500)
