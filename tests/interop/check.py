"""Compares what the program writes and reads with other programs' reading of the same files: check.py PROGRAM.

Each line of the table is one file as one peer reads it: the largest difference, and the tolerance that it has to keep.
A tolerance is the format's own: 0 where all bits are kept, half a unit of the last digit that is written, or float32's.
"""

import importlib.metadata
import os
import pathlib
import sys
import shutil
import tempfile
import warnings

import numpy as np

warnings.simplefilter("ignore")
import isolume  # noqa: E402

root = pathlib.Path(__file__).resolve().parents[2]
examples = root / "resources" / "examples"
shared = pathlib.Path(os.environ.get("ISOLUME_SHARED_DATA", root.parent / "shared" / "data"))
CHARGES = examples / "crambin_charges" / "crambin_charges.pqr.gz"
CRAMBIN = examples / "crambin.pdb.gz"
ETHYLENE = examples / "ethylene_torsion" / "ethylene_torsion_000.molden.gz"
BOHR = 0.529177210903
lines, missed = [], []


def check(what, peer, quantity, found, expected, tolerance):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    worst = np.inf
    if found.shape == expected.shape:
        worst = float(np.abs(found - expected).max()) if found.size else 0.0
    good = worst <= tolerance
    version = importlib.metadata.version(peer)
    lines.append(f"| {what} | {peer} {version} | {quantity} | {worst:.2g} | {tolerance:g} |{'' if good else ' MISSED'}")
    print(lines[-1], flush=True)
    if not good:
        missed.append(f"{what} by {peer}: {quantity} {found.shape} {expected.shape} {worst:g} > {tolerance:g}")


def nearest_triangles(found, faces, mesh):
    """Of every triangle found, the one of the mesh with the nearest corners, in the same turn: for readers that put
    triangles and vertices into another order. All of the mesh's are to be met."""
    from scipy.spatial import cKDTree

    own = mesh.vertices[mesh.faces].astype(float)
    tree = cKDTree(np.concatenate([np.roll(own, turn, 1).reshape(-1, 9) for turn in range(3)]))
    _, near = tree.query(np.asarray(found, float)[np.asarray(faces)].reshape(-1, 9))
    near %= len(own)
    if len(set(near)) != len(own) or len(near) != len(own):
        return np.zeros((0, 3)), own
    corners = np.sort(np.asarray(found, float)[np.asarray(faces)], axis=1)
    return corners, np.sort(own[near], axis=1)


