#!/usr/bin/env bash
# test_container.sh RECIPE: makes a container of the Debian package in build/packages by the Dockerfile (with buildah, its base the clean root of
# clean_root.sh) or by the steps of the Apptainer definition, which are run in a clean root, and draws and computes in it.
set -euo pipefail
recipe=$(readlink -f "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source packaging/clean_root.sh
package=isolume-cuda
ls build/packages/${package}_*_amd64.deb >/dev/null 2>&1 || package=isolume
ls build/packages/${package}_*_amd64.deb >/dev/null
clean_root bookworm

# A section of the definition, with the names filled in.
section() { awk -v name="%$1" '/^%/ {on = $1 == name; next} on' "$recipe" | sed "s/{{ PACKAGE }}/$package/g"; }

by_definition() {
  local from to
  # Apptainer itself is not asked: it is in no release of Debian that has the rest.
  test "$(awk '$1 == "From:" {print $2}' "$recipe")" = debian:12-slim
  while read -r from to; do
    [ -z "$from" ] || cp $from "$root$to"
  done < <(section files)
  section post >"$root/post"
  inside sh -eu /post >"$root.log" 2>&1 || { cat "$root.log"; exit 1; }
  section test >"$root/test"
  inside sh -eu /test
  section runscript >"$root/runscript"
  inside sh -eu /runscript compute potential /usr/share/isolume/examples/crambin_charges/crambin_charges.pqr.gz --device cpu --spacing 2 --out /tmp/map.dx --quiet
  python3 -m json.tool "$root/usr/share/glvnd/egl_vendor.d/10_nvidia.json" >/dev/null
  ls -l "$root/tmp/map.dx" "$root/tmp/picture.png"
}

by_dockerfile() {
  local base made
  storage=$(mktemp -d)
  # Ends with this shell, as the root does.
  trap 'clean_root_end; rm -rf --one-file-system "$storage"' EXIT
  buildah() { command buildah --storage-driver vfs --root "$storage/root" --runroot "$storage/run" "$@"; }
  base=$(buildah from scratch)
  buildah add --quiet "$base" build/roots/bookworm.tar / >/dev/null
  buildah commit --quiet --format docker "$base" docker.io/library/debian:12-slim >/dev/null
  buildah build --pull-never --isolation chroot --build-arg PACKAGE=$package -f "$recipe" -t isolume build/packages >"$root.log" 2>&1 || { cat "$root.log"; exit 1; }
  made=$(buildah from --pull-never isolume)
  inside_image() { buildah run --isolation chroot "$made" -- "$@"; }
  buildah config --entrypoint '[]' "$made"
  inside_image isolume --version
  inside_image isolume compute potential /usr/share/isolume/examples/crambin_charges/crambin_charges.pqr.gz --device cpu --spacing 2 --out /tmp/map.dx --quiet
  inside_image isolume render /usr/share/isolume/examples/crambin.pdb.gz --device cpu --size 160x120 --out /tmp/picture.png
  inside_image sh -c 'ls -l /tmp/map.dx /tmp/picture.png'
}

case $recipe in
  *.def) by_definition ;;
  *) by_dockerfile ;;
esac
echo "container: made by $(basename "$recipe") of $package, and used"
