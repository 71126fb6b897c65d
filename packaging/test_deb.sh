#!/usr/bin/env bash
# test_deb.sh DEB: asks lintian, then installs the package with apt in a root of its own (debootstrap, as root) and makes a map, a
# picture and a session of the window's command line there. Needs a mirror of Debian 12: DEBIAN_MIRROR names another one.
set -euo pipefail
deb=$(readlink -f "$1")
lintian --fail-on error,warning "$deb"
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >/dev/null
cp "$deb" "$root/tmp/isolume.deb"
cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
mount -t proc proc "$root/proc" 2>/dev/null || true
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get install -y -qq --no-install-recommends /tmp/isolume.deb libgl1-mesa-dri libegl-mesa0 python3-numpy >/dev/null
inside sh -euc '
  cd /tmp
  examples=/usr/share/isolume/examples
  isolume --version
  isolume compute potential $examples/crambin_charges/*.pqr.gz --device cpu --spacing 2 --out map.dx --quiet
  isolume render $examples/crambin.pdb.gz --device cpu --size 320x240 --out picture.png --quiet
  python3 -c "import isolume; print(isolume.find_program(), isolume.info(\"$examples/crambin.pdb.gz\")[\"atoms\"])"
  ls -l map.dx picture.png'
echo "deb: installed by apt in a clean root; a map, a picture and the Python package"