def meshes(folder):
    import meshio
    import pygltflib
    import trimesh

    options = {"kind": "gaussian", "spacing": 1.2, "colour_by": "potential", "device": "cpu"}
    mesh = isolume.compute.surface(CHARGES, out=folder / "s.ply", **options)
    scalar = next(iter(mesh.scalars))
    for kind in ("obj", "stl", "glb", "x3d"):
        isolume.compute.surface(CHARGES, out=folder / f"s.{kind}", **options)

    ply = trimesh.load(folder / "s.ply", process=False)
    check("surface, ply", "trimesh", "vertices, A", ply.vertices, mesh.vertices, 0)
    check("surface, ply", "trimesh", "faces", ply.faces, mesh.faces, 0)
    check("surface, ply", "trimesh", "colours, of 255", ply.visual.vertex_colors, mesh.colours, 0)
    check("surface, ply", "trimesh", "open edges", [not ply.is_watertight], [False], 0)
    check("surface, ply", "trimesh", "area, relative", ply.area / mesh.result["area"], 1, 1e-6)
    check("surface, ply", "trimesh", "volume, relative", ply.volume / mesh.result["volume"], 1, 1e-5)
    other = meshio.read(folder / "s.ply")
    check("surface, ply", "meshio", "vertices, A", other.points, mesh.vertices, 0)
    check("surface, ply", "meshio", "faces", other.cells_dict["triangle"], mesh.faces, 0)
    check("surface, ply", "meshio", f"{scalar}, V", other.point_data[scalar], mesh.scalars[scalar], 0)

    stl = trimesh.load(folder / "s.stl", process=False)
    check("surface, stl", "trimesh", "triangles, A", np.asarray(stl.triangles), mesh.vertices[mesh.faces], 0)
    check("surface, stl", "trimesh", "normals outward", [stl.volume > 0], [True], 0)

    obj = trimesh.load(folder / "s.obj", process=False, force="mesh")
    check("surface, obj", "trimesh", "triangles, A", *nearest_triangles(obj.vertices, obj.faces, mesh), 1e-4)
    colours = vertex_colours_of_obj(folder / "s.obj")
    check("surface, obj", "trimesh", "vertices in all", [len(colours)], [len(mesh.vertices)], 0)
    check("surface, obj (its text)", "numpy", "colours, of 255", 255 * colours, mesh.colours[:, :3], 0.51)

    glb = pygltflib.GLTF2().load(str(folder / "s.glb"))
    primitive = glb.meshes[0].primitives[0]
    check("surface, glb", "pygltflib", "vertices, A", accessor(glb, primitive.attributes.POSITION), mesh.vertices, 0)
    check("surface, glb", "pygltflib", "faces", accessor(glb, primitive.indices).reshape(-1, 3), mesh.faces, 0)
    linear = accessor(glb, primitive.attributes.COLOR_0).astype(float)
    linear /= {5121: 255, 5123: 65535, 5126: 1}[glb.accessors[primitive.attributes.COLOR_0].componentType]
    check("surface, glb", "pygltflib", "colours, of 255", 255 * srgb(linear[:, :3]), mesh.colours[:, :3], 0.51)
    check("surface, glb", "pygltflib", f"{scalar}, V", accessor(glb, getattr(primitive.attributes, f"_{scalar.upper()}")).ravel(),
          mesh.scalars[scalar], 0)
    scene = trimesh.load(folder / "s.glb", process=False)
    placed = scene.to_geometry() if hasattr(scene, "to_geometry") else scene.dump(concatenate=True)
    # The node makes 1 nm a metre and turns z up: x, z, -y.
    check("surface, glb as placed", "trimesh", "vertices, A", 10 * np.asarray(placed.vertices)[:, [0, 2, 1]] * [1, -1, 1],
          mesh.vertices, 1e-4)
    check("surface, glb as placed", "trimesh", "open edges", [not placed.is_watertight], [False], 0)


def vertex_colours_of_obj(path):
    rows = [line.split()[1:] for line in path.read_text().splitlines() if line.startswith("v ")]
    return np.array(rows, float)[:, 3:6]


def srgb(linear):
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(np.maximum(linear, 1e-9), 1 / 2.4) - 0.055)


def accessor(glb, index):
    entry = glb.accessors[index]
    view = glb.bufferViews[entry.bufferView]
    kind = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[entry.componentType]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[entry.type]
    begin = (view.byteOffset or 0) + (entry.byteOffset or 0)
    return np.frombuffer(glb.binary_blob(), kind, entry.count * width, begin).reshape(entry.count, width)


