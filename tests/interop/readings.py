"""Structures and trajectories that the program reads and writes, beside other programs' reading of the same files."""

import os
import pathlib
import shutil

import numpy as np
from comparisons import check

import isolume

root = pathlib.Path(__file__).resolve().parents[2]
examples = root / "resources" / "examples"
shared = pathlib.Path(os.environ.get("ISOLUME_SHARED_DATA", root.parent / "shared" / "data"))
CHARGES = examples / "crambin_charges" / "crambin_charges.pqr.gz"


def frames_of(universe):
    return np.array([universe.atoms.positions.copy() for _ in universe.trajectory])


def trajectories(folder):
    """What the program reads, written as DCD (float32, exactly), against the peer's reading of the same file."""
    import gemmi
    import MDAnalysis

    data = shared / "trajectories"
    water = [examples / "crambin_water" / "crambin_water.gro.gz", examples / "crambin_water" / "crambin_water.xtc"]
    adk = [data / "adk" / "adk_oplsaa.gro.gz", data / "adk" / "adk_oplsaa.xtc"]
    cases = [
        ("xtc", water, 1e-5),
        ("xtc", adk, 4e-5),
        ("trr", [data / "cobrotoxin" / "cobrotoxin.pdb.gz", data / "cobrotoxin" / "cobrotoxin.trr"], 4e-5),
        ("dcd", [data / "adk" / "adk.psf.gz", data / "adk" / "adk_dims.dcd"], 0),
        ("nc", [data / "tz2" / "tz2.parm7", data / "tz2" / "tz2.nc"], 0),
        ("nc", [data / "ace" / "ace_tip3p.parm7", data / "ace" / "ace_tip3p.nc"], 0),
        ("rst7", [data / "tz2" / "tz2.ortho.parm7.gz", data / "tz2" / "tz2.ortho.rst7"], 1e-6),
    ]
    for kind, files, tolerance in cases:
        if not all(path.exists() for path in files):
            print(f"not there: {files[1]}")
            continue
        isolume.convert(files, folder / "run.dcd")
        copy = shutil.copy(files[1], folder)  # MDAnalysis writes an index beside what it reads
        peer = MDAnalysis.coordinates.core.get_reader_for(copy, format={"rst7": "INPCRD"}.get(kind))(copy)
        found = MDAnalysis.coordinates.DCD.DCDReader(str(folder / "run.dcd"))
        here = np.array([frame.positions.copy() for frame in found])
        there = np.array([frame.positions.copy() for frame in peer])
        check(f"reading {files[1].name}", "MDAnalysis", f"positions of {len(there)} frames, A", here, there, tolerance)
        boxes = np.array([frame.dimensions.copy() if frame.dimensions is not None else np.zeros(6) for frame in peer])
        if not boxes.any():
            continue  # the peer does not read the cell of this format
        own = np.array([frame.dimensions.copy() if frame.dimensions is not None else np.zeros(6) for frame in found])
        check(f"reading {files[1].name}", "MDAnalysis", "cells, A and degrees", own, boxes, 2e-4)

    # Writing: a part of the water box in each format, against the DCD of it.
    part = {"select": "protein or (water and resid < 20)", "frames": "0:5"}
    isolume.convert(water, folder / "part.dcd", **part)
    exact = np.array(
        [frame.positions.copy() for frame in MDAnalysis.coordinates.DCD.DCDReader(str(folder / "part.dcd"))]
    )
    for kind, tolerance in (("pdb", 5.1e-4), ("xyz", 1e-4)):
        isolume.convert(water, folder / f"part.{kind}", **part)
        universe = MDAnalysis.Universe(str(folder / f"part.{kind}"))
        check(f"writing {kind}, 5 frames", "MDAnalysis", "positions, A", frames_of(universe), exact, tolerance)
    names = [atom.name for atom in MDAnalysis.Universe(str(folder / "part.pdb")).atoms]
    structure = gemmi.read_structure(str(folder / "part.pdb"))
    check("writing pdb", "gemmi", "positions, A", [atom_positions(model) for model in structure], exact, 5.1e-4)
    check("writing pdb", "gemmi", "names that differ", [names != [a.atom.name for a in structure[0].all()]], [False], 0)
    more_writers(folder, water, part, exact, names)
    isolume.convert(CHARGES, folder / "charges.pqr")
    charges = MDAnalysis.Universe(str(folder / "charges.pqr"))
    import gzip

    plain = folder / "given.pqr"
    plain.write_bytes(gzip.decompress(CHARGES.read_bytes()))
    given = MDAnalysis.Universe(str(plain))
    check("writing pqr", "MDAnalysis", "charges, e", charges.atoms.charges, given.atoms.charges, 1e-6)
    check("writing pqr", "MDAnalysis", "radii, A", charges.atoms.radii, given.atoms.radii, 1e-6)
    check("writing pqr", "MDAnalysis", "positions, A", charges.atoms.positions, given.atoms.positions, 5.1e-4)


