#!/usr/bin/env bash
# test_wheel.sh WHEEL: asks auditwheel (from PyPI, where that is reached) whether the wheel's name is true, then installs it in a new environment
# and uses it there: a map and a picture by the command and from Python, and a thousand small calls.
set -euo pipefail
wheel=$(readlink -f "$1")
here=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")")
examples=$here/../resources/examples
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tag=$(basename "$wheel" .whl)
tag=${tag##*-}
python3 -m venv "$root/audit"
if "$root/audit/bin/pip" install -q auditwheel 2>"$root/audit.log"; then
  "$root/audit/bin/auditwheel" show "$wheel" >"$root/shown"
  cat "$root/shown"
  # What it is consistent with is the tag, or that of an older system.
  "$root/audit/bin/python" - "$tag" "$root/shown" <<'PYTHON'
import re
import sys

tag, shown = sys.argv[1], " ".join(open(sys.argv[2]).read().split())
consistent = re.search(r'is consistent with the following platform tag: "(\w+)"', shown)[1]
assert tuple(map(int, consistent.split("_")[1:3])) <= tuple(map(int, tag.split("_")[1:3])), (consistent, tag)
PYTHON
else
  echo "wheel: auditwheel is not to be had, so the name is not checked"
fi
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install -q "$wheel"
cd "$root"
# Nothing of this machine's own program or package.
clean=(env -i HOME="$root" PATH="$root/venv/bin:/usr/bin:/bin")
"${clean[@]}" isolume --version
# Nothing may be looked for where it was built, or in the current folder (an empty entry).
readelf -d "$root"/venv/lib/python3*/site-packages/isolume/_program/bin/isolume | grep RPATH | grep -qF '[$ORIGIN/../lib]'
"${clean[@]}" isolume compute potential "$examples"/crambin_charges/*.pqr.gz --device cpu --spacing 2 --out map.dx --quiet
"${clean[@]}" isolume render "$examples/crambin.pdb.gz" --device cpu --size 320x240 --out picture.png --quiet
test "$(stat -c %s picture.png)" -gt 5000
"${clean[@]}" python "$here/use_package.py" "$examples" | tee used
grep -q '^program: .*/_program/bin/isolume ' used
ls -l "$wheel"
echo "wheel: installed in a new environment and used"
