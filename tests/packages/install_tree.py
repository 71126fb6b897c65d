#!/usr/bin/env python3
"""install_tree.py CMAKE BUILD PYTHON_DIR: installs the program into an empty folder and looks whether all is there: each file that a desktop, a
shell or Python looks for, of one version, with no trace of the folders it was built in."""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
WANTED = (
    "bin/isolume",
    "share/applications/isolume.desktop",
    "share/bash-completion/completions/isolume",
    "share/fish/vendor_completions.d/isolume.fish",
    "share/icons/hicolor/scalable/apps/isolume.svg",
    "share/man/man1/isolume.1",
    "share/metainfo/org.isolume.Isolume.metainfo.xml",
    "share/mime/packages/isolume.xml",
    "share/thumbnailers/isolume.thumbnailer",
    "share/zsh/site-functions/_isolume",
)


def tracked(folder):
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", folder], capture_output=True, text=True, check=False)
    names = listed.stdout.split("\n") if listed.returncode == 0 else [str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob("*") if p.is_file()]
    return [name for name in names if name and "__pycache__" not in name]


def library_paths(program):
    """RPATH and RUNPATH; None where readelf is missing."""
    try:
        dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        return None
    return re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", dynamic)


def differences(prefix, python_dir):
    wrong = [f"{name} is missing or empty" for name in WANTED if not (prefix / name).is_file() or not (prefix / name).stat().st_size]
    # Python's package and the examples whole: each file that git knows of.
    for folder, to in (("python/isolume", python_dir), ("resources/examples", "share/isolume")):
        base = pathlib.Path(folder).parent
        for name in tracked(folder):
            if not (prefix / to / pathlib.Path(name).relative_to(base)).is_file():
                wrong.append(f"{name} is not installed in {to}")
    wrong += [f"{path} should not be installed" for path in prefix.rglob("*") if path.name == "__pycache__" or path.suffix in (".a", ".h", ".pyc")]
    if wrong:
        return wrong
    program = prefix / "bin/isolume"
    wrong += [f"the program looks for libraries in {path}" for path in library_paths(program) or [] if path != "$ORIGIN/../lib"]
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    versions = {
        "CMakeLists.txt": re.search(r"project\(Isolume VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
        "python/pyproject.toml": re.search(r'^version = "(.*)"', (ROOT / "python/pyproject.toml").read_text(), re.M)[1],
        "packaging/conda/recipe.yaml": re.search(r'^  version: "(.*)"', (ROOT / "packaging/conda/recipe.yaml").read_text(), re.M)[1],
        "packaging/isolume.def": re.search(r"_([\d.]+)_amd64\.deb", (ROOT / "packaging/isolume.def").read_text())[1],
        "metainfo": xml.etree.ElementTree.parse(prefix / WANTED[6]).find(".//release").get("version"),
    }
    return wrong + [f"{where} says version {version}, the program {said}" for where, version in versions.items() if version != said]


def main():
    cmake, build, python_dir = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder, "prefix")
        subprocess.run([cmake, "--install", build, "--prefix", prefix, "--component", "program"], check=True, stdout=subprocess.DEVNULL)
        wrong = differences(prefix, python_dir)
    for line in wrong:
        print(f"install tree: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
