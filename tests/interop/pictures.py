"""Pictures of 16 bits, as other programs read them."""

import io
import json
import pathlib

import numpy as np
from comparisons import check

import isolume

examples = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples"


def srgb(linear):
    linear = np.clip(linear, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(np.maximum(linear, 1e-9), 1 / 2.4) - 0.055)


def pictures(folder):
    """The same scene as PNG, TIFF and EXR: colours, alpha, depth and objects."""
    import OpenEXR
    import tifffile
    from PIL import Image, ImageCms

    options = {"size": "320x240", "samples": 4, "transparent": True, "surface": "gaussian", "device": "cpu"}
    for kind in ("png", "tif", "exr"):
        isolume.render(examples / "crambin.pdb.gz", out=folder / f"p.{kind}", **options)
    png = np.asarray(Image.open(folder / "p.png")).astype(float)
    with tifffile.TiffFile(folder / "p.tif") as tiff:
        colours, depth, objects = (page.asarray() for page in tiff.pages)
        first = tiff.pages[0]
        check("picture, tif", "tifffile", "bits of a colour", [first.bitspersample, len(tiff.pages)], [16, 3], 0)
        check("picture, tif", "tifffile", "alpha not multiplied in", [int(s) for s in first.extrasamples], [2], 0)
        scene = json.loads(first.description)
        check("picture, tif", "tifffile", "scene", [scene["format"] == "isolume-scene"], [True], 0)
        profile = ImageCms.ImageCmsProfile(io.BytesIO(first.tags[34675].value))
    seen = png[..., 3] > 0
    check("picture, tif", "tifffile", "of 255, to the PNG", colours[seen] / 257, png[seen], 0.51)
    # The profile changes nothing against another program's sRGB.
    ramp = Image.fromarray(np.arange(256 * 3, dtype=np.uint32).reshape(16, 16, 3).astype(np.uint8), "RGB")
    same = ImageCms.profileToProfile(ramp, profile, ImageCms.createProfile("sRGB"))
    check("picture, tif", "pillow", "its profile and sRGB, of 255", np.asarray(same), np.asarray(ramp), 1)

    exr = OpenEXR.File(str(folder / "p.exr"), separate_channels=True)
    channels = {name: channel.pixels for name, channel in exr.channels().items()}
    alpha = channels["A"].astype(float)
    linear = np.stack([channels[c].astype(float) for c in "RGB"], -1)
    full = colours[..., 3] > 0
    straight = srgb(linear[full] / alpha[full][:, None])
    # A half has 11 bits; near black the curve of sRGB makes most of them.
    check("picture, exr", "OpenEXR", "sRGB of 255, to the TIFF", 255 * straight, colours[full][:, :3] / 257, 0.3)
    check("picture, exr", "OpenEXR", "alpha", alpha, colours[..., 3] / 65535, 5e-4)
    check("picture, exr", "OpenEXR", "colours above alpha", np.maximum(linear - alpha[..., None], 0), 0 * linear, 1e-3)
    drawn = np.isfinite(depth)
    check("picture, exr", "OpenEXR", "depth, A, to the TIFF", channels["Z"][drawn], depth[drawn], 0)
    check("picture, exr", "OpenEXR", "pixels of depth", np.isfinite(channels["Z"]), drawn, 0)
    check("picture, exr", "OpenEXR", "objects", channels["id"], objects, 0)
    names = json.loads(exr.header()["objects"])
    check("picture, exr", "OpenEXR", "objects without a name", [not set(map(str, np.unique(objects))) <= {"0", *names}], [False], 0)
    isolume.replay(folder / "p.exr", out=folder / "again.exr", trust_paths=True, device="cpu")
    same = (folder / "again.exr").read_bytes() == (folder / "p.exr").read_bytes()
    check("picture, exr", "OpenEXR", "bytes that replay changes", [not same], [False], 0)
