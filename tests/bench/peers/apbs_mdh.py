#!/usr/bin/env python3
"""APBS' multiple Debye-Hueckel boundary: reference values, and its time.

    apbs_mdh.py reference FOLDER    writes spheres.pqr and apbs_mdh_faces.csv (tests/data/potential)
    apbs_mdh.py time [ATOMS] [N]    seconds for ATOMS atoms on the six faces of N^3 points (10000, 193)

Needs APBS (Debian package apbs, 3.4.1 when the stored values were made). The time is that of a run that sets up the
problem without solving it (mg-dummy) with the boundary, less that of the same run with a boundary of zeros; seconds of
its one core, so that other work on the machine counts little.
"""
import os
import random
import resource
import subprocess
import sys
import tempfile

INPUT = """read
  mol pqr {pqr}
end
elec name tot
  {kind}
  dime {n} {n} {n}
  glen {length} {length} {length}
  gcent mol 1
  mol 1
  lpbe
  bcfl {boundary}
  ion charge 1 conc 0.150 radius 2.0
  ion charge -1 conc 0.150 radius 2.0
  pdie 2.0
  sdie 78.54
  srfm smol
  chgm spl2
  sdens 10.0
  srad 1.4
  swin 0.3
  temp 298.15
  calcenergy no
  calcforce no
  {write}
end
quit
"""


def write_pqr(path, count, side, seed):
    """Charges of -1 to 1 e and radii of 1 to 2.2 angstrom at random places of a cube, neutral but for +1."""
    draw = random.Random(seed)
    spheres = [[draw.uniform(-side / 2, side / 2) for _ in range(3)] + [draw.uniform(-1, 1), draw.uniform(1, 2.2)]
               for _ in range(count)]
    excess = (sum(s[3] for s in spheres) - 1) / count
    with open(path, "w") as out:
        for i, (x, y, z, q, r) in enumerate(spheres):
            out.write(f"ATOM  {i % 99999 + 1:5d}  C   SPH {i % 9999 + 1:5d} {x:9.3f} {y:9.3f} {z:9.3f} "
                      f"{q - excess:8.4f} {r:6.4f}\n")


def run(folder, **values):
    with open(os.path.join(folder, "apbs.in"), "w") as out:
        out.write(INPUT.format(**values))
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["apbs", "apbs.in"], cwd=folder, check=True, capture_output=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - begin.ru_utime


def read_dx(path):
    counts, origin, delta, values = None, None, [], []
    for line in open(path):
        if line.startswith("object 1"):
            counts = [int(v) for v in line.split()[-3:]]
        elif line.startswith("origin"):
            origin = [float(v) for v in line.split()[1:]]
        elif line.startswith("delta"):
            delta.append([float(v) for v in line.split()[1:]])
        elif line[0] in "-0123456789":
            values += [float(v) for v in line.split()]
    return counts, origin, [delta[i][i] for i in range(3)], values


def reference(folder):
    pqr = os.path.join(folder, "spheres.pqr")
    write_pqr(pqr, 24, 12.0, 1)
    with tempfile.TemporaryDirectory() as work:
        run(work, pqr=os.path.abspath(pqr), kind="mg-manual", n=33, length=32, boundary="mdh", write="write pot dx mdh")
        name = next(f for f in os.listdir(work) if f.startswith("mdh") and f.endswith(".dx"))
        n, origin, step, values = read_dx(os.path.join(work, name))
    with open(os.path.join(folder, "apbs_mdh_faces.csv"), "w") as out:
        out.write("# Potential in kT/e (298.15 K) of spheres.pqr on the faces of a box, by APBS' boundary mdh:\n"
                  "# 0.15 mol/l, dielectric 78.54. x,y,z in angstrom, potential.\n")
        number = 0
        for i in range(n[0]):
            for j in range(n[1]):
                for k in range(n[2]):
                    if not any(at in (0, last - 1) for at, last in zip((i, j, k), n)):
                        continue
                    number += 1
                    if number % 13:
                        continue
                    at = [o + s * c for o, s, c in zip(origin, step, (i, j, k))]
                    value = values[(i * n[1] + j) * n[2] + k]
                    out.write(f"{at[0]:.6f},{at[1]:.6f},{at[2]:.6f},{value:.6e}\n")


def measure(atoms, n):
    with tempfile.TemporaryDirectory() as work:
        side = (atoms * 10.0) ** (1 / 3)
        write_pqr(os.path.join(work, "spheres.pqr"), atoms, side, 1)
        seconds = {}
        for boundary in ("zero", "mdh"):
            seconds[boundary] = run(work, pqr="spheres.pqr", kind="mg-dummy", n=n, length=round(2 * side), write="",
                                    boundary=boundary)
        faces = 6 * n * n
        taken = seconds["mdh"] - seconds["zero"]
        print(f"{atoms} atoms, {faces} points on faces: {taken:.2f} s "
              f"({seconds['mdh']:.2f} s with, {seconds['zero']:.2f} s without the boundary), "
              f"{atoms * faces / taken / 1e9:.4f} G pairs/s, one core")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "reference":
        reference(sys.argv[2])
    elif len(sys.argv) >= 2 and sys.argv[1] == "time":
        measure(int(sys.argv[2]) if len(sys.argv) > 2 else 10000, int(sys.argv[3]) if len(sys.argv) > 3 else 193)
    else:
        sys.exit(__doc__)
