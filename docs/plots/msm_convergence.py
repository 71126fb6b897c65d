#!/usr/bin/env python3
"""Measures how the error of multilevel summation falls with the lattice spacing, and draws docs/images/msm_convergence.svg.

    msm_convergence.py PROGRAM [--only-draw]     PROGRAM: build/release/bin/isolume; needs matplotlib to draw

Charges: 2000 at random places of a cube of 30 angstrom, so that no order cancels errors; map at 1.3 angstrom; a = 5
angstrom; Taylor series of order 3, 4, 4, smooth enough for their degree. The errors are those that the program reports
(2000 points against the direct sum in double precision). Left: the nodal basis. Right: B-splines, with those of the left
faintly behind them. Dashed: the slopes h^p of the published bound h^p / a^(p + 1), and for B-splines h^(p + 1), their
order of approximation. The numbers are kept in msm_convergence.csv beside this.
"""
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "msm_convergence.csv"
PICTURE = HERE.parent / "images" / "msm_convergence.svg"
SPACINGS = [0.3125, 0.45, 0.625, 0.9, 1.25, 1.8]
BASES = {"nodal": "nodal basis", "bspline": "B-splines"}


def measure(program):
    rows = []
    with tempfile.TemporaryDirectory() as work:
        charges = f"{work}/charges.pqr"
        draw_from = random.Random(7)
        values = [draw_from.uniform(-1, 1) for _ in range(2000)]
        with open(charges, "w") as out:
            for i, value in enumerate(values):
                x, y, z = (draw_from.uniform(0, 30) for _ in range(3))
                out.write(f"ATOM {i + 1} C SPH {i + 1} {x:.4f} {y:.4f} {z:.4f} {value - sum(values) / 2000:.6f} 1.5\n")
        for basis, degree, smoothing in ((b, p, t) for b in BASES for p, t in ((3, 3), (5, 4), (7, 4))):
            for h in SPACINGS:
                subprocess.run([program, "compute", "potential", charges, "--method", "msm", "--cutoff", "5",
                                "--lattice-spacing", str(h), "--degree", str(degree), "--smoothing", str(smoothing),
                                "--basis", basis, "--spacing", "1.3", "--out", f"{work}/phi.dx", "--report", f"{work}/r.json",
                                "--device", "cpu", "--quiet"], check=True)
                error = json.load(open(f"{work}/r.json"))["error"]
                rows.append([basis, degree, smoothing, 5, h, error["relative"], error["max"]])
                print(rows[-1], flush=True)
    with open(TABLE, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["basis", "degree", "smoothing", "cutoff_A", "spacing_A", "relative_rms", "max_V"])
        writer.writerows(rows)


def draw():
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "isolume", "svg.fonttype": "none", "font.size": 11,
                                "font.family": "sans-serif"})
    import matplotlib.pyplot as plt
    rows = list(csv.DictReader(open(TABLE)))
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.4), sharey=True)
    curves = {}
    for row in rows:
        curves.setdefault((row["basis"], int(row["degree"])), []).append((float(row["spacing_A"]),
                                                                          float(row["relative_rms"])))
    styles = ((3, "#0072b2", "o"), (5, "#d55e00", "s"), (7, "#009e73", "^"))
    for axes, (basis, title) in zip(panels, BASES.items()):
        for degree, colour, marker in styles:
            h, error = zip(*sorted(curves[basis, degree]))
            order = degree if basis == "nodal" else degree + 1
            axes.loglog(h, error, marker=marker, color=colour, label=f"p = {degree}")
            # Of p = 7 with B-splines the Taylor series of order 4 shows nothing.
            if order < 8:
                axes.loglog(h, [error[3] * (x / h[3]) ** order for x in h], "--", color=colour, linewidth=1)
            if basis != "nodal":
                axes.loglog(*zip(*sorted(curves["nodal", degree])), color=colour, alpha=0.25, linewidth=2.5, zorder=0)
        axes.set_title(title, fontsize=11)
        axes.set_xlabel("lattice spacing h (Å), a = 5 Å")
        axes.set_xticks(SPACINGS, [f"{x:g}" for x in SPACINGS])
        axes.minorticks_off()
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(frameon=False)
    panels[0].set_ylabel("relative RMS error, measured")
    panels[0].set_ylim(2e-7, 5e-2)
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if "--only-draw" not in sys.argv:
        measure(sys.argv[1])
    draw()