def more_writers(folder, water, part, exact, names):
    import gemmi
    import MDAnalysis

    isolume.convert(water, folder / "part.xtc", **part)
    reader = MDAnalysis.coordinates.XTC.XTCReader
    frames = [frame.copy() for frame in reader(str(folder / "part.xtc"))]
    here = np.array([frame.positions for frame in frames])
    check("writing xtc, 5 frames", "MDAnalysis", "positions, A", here, exact, 5.05e-3)
    given = [frame.copy() for frame in reader(str(shutil.copy(water[1], folder)))][:5]
    check("writing xtc", "MDAnalysis", "times, ps", [f.time for f in frames], [f.time for f in given], 0)
    check("writing xtc", "MDAnalysis", "cells", [f.dimensions for f in frames], [f.dimensions for f in given], 2e-5)
    isolume.convert(water, folder / "fine.xtc", precision=1e-4, **part)
    here = np.array([frame.positions.copy() for frame in reader(str(folder / "fine.xtc"))])
    check("writing xtc, to 1e-4 A", "MDAnalysis", "positions, A", here, exact, 6e-5)

    isolume.convert(water, folder / "part.cif", **part)
    structure = gemmi.read_structure(str(folder / "part.cif"))
    check("writing mmcif, 5 models", "gemmi", "positions, A", [atom_positions(m) for m in structure], exact, 6e-5)
    check("writing mmcif", "gemmi", "names that differ", [names != [a.atom.name for a in structure[0].all()]], [False], 0)
    kinds = [(entity.entity_type.name, len(entity.full_sequence)) for entity in structure.entities]
    check("writing mmcif", "gemmi", "entities other than 46 residues", [kinds != [("Polymer", 46)]], [False], 0)

    isolume.convert(water, folder / "part.gro", **{**part, "frames": "0"})
    here = MDAnalysis.Universe(str(folder / "part.gro")).atoms.positions
    check("writing gro", "MDAnalysis", "positions, A", here, exact[0], 5.1e-3)

    isolume.convert(CHARGES, folder / "charges.mol2")
    mol2 = MDAnalysis.Universe(str(folder / "charges.mol2"))
    isolume.convert(CHARGES, folder / "again.pqr")
    pqr = MDAnalysis.Universe(str(folder / "again.pqr"))
    check("writing mol2", "MDAnalysis", "charges, e", mol2.atoms.charges, pqr.atoms.charges, 1e-6)
    check("writing mol2", "MDAnalysis", "positions, A", mol2.atoms.positions, pqr.atoms.positions, 6e-5)


def atom_positions(model):
    return [[*a.atom.pos] for a in model.all()]


def structures(folder):
    """PDB, mmCIF, GRO and XYZ as the program reads them (written as DCD) and as the peers do."""
    import gemmi
    import MDAnalysis

    data = shared / "structures"
    for name in (
        "1crn.pdb",
        "4hhb.pdb",
        "1ubq.pdb.gz",
        "1aon.pdb.gz",
        "1v5a-3models.cif",
        "3sn6.cif.gz",
        "7gsa.cif",
        "6zu5.cif.gz",
    ):
        path = data / name
        if not path.exists():
            print(f"not there: {path}")
            continue
        isolume.convert(path, folder / "one.dcd", frames="0")
        here = next(iter(MDAnalysis.coordinates.DCD.DCDReader(str(folder / "one.dcd")))).positions
        model = gemmi.read_structure(str(path), merge_chain_parts=False)[0]
        # gemmi keeps the residues of a chain together: compared in the order of the serial numbers of the file.
        there = np.array([[*a.atom.pos] for a in sorted(model.all(), key=lambda a: a.atom.serial)])
        check(f"reading {name}", "gemmi", f"positions of {len(there)} atoms, A", here, there, 2e-5)
        said = isolume.info(path)
        elements = {}
        for a in model.all():
            elements[a.atom.element.name] = elements.get(a.atom.element.name, 0) + 1
        check(f"reading {name}", "gemmi", "elements counted otherwise", [said["elements"] != elements], [False], 0)
    for name in ("lysozyme.gro", "1crn.gro", "../trajectories/mda_test.xyz"):
        path = data / name
        if not path.exists():
            continue
        isolume.convert(path, folder / "one.dcd", frames="0")
        here = next(iter(MDAnalysis.coordinates.DCD.DCDReader(str(folder / "one.dcd")))).positions
        check(
            f"reading {path.name}",
            "MDAnalysis",
            "positions, A",
            here,
            MDAnalysis.Universe(str(path)).atoms.positions,
            2e-5,
        )


def binary_cif(folder):
    """BinaryCIF as written, decoded by biotite, against the mmCIF of the same atoms as gemmi reads it."""
    import biotite.structure.io.pdbx as pdbx
    import gemmi

    given = examples / "crambin.pdb.gz"
    isolume.convert(given, folder / "crambin.bcif")
    isolume.convert(given, folder / "crambin.cif")
    sites = pdbx.BinaryCIFFile.read(folder / "crambin.bcif").block["atom_site"]
    structure = gemmi.read_structure(str(folder / "crambin.cif"))  # its atoms live as long
    atoms = list(structure[0].all())
    there = np.array([a.atom.pos.tolist() for a in atoms])
    here = np.stack([sites[f"Cartn_{axis}"].as_array(float) for axis in "xyz"], 1)
    check("writing bcif", "biotite", "positions, A", here, there, 1e-9)
    check("writing bcif", "biotite", "B factors", sites["B_iso_or_equiv"].as_array(float), [a.atom.b_iso for a in atoms], 1e-5)
    for item, of in (("auth_atom_id", lambda a: a.atom.name), ("auth_comp_id", lambda a: a.residue.name)):
        names = [of(a) for a in atoms]
        check("writing bcif", "biotite", f"{item} that differ", [list(sites[item].as_array(str)) != names], [False], 0)
