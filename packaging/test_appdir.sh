#!/usr/bin/env bash
# test_appdir.sh FILE [RELEASE]: puts an archive or an AppImage into a clean root (clean_root.sh; Debian 12 by default) and uses it there: first with
# nothing but the base system, then with an OpenGL driver and Python.
set -euo pipefail
file=$(readlink -f "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source packaging/clean_root.sh
clean_root "${2:-bookworm}"
mkdir "$root/opt/here"
case $file in
  *.AppImage)
    # As nobody in particular, without FUSE: its own runtime unpacks it at the first start.
    kind=AppImage start=/opt/isolume.AppImage
    cp "$file" "$root$start"
    test "$(od -An -c -j8 -N3 "$file" | tr -d ' ')" = 'AI002'
    inside sh -euc 'useradd -m someone; cd /opt/here; /opt/isolume.AppImage --appimage-extract >/dev/null; mv squashfs-root/* .; ls >/dev/null'
    inside su someone -c "$start --version && test -x ~/.cache/isolume-appimage/*/AppRun"
    ;;
  *)
    kind=archive start=/opt/here/isolume
    tar -C "$root/opt/here" --strip-components=1 -xf "$file"
    ;;
esac
cp packaging/use_package.py "$root/tmp/"
# Nothing may be looked for where it was built, or in the current folder (an empty entry).
readelf -d "$root/opt/here/usr/libexec/isolume" | grep RPATH | grep -qF '[$ORIGIN/../lib]'
inside start=$start sh -euc '
  cd /tmp
  $start --version
  $start compute potential /opt/here/usr/share/isolume/examples/crambin_charges/*.pqr.gz --device cpu --spacing 2 --out map.dx --quiet'
install_inside libgl1-mesa-dri libegl1 libegl-mesa0 libgl1 libglx-mesa0 python3-numpy
inside start=$start sh -euc '
  cd /tmp
  examples=/opt/here/usr/share/isolume/examples
  $start render $examples/crambin.pdb.gz --device cpu --size 320x240 --out picture.png --quiet
  PYTHONPATH=/opt/here/usr/lib/python python3 use_package.py $examples
  ls -l map.dx picture.png'
virtual_screen
inside env LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb $start /opt/here/usr/share/isolume/examples/crambin.pdb.gz >"$screen_folder/window.log" 2>&1 &
window=$!
python3 packaging/screen.py "$screen_folder/Xvfb_screen0" build/packages/window-$kind.png 120 || { cat "$screen_folder/window.log"; exit 1; }
kill $(pgrep -P $window) 2>/dev/null || kill $window
echo "$kind: used in a clean root of ${2:-bookworm}"
