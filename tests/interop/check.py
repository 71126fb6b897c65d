"""Compares what the program writes and reads with other programs' reading of the same files: check.py PROGRAM.

Each line of the table is one file as one peer reads it: the largest difference, and the tolerance that it has to keep.
A tolerance is the format's own: 0 where all bits are kept, half a unit of the last digit that is written, or float32's.
"""

import pathlib
import sys
import tempfile
import warnings

from comparisons import lines, missed
from exports import maps, meshes
from pictures import pictures
from protonation import protonation
from views import views
from readings import binary_cif, structures, trajectories
from streams import streams

import isolume

warnings.simplefilter("ignore")

if __name__ == "__main__":
    isolume.set_program(sys.argv[1])
    print("| what | read by | compared | largest difference | tolerance |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for part in (meshes, maps, trajectories, structures, binary_cif, pictures, views, protonation, streams):
            part(pathlib.Path(name))
    print("\n".join(["", f"{len(lines)} compared, {len(missed)} beyond their tolerance", *missed]))
    sys.exit(1 if missed else 0)
