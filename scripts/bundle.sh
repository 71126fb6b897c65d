#!/usr/bin/env bash
# Makes build/isolume-bundle.tar.gz: program, device tests, benchmarks, their libraries, Qt's plugins and the resources.
# It runs on any x86-64 Linux with glibc 2.36 or newer. --mesa adds Mesa's software OpenGL for machines without a driver
# (some 40 MB more); --without-window leaves the window's Qt plugins out; --from FOLDER takes another build than build/portable.
# The build is one without TIFF (-DISOLUME_TIFF=OFF): libtiff needs libjbig, which is under the GPL.
set -euo pipefail  # so every pipe is read to its end: a reader that stops early ends the script
cd "$(dirname "$0")/.."

mesa=no window=yes
from=build/portable/bin
while [ $# -gt 0 ]; do
  case $1 in
    --mesa) mesa=yes ;;
    --without-window) window=no ;;
    --from) from=${2:?bundle: --from needs a folder}/bin; shift ;;
    *) echo "bundle: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done

[ -x $from/isolume ] || { echo "bundle: there is no program $from/isolume; ./dev bundle builds it" >&2; exit 1; }
to=build/bundle/isolume
rm -rf build/bundle
mkdir -p $to/bin $to/lib $to/plugins/platforms $to/share/isolume $to/share/licences

for program in isolume isolume_device_tests test_poisson_boltzmann test_orbitals test_energies bench_compute bench_orbital bench_potential bench_surface \
  bench_spme bench_hcp test_window_structures; do
  [ $program = test_window_structures ] && [ $window = no ] && continue
  if [ -x $from/$program ]; then
    cp $from/$program $to/bin/
    strip $to/bin/$program
  fi
done
cp -r resources/. $to/share/isolume/
[ -d tests/data ] && mkdir -p $to/share/isolume/tests && cp -r tests/data $to/share/isolume/tests/

qt_plugins=$(find /usr/lib -type d -path '*qt6/plugins' | sed -n 1p)
for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so xcbglintegrations/libqxcb-glx-integration.so \
  xcbglintegrations/libqxcb-egl-integration.so imageformats/libqsvg.so iconengines/libqsvgicon.so; do
  if [ $window = yes ] && [ -e "$qt_plugins/$plugin" ]; then
    mkdir -p "$to/plugins/$(dirname $plugin)"
    cp "$qt_plugins/$plugin" "$to/plugins/$plugin"
  fi
done
printf '[Paths]\nPrefix = ..\nPlugins = plugins\n' > $to/bin/qt.conf

# glibc stays the system's, and so does the OpenGL driver; the dispatch libraries (libGL, libEGL) come along because a
# machine without a desktop has none.
system='ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libnss_.*|libutil|libcuda|libnvidia.*'
libraries() { ldd "$@" 2>/dev/null | awk '$2=="=>" && $3 ~ /^\// {print $3}' | sort -u; }
# Ends with the name of a library that is under the GPL; the licences of the others go into the bundle with them.
licences() {
  local packages package
  packages=$(packaging/licences.py "$@") || { echo "bundle: not made" >&2; exit 1; }
  for package in $packages; do cp "/usr/share/doc/$package/copyright" "$to/share/licences/$package"; done
}
copy() {
  local library kept=()
  for library in "$@"; do
    basename "$library" | grep -qE "^($system)\.so" || kept+=("$library")
  done
  [ ${#kept[@]} -gt 0 ] || return 0
  licences "${kept[@]}"
  cp -Ln "${kept[@]}" $to/lib/ 2>/dev/null || true
}
copy $(libraries $to/bin/* $(find $to/plugins -name '*.so'))
for name in libGL.so.1 libEGL.so.1 libOpenGL.so.0 libGLX.so.0 libGLdispatch.so.0; do
  library=$(ldconfig -p | awk -v n=$name '$1==n && /x86-64/ && !found++ {print $NF}')
  if [ -n "$library" ]; then copy "$library"; fi
done
if [ $mesa = yes ]; then
  mkdir -p $to/mesa/dri $to/mesa/egl_vendor.d
  drivers=$(find /usr/lib -path '*dri/swrast_dri.so' | sed -n 1p)
  cp -L "$drivers" $to/mesa/dri/
  egl=$(ldconfig -p | awk '$1=="libEGL_mesa.so.0" && !found++ {print $NF}')
  glx=$(ldconfig -p | awk '$1=="libGLX_mesa.so.0" && !found++ {print $NF}')
  licences "$drivers"
  copy "$egl" "$glx" $(libraries "$drivers" "$egl" "$glx")
  printf '{"file_format_version":"1.0.0","ICD":{"library_path":"libEGL_mesa.so.0"}}\n' > $to/mesa/egl_vendor.d/50_mesa.json
  cat > $to/bin/isolume-software <<'TEXT'
#!/bin/sh
# Isolume with the software OpenGL of this bundle.
here=$(dirname "$(readlink -f "$0")")
export LIBGL_DRIVERS_PATH="$here/../mesa/dri" __EGL_VENDOR_LIBRARY_DIRS="$here/../mesa/egl_vendor.d" LIBGL_ALWAYS_SOFTWARE=1
export __GLX_VENDOR_LIBRARY_NAME=mesa LD_LIBRARY_PATH="$here/../lib"
exec "$here/isolume" "$@"
TEXT
  chmod +x $to/bin/isolume-software
fi
for library in "$to"/lib/*; do strip --strip-unneeded "$library" 2>/dev/null || true; done
licences /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf  # compiled into the program, for texts in pictures
cp LICENSE README.md CHANGELOG.md $to/ 2>/dev/null || true
tar -C build/bundle -czf build/isolume-bundle.tar.gz isolume
du -sh build/isolume-bundle.tar.gz $to | sed 's/^/bundle: /' >&2
