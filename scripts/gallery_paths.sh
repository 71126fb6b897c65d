#!/usr/bin/env bash
# gallery_paths.sh PROGRAM [OUTDIR]: draws five of the examples by the rasteriser and by path tracing, for docs/gallery.md.
set -euo pipefail
program=$(readlink -f "$1")
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
out=$(readlink -m "${2:-$root/docs/images/gallery}")
samples=${ISOLUME_GALLERY_SAMPLES:-64}
mkdir -p "$out"
# Where the examples are, so that the scenes in the pictures name them without folders of this machine.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/resources/examples/." "$work"
cd "$work"

draw() {
  local name=$1
  shift
  "$program" render "$@" --size 480x360 --samples 16 --device cpu --out "${name}_raster.png" --quiet
  "$program" render "$@" --size 480x360 --renderer path --samples "$samples" --device cpu --out "${name}_path.png" --quiet
  mv "${name}_raster.png" "${name}_path.png" "$out"
  printf '%s\n' "$out/${name}_raster.png" "$out/${name}_path.png"
}

draw spheres crambin.pdb.gz --style spheres
draw cartoon crambin.pdb.gz --style cartoon --label 'name SG'
draw potential crambin_charges/* --select protein --surface --colour-by potential
draw orbital threonine_chi1/* --orbital homo --opacity 0.6
draw depth crambin.pdb.gz --style ball-and-stick --depth-of-field 1.5
