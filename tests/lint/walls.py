#!/usr/bin/env python3
"""Checks that the compiler refuses an include that crosses a wall: walls.py BUILD_FOLDER.

Each room is tried with its own compile command. A header of every folder that arrows.py allows must be found, and a header of any
other folder must not."""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from arrows import ALLOWED, ROOT


def command_of(entry, source):
    """The command that compiles this entry, preprocessing source instead. What is precompiled is left out: it has no rooms."""
    words = shlex.split(entry["command"])
    kept = []
    skip = False
    for word in words:
        if skip or word == "-c" or word == entry["file"] or word == "-Winvalid-pch":
            skip = False
        elif word in ("-o", "-include"):
            skip = True
        else:
            kept.append(word)
    return kept + ["-E", "-o", "/dev/null", str(source)]


def header_of(folder):
    """The smallest header of a folder: it includes least."""
    return min((ROOT / folder).rglob("*.h"), key=lambda path: (path.stat().st_size, path)).relative_to(ROOT).as_posix()


def main():
    build = pathlib.Path(sys.argv[1])
    entries = json.loads((build / "compile_commands.json").read_text())
    folders = sorted(folder for folder in ALLOWED if folder != "app")
    tried = 0
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "include.cpp"
        for room in folders:
            # A source of the room, or a batch of them: what sees the headers that are laid out for the room.
            sees = re.compile(rf"include/isolume_{room.split('/')[-1]}(\s|$)")
            entry = next((e for e in entries if e["file"].endswith((".cpp", ".cxx")) and sees.search(e["command"])), None)
            if entry is None:
                continue  # a build without the window
            for folder in folders:
                header = header_of(folder)
                source.write_text(f'#include "{header}"\n')
                done = subprocess.run(command_of(entry, source), cwd=entry["directory"], capture_output=True, text=True)
                missing = done.returncode != 0 and f"{header}: No such file" in done.stderr or f"'{header}' file not found" in done.stderr
                tried += 1
                if folder in ALLOWED[room] and done.returncode != 0:
                    wrong.append(f"{room} cannot include {header}:\n{done.stderr.strip()}")
                if folder not in ALLOWED[room] and not missing:
                    wrong.append(f"{room} can include {header}, and may not: see isolume_walls in cmake/Rooms.cmake")
    print("\n".join(wrong + [f"{tried} includes tried"]))
    return 1 if wrong or tried < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
