#!/usr/bin/env python3
"""Checks that includes follow the arrows between the rooms, and a few rules that no compiler checks."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("molecule", "formats", "compute", "render", "app")
ALLOWED = {
    "molecule": {"molecule"},
    "formats": {"formats", "molecule"},
    "compute": {"compute", "molecule"},
    "render": {"render", "molecule"},
    "app": set(ROOMS),
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# (pattern of an include, where it may stand, what the rule is)
RESERVED = (
    (re.compile(r"^Q[A-Z]|^Qt"), ("app/session/", "app/window/", "app/models/", "app/main.cpp", "app/cli/"), "Qt stays in app"),
    (re.compile(r"^epoxy/|^GL/|^EGL/"), ("render/", "app/session/gl_share", "app/window/viewport"), "OpenGL stays in render"),
    (re.compile(r"^cuda|^thrust/|^cub/|^nvrtc"), ("compute/", "app/session/gl_share_cuda"), "CUDA stays in compute"),
    (re.compile(r"^gemmi/"), ("formats/cif.cpp", "compute/fft"), "gemmi stays in one file"),
)
FORBIDDEN_CALLS = re.compile(r"(?<![\w:.>])(atof|atoi|strtod|strtol|sscanf|sprintf|stod|stoi|stof|stol)\s*\(|std::(stod|stoi|stof|stol|stoul|stoull)\b")


def problems():
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
                    head = target.split("/")[0]
                    if head in ROOMS and head not in ALLOWED[room]:
                        yield f"{name}:{number}: {room} may not include {target}"
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
