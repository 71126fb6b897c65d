#!/usr/bin/env python3
"""APBS' time and energy for a Poisson-Boltzmann problem, for tests/bench/bench_poisson_boltzmann.cpp.

    poisson_boltzmann_apbs.py PQR [N]    one cube of N^3 points (129) around the molecule, 10 angstrom about it

Two solutions: in the solvent, and in a medium of the solute's permittivity without ions, whose difference is the
solvation energy. Seconds are of its one core (user and system). Needs APBS (Debian package apbs).
"""
import os
import resource
import subprocess
import sys
import tempfile

RUN = """elec name {name}
  mg-manual
  dime {n} {n} {n}
  glen {side} {side} {side}
  gcent {x} {y} {z}
  mol 1
  lpbe
  bcfl mdh
  {ions}
  pdie 2.0
  sdie {dielectric}
  srfm smol
  chgm spl2
  sdens 10.0
  srad 1.4
  swin 0.3
  temp 298.15
  calcenergy total
  calcforce no
end
"""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 129
    atoms = []
    for line in open(sys.argv[1]):
        if line.startswith(("ATOM", "HETATM")):
            atoms.append([float(word) for word in line.split()[-5:]])
    lower = [min(a[i] - a[4] for a in atoms) for i in range(3)]
    upper = [max(a[i] + a[4] for a in atoms) for i in range(3)]
    side = max(b - a for a, b in zip(lower, upper)) + 20
    x, y, z = ((a + b) / 2 for a, b in zip(lower, upper))
    ions = "ion charge 1 conc 0.15 radius 2.0\n  ion charge -1 conc 0.15 radius 2.0"
    common = dict(n=n, side=side, x=x, y=y, z=z)
    text = (f"read\n  mol pqr {os.path.abspath(sys.argv[1])}\nend\n"
            + RUN.format(name="solv", ions=ions, dielectric=78.54, **common)
            + RUN.format(name="ref", ions="", dielectric=2.0, **common)
            + "print elecEnergy solv - ref end\nquit\n")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "apbs.in")
        with open(path, "w") as out:
            out.write(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run(["apbs", path], cwd=folder, capture_output=True, text=True,
                                env=dict(os.environ, OMP_NUM_THREADS="1"))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    energy = [line.split("=")[1].strip() for line in result.stdout.splitlines() if "Global net ELEC energy" in line]
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    if not energy:
        sys.exit(f"apbs failed: {result.stdout[-500:]} {result.stderr[-500:]}")
    print(f"APBS: {len(atoms)} atoms, {n}^3 points at {side / (n - 1):.3f} A: {energy[0]}, {seconds:.1f} s of one core "
          f"for two solutions, peak {after.ru_maxrss / 1024:.0f} MiB")


main()
