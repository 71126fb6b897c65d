# The subcommands of ./dev; sourced, not run.

say() { printf '%s\n' "$*" >&2; }
die() { say "dev: $*"; exit 1; }

help() {
  cat <<'TEXT'
./dev run [FILE…]       set up, build the program, open the window (without a display: render the examples to
                        build/gallery). With an NVIDIA GPU and no CUDA compiler, takes the compiler from PyPI
./dev test [OPTION…]    set up, check the style, build the program and the tests, run the tests (headless);
                        options are those of ctest: -R REGEX, -L quick, -L long
./dev gpu-test [FILTER] on a machine with an NVIDIA GPU: the tests of the computations, the program and the window on CUDA and
                        the card's OpenGL; fails where either is not used (FILTER as of --gtest_filter)
./dev sanitize          molecules, readers and scenes with the address and undefined-behaviour sanitizers: tests and fuzzing
                        (--quick: scenes and fuzzing alone, as CI does; asan, tsan: everything, scripts/sanitize.sh)
./dev build [PRESET]    set up and build everything; the program is build/PRESET/bin/isolume
                        (release, dev, asan, tsan, cuda)
./dev bench [NAME…]     build and run the benchmarks (list: their names); peers are installed into build/peers.
                        --update writes docs/performance from the figures in docs/performance/data
                        --update NAME [WORD…] runs a benchmark with these words and takes its figures first
./dev new-format NAME   begin the reader of a format: source, test, small file, and its line in every list
./dev format            format all sources with clang-format
./dev lint              format check, room arrows, clang-tidy on what changed since the last commit (--all: everything)
./dev bundle [OPTION…]  a relocatable archive, build/isolume-bundle.tar.gz, with the program and the device tests
                        (--mesa: with software OpenGL; --without-window: without Qt's plugins)
./dev wheel             a wheel for Python that holds the program without the window, in build/packages; tried in a new environment
./dev deb               a Debian package of program, window and Python package, in build/packages; lintian is asked where it is installed
                        (isolume-cuda where there is a compiler of CUDA 13; isolume without one)
./dev tarball           a relocatable archive of program, window and Python package with their libraries, in build/packages
./dev appimage [RUNTIME]  the same as an AppImage (needs mksquashfs); RUNTIME: the file of another runtime of type 2 than our own
                        --cpu after wheel, deb, tarball and appimage: for the processor alone, though there is a compiler of CUDA
./dev package-test [FILE…]  the packages of build/packages, or these, installed in clean roots and used there: maps, pictures, the
                        window, Python; and the recipes of containers and conda (as root; needs debootstrap, lintian and Xvfb)
./dev setup             install the packages of packages.txt that are missing
Options before the subcommand: --cuda-from-pypi  take CUDA 13's compiler from PyPI where there is none
TEXT
}

packages() { sed -e 's/#.*//' packages.txt | tr -s ' \n' '\n' | sed '/^$/d'; }

# Their output is read to its end: who stops early ends the writer with an error, which pipefail takes for an answer.
is_installed() { [[ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = *'ok installed'* ]]; }
# Whether apt-get has lists of packages, whether they name one that can be installed, and which other one provides it.
has_lists() { compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; }
has_candidate() { [[ "$(LC_ALL=C apt-cache policy "$1" 2>/dev/null)" =~ Candidate:\ [^\(] ]]; }
provider() { LC_ALL=C apt-cache showpkg "$1" 2>/dev/null | sed -e '1,/^Reverse Provides/d' -e 's/ .*//' | sed -n 1p; }

# Installs what is missing of packages.txt. What this system does not have is left out with a message: ./dev format and the
# format check alone need clang-format 14, ./dev lint clang-tidy 14; without another one CMake says what it misses.
setup() {
  local missing=() wanted=() without=() name other sudo=""
  command -v dpkg-query >/dev/null || { say "no dpkg here: install what packages.txt lists by hand"; return 0; }
  for name in $(packages); do
    is_installed "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  has_lists || $sudo apt-get update -qq >&2
  for name in "${missing[@]}"; do
    if has_candidate "$name"; then
      wanted+=("$name")
    else
      other=$(provider "$name")
      if [ -z "$other" ]; then
        without+=("$name")
      elif ! is_installed "$other" && [[ " ${wanted[*]} " != *" $other "* ]]; then
        wanted+=("$other")
      fi
    fi
  done
  [ ${#without[@]} -eq 0 ] || say "this system has no package ${without[*]}: left out"
  [ ${#wanted[@]} -eq 0 ] && return 0
  say "installing ${wanted[*]}"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${wanted[@]}" >&2
}

# CUDA's compiler and headers from PyPI, in build/cuda, for machines without the toolkit.
cuda_from_pypi() {
  local root=build/cuda
  if [ ! -x $root/bin/nvcc ]; then
    say "taking CUDA's compiler from PyPI into build/cuda (about 500 MB, once)"
    python3 -m venv build/cuda-venv || die "python3-venv is missing"
    build/cuda-venv/bin/pip install -q nvidia-cuda-nvcc nvidia-cuda-runtime nvidia-cuda-cccl nvidia-nvvm nvidia-cuda-crt nvidia-cufft nvidia-cuda-nvrtc \
      || return 1
    ln -sfn "$(find "$PWD"/build/cuda-venv -type d -path '*nvidia/cu13' | sed -n 1p)" $root
    chmod +x $root/bin/* $root/nvvm/bin/* 2>/dev/null || true
    [ -e $root/lib64 ] || ln -s lib $root/lib64
  fi
  export CUDACXX="$PWD/$root/bin/nvcc"
}

# Whether there is a compiler of CUDA 13 or newer.
has_nvcc() {
  local nvcc version
  nvcc=${CUDACXX:-$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")}
  version=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\).*/\1/p') || true
  [ "${version:-0}" -ge 13 ]
}

# What to do about CUDA when a program for this machine is built, and why: "off REASON", "on REASON" or "pypi REASON".
cuda_choice() {
  local listed capability driver newest=0
  listed=$(nvidia-smi --query-gpu=compute_cap,driver_version --format=csv,noheader 2>/dev/null) || listed=""
  if [ -z "$listed" ]; then
    echo "off no NVIDIA GPU here: building for the CPU alone"
    return
  fi
  driver=${listed%%$'\n'*}
  driver=${driver#*, }
  while IFS=, read -r capability _; do
    capability=${capability/./}
    if [[ $capability =~ ^[0-9]+$ ]] && [ "$capability" -gt "$newest" ]; then newest=$capability; fi
  done <<<"$listed"
  if [ "$newest" -lt 75 ]; then
    echo "off the NVIDIA GPU is older than compute capability 7.5, which CUDA 13 needs: building for the CPU alone"
  elif [[ ${driver%%.*} =~ ^[0-9]+$ ]] && [ "${driver%%.*}" -lt 580 ]; then
    echo "off the NVIDIA driver $driver is older than 580, which CUDA 13 needs: building for the CPU alone"
  elif has_nvcc; then
    echo "on an NVIDIA GPU and CUDA's compiler are here"
  else
    echo "pypi an NVIDIA GPU is here, CUDA's compiler is not"
  fi
}

# Options of CMake for a first build of the program; says what they mean.
choose_cuda() {
  local choice
  choice=$(cuda_choice)
  say "${choice#* }; the first build of the program takes some minutes"
  case $choice in
    off*) first_options+=(-DISOLUME_CUDA=OFF) ;;
    pypi*)
      if ! cuda_from_pypi; then
        say "CUDA's compiler could not be had from PyPI: building for the CPU alone"
        first_options+=(-DISOLUME_CUDA=OFF)
      fi
      ;;
  esac
}

# ccache, where it is installed, knows a source again in another checkout.
share_cache() {
  export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros
}

# build PRESET [TARGET…]: all targets if none is named. first_options are used where the folder is new.
first_options=()
build() {
  local preset=${1:-release}
  shift || true
  setup
  share_cache
  export NINJA_STATUS="[%f of %t, %es] "
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" "${first_options[@]}" >&2 || die "configuring failed"
  fi
  cmake --build --preset "$preset" ${1:+--target "$@"} >&2 || die "the build failed"
}

# Runs a command with a display: the one there is, else a virtual one.
with_display() {
  if [ -n "${DISPLAY:-}" ]; then "$@"; else xvfb-run -a -s '-screen 0 1600x1200x24' "$@"; fi
}

test_all() {
  lint_quick
  first_options=(-DISOLUME_WERROR=ON -DISOLUME_HARDENING=OFF)
  # From nothing, batches are quicker; after a change they are slower. Where no GPU runs what is compiled, CUDA code is made
  # for the oldest one, whose limits are the narrowest.
  if [ "${CI:-}" = true ]; then
    first_options+=(-DISOLUME_UNITY=ON)
    nvidia-smi -L >/dev/null 2>&1 || first_options+=(-DISOLUME_CUDA_ARCHITECTURES=75)
    build release
  else
    build release isolume isolume_tests
  fi
  export LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb
  unset WAYLAND_DISPLAY
  local failed=0
  # The corpora of readers run under sanitizers next: ./dev sanitize --quick.
  [ "${CI:-}" = true ] && set -- -E '^fuzz\.' "$@"
  with_display ctest --preset release -j "$(nproc)" "$@" || failed=1
  python3 scripts/skips.py build/release
  return $failed
}

# Whether pictures are drawn by the card: what the report of one says.
draws_by_card() {
  local made=build/release/gpu-test
  build/release/bin/isolume render resources/examples/crambin.pdb.gz --out $made.png --size 64x64 --quiet --report $made.json || return 1
  python3 -c 'import json, sys
drawn = json.load(open(sys.argv[1]))["result"]
print("pictures are drawn by", drawn["renderer"], file=sys.stderr)
sys.exit(drawn["software"])' $made.json
}

# Every test that a GPU changes, and none that passes without one.
gpu_test() {
  nvidia-smi -L >&2 || die "no NVIDIA GPU here"
  local windows=(test_window test_window_maps test_window_structures test_window_scene test_window_quantum
    test_window_clicks test_window_any_order test_window_faults)
  local programs=(isolume_device_tests test_poisson_boltzmann test_orbitals test_energies test_trace test_schedule test_faults test_field_faults test_cli_faults test_app) program failed=()
  first_options=(-DISOLUME_WERROR=ON -DISOLUME_HARDENING=OFF -DISOLUME_UNITY=ON -DISOLUME_CUDA=ON)
  build release isolume "${programs[@]}" "${windows[@]}"
  unset LIBGL_ALWAYS_SOFTWARE WAYLAND_DISPLAY
  export ISOLUME_REQUIRE_CUDA=1 QT_QPA_PLATFORM=xcb
  # The OpenGL of a virtual display is the processor's: there pictures are drawn by EGL.
  [ -n "${DISPLAY:-}" ] || export ISOLUME_DRAWING=image
  draws_by_card || failed+=("OpenGL of the card")
  for program in "${programs[@]}" "${windows[@]}"; do
    with_display "build/release/bin/$program" --gtest_brief=1 "--gtest_filter=${1:-*}" || failed+=("$program")
  done
  [ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
}

# Molecules, readers and scenes under the address and undefined-behaviour sanitizers: their tests and a part of the fuzzing.
# --quick: scenes and fuzzing alone, in a folder of its own that is quick to build. asan, tsan: every test.
sanitize() {
  local programs=(test_molecule test_formats test_scene) preset=asan program shard running=()
  case ${1:-} in
    asan | tsan) exec scripts/sanitize.sh "$@" ;;
    --quick)
      shift
      setup
      share_cache
      programs=(test_scene)
      # Checks of pointers to objects, which cost a third of the time and which the address sanitizer has too, are left out.
      local checks=address,bounds,shift,signed-integer-overflow,integer-divide-by-zero,float-cast-overflow,bool,enum,return,unreachable
      [ -f build/asan-quick/build.ninja ] || cmake --preset asan -B build/asan-quick -DISOLUME_WINDOW=OFF -DISOLUME_UNITY=ON \
        -DISOLUME_SANITIZE=$checks "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0" >&2 || die "configuring failed"
      cmake --build build/asan-quick --target test_scene fuzz_readers >&2 || die "the build failed"
      preset=asan-quick
      ;;
    *)
      first_options=(-DISOLUME_WINDOW=OFF -DISOLUME_UNITY=ON)
      build asan "${programs[@]}" fuzz_readers
      ;;
  esac
  for program in "${programs[@]}"; do
    for ((shard = 0; shard < $(nproc); ++shard)); do
      GTEST_TOTAL_SHARDS=$(nproc) GTEST_SHARD_INDEX=$shard build/$preset/bin/$program --gtest_brief=1 >&2 &
      running+=($!)
    done
    for shard in "${running[@]}"; do wait "$shard" || die "$program failed under the sanitizers"; done
    running=()
  done
  ISOLUME_FUZZ_PART=20 ctest --test-dir build/$preset --output-on-failure -j "$(nproc)" -R '^fuzz\.' "$@"
}

run() {
  if [ ! -f build/release/build.ninja ]; then
    first_options=(-DISOLUME_UNITY=ON)
    choose_cuda
  fi
  build release isolume
  local program=build/release/bin/isolume
  if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    if [ $# -eq 0 ]; then set -- resources/examples/crambin.pdb.gz; fi
    exec $program "$@"
  fi
  gallery "$@"
}

# Without a display: pictures of the files given, or of the examples.
gallery() {
  local program=build/release/bin/isolume file
  mkdir -p build/gallery
  if [ $# -eq 0 ]; then
    scripts/gallery.sh $program build/gallery
  else
    for file in "$@"; do
      local out
      out=build/gallery/$(basename "${file%%.*}").png
      $program render "$file" --out "$out" --size 1600x1200 --quiet
      printf '%s\n' "$out"
    done
  fi
}

sources() { git ls-files '*.cpp' '*.h' '*.cu' '*.cuh'; }

format() {
  setup
  command -v clang-format-14 >/dev/null || die "clang-format-14 is missing; other versions format differently"
  sources | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 40 clang-format-14 -i
}

lint_quick() {
  setup
  if command -v clang-format-14 >/dev/null; then
    sources | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 40 clang-format-14 --dry-run -Werror || die "run ./dev format"
  elif [ "${CI:-}" = true ]; then
    die "clang-format-14 is missing"
  else
    say "clang-format-14 is missing: the format is not checked"
  fi
  python3 tests/lint/arrows.py || die "an include crosses a room boundary"
}

lint() {
  lint_quick
  build release
  local files
  command -v clang-tidy-14 >/dev/null || { say "clang-tidy-14 is missing: its checks are left out"; return 0; }
  if [ "${1:-}" = --all ]; then files=$(git ls-files '*.cpp'); else files=$(git diff --name-only HEAD -- '*.cpp'); fi
  [ -z "$files" ] || printf '%s\n' $files | xargs -P "$(nproc)" -n 1 clang-tidy-14 -p build/release --quiet
}

bench() {
  case "${1:-}" in
    --update)
      shift
      [ $# -gt 0 ] || exec scripts/performance.py
      build release isolume_benchmarks
      exec scripts/performance.py --run "$@"
      ;;
    list) ;;
    *) build release isolume isolume_benchmarks ;;
  esac
  scripts/bench.sh "$@"
}
# A bundle goes to other machines: it has code for all GPUs where there is a compiler for them. libtiff needs a library under the GPL.
bundle() {
  first_options=(-DISOLUME_CUDA=AUTO -DISOLUME_TIFF=OFF -DISOLUME_UNITY=ON "-DISOLUME_CUDA_ARCHITECTURES=75;90")
  build_in build/portable all
  scripts/bundle.sh "$@"
}

# Begins a package: package_folder NAME [--cpu] [WORD…] sets folder and first_options, and leaves the other words in words.
package_folder() {
  folder=build/$1
  first_options=(-DISOLUME_TESTS=OFF -DISOLUME_BENCHMARKS=OFF -DISOLUME_UNITY=ON)
  shift
  words=("$@")
  if [ "${1:-}" = --cpu ]; then
    words=("${@:2}")
    folder+=-cpu
    first_options+=(-DISOLUME_CUDA=OFF)
  else
    # For all GPUs where there is a compiler for them.
    first_options+=(-DISOLUME_CUDA=AUTO "-DISOLUME_CUDA_ARCHITECTURES=75;90")
  fi
  case ${words[0]:-} in -*) die "unknown option ${words[0]}" ;; esac
}

# The window is not built: it needs libraries of a desktop. libtiff needs a library under the GPL, which a wheel would hold.
wheel() {
  local folder words made
  package_folder wheel "$@"
  first_options+=(-DISOLUME_WINDOW=OFF -DISOLUME_TIFF=OFF)
  build_in $folder
  made=$(PYTHONDONTWRITEBYTECODE=1 python3 packaging/wheel.py $folder/bin/isolume build/packages) || die "no wheel"
  packaging/test_wheel.sh "$made" >&2 || die "the wheel does not work"
  printf '%s\n' "$made"
}

deb() {
  # Who makes a package answers for it: there is no address that suits all.
  [[ "${ISOLUME_MAINTAINER:-}" =~ ^[^\<\>]+\ \<[^\<\>\ ]+@[^\<\>\ ]+\>$ ]] ||
    die "a Debian package names its maintainer: ISOLUME_MAINTAINER='Name <address>' ./dev deb"
  local folder words made
  package_folder deb "$@"
  first_options+=(-DCMAKE_INSTALL_PREFIX=/usr -DISOLUME_PYTHON_DIR=lib/python3/dist-packages)
  build_in $folder
  cpack --config $folder/CPackConfig.cmake -D "CPACK_PACKAGE_CONTACT=$ISOLUME_MAINTAINER" -B build/packages >&2 || die "no package"
  rm -rf build/packages/_CPack_Packages
  made=$(ls -t build/packages/isolume*.deb | sed -n 1p)
  if command -v lintian >/dev/null; then lintian --fail-on error,warning "$made" >&2 || die "lintian complains"; fi
  printf '%s\n' "$made"
}

# archive or appimage: of one build.
appdir() {
  local kind=$1 folder words
  package_folder appdir "${@:2}"
  first_options+=(-DISOLUME_TIFF=OFF)
  build_in $folder
  PYTHONDONTWRITEBYTECODE=1 python3 packaging/appdir.py $kind $folder build/packages "${words[@]}" || die "no $kind"
}

package_test() {
  local file failed=()
  [ $# -gt 0 ] || set -- build/packages/isolume*.deb build/packages/isolume*.whl build/packages/isolume*.tar.xz build/packages/isolume*.AppImage \
    packaging/isolume.def packaging/Dockerfile packaging/conda
  for file in "$@"; do
    [ -e "$file" ] || { say "there is no $file: left out"; continue; }
    say "testing $file"
    case $file in
      *.deb) packaging/test_deb.sh "$file" ;;
      *.whl) packaging/test_wheel.sh "$file" ;;
      # Where it was built, and where the system's libraries are newer than those of the archive.
      *.tar.xz | *.AppImage) packaging/test_appdir.sh "$file" bookworm && packaging/test_appdir.sh "$file" trixie ;;
      *.def | *Dockerfile) packaging/test_container.sh "$file" ;;
      *conda) packaging/test_conda.sh ;;
      *) die "package-test: what is $file?" ;;
    esac >&2 || failed+=("$file")
  done
  [ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
}

