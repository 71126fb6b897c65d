#!/usr/bin/env python3
"""Energies by term and forces of AMBER systems by OpenMM (Reference platform, double precision), as JSON.

    python3 dynamics_openmm.py SHARED_DATA OUT_FOLDER

writes t4l_openmm.json (no cell: Lennard-Jones switched off from 8.5 to 10 angstrom, Coulomb over all pairs) and
ala2_openmm.json (periodic: the same switch, Coulomb by PME to 1e-7). Units: kcal/mol, angstrom. OpenMM's Coulomb constant
is that of CODATA (332.0637), not AMBER's. Coordinates are rounded to single precision, as Isolume keeps them: a bond's
force changes by 1e-3 with them. Forces of every tenth atom.
"""
import copy
import gzip
import json
import os
import shutil
import sys
import tempfile

import numpy
import openmm
from openmm import app, unit

KCAL = unit.kilocalorie_per_mole


def unpacked(path, folder):
    if not path.endswith(".gz"):
        return path
    out = os.path.join(folder, os.path.basename(path)[:-3])
    with gzip.open(path, "rb") as source, open(out, "wb") as target:
        shutil.copyfileobj(source, target)
    return out


def evaluate(system, positions, box):
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference"))
    if box is not None:
        context.setPeriodicBoxVectors(*box)
    context.setPositions(positions)
    state = context.getState(getEnergy=True, getForces=True)
    forces = state.getForces(asNumpy=True).value_in_unit(KCAL / unit.angstrom)
    return state.getPotentialEnergy().value_in_unit(KCAL), forces


def only(system, keep):
    """The system with one force, perhaps changed by keep(force)."""
    result = copy.deepcopy(system)
    for index in reversed(range(result.getNumForces())):
        if not keep(result.getForce(index)):
            result.removeForce(index)
    return result


def without_charges(force):
    for i in range(force.getNumParticles()):
        _, sigma, epsilon = force.getParticleParameters(i)
        force.setParticleParameters(i, 0, sigma, epsilon)
    for i in range(force.getNumExceptions()):
        a, b, _, sigma, epsilon = force.getExceptionParameters(i)
        force.setExceptionParameters(i, a, b, 0, sigma, epsilon)


def without_lennard_jones(force):
    for i in range(force.getNumParticles()):
        charge, _, _ = force.getParticleParameters(i)
        force.setParticleParameters(i, charge, 1, 0)
    for i in range(force.getNumExceptions()):
        a, b, charge, _, _ = force.getExceptionParameters(i)
        force.setExceptionParameters(i, a, b, charge, 1, 0)


def reference(topology, coordinates, folder):
    prmtop = app.AmberPrmtopFile(unpacked(topology, folder))
    inpcrd = app.AmberInpcrdFile(coordinates)
    box = inpcrd.boxVectors
    single = numpy.float32([[c.value_in_unit(unit.angstrom) for c in p] for p in inpcrd.positions]).astype(float)
    positions = single * unit.angstrom
    system = prmtop.createSystem(nonbondedMethod=app.PME if box else app.NoCutoff, constraints=None, rigidWater=False,
                                 removeCMMotion=False, nonbondedCutoff=1 * unit.nanometer)
    parts = {}
    forces = None
    kinds = {"bonds": openmm.HarmonicBondForce, "angles": openmm.HarmonicAngleForce,
             "dihedrals": openmm.PeriodicTorsionForce}
    systems = {name: only(system, lambda f, kind=kind: isinstance(f, kind)) for name, kind in kinds.items()}
    lennard_jones = only(system, lambda f: isinstance(f, openmm.NonbondedForce))
    force = lennard_jones.getForce(0)
    without_charges(force)
    force.setNonbondedMethod(force.CutoffPeriodic if box else force.CutoffNonPeriodic)
    force.setCutoffDistance(1.0)
    force.setUseSwitchingFunction(True)
    force.setSwitchingDistance(0.85)
    force.setUseDispersionCorrection(False)
    systems["lennard_jones"] = lennard_jones
    coulomb = only(system, lambda f: isinstance(f, openmm.NonbondedForce))
    force = coulomb.getForce(0)
    without_lennard_jones(force)
    force.setUseDispersionCorrection(False)
    if box:
        force.setEwaldErrorTolerance(1e-7)
    systems["electrostatics"] = coulomb
    for name, part in systems.items():
        energy, own = evaluate(part, positions, box)
        parts[name] = energy
        forces = own if forces is None else forces + own
    return {
        "source": f"OpenMM {openmm.__version__}, Reference platform; tests/bench/peers/dynamics_openmm.py",
        "atoms": system.getNumParticles(),
        "energies": parts,
        "every": 10,
        "forces": [[round(float(x), 6) for x in f] for f in forces[::10]],
    }


def main():
    shared, out = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        for name, topology, coordinates in (
                ("t4l", "structures/t4l/complex.prmtop.gz", "structures/t4l/complex.crd"),
                ("ala2", "structures/ala2/alanine-dipeptide.prmtop", "structures/ala2/alanine-dipeptide.crd")):
            result = reference(os.path.join(shared, topology), os.path.join(shared, coordinates), folder)
            print(name, result["energies"])
            with open(os.path.join(out, name + "_openmm.json"), "w") as file:
                json.dump(result, file, separators=(",", ":"))
                file.write("\n")


if __name__ == "__main__":
    main()
