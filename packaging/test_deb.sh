#!/usr/bin/env bash
# test_deb.sh DEB [RELEASE]: asks lintian, then installs the package with apt in a clean root (clean_root.sh; Debian 12 by default) and uses it
# there: a map, a picture, a thousand calls from Python, the window on a virtual display, and what desktop and shells take up.
set -euo pipefail
deb=$(readlink -f "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lintian --fail-on error,warning "$deb"
source packaging/clean_root.sh
clean_root "${2:-bookworm}"
cp "$deb" "$root/tmp/isolume.deb"
cp packaging/use_package.py packaging/completions.sh "$root/tmp/"
# OpenGL by the processor; what reads the desktop's files; a reader of manual pages.
install_inside /tmp/isolume.deb libgl1-mesa-dri libegl-mesa0 libglx-mesa0 python3-numpy shared-mime-info desktop-file-utils man-db \
  bash-completion fish zsh
inside sh -euc '
  cd /tmp
  examples=/usr/share/isolume/examples
  isolume --version
  isolume compute potential $examples/crambin_charges/*.pqr.gz --device cpu --spacing 2 --out map.dx --quiet
  isolume render $examples/crambin.pdb.gz --device cpu --size 320x240 --out picture.png --quiet
  python3 use_package.py $examples
  man -w isolume
  desktop-file-validate /usr/share/applications/isolume.desktop
  # The type of a file that no other program names.
  test -n "$(grep -r isolume /usr/share/mime/globs2)"
  for file in bash-completion/completions/isolume fish/vendor_completions.d/isolume.fish zsh/vendor-completions/_isolume \
    icons/hicolor/scalable/apps/isolume.svg metainfo/org.isolume.Isolume.metainfo.xml; do test -s /usr/share/$file; done
  sh completions.sh
  # The thumbnailer as the desktop runs it: the line of its file, with the names filled in.
  line=$(sed -n "s/^Exec=//p" /usr/share/thumbnailers/isolume.thumbnailer)
  line=$(printf "%s" "$line" | sed -e "s#%s#128#g" -e "s#%i#$examples/crambin.pdb.gz#g" -e "s#%u#file://$examples/crambin.pdb.gz#g" -e "s#%o#/tmp/thumbnail.png#g")
  sh -euc "$line"
  # Beyond its memory it ends with a message and no picture, and beyond its time too.
  limited() {
    sh -c "$1" 2>limited.log && return 1
    cat limited.log
    grep -q "$2" limited.log && test ! -e limited.png
  }
  short=$(printf "%s" "$line" | sed -e "s#/tmp/thumbnail.png#limited.png#")
  limited "$(printf "%s" "$short" | sed -e "s#--memory-limit [0-9.]*#--memory-limit 0.00001#")" memory
  # A picture of this size takes longer by the processor.
  limited "$(printf "%s" "$short" | sed -e "s#--time-limit [0-9.]*#--time-limit 0.1#" -e "s#128x128#2048x2048#")" "not done after"
  ls -l map.dx picture.png thumbnail.png
'
virtual_screen
inside env LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb isolume /usr/share/isolume/examples/crambin.pdb.gz >"$screen_folder/window.log" 2>&1 &
window=$!
python3 packaging/screen.py "$screen_folder/Xvfb_screen0" build/packages/window-deb.png 120 || { cat "$screen_folder/window.log"; exit 1; }
kill $(pgrep -P $window) 2>/dev/null || kill $window
inside apt-get purge -y -qq "$(dpkg-deb -f "$deb" Package)" >"$root.log" 2>&1
test ! -e "$root/usr/bin/isolume"
test ! -e "$root/usr/share/isolume"
echo "deb: installed by apt in a clean root, used, and removed without remains"
