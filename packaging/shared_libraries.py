"""What the wheel and the archive share: the libraries that a program loads, and copies of files without debug symbols."""

import pathlib
import re
import subprocess
import sys


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def fail(text):
    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {text}")


def loaded(file, left_out):
    """Name and path of each library that a program or library loads, but those whose names `left_out` matches. Ends where one is not found."""
    found = {}
    for line in run("ldd", str(file)).splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if match and "not found" in line:
            fail(f"{file} does not find {match[1]}")
        if match and not left_out.match(match[1]):
            found[match[1]] = pathlib.Path(match[2])
    return found


def strip(file):
    file.chmod(0o755)
    subprocess.run(["strip", "--strip-unneeded", file], check=True)


def version_of(root):
    return re.search(r'^version = "([^"]*)"', (root / "python/pyproject.toml").read_text(), re.MULTILINE)[1]
