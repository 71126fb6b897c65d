#!/usr/bin/env python3
"""Runs short dynamics with every method and draws docs/images/dynamics.svg.

    dynamics.py PROGRAM SHARED_DATA      PROGRAM: build/release/bin/isolume
    dynamics.py --only-draw              from the tables beside this; needs matplotlib

Left: T4 lysozyme (2621 atoms) in Langevin's bath at 300 K, friction 50 1/ps, 1 fs, sigmoidal dielectric, all atoms and by
hierarchical charge partitioning. Right: total energy at constant energy, 0.5 fs, as it differs from its first value.
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PICTURE = HERE.parent / "images" / "dynamics.svg"
PROTEIN = ["structures/t4l/complex.prmtop.gz", "structures/t4l/complex.crd"]
WATER = ["structures/ala2/alanine-dipeptide.prmtop", "structures/ala2/alanine-dipeptide.crd"]
SIGMOIDAL = ["--dielectric", "sigmoidal"]
HCP = ["--method", "hcp", "--thresholds", "15"] + SIGMOIDAL
BATH = ["--time", "2", "--friction", "50", "--every", "10"]
CONSTANT = ["--integrator", "verlet", "--time", "1", "--time-step", "0.5", "--every", "10"]
RUNS = {
    "bath_hcp": (PROTEIN, BATH + HCP),
    "bath_all": (PROTEIN, BATH + ["--method", "direct"] + SIGMOIDAL),
    "verlet_all": (PROTEIN, CONSTANT + ["--method", "direct"] + SIGMOIDAL),
    "verlet_hcp": (PROTEIN, CONSTANT + HCP),
    "verlet_spme": (WATER, CONSTANT + ["--method", "spme"]),
    "verlet_msm": (WATER, CONSTANT + ["--method", "msm"]),
}


def measure(program, data):
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for name, (files, options) in RUNS.items():
            subprocess.run([program, "compute", "dynamics", *[os.path.join(data, f) for f in files], *options,
                            "--energies", f"{work}/e.csv", "--device", "cpu", "--quiet"], check=True)
            for r in list(csv.DictReader(open(f"{work}/e.csv")))[::2]:
                rows.append([name, r["time_ps"], r["total"], r["potential"], r["temperature_K"]])
    with open(HERE / "dynamics.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["run", "time_ps", "total", "potential", "temperature_K"])
        writer.writerows(rows)


def draw():
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "isolume", "svg.fonttype": "none", "font.size": 11,
                                "font.family": "sans-serif"})
    import matplotlib.pyplot as plt
    rows = list(csv.DictReader(open(HERE / "dynamics.csv")))

    def column(run, name):
        return [float(r[name]) for r in rows if r["run"] == run]

    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.2))
    for run, label, colour, style in (("bath_all", "all atoms", "#0072b2", "-"), ("bath_hcp", "hcp 15 Å", "#d55e00", "--")):
        left.plot(column(run, "time_ps"), column(run, "temperature_K"), style, color=colour, label=label)
    left.axhline(300, color="0.5", linewidth=1, linestyle=":")
    left.set_xlabel("time, ps")
    left.set_ylabel("temperature, K")
    left.set_title("T4 lysozyme in a bath of 300 K", fontsize=11)
    left.legend(frameon=False, loc="lower right")
    for run, label, colour in (("verlet_all", "T4 lysozyme, all atoms", "#0072b2"),
                               ("verlet_hcp", "T4 lysozyme, hcp 15 Å", "#d55e00"),
                               ("verlet_spme", "dipeptide in water, spme", "#009e73"),
                               ("verlet_msm", "dipeptide in water, msm", "#cc79a7")):
        total = column(run, "total")
        atoms = 2621 if "lysozyme" in label else 2269
        right.plot(column(run, "time_ps"), [1000 * (t - total[0]) / atoms for t in total], color=colour, label=label,
                   linewidth=1)
    right.set_xlabel("time, ps")
    right.set_ylabel("energy less the first, cal/mol per atom")
    right.set_title("constant energy, velocity Verlet at 0.5 fs", fontsize=11)
    right.legend(frameon=False)
    for axes in (left, right):
        axes.grid(True, alpha=0.3)
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    if "--only-draw" not in sys.argv:
        if len(sys.argv) < 3:
            sys.exit(__doc__)
        measure(sys.argv[1], sys.argv[2])
    draw()