# The program of the release preset, or another target, in a folder of its own.
build_in() {
  setup
  share_cache
  [ -f "$1/build.ninja" ] || cmake --preset release -B "$1" "${first_options[@]}" >&2 || die "configuring failed"
  cmake --build "$1" --target "${2:-isolume}" >&2 || die "the build failed"
}

main() {
  if [ "${1:-}" = --cuda-from-pypi ]; then shift; setup; cuda_from_pypi; fi
  local command=${1:-help}
  [ $# -gt 0 ] && shift
  case $command in
    run) run "$@" ;;
    test) test_all "$@" ;;
    gpu-test) gpu_test "$@" ;;
    sanitize) sanitize "$@" ;;
    build) build "$@" ;;
    bench) bench "$@" ;;
    new-format | --new-format) exec scripts/new_format.py "$@" ;;
    format) format ;;
    lint) lint "$@" ;;
    bundle) bundle "$@" ;;
    wheel) wheel "$@" ;;
    deb) deb "$@" ;;
    tarball) appdir archive "$@" ;;
    appimage) appdir appimage "$@" ;;
    package-test) package_test "$@" ;;
    setup) setup ;;
    help | -h | --help) help ;;
    *) die "unknown subcommand '$command'; ./dev help lists them" ;;
  esac
}
