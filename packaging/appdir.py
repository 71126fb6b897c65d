#!/usr/bin/env python3
"""appdir.py archive|appimage BUILD FOLDER [RUNTIME]: program, window and Python package with their libraries, relocatable, as an archive or as
an AppImage, in FOLDER.

BUILD is a build with the window and without TIFF (./dev tarball and ./dev appimage make it). What is packed is an AppDir. Before it an AppImage
has a runtime of type 2: that of appimage_runtime.cpp, or the file RUNTIME. glibc and the OpenGL driver stay the system's.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

from licences import check
from shared_libraries import fail, loaded, run, strip, version_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
SYSTEM = re.compile(r"^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libutil|libanl|libnss_\w+|libcuda|libnvidia.*)\.so")
# What an OpenGL driver loads as well: the system's are taken where it has them, because a newer driver needs newer ones.
OF_DRIVERS = re.compile(
    r"^(libstdc\+\+|libgcc_s|libGL|libEGL|libOpenGL|libGLX|libGLdispatch|libX.*|libxcb.*|libxshmfence|libwayland-.*|libdrm.*|libgbm|"
    r"libexpat|libffi|libz|libzstd|liblzma|libxml2|libelf|libbsd|libmd|libudev|libsystemd|libcap|libdbus-1)\.so"
)
OPENED = ("libGL.so.1", "libEGL.so.1", "libOpenGL.so.0", "libGLX.so.0", "libGLdispatch.so.0")
PLUGINS = (
    "platforms/libqxcb.so",
    "platforms/libqoffscreen.so",
    "platforms/libqwayland-generic.so",
    "xcbglintegrations/libqxcb-glx-integration.so",
    "xcbglintegrations/libqxcb-egl-integration.so",
    "imageformats/libqsvg.so",
    "iconengines/libqsvgicon.so",
)
LAUNCHER = r"""#!/bin/sh
# Starts Isolume. Libraries of lib/fallback are for systems that lack them: each is in a folder of its own, of its name.
here=$(dirname "$(readlink -f "$0")")
known=$( (/sbin/ldconfig -p || ldconfig -p) 2>/dev/null)
more=
for folder in "$here"/../lib/fallback/*; do
  name=${folder##*/}
  case $known in
    *"	$name (libc6,x86-64"*)
      [ "$name" = libstdc++.so.6 ] || continue
      # The newer of the two knows all that the other one does.
      system=$(printf '%s\n' "$known" | sed -n 's/^\tlibstdc++\.so\.6 (libc6,x86-64.*=> //p' | sed -n 1p)
      system=$(readlink -f "$system")
      own=$(readlink -f "$folder/$name")
      [ "${system##*.}" -lt "${own##*.}" ] 2>/dev/null || continue
      ;;
  esac
  more=$more:$folder
done
if [ -n "$more" ]; then export LD_LIBRARY_PATH="${more#:}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
# The system's fonts, and one for systems that have none.
export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$here/../share/fonts/fonts.conf}"
exec "$here/../libexec/isolume" "$@"
"""
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""
FONT = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
APPRUN = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/bin/isolume" "$@"
"""


def libraries(files):
    """Name and path of each library that the files load, and of those that are opened by name."""
    found = {}
    for file in files:
        found |= loaded(file, SYSTEM)
    known = run("/sbin/ldconfig", "-p")
    for name in OPENED:
        place = re.search(rf"^\t{re.escape(name)} \(libc6,x86-64.*=> (\S+)$", known, re.MULTILINE)
        if place:
            found[name] = pathlib.Path(place[1])
    return found


def put(path, text):
    path.write_text(text)
    path.chmod(0o755)


def fill(build, top):
    """Program, plugins and libraries; returns the libraries' places here."""
    usr = top / "usr"
    run("cmake", "--install", str(build), "--prefix", str(usr), "--component", "program")
    libexec = usr / "libexec"
    libexec.mkdir()
    program = libexec / "isolume"
    # What is installed looks for libraries where the system has them; what was built, in ../lib too.
    shutil.copy(build / "bin/isolume", program)
    strip(program)
    put(usr / "bin/isolume", LAUNCHER)
    (libexec / "qt.conf").write_text("[Paths]\nPrefix = ..\nPlugins = plugins\n")
    # The Python package is of no version, and finds the program two folders up.
    for package in usr.glob("lib/python3*/*-packages/isolume"):
        shutil.move(package, usr / "lib/python/isolume")
        shutil.rmtree(package.parents[1])
    plugins = pathlib.Path(next(iter(sorted(pathlib.Path("/usr/lib").glob("*/qt6/plugins"))), "/"))
    files = [program]
    for plugin in PLUGINS:
        if (plugins / plugin).exists():
            to = usr / "plugins" / plugin
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(plugins / plugin, to)
            files.append(to)
    own = libraries(files)
    for name, path in own.items():
        folder = usr / "lib" / (f"fallback/{name}" if OF_DRIVERS.match(name) else "")
        folder.mkdir(parents=True, exist_ok=True)
        real = folder / (path.resolve().name if name.startswith("libstdc++") else name)
        shutil.copy(path.resolve(), real)
        strip(real)
        if real.name != name:
            (folder / name).symlink_to(real.name)
    for file in files[1:]:
        strip(file)
    return own, files[1:], plugins


