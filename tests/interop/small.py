"""The exports that every run of the tests has other programs read: those whose readers are packages of Debian (packages.txt)."""

import pathlib

import numpy as np
from comparisons import check

import isolume

examples = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples"
CRAMBIN = examples / "crambin.pdb.gz"
CHARGES = examples / "crambin_charges" / "crambin_charges.pqr.gz"


def small(folder):
    structures(folder)
    maps(folder)
    meshes(folder)


def structures(folder):
    """The atoms of crambin, written as PDB and mmCIF, are those that gemmi reads in the file itself."""
    import gemmi

    def atoms_of(path):
        structure = gemmi.read_structure(str(path))  # its atoms live as long
        atoms = list(structure[0].all())
        # Residues 22 and 25 have two names each: Isolume gives all atoms of a residue the first one (docs/formats.md).
        residues = [(a.chain.name, a.residue.seqid.num, "" if a.residue.seqid.num in (22, 25) else a.residue.name) for a in atoms]
        names = [(*residue, a.atom.name, a.atom.element.name) for residue, a in zip(residues, atoms)]
        return names, [a.atom.pos.tolist() for a in atoms], [a.atom.b_iso for a in atoms]

    names, positions, factors = atoms_of(CRAMBIN)
    for kind in ("pdb", "cif"):
        isolume.convert(CRAMBIN, folder / f"crambin.{kind}")
        written = atoms_of(folder / f"crambin.{kind}")
        check(f"structure, {kind}", "gemmi", "names that differ", [written[0] != names], [False], 0)
        check(f"structure, {kind}", "gemmi", "positions, A", written[1], positions, 1e-5)
        check(f"structure, {kind}", "gemmi", "B factors", written[2], factors, 1e-5)


def maps(folder):
    """A map of a potential as CCP4's programs read it, against the direct sum over the charges of the file."""
    import gzip

    import gemmi
    import mrcfile

    volume = isolume.compute.potential(CHARGES, out=folder / "p.mrc", spacing=4, method="direct", device="cpu")
    with mrcfile.open(folder / "p.mrc") as mrc:
        values = mrc.data.transpose(2, 1, 0).astype(float)
        steps = np.array([float(mrc.voxel_size[n]) for n in "xyz"])
        origin = np.array([float(mrc.header.origin[n]) for n in "xyz"])
    ccp4 = gemmi.read_ccp4_map(str(folder / "p.mrc"))
    check("potential, mrc", "gemmi", "values, V", np.array(ccp4.grid, copy=False), values, 0)
    check("potential, mrc", "gemmi", "cell, A", ccp4.grid.unit_cell.parameters[:3], steps * values.shape, 1e-4)
    with gzip.open(CHARGES, "rt") as file:
        rows = [line.split() for line in file if line.startswith(("ATOM", "HETATM"))]
    table = np.array([row[-5:-1] for row in rows], float)  # x, y, z, charge
    coulomb = 14.3996454785  # V angstrom per elementary charge
    worst = np.array(volume.values.shape) - 1
    for index in ((0, 0, 0), tuple(worst), (0, worst[1] // 2, worst[2])):
        distances = np.linalg.norm(origin + steps * index - table[:, :3], axis=1)
        check("potential, mrc", "mrcfile", f"value at {index}, V", values[index], coulomb * (table[:, 3] / distances).sum(), 1e-4)


def meshes(folder):
    """A surface as meshio reads it: the same triangles in all formats, and a closed surface by Euler's count."""
    import meshio

    options = {"kind": "gaussian", "spacing": 2, "device": "cpu"}
    mesh = isolume.compute.surface(CRAMBIN, out=folder / "s.ply", **options)
    for kind in ("ply", "stl", "obj"):
        if kind != "ply":
            isolume.compute.surface(CRAMBIN, out=folder / f"s.{kind}", **options)
        read = meshio.read(folder / f"s.{kind}")
        faces = read.cells_dict["triangle"]
        corners = read.points[faces].astype(float)
        check(f"surface, {kind}", "meshio", "corners of triangles, A", corners, mesh.vertices[mesh.faces], 1e-4 if kind == "obj" else 0)
        # Divergence theorem: six times the volume is the sum of the triangles' products.
        inside = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
        check(f"surface, {kind}", "meshio", "volume, relative", inside / mesh.result["volume"], 1, 1e-4)
