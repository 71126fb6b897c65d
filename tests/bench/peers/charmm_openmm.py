#!/usr/bin/env python3
"""Energies by term and forces of CHARMM systems by OpenMM (Reference platform, double precision), as JSON.

    python3 charmm_openmm.py SHARED_DATA FOLDER

reads FOLDER/made_up.prm and FOLDER/*_numbers.rtf (charmm_parameters.py) and writes there parv_openmm.json (no cell:
Lennard-Jones switched off from 8.5 to 10 angstrom, Coulomb over all pairs), ala3_openmm.json and, of DHFR, energies
only, dhfr_openmm.json (periodic: the same switch, Coulomb by PME to 1e-7). Units: kcal/mol, angstrom. OpenMM's Coulomb
constant is that of CODATA (332.0637), not CHARMM's (332.0716). Coordinates are rounded to single precision. Forces of
every tenth atom.
"""
import json
import os
import sys
import tempfile

import numpy
import openmm
from openmm import app, unit

from dynamics_openmm import evaluate, only, unpacked, without_charges, without_lennard_jones


def switched(force, periodic):
    force.setNonbondedMethod(force.CutoffPeriodic if periodic else force.CutoffNonPeriodic)
    force.setCutoffDistance(1.0)
    force.setUseSwitchingFunction(True)
    force.setSwitchingDistance(0.85)


def reference(shared, folder, psf_name, coordinates, topologies, box, every):
    with tempfile.TemporaryDirectory() as temporary:
        psf = app.CharmmPsfFile(unpacked(os.path.join(shared, psf_name), temporary))
        path = unpacked(os.path.join(shared, coordinates), temporary)
        places = (app.CharmmCrdFile(path) if path.endswith(".crd") else app.PDBFile(path)).positions
    parameters = app.CharmmParameterSet(*[os.path.join(folder, name) for name in topologies + ["made_up.prm"]])
    # Read again by name in made_up.prm, the types of the topology file would stay without radii.
    for number, kind in list(parameters.atom_types_int.items()):
        parameters.atom_types_int[number] = parameters.atom_types_str[kind.name]
    if box:
        psf.setBox(*[length * unit.angstrom for length in box])
    single = numpy.float32([[c.value_in_unit(unit.angstrom) for c in p] for p in places]).astype(float)
    system = psf.createSystem(parameters, nonbondedMethod=app.PME if box else app.NoCutoff, constraints=None,
                              rigidWater=False, removeCMMotion=False, nonbondedCutoff=1 * unit.nanometer)
    vectors = psf.box_vectors if box else None
    kinds = {"HarmonicBondForce": "bonds", "HarmonicAngleForce": "angles", "PeriodicTorsionForce": "dihedrals",
             "CustomTorsionForce": "impropers", "CMAPTorsionForce": "corrections"}
    parts, counts, forces = {}, {}, 0

    def add(name, part):
        nonlocal forces
        energy, own = evaluate(part, single * unit.angstrom, vectors)
        parts[name] = parts.get(name, 0) + energy
        forces = forces + own

    for index in range(system.getNumForces()):
        kind = system.getForce(index).__class__.__name__
        counts[kind] = counts.get(kind, 0) + 1
        one = only(system, lambda f: True)
        for other in reversed(range(system.getNumForces())):
            if other != index:
                one.removeForce(other)
        force = one.getForce(0)
        if kind in kinds:
            add(kinds[kind], one)
        elif kind == "CustomNonbondedForce":
            force.setUseLongRangeCorrection(False)
            switched(force, box)
            add("lennard_jones", one)
        elif kind == "CustomBondForce":
            add("lennard_jones", one)
        elif kind == "NonbondedForce":
            charges = only(one, lambda f: True)
            without_charges(force)
            switched(force, box)
            force.setUseDispersionCorrection(False)
            add("lennard_jones", one)
            coulomb = charges.getForce(0)
            without_lennard_jones(coulomb)
            coulomb.setUseDispersionCorrection(False)
            if box:
                coulomb.setEwaldErrorTolerance(1e-7)
            add("electrostatics", charges)
        else:
            raise SystemExit("unknown force " + kind)
    print(psf_name, counts, parts)
    result = {"source": f"OpenMM {openmm.__version__}, Reference platform; tests/bench/peers/charmm_openmm.py",
              "atoms": system.getNumParticles(), "energies": parts}
    if every:
        result["every"] = every
        result["forces"] = [[round(float(x), 6) for x in f] for f in forces[::every]]
    return result


def main():
    shared, folder = os.path.join(sys.argv[1], "structures"), sys.argv[2]
    for name, psf, coordinates, topologies, box, every in (
            ("parv", "parv.psf", "parv.pdb", ["parv_numbers.rtf"], None, 10),
            ("ala3", "ala3_solv.psf", "ala3_solv.crd", ["ala3_numbers.rtf"], (32.71195, 32.99596, 33.00715), 10),
            ("dhfr", "charmm_dhfr/5dhfr_cube.psf.gz", "charmm_dhfr/5dhfr_cube.pdb.gz", [], (62.23, 62.23, 62.23), 0)):
        result = reference(shared, folder, psf, coordinates, topologies, box, every)
        with open(os.path.join(folder, name + "_openmm.json"), "w") as file:
            json.dump(result, file, separators=(",", ":"))
            file.write("\n")


if __name__ == "__main__":
    main()
