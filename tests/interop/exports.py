"""Meshes and maps that the program writes, as other programs read them."""

import os
import pathlib

import numpy as np
from comparisons import check

import isolume

examples = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples"
CHARGES = examples / "crambin_charges" / "crambin_charges.pqr.gz"
ETHYLENE = examples / "ethylene_torsion" / "ethylene_torsion_000.molden.gz"
BOHR = 0.529177210903


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
    check(
        "surface, glb",
        "pygltflib",
        f"{scalar}, V",
        accessor(glb, getattr(primitive.attributes, f"_{scalar.upper()}")).ravel(),
        mesh.scalars[scalar],
        0,
    )
    scene = trimesh.load(folder / "s.glb", process=False)
    placed = scene.to_geometry() if hasattr(scene, "to_geometry") else scene.dump(concatenate=True)
    # The node makes 1 nm a metre and turns z up: x, z, -y.
    check(
        "surface, glb as placed",
        "trimesh",
        "vertices, A",
        10 * np.asarray(placed.vertices)[:, [0, 2, 1]] * [1, -1, 1],
        mesh.vertices,
        1e-4,
    )
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
        check(
            "potential, mrc",
            "mrcfile",
            "faults found",
            [not mrcfile.validate(folder / "p.mrc", print_file=open(os.devnull, "w"))],
            [False],
            0,
        )
    ccp4 = gemmi.read_ccp4_map(str(folder / "p.mrc"))
    check("potential, mrc", "gemmi", "values, V", np.array(ccp4.grid, copy=False), volume.values, 0)
    check(
        "potential, mrc",
        "gemmi",
        "cell, A",
        ccp4.grid.unit_cell.parameters[:3],
        np.diag(volume.step) * volume.counts,
        1e-4,
    )
    for kind in ("mrc", "dx"):
        grid = gridData.Grid(str(folder / f"p.{kind}"))
        check(
            f"potential, {kind}", "GridDataFormats", "values, V", grid.grid, volume.values, 0 if kind == "mrc" else 1e-4
        )
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
    check(
        "orbital, cube",
        "numpy",
        "volume of a voxel, bohr^3",
        np.linalg.det(np.array([line.split()[1:4] for line in text.splitlines()[3:6]], float)),
        np.linalg.det(homo.step) / BOHR**3,
        1e-6,
    )
