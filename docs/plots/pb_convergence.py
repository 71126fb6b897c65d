#!/usr/bin/env python3
"""Measures how the error of Poisson-Boltzmann falls with the step, and draws docs/images/pb_convergence.svg.

    pb_convergence.py PROGRAM [--only-draw]     PROGRAM: build/release/bin/isolume; needs matplotlib to draw

Solvation energies of spheres against Born's formula and the series of Kirkwood, and of Tanford and Kirkwood (120 to 160
terms). Permittivity 78.54 outside, 0.15 mol/l, ion radius 2 angstrom. The error is the root mean square over four places
of the sphere between the nodes. The order is the slope of a line through the logarithms. The numbers are kept in
pb_convergence.csv.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "pb_convergence.csv"
PICTURE = HERE.parent / "images" / "pb_convergence.svg"
STEPS = [1.0, 0.75, 0.5, 0.375, 0.25]
PLACES = [(0.13, -0.2, 0.3), (0.4, 0.1, -0.35), (-0.25, 0.45, 0.05), (0.02, -0.33, -0.18)]  # of a step
COULOMB = 332.0637  # kcal angstrom / (mol e^2)
KAPPA = 0.12728218167158462  # 1/angstrom
EIGHT = [(1.8676, -2.4922, 11.5888, 1), (-11.0601, 4.5499, -0.9862, -1), (-1.9905, 5.9874, -10.2073, 1),
         (-5.8973, -0.6837, 10.4286, 1), (0.5164, 5.1941, -10.8053, -1), (-8.7764, 6.8682, -4.4501, -1),
         (-0.3253, 3.7741, -11.3864, 1), (-7.3526, -0.5744, -9.4663, -1)]


def born(radius, inside):
    outer = radius + 2
    return -COULOMB / 2 * ((1 / inside - 1 / 78.54) / radius + KAPPA / (78.54 * (1 + KAPPA * outer)))


# name, radius, permittivity inside, charges, energy in kcal/mol
CASES = [("Born, R = 1 A", 1, 1, [(0, 0, 0, 1)], born(1, 1)),
         ("Born, R = 3 A", 3, 2, [(0, 0, 0, 1)], born(3, 2)),
         ("charge 2 A below the surface", 10, 2, [(0, 0, 8, 1)], -93.68491348703101 / 4.184),
         ("two charges, R = 6 A", 6, 4, [(1, 2, 3, 1), (-2, 0.5, -2.5, -1)], -39.25021947689036 / 4.184),
         ("eight charges, R = 14 A", 14, 4, EIGHT, -245.877285235425 / 4.184)]


def write_grid(path, half, step, place):
    n = 2 * round(half / step) + 1
    low = [-step * (n - 1) / 2 + step * part for part in place]
    with open(path, "w") as out:
        out.write(f"object 1 class gridpositions counts {n} {n} {n}\norigin {low[0]} {low[1]} {low[2]}\n")
        out.write(f"delta {step} 0 0\ndelta 0 {step} 0\ndelta 0 0 {step}\n")
        out.write(f"object 2 class gridconnections counts {n} {n} {n}\n")
        out.write(f"object 3 class array type double rank 0 items {n ** 3} data follows\n")
        out.write("0 0 0\n" * (n ** 3 // 3) + "0 " * (n ** 3 % 3) + "\n")


def measure(program):
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for name, radius, inside, charges, exact in CASES:
            centred = charges == [(0, 0, 0, 1)]
            atoms = [(0, 0, 0, 1 if centred else 0, radius)] + ([] if centred else [(*c, 0) for c in charges])
            with open(f"{work}/sphere.pqr", "w") as out:
                for i, (x, y, z, charge, size) in enumerate(atoms):
                    out.write(f"ATOM {i + 1} C SPH 1 {x:.4f} {y:.4f} {z:.4f} {charge:.4f} {size:.4f}\n")
            for step in STEPS:
                squares = 0
                for place in PLACES:
                    write_grid(f"{work}/grid.dx", radius + 6, step, place)
                    subprocess.run([program, "compute", "potential", f"{work}/sphere.pqr", "--method", "pb", "--like",
                                    f"{work}/grid.dx", "--solute-dielectric", str(inside), "--boundary-surface", "vdw",
                                    "--out", f"{work}/phi.mrc", "--report", f"{work}/r.json", "--device", "cpu",
                                    "--quiet", "--no-record"], check=True)
                    found = json.load(open(f"{work}/r.json"))["result"]["solvation_energy"]
                    squares += (found / exact - 1) ** 2 / len(PLACES)
                rows.append([name, step, f"{math.sqrt(squares):.3e}"])
                print(rows[-1], flush=True)
    with open(TABLE, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["case", "step_A", "relative_rms"])
        writer.writerows(rows)


def order(steps, errors):
    x, y = [math.log(s) for s in steps], [math.log(e) for e in errors]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def draw():
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "isolume", "svg.fonttype": "none", "font.size": 11,
                                "font.family": "sans-serif"})
    import matplotlib.pyplot as plt
    rows = list(csv.DictReader(open(TABLE)))
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    for (name, *_), marker in zip(CASES, "osD^v"):
        steps = [float(r["step_A"]) for r in rows if r["case"] == name]
        errors = [100 * float(r["relative_rms"]) for r in rows if r["case"] == name]
        slope = order(steps, errors)
        print(f"{name}: order {slope:.1f}", " ".join(f"{s:g} A {e:.3g} %" for s, e in zip(steps, errors)))
        axes.loglog(steps, errors, marker=marker, label=f"{name} (order {slope:.1f})")
    axes.loglog([0.25, 1], [0.05, 0.2], "--", color="grey", linewidth=1, label="order 1")
    axes.set_xticks(STEPS, [f"{s:g}" for s in STEPS])
    axes.minorticks_off()
    axes.set_xlabel("step, Å")
    axes.set_ylabel("error of the solvation energy, %")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="lower right")
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if "--only-draw" not in sys.argv:
        measure(sys.argv[1])
    draw()
