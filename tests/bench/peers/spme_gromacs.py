"""GROMACS' PME mesh part on two threads, beside bench_spme: the same water, mesh and order (4), by turns.

Usage: spme_gromacs.py [FOLDER [BENCH_SPME [TURNS]]]. Makes water boxes with `gmx` (Debian's package gromacs) in FOLDER (build/gromacs), runs
a few hundred steps and prints the wall time per step of the mesh part and of its steps, from GROMACS' own log. Where
FOLDER already holds NAME.tpr it is used as it is. With BENCH_SPME, that program runs on the same coordinates after each.
"""

import pathlib
import re
import shutil
import subprocess
import sys

SIZES = [
    ("dhfr", (6.223, 6.223, 6.223), 7852, (64, 64, 64), 300),
    ("apoa1", (10.886, 10.886, 7.776), 30741, (108, 108, 80), 100),
]
MDP = """integrator = md
nsteps = {steps}
dt = 0.0005
cutoff-scheme = Verlet
nstlist = 20
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
pme-order = 4
fourier-nx = {mesh[0]}
fourier-ny = {mesh[1]}
fourier-nz = {mesh[2]}
nstcalcenergy = 100
"""
TOP = '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/tip3p.itp"\n[ system ]\nwater\n[ molecules ]\n'


def prepare(gmx, folder, name, box, waters, mesh, steps):
    if (folder / f"{name}.tpr").exists():
        return
    run = lambda *words: subprocess.run([gmx, *words], cwd=folder, check=True, capture_output=True)
    run("solvate", "-cs", "spc216.gro", "-box", *map(str, box), "-maxsol", str(waters), "-o", f"{name}.gro")
    atoms = int((folder / f"{name}.gro").read_text().splitlines()[1])
    (folder / f"{name}.top").write_text(TOP + f"SOL {atoms // 3}\n")
    (folder / f"{name}.mdp").write_text(MDP.format(steps=steps, mesh=mesh))
    run("grompp", "-f", f"{name}.mdp", "-c", f"{name}.gro", "-p", f"{name}.top", "-o", f"{name}.tpr", "-maxwarn", "9")


def main():
    gmx = shutil.which("gmx")
    if gmx is None:
        print("GROMACS: gmx is not installed")
        return
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/gromacs")
    folder.mkdir(parents=True, exist_ok=True)
    for name, box, waters, mesh, steps in SIZES:
        prepare(gmx, folder, name, box, waters, mesh, steps)
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for turn, (name, _, _, mesh, steps) in [(t, size) for t in range(turns) for size in SIZES]:
        words = ["mdrun", "-s", f"{name}.tpr", "-deffnm", f"run_{name}", "-ntmpi", "1", "-ntomp", "2", "-notunepme",
                 "-nsteps", str(steps), "-resethway", "-noconfout"]
        subprocess.run([gmx, *words], cwd=folder, check=True, capture_output=True)
        log = (folder / f"run_{name}.log").read_text()
        atoms = re.search(r"There are: (\d+) Atoms", log)
        print(f"GROMACS, 2 threads, {atoms.group(1) if atoms else '?'} atoms, mesh {mesh}, order 4: ms a step")
        for row in ("PME mesh", "PME spread", "PME 3D-FFT", "PME solve Elec", "PME gather"):
            # Name, ranks, threads, calls, wall seconds, ...; the steps of the mesh part are listed with it.
            found = re.search(rf"^\s*{re.escape(row)}\s+(?:\d+\s+\d+\s+)?(\d+)\s+([\d.]+)", log, re.M)
            if found:
                calls = int(found.group(1))
                steps_run = calls / 2 if row == "PME 3D-FFT" else calls
                print(f"  {1e3 * float(found.group(2)) / steps_run:10.4f}  {row}")
        if len(sys.argv) > 2:
            ours = [sys.argv[2], "--device", "cpu", "--repeats", str(steps // 2), "--gro", str(folder / f"{name}.gro"), "--mesh"]
            print(subprocess.run([*ours, *map(str, mesh)], check=True, capture_output=True, text=True).stdout, end="")


if __name__ == "__main__":
    main()
