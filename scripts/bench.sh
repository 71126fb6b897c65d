#!/usr/bin/env bash
# Runs the benchmarks, each with a peer of the field in the same run. Peers live in build/peers, an environment that
# only this script makes and uses. Arguments are names of benchmarks (a regular expression); --no-peers leaves them out.
# "list" names the programs that `isolume bench` runs.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = list ]; then
  sed -nE 's/^add_executable\(bench_([a-z_]+).*/\1/p' tests/bench/CMakeLists.txt | tr _ -
  exit 0
fi
peers=yes
filter=.
for argument in "$@"; do
  case $argument in
    --no-peers) peers=no ;;
    *) filter=$argument ;;
  esac
done

for bench in build/release/bin/bench_*; do
  [ -x "$bench" ] && "$bench" --benchmark_filter="$filter"
done
[ $peers = yes ] || exit 0

python=build/peers/bin/python
if [ ! -x $python ]; then
  python3 -m venv build/peers
  build/peers/bin/pip install -q -r tests/bench/peers/requirements.txt
fi
run_peer() { if [[ $1 =~ $filter ]]; then $python tests/bench/peers/"$2" "${@:3}"; fi; }
run_peer direct direct_numba.py
run_peer rdf rdf.py
if [[ marching =~ $filter ]]; then
  build/release/bin/bench_surface --device cpu --volume build/gyroid.raw marching-cubes
  $python tests/bench/peers/isosurface.py build/gyroid.raw
fi
# Peers that are Debian's packages run where they are installed.
command -v apbs > /dev/null && run_peer potential apbs_mdh.py time
if command -v freesasa > /dev/null; then
  gunzip -c resources/examples/crambin.pdb.gz > build/crambin.pdb
  run_peer sasa sasa.py build/release/bin/isolume freesasa 1000 build/crambin.pdb
fi
c60=../shared/data/qm-computed/C60-B.molden.gz
if [ -f $c60 ]; then
  gunzip -c $c60 > build/c60-b.molden
  run_peer orbital orbital_pyscf.py build/c60-b.molden
  # On a GPU with the PyTorch that is there: 3 GB that this script does not fetch.
  if [[ orbital =~ $filter ]] && python3 -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
    python3 tests/bench/peers/orbital_torch.py build/c60-b.molden
  fi
fi
command -v gmx > /dev/null && run_peer spme spme_gromacs.py
run_peer spme spme_openmm.py
