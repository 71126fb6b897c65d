#!/usr/bin/env python3
"""wheel.py PROGRAM FOLDER: a wheel of the Python package that holds the program and the libraries it needs.

PROGRAM is a build without the window and without TIFF (./dev wheel makes it). The C library, libstdc++ and the OpenGL of the system stay outside: every
system of the tag has them. The tag is that of the newest glibc symbol that a file of the wheel asks for.
"""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

from licences import check
from shared_libraries import fail, loaded, run, strip, version_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What the wheels of manylinux leave to the system, and the OpenGL that belongs to the driver.
SYSTEM = re.compile(
    r"^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libutil|libstdc\+\+|libgcc_s|libcuda|libnvidia.*|"
    r"libGL|libEGL|libGLX|libOpenGL|libGLdispatch|libX11|libxcb|libXau|libXdmcp|libbsd|libmd)\.so"
)
NOT_HEADLESS = re.compile(r"^libQt6")
TIME = (2026, 1, 1, 0, 0, 0)  # of the files, so that the same build makes the same wheel


def libraries(program):
    """Name and path of each library that comes along."""
    found = loaded(program, SYSTEM)
    for name in found:
        if NOT_HEADLESS.match(name):
            fail(f"{program} has the window ({name}); a wheel takes a build with -DISOLUME_WINDOW=OFF")
    return {name: path.resolve() for name, path in found.items()}


def newest_glibc(files):
    newest = (2, 17)
    for file in files:
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", str(file))):
            newest = max(newest, (int(major), int(minor)))
    return newest


def licences(files):
    """The licences of the packages that the libraries come from, by package. Ends where one is under the GPL."""
    found, refused = check(files)
    if refused:
        fail("; ".join(refused))
    return {package: place.read_bytes() for package, place in found.items()}


def stripped(file, folder):
    copy = folder / file.name
    copy.write_bytes(file.read_bytes())
    strip(copy)
    return copy.read_bytes()


def project():
    text = (ROOT / "python/pyproject.toml").read_text()
    return {"version": version_of(ROOT), "description": re.search(r'^description = "([^"]*)"', text, re.MULTILINE)[1]}


METADATA = """Metadata-Version: 2.1
Name: isolume
Version: {version}
Summary: {description}
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy>=1.20
Provides-Extra: cuda
Requires-Dist: nvidia-cufft>=12; extra == "cuda"
Requires-Dist: nvidia-cuda-nvrtc>=13; extra == "cuda"
Provides-Extra: distributed
Requires-Dist: distributed; extra == "distributed"
Description-Content-Type: text/markdown

{readme}"""


def main():
    program, target = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if not program.is_file():
        fail(f"there is no program {program}")
    target.mkdir(parents=True, exist_ok=True)
    work = target / "wheel-files"
    work.mkdir(exist_ok=True)
    about = project()
    own = libraries(program)
    major, minor = newest_glibc([program, *own.values()])
    tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
    files = {}  # name: (bytes, executable)
    for source in sorted((ROOT / "python/isolume").iterdir()):
        if source.suffix in (".py", ".pyi") or source.name == "py.typed":
            files[f"isolume/{source.name}"] = (source.read_bytes(), False)
    files["isolume/_program/bin/isolume"] = (stripped(program, work), True)
    for name, path in sorted(own.items()):
        files[f"isolume/_program/lib/{name}"] = (stripped(path, work), True)
    info = f"isolume-{about['version']}.dist-info"
    readme = (ROOT / "python/README.md").read_text()
    texts = {
        "METADATA": METADATA.format(readme=readme, **about),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: isolume\nRoot-Is-Purelib: false\nTag: {tag}\n",
        "entry_points.txt": "[console_scripts]\nisolume = isolume.__main__:main\n",
        "top_level.txt": "isolume\n",
    }
    files |= {f"{info}/{name}": (text.encode(), False) for name, text in texts.items()}
    files[f"{info}/licenses/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), False)
    for package, text in sorted(licences(own.values()).items()):
        files[f"{info}/licenses/{package}"] = (text, False)
    record = ""
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), False)
    wheel = target / f"isolume-{about['version']}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, executable) in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    for file in work.iterdir():
        file.unlink()
    work.rmdir()
    print(wheel)


main()
