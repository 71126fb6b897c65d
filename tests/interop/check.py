"""Compares what the program writes and reads with other programs' reading of the same files: check.py PROGRAM [PART...].

Parts are those of PARTS, all where none is named; a part needs the peers that it imports alone.
Each line of the table is one file as one peer reads it: the largest difference, and the tolerance that it has to keep.
A tolerance is the format's own: 0 where all bits are kept, half a unit of the last digit that is written, or float32's.
"""

import importlib
import pathlib
import sys
import tempfile
import warnings

from comparisons import lines, missed

import isolume

PARTS = {
    "meshes": "exports",
    "maps": "exports",
    "trajectories": "readings",
    "structures": "readings",
    "binary_cif": "readings",
    "pictures": "pictures",
    "views": "views",
    "protonation": "protonation",
    "streams": "streams",
    "simulations": "simulations",
    "small": "small",
}

warnings.simplefilter("ignore")

if __name__ == "__main__":
    isolume.set_program(sys.argv[1])
    print("| what | read by | compared | largest difference | tolerance |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for part in sys.argv[2:] or PARTS:
            try:
                getattr(importlib.import_module(PARTS[part]), part)(pathlib.Path(name))
            except ModuleNotFoundError as missing:
                if sys.argv[2:] != ["small"]:
                    raise
                print(f"skipped: {missing}; packages.txt names the readers")
                sys.exit(77)
    print("\n".join(["", f"{len(lines)} compared, {len(missed)} beyond their tolerance", *missed]))
    sys.exit(1 if missed else 0)
