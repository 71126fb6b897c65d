#!/usr/bin/env bash
# gallery.sh PROGRAM OUTDIR: draws the examples into OUTDIR and prints the paths of the pictures.
set -euo pipefail
program=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../resources/examples"
size=${ISOLUME_GALLERY_SIZE:-1200x900}

draw() {
  local picture="$out/$1"
  shift
  "$program" render "$@" --out "$picture" --size "$size" --quiet
  printf '%s\n' "$picture"
}

draw crambin.png crambin.pdb.gz --surface
draw crambin_water.png crambin_water/* --frame 30
for frame in 0 24; do
  draw "ethylene_homo_$frame.png" ethylene_torsion/* --orbital homo --follow --enclosed 90 --frame $frame
done
draw threonine_lumo.png threonine_chi1/* --orbital lumo --opacity 0.6
draw crambin_potential.png crambin_charges/* --select protein --surface --colour-by potential
