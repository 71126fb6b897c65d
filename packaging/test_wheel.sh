#!/usr/bin/env bash
# test_wheel.sh WHEEL: installs a wheel in a new environment and makes a map and a picture with it, by the command and from Python.
set -euo pipefail
wheel=$(readlink -f "$1")
examples=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../resources/examples")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install -q "$wheel"
cd "$root"
# Nothing of this machine's own program or package.
clean=(env -i HOME="$root" PATH="$root/venv/bin:/usr/bin:/bin")
"${clean[@]}" isolume --version
"${clean[@]}" isolume compute potential "$examples"/crambin_charges/*.pqr.gz --device cpu --spacing 2 --out map.dx --quiet
"${clean[@]}" isolume render "$examples/crambin.pdb.gz" --device cpu --size 320x240 --out picture.png --quiet
"${clean[@]}" python - "$examples" <<'PYTHON'
import glob
import pathlib
import sys

import isolume

examples = sys.argv[1]
assert "_program" in isolume.find_program(), isolume.find_program()
field = isolume.compute.potential(glob.glob(f"{examples}/crambin_charges/*.pqr.gz")[0], spacing=2, device="cpu")
written = [line for line in pathlib.Path("map.dx").read_text().splitlines() if line and line[0] in "-0123456789"]
numbers = [float(word) for line in written for word in line.split()]
assert len(numbers) == field.values.size, (len(numbers), field.values.size)
assert abs(numbers[0] - field.values.flat[0]) <= 1e-5 * abs(numbers[0])
picture = isolume.render(f"{examples}/crambin.pdb.gz", size="320x240", device="cpu")
assert pathlib.Path("picture.png").stat().st_size > 5000 and picture.png[:4] == b"\x89PNG"
print("wheel: a map and a picture by the command and from Python")
PYTHON
