#!/usr/bin/env python3
"""Draws docs/images/spme_scaling.svg and hcp_speedup.svg from spme_cubes.csv and hcp_structures.csv beside this, which hold
what `isolume bench spme` and `isolume bench hcp` printed on the device that docs/performance names. Needs matplotlib.
"""
import csv
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "isolume", "svg.fonttype": "none", "font.size": 11, "font.family": "sans-serif"})
import matplotlib.pyplot as plt  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
IMAGES = HERE.parent / "images"


def rows(name):
    with open(HERE / name) as file:
        return list(csv.DictReader(file))


def finish(figure, axes, name):
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(IMAGES / name, metadata={"Date": None})


def spme():
    table = rows("spme_cubes.csv")
    atoms = [int(r["atoms"]) for r in table]
    times = [float(r["us"]) for r in table]
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    axes.loglog(atoms, times, "o-", color="#0072b2", label="mesh part, forces, H200")
    last = len(atoms) - 1
    axes.loglog(atoms[4:], [times[last] * n / atoms[last] for n in atoms[4:]], "--", color="#0072b2", linewidth=1,
                label="in proportion to the atoms")
    for r, n, t in zip(table, atoms, times):
        if r["side_A"] in ("16", "32", "64", "128", "256"):
            axes.annotate(f"{r['side_A']} Å", (n, t), textcoords="offset points", xytext=(0, 8), ha="center", fontsize=9)
    axes.set_xlabel("atoms (cubes at 0.1 per Å$^3$, mesh of about 1 Å, order 4)")
    axes.set_ylabel("time for forces, µs")
    axes.set_ylim(15, 2500)
    finish(figure, axes, "spme_scaling.svg")


def hcp():
    table = rows("hcp_structures.csv")
    atoms = [int(r["atoms"]) for r in table]
    one = [float(r["one_thread_ms"]) for r in table]
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    both = [a / float(r["gpu_hcp_ms"]) for a, r in zip(one, table)]
    axes.loglog(atoms, both, "o-", color="#d55e00", label="both")
    axes.loglog(atoms, [a / float(r["gpu_all_ms"]) for a, r in zip(one, table)], "s-", color="#0072b2",
                label="GPU alone, all atoms")
    axes.loglog(atoms, [float(r["hcp_one_thread_speedup"]) for r in table], "^-", color="#009e73",
                label="partitioning alone, one thread")
    axes.set_xlabel("atoms of the nine structures")
    axes.set_ylabel("times as fast as one thread, all atoms")
    finish(figure, axes, "hcp_speedup.svg")


if __name__ == "__main__":
    spme()
    hcp()
