#!/usr/bin/env bash
# test_conda.sh: renders the conda recipe for Linux with rattler-build (py-rattler-build, from PyPI), and looks at what comes out: version, script,
# dependencies. Nothing is built: that needs the packages of conda-forge.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install -q py-rattler-build
"$root/venv/bin/python" packaging/render_recipe.py packaging/conda/recipe.yaml
