#!/usr/bin/env python3
"""Checks that includes follow the arrows between the rooms, that no folders include each other in a circle, that no
folder grows over 60 files, and a few rules that no compiler checks."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("molecule", "formats", "compute", "render", "app")
FLOORS = {"molecule", "formats", "compute", "render"}
# What each room may include; the nearest folder of a file counts. walls.py tries them with the compiler.
ALLOWED = {
    "molecule": {"molecule"},
    "formats": {"formats", "molecule"},
    "compute": {"compute", "molecule"},
    "render": {"render", "molecule"},
    "app": set(ROOMS),
    "app/scene": FLOORS | {"app/scene"},
    "app/documents": FLOORS | {"app/scene", "app/documents"},
    "app/fields": FLOORS | {"app/scene", "app/documents", "app/fields"},
    "app/view": FLOORS | {"app/scene", "app/documents", "app/fields", "app/view"},
    "app/export": FLOORS | {"app/scene", "app/documents", "app/fields", "app/view", "app/export"},
    "app/models": FLOORS | {"app/scene", "app/models"},
    "app/cli": FLOORS | {"app/scene", "app/documents", "app/fields", "app/view", "app/export", "app/cli"},
    "app/window": FLOORS | {"app/scene", "app/documents", "app/fields", "app/view", "app/export", "app/models", "app/cli", "app/window"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# (pattern of an include, where it may stand, what the rule is)
RESERVED = (
    (re.compile(r"^Q[A-Z]|^Qt"), ("app/window/", "app/models/", "app/main.cpp"), "Qt stays in app"),
    (re.compile(r"^epoxy/|^GL/|^EGL/"), ("render/", "app/fields/interop/", "app/window/viewport/"), "OpenGL stays in render"),
    (re.compile(r"^cuda|^thrust/|^cub/|^nvrtc"), ("compute/", "app/fields/interop/gl_interop_cuda"), "CUDA stays in compute"),
    (re.compile(r"^gemmi/"), ("formats/structures/cif.cpp", "compute/fft"), "gemmi stays in one file"),
)
FORBIDDEN_CALLS = re.compile(r"(?<![\w:.>])(atof|atoi|strtod|strtol|sscanf|sprintf|stod|stoi|stof|stol)\s*\(|std::(stod|stoi|stof|stol|stoul|stoull)\b")


def room_of(name):
    """The room of a file of the checkout, app/scene or compute; empty where it is of none."""
    parts = name.split("/")
    inner = "/".join(parts[:2])
    return inner if inner in ALLOWED else parts[0] if parts[0] in ROOMS else ""


MOST_FILES = 60
SUFFIXES = (".h", ".cpp", ".cu", ".cuh")


def folders():
    """The files of each folder of the rooms and the tests, and which folders each one includes, with an example."""
    files = {}
    arrows = {}
    for room in ROOMS + ("tests",):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            folder = path.relative_to(ROOT).parent.as_posix()
            files[folder] = files.get(folder, 0) + 1
            if room == "tests":
                continue
            for line in path.read_text(encoding="utf-8").splitlines():
                match = INCLUDE.match(line)
                target = match and match.group(1)
                if target and (ROOT / target).is_file():
                    other = pathlib.PurePosixPath(target).parent.as_posix()
                    if other != folder:
                        arrows.setdefault(folder, {}).setdefault(other, f"{path.relative_to(ROOT).as_posix()} -> {target}")
    return files, arrows


def circles(arrows):
    """One circle of folders for each folder that reaches itself, shortest first found; each circle once."""
    told = set()
    for start in sorted(arrows):
        before = {start: None}
        queue = [start]
        while queue:
            folder = queue.pop(0)
            for other in arrows.get(folder, {}):
                if other == start:
                    circle = [folder]
                    while before[circle[-1]] is not None:
                        circle.append(before[circle[-1]])
                    circle.reverse()
                    if frozenset(circle) not in told:
                        told.add(frozenset(circle))
                        yield circle
                    queue = []
                    break
                if other not in before:
                    before[other] = folder
                    queue.append(other)


def problems():
    files, arrows = folders()
    for folder, count in sorted(files.items()):
        if count > MOST_FILES:
            yield f"{folder}: {count} files; more than {MOST_FILES}: it holds more than one thing"
    for circle in circles(arrows):
        steps = [arrows[a][b] for a, b in zip(circle, circle[1:] + circle[:1])]
        yield "folders include each other in a circle: " + "; ".join(steps)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".cu", ".cuh"):
                continue
            name = path.relative_to(ROOT).as_posix()
            lines = path.read_text(encoding="utf-8").splitlines()
            if not lines or not lines[0].startswith("// "):
                yield f"{name}:1: a file opens with one sentence saying what it is"
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                if match:
                    target = match.group(1)
                    here, there = room_of(name), room_of(target)
                    if there and there not in ALLOWED[here] and here != "app":
                        yield f"{name}:{number}: {here} may not include {target}"
                    for pattern, places, rule in RESERVED:
                        if pattern.search(target) and not name.startswith(places):
                            yield f"{name}:{number}: {rule}: {target}"
                elif FORBIDDEN_CALLS.search(line):
                    yield f"{name}:{number}: numbers are parsed with std::from_chars"
                if len(line) > 120 and "http" not in line:
                    yield f"{name}:{number}: longer than 120 columns"


def main():
    found = list(problems())
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
