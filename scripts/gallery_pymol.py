#!/usr/bin/env python3
"""gallery_pymol.py PROGRAM [OUTDIR]: the scenes of gallery_paths.sh as PyMOL ray-traces them, for docs/gallery.md. It needs PyMOL's Python package
(Debian: pymol). Structures and maps come from PROGRAM and resources/examples, so that both programs draw the same numbers; so do camera and light
as far as PyMOL has them."""

import gzip
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import pymol2

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "resources" / "examples"
SIZE = (480, 360)


def scene_of(picture):
    """The scene that a picture carries: the text chunk isolume-scene, compressed or not."""
    data = picture.read_bytes()
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"iTXt" and body.startswith(b"isolume-scene\0"):
            packed = body[len("isolume-scene\0")]
            text = body[len("isolume-scene\0") + 2 :].split(b"\0", 2)[2]
            return json.loads(zlib.decompress(text) if packed else text)
    raise SystemExit(f"{picture} carries no scene")


def look_as(cmd, picture):
    """The camera of a picture: PyMOL's view is the same turn, seen from the same distance."""
    camera = scene_of(picture)["camera"]
    w, x, y, z = camera["rotation"]
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    # PyMOL wants the matrix column by column, of vectors that it writes as rows.
    turn = [rows[r][c] for c in range(3) for r in range(3)]
    cmd.set("orthoscopic", 0)
    cmd.set("field_of_view", camera["field_of_view"])
    distance = camera["height"] / 2 / math.tan(math.radians(camera["field_of_view"] / 2))
    cmd.set_view(turn + [0, 0, -distance] + list(camera["centre"]) + [max(1, distance - 200), distance + 200, 0])


def draw(name, make, out):
    with pymol2.PyMOL() as session:
        cmd = session.cmd
        cmd.feedback("disable", "all", "everything")
        cmd.bg_color("white")
        cmd.set("ray_shadows", 1)
        cmd.set("antialias", 2)
        cmd.set("ray_trace_mode", 0)
        cmd.set("auto_show_classified", 0)
        make(cmd)
        look_as(cmd, out / f"{name}_raster.png")
        cmd.ray(*SIZE)
        cmd.png(str(out / f"{name}_pymol.png"), ray=0, quiet=1)
    print(out / f"{name}_pymol.png")


def colour_by_structure(cmd):
    """The colours of the other pictures; PyMOL finds helices and strands by its own rule."""
    for name, selection, colour in (("coil", "all", [196, 203, 210]), ("helix", "ss h", [204, 76, 104]), ("strand", "ss s", [237, 174, 73])):
        cmd.set_color("of_" + name, colour)
        cmd.color("of_" + name, selection)


def plain(path, folder):
    """A file without gzip under its own name, which PyMOL tells the format by."""
    copy = folder / path.name.removesuffix(".gz")
    copy.write_bytes(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    return str(copy)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    out = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs" / "images" / "gallery").resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        crambin = plain(EXAMPLES / "crambin.pdb.gz", folder)

        def run(*words):
            # A session's files are opened where it says so.
            trust = ["--trust-paths"] if any(str(word).endswith(".isolume") for word in words) else []
            subprocess.run([program, *map(str, words), "--quiet", "--no-record", "--device", "cpu", *trust], check=True, cwd=EXAMPLES)

        def spheres(cmd):
            cmd.load(crambin)
            cmd.hide("everything")
            cmd.show("spheres")
            colour_by_structure(cmd)

        def cartoon(cmd):
            cmd.load(crambin)
            cmd.hide("everything")
            cmd.show("cartoon")
            colour_by_structure(cmd)
            cmd.label("name SG", "'%s %s' % (resn.title(), resi)")

        def potential(cmd):
            # The molecule as the scene has it, whole, and the potential of its charges on a grid.
            scene = scene_of(out / "potential_raster.png")
            for molecule in scene["molecules"]:
                molecule["paths"] = [str(next(EXAMPLES.glob(f"*/{pathlib.Path(path).name}"))) for path in molecule["paths"]]
            session = folder / "scene.isolume"
            session.write_text(json.dumps(scene))
            run("convert", session, folder / "protein.pdb", "--select", "protein")
            run(*"compute potential".split(), session, "--select", "protein", *"--method pb --unit kT/e --spacing 0.6".split(), "--out", folder / "potential.dx")
            cmd.load(str(folder / "protein.pdb"))
            cmd.load(str(folder / "potential.dx"), "potential")
            cmd.hide("everything")
            cmd.show("surface")
            # By what is 1.4 angstrom above the surface, and by the ends of the legend.
            cmd.set("surface_ramp_above_mode", 1)
            # By names: PyMOL 2.5 crashes where a ramp is given as numbers.
            for name, colour in (("low", [0.79, 0.13, 0.15]), ("high", [0.16, 0.25, 0.76])):
                cmd.set_color("of_" + name, colour)
            cmd.ramp_new("ramp", "potential", [-5, 0, 5], ["of_low", "white", "of_high"])
            cmd.set("surface_color", "ramp", "protein")
            cmd.disable("ramp")

        def orbital(cmd):
            run("compute", "orbital", sorted(EXAMPLES.glob("threonine_chi1/*"))[0], "--orbital", "homo", "--spacing", "0.2", "--out", folder / "homo.cube")
            run("convert", sorted(EXAMPLES.glob("threonine_chi1/*"))[0], folder / "threonine.xyz")
            cmd.load(str(folder / "threonine.xyz"))
            cmd.show_as("sticks")
            cmd.show("spheres")
            cmd.set("sphere_scale", 0.25)
            cmd.load(str(folder / "homo.cube"), "homo")
            for name, level, colour in (("plus", 0.05, [0, 114 / 255, 178 / 255]), ("minus", -0.05, [213 / 255, 94 / 255, 0])):
                cmd.isosurface(name, "homo", level)
                cmd.set_color("of_" + name, colour)
                cmd.color("of_" + name, name)
            cmd.set("transparency", 0.4)

        def depth(cmd):
            cmd.load(crambin)
            cmd.hide("everything")
            cmd.show("sticks")
            cmd.show("spheres")
            cmd.set("sphere_scale", 0.25)
            cmd.set("stick_radius", 0.15)
            colour_by_structure(cmd)

        for name, make in (("spheres", spheres), ("cartoon", cartoon), ("potential", potential), ("orbital", orbital), ("depth", depth)):
            draw(name, make, out)


if __name__ == "__main__":
    main()