def finish(top, own, plugins):
    shared = top / "usr/share"
    originals = [path.resolve() for path in own.values()] + plugins
    found, refused = check(originals + [FONT])
    if refused:
        fail("; ".join(refused))
    (shared / "licences").mkdir()
    for package, place in found.items():
        shutil.copy(place, shared / "licences" / package)
    shutil.copy(ROOT / "LICENSE", shared / "licences/isolume")
    (shared / "fonts").mkdir()
    (shared / "fonts/fonts.conf").write_text(FONTS)
    shutil.copy(FONT, shared / "fonts")
    put(top / "AppRun", APPRUN)
    (top / "isolume").symlink_to("AppRun")
    shutil.copy(shared / "applications/isolume.desktop", top)
    shutil.copy(shared / "icons/hicolor/scalable/apps/isolume.svg", top)
    (top / ".DirIcon").symlink_to("isolume.svg")


TIME = 1767225600  # of all files, 2026-01-01, so that the same build makes the same package


def archive(top, to):
    """Of names and of nobody, in one order."""

    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = TIME
        return entry

    with tarfile.open(to, "w:xz", preset=6) as tar:
        for path in [top, *sorted(top.rglob("*"))]:
            tar.add(path, arcname=str(path.relative_to(top.parent)), recursive=False, filter=plain)


def own_runtime(folder):
    """Compiled here. zlib is in it, and what GCC's runtime library allows to be."""
    runtime = folder / "runtime"
    source = ROOT / "packaging/appimage_runtime.cpp"
    own = ("-static-libstdc++", "-static-libgcc", "-Wl,-Bstatic", "-lz", "-Wl,-Bdynamic")
    run("c++", "-std=c++20", "-O2", "-s", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(runtime), *own)
    elf = bytearray(runtime.read_bytes())
    runtime.unlink()
    elf[8:11] = b"AI\x02"  # what names an AppImage of type 2
    return bytes(elf)


def appimage(top, runtime, to):
    """The image alone, and before it what starts it."""
    squashed = to.with_suffix(".squashfs")
    squashed.unlink(missing_ok=True)
    times = ("-all-time", str(TIME), "-mkfs-time", str(TIME))
    run("mksquashfs", str(top), str(squashed), "-root-owned", "-noappend", "-no-xattrs", "-comp", "gzip", "-quiet", "-no-progress", *times)
    first = pathlib.Path(runtime).read_bytes() if runtime else own_runtime(to.parent)
    if first[:4] != b"\x7fELF" or first[8:11] != b"AI\x02":
        fail(f"{runtime} is no runtime of AppImage's type 2")
    to.write_bytes(first + squashed.read_bytes())
    to.chmod(0o755)
    squashed.unlink()


def main():
    kind, build, folder, *runtime = sys.argv[1:]
    if kind not in ("archive", "appimage") or len(runtime) > (kind == "appimage"):
        fail(f"what is {' '.join(sys.argv[1:])}?")
    build, folder = pathlib.Path(build).resolve(), pathlib.Path(folder).resolve()
    name = f"isolume-{version_of(ROOT)}-linux-x86_64"
    top = folder / name
    shutil.rmtree(top, ignore_errors=True)
    top.mkdir(parents=True)
    own, plugins, place = fill(build, top)
    finish(top, own, [place / plugin for plugin in PLUGINS if (place / plugin).exists()])
    if kind == "archive":
        made = folder / f"{name}.tar.xz"
        archive(top, made)
    else:
        made = folder / f"isolume-{version_of(ROOT)}-x86_64.AppImage"
        try:
            appimage(top, runtime[0] if runtime else None, made)
        except subprocess.CalledProcessError as error:
            fail(error.stderr)
    shutil.rmtree(top)
    print(made)


main()
