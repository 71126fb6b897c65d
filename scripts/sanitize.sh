#!/usr/bin/env bash
# Every test under sanitizers, in shards on all processors: scripts/sanitize.sh asan|tsan [--build|--run] [--part I/N] [--shards N]
# [--resume] [PROGRAM...]
#   --build     builds only; --run runs what is built
#   --resume    leaves out the shards that passed in the runs before, since the last one without --resume
#   --part 2/4  the second quarter of the shards, where a machine is had for a short time
#   --shards 32 shards of each program; as many as processors without it
#   PROGRAM     test programs, test_formats; default: all of them
# Logs are in build/asan/shards. The thread sanitizer has to see into TBB: its sources are taken by apt-get source, or from the
# folder that ISOLUME_TBB_SOURCE names, and built in build/tsan-tbb.
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "sanitize: $*" >&2; exit 1; }

preset=${1:-}
case $preset in asan | tsan) shift ;; *) die "asan or tsan?" ;; esac
does_build=yes does_run=yes resumes=no part=1 parts=1 processors=$(nproc) programs=()
shards=$processors
while [ $# -gt 0 ]; do
  case $1 in
    --build) does_run=no ;;
    --run) does_build=no ;;
    --resume) resumes=yes ;;
    --shards) shards=$2; shift ;;
    --part) part=${2%/*} parts=${2#*/}; shift ;;
    -*) die "there is no option $1" ;;
    *) programs+=("$1") ;;
  esac
  shift
done
folder=build/$preset

instrumented_tbb() {
  [ -e build/tsan-tbb/lib/libtbb.so.12 ] && return
  local source=${ISOLUME_TBB_SOURCE:-}
  if [ -z "$source" ]; then
    mkdir -p build/tsan-tbb-source
    (cd build/tsan-tbb-source && apt-get source -qq onetbb >&2) ||
      die "TBB's sources are not to be had: apt-get source onetbb needs a deb-src line; or name them by ISOLUME_TBB_SOURCE"
    source=$(find build/tsan-tbb-source -maxdepth 1 -type d -name 'onetbb-*' | sed -n 1p)
  fi
  cmake -S "$source" -B build/tsan-tbb-build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTBB_TEST=OFF -DTBB_STRICT=OFF \
    -DTBB_SANITIZE=thread -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DCMAKE_INSTALL_PREFIX="$PWD/build/tsan-tbb" -DCMAKE_INSTALL_LIBDIR=lib >&2
  cmake --build build/tsan-tbb-build --target tbb tbbmalloc >&2
  cmake --install build/tsan-tbb-build >&2 || cp -P "$(find build/tsan-tbb-build -name 'libtbb.so*' -printf '%h\n' | sed -n 1p)"/libtbb.so* build/tsan-tbb/lib/
}

if [ "$does_build" = yes ]; then
  [ "$preset" = asan ] || instrumented_tbb
  if [ ! -f "$folder/build.ninja" ]; then cmake --preset "$preset" -DISOLUME_UNITY=ON >&2; fi
  cmake --build --preset "$preset" --target isolume isolume_tests >&2
fi
[ "$does_run" = yes ] || exit 0

export LSAN_OPTIONS="suppressions=$PWD/tests/sanitizers/leaks.supp:print_suppressions=0"
# Tests ask for more memory than there is; the sanitizer then gives none, as the system does.
# Stack frames for use after return are aligned to 32 bytes by GCC 12 and 13, and registers of 64 bytes fault there.
export ASAN_OPTIONS="detect_stack_use_after_return=0:strict_string_checks=1:check_initialization_order=1:allocator_may_return_null=1"
export UBSAN_OPTIONS="print_stacktrace=1"
# Qt starts programs by a clone that shares memory, which the thread sanitizer takes for a fork.
export TSAN_OPTIONS="die_after_fork=0:suppressions=$PWD/tests/sanitizers/threads.supp:ignore_noninstrumented_modules=1:second_deadlock_stack=1:allocator_may_return_null=1"
preload=
if [ "$preset" = tsan ]; then
  export LD_LIBRARY_PATH="$PWD/build/tsan-tbb/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  cc -shared -fPIC -O1 -o "$folder/clone.so" tests/sanitizers/clone.c
  preload=$PWD/$folder/clone.so
fi
export preload
export LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb ISOLUME_FUZZ_PART=20
unset DISPLAY WAYLAND_DISPLAY

if [ ${#programs[@]} -eq 0 ]; then
  for program in "$folder"/bin/test_* "$folder"/bin/isolume_device_tests; do programs+=("$(basename "$program")"); done
fi
mkdir -p "$folder/shards"
[ "$resumes" = yes ] || rm -f "$folder"/shards/*
touch "$folder/shards/passed.txt"

# One shard of one program; times and frame rates of the window are no measure here. Each has four processors: with threads for
# all of them in every shard, they would mostly wait for each other.
shard() {
  local folder=$1 program=$2 number=$3 count=$4 place=$5 processors=$6 log=$1/shards/$2.$3.log words=(--gtest_brief=1)
  local run=("$folder/bin/$program")
  [ -z "$preload" ] || run=(env LD_PRELOAD="$preload" "${run[@]}")
  if [ "$processors" -gt 4 ]; then
    local first=$((place * 4 % (processors - processors % 4)))
    run=(taskset -c "$first-$((first + 3))" "${run[@]}")
  fi
  if [[ $program == test_window* ]]; then
    run=(xvfb-run -a -s '-screen 0 1600x1200x24' "${run[@]}")
    words+=('--gtest_filter=-*Latency*:*FrameRate*')
    export ASAN_OPTIONS="$ASAN_OPTIONS:strict_string_checks=0"  # libxkbcommon copies strings that have no end
  fi
  if GTEST_TOTAL_SHARDS=$count GTEST_SHARD_INDEX=$number timeout 3000 "${run[@]}" "${words[@]}" >"$log" 2>&1 &&
    ! grep -q '^SUMMARY: .*Sanitizer' "$log"; then
    echo "passed  $program $number" | tee -a "$folder/shards/passed.txt"
  else
    echo "FAILED  $program $number: $log"
  fi
}
export -f shard

# The programs that take longest come first; within them shard by shard, so that each part has some of each.
long=() short=()
for program in "${programs[@]}"; do
  case $program in
    test_poisson_boltzmann | test_over_time | test_solvents | test_charges | test_averages | test_window*) long+=("$program") ;;
    *) short+=("$program") ;;
  esac
done
place=0
of_programs() {
  local number program
  for ((number = 0; number < shards; ++number)); do
    for program in "$@"; do echo "$folder $program $number $shards $((place++)) $processors"; done
  done
}
{ of_programs "${long[@]}"; of_programs "${short[@]}"; } | awk -v part="$part" -v parts="$parts" '(NR - 1) % parts == part - 1' |
  awk 'FILENAME == ARGV[1] { passed[$2 " " $3] = 1; next } !(($2 " " $3) in passed)' "$folder/shards/passed.txt" - |
  xargs -P "$processors" -L 1 bash -c 'shard "$@"' _ | tee "$folder/shards/summary.txt"
failed=$(grep -c '^FAILED' "$folder/shards/summary.txt" || true)
echo "$(wc -l <"$folder/shards/summary.txt") shards of ${#programs[@]} programs, $failed failed"
grep -h '^SUMMARY: ' "$folder"/shards/*.log | sort | uniq -c | sort -rn | head -40 || true
# The readers' corpora and damaged copies of them.
ctest --preset "$preset" -j "$processors" -R '^fuzz\.' --output-on-failure | tail -5 || failed=1
[ "$failed" = 0 ]