def maps(folder):
    import ase.io.cube
    import gemmi
    import gridData
    import mrcfile

    options = {"spacing": 2.5, "method": "direct", "device": "cpu"}
    volume = isolume.compute.potential(CHARGES, out=folder / "p.mrc", **options)
    for kind in ("dx", "cube"):
        isolume.convert(folder / "p.mrc", folder / f"p.{kind}")
    with mrcfile.open(folder / "p.mrc") as mrc:
        check("potential, mrc", "mrcfile", "values, V", mrc.data.transpose(2, 1, 0), volume.values, 0)
        check("potential, mrc", "mrcfile", "steps, A", [mrc.voxel_size[n] for n in "xyz"], np.diag(volume.step), 1e-5)
        check("potential, mrc", "mrcfile", "origin, A", [mrc.header.origin[n] for n in "xyz"], volume.origin, 1e-5)
        check("potential, mrc", "mrcfile", "faults found", [not mrcfile.validate(folder / "p.mrc", print_file=open(os.devnull, "w"))], [False], 0)
    ccp4 = gemmi.read_ccp4_map(str(folder / "p.mrc"))
    check("potential, mrc", "gemmi", "values, V", np.array(ccp4.grid, copy=False), volume.values, 0)
    check("potential, mrc", "gemmi", "cell, A", ccp4.grid.unit_cell.parameters[:3],
          np.diag(volume.step) * volume.counts, 1e-4)
    for kind in ("mrc", "dx"):
        grid = gridData.Grid(str(folder / f"p.{kind}"))
        check(f"potential, {kind}", "GridDataFormats", "values, V", grid.grid, volume.values, 0 if kind == "mrc" else 1e-4)
        check(f"potential, {kind}", "GridDataFormats", "steps, A", grid.delta, np.diag(volume.step), 1e-5)
        if kind == "dx":
            check("potential, dx", "GridDataFormats", "origin, A", grid.origin, volume.origin, 1e-5)
    homo = isolume.compute.orbital(ETHYLENE, orbital="homo", spacing=0.3, device="cpu", out=folder / "homo.cube")
    with open(folder / "homo.cube") as file:
        cube = ase.io.cube.read_cube(file)
    check("orbital, cube", "ase", "values, bohr^-3/2", cube["data"], homo.values, 1e-7)
    check("orbital, cube", "ase", "steps, A", cube["spacing"], homo.step, 2e-6)
    check("orbital, cube", "ase", "origin, A", cube["origin"], homo.origin, 2e-6)
    check("orbital, cube", "ase", "atoms", cube["atoms"].numbers, [6, 6, 1, 1, 1, 1], 0)
    text = (folder / "homo.cube").read_text()
    check("orbital, cube", "numpy", "volume of a voxel, bohr^3", np.linalg.det(np.array([line.split()[1:4] for line in text.splitlines()[3:6]], float)),
          np.linalg.det(homo.step) / BOHR**3, 1e-6)


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
        ("xtc", water, 1e-5), ("xtc", adk, 4e-5),
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
    exact = np.array([frame.positions.copy() for frame in MDAnalysis.coordinates.DCD.DCDReader(str(folder / "part.dcd"))])
    for kind, tolerance in (("pdb", 5.1e-4), ("xyz", 1e-4)):
        isolume.convert(water, folder / f"part.{kind}", **part)
        universe = MDAnalysis.Universe(str(folder / f"part.{kind}"))
        check(f"writing {kind}, 5 frames", "MDAnalysis", "positions, A", frames_of(universe), exact, tolerance)
    names = [atom.name for atom in MDAnalysis.Universe(str(folder / "part.pdb")).atoms]
    structure = gemmi.read_structure(str(folder / "part.pdb"))
    check("writing pdb", "gemmi", "positions, A", [atom_positions(model) for model in structure], exact, 5.1e-4)
    check("writing pdb", "gemmi", "names that differ", [names != [a.atom.name for a in structure[0].all()]], [False], 0)
    isolume.convert(CHARGES, folder / "charges.pqr")
    charges = MDAnalysis.Universe(str(folder / "charges.pqr"))
    import gzip
    plain = folder / "given.pqr"
    plain.write_bytes(gzip.decompress(CHARGES.read_bytes()))
    given = MDAnalysis.Universe(str(plain))
    check("writing pqr", "MDAnalysis", "charges, e", charges.atoms.charges, given.atoms.charges, 1e-6)
    check("writing pqr", "MDAnalysis", "radii, A", charges.atoms.radii, given.atoms.radii, 1e-6)
    check("writing pqr", "MDAnalysis", "positions, A", charges.atoms.positions, given.atoms.positions, 5.1e-4)


def atom_positions(model):
    return [[*a.atom.pos] for a in model.all()]


def structures(folder):
    """PDB, mmCIF, GRO and XYZ as the program reads them (written as DCD) and as the peers do."""
    import gemmi
    import MDAnalysis

    data = shared / "structures"
    for name in ("1crn.pdb", "4hhb.pdb", "1ubq.pdb.gz", "1aon.pdb.gz", "1v5a-3models.cif", "3sn6.cif.gz", "7gsa.cif", "6zu5.cif.gz"):
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
        check(f"reading {path.name}", "MDAnalysis", "positions, A", here, MDAnalysis.Universe(str(path)).atoms.positions, 2e-5)


if __name__ == "__main__":
    isolume.set_program(sys.argv[1])
    print("| what | read by | compared | largest difference | tolerance |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for part in (meshes, maps, trajectories, structures):
            part(pathlib.Path(name))
    print("\n".join(["", f"{len(lines)} compared, {len(missed)} beyond their tolerance", *missed]))
    sys.exit(1 if missed else 0)
