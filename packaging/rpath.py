#!/usr/bin/env python3
"""rpath.py FILE...: takes the empty last entry out of the library path of programs that CMake has built.

CMake ends it with a colon, so that it finds it again when it installs. For the loader an empty entry is the current folder: a program
that is passed on would load a library from wherever it is started.
"""

import pathlib
import sys

BUILT = b"$ORIGIN/../lib:\0"
OWN = b"$ORIGIN/../lib\0\0"


def without_current_folder(data):
    return data.replace(BUILT, OWN)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        path.write_bytes(without_current_folder(path.read_bytes()))
