#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Would a build without CUDA link?

no_cuda.py FILE: FILE has lines "PART OBJECT". The part compute_absent (compute/no_cuda) takes the place of compute_cuda there.
Each function of compute_cuda that another part calls must be in compute_absent, and compute_absent may have no function that
compute_cuda lacks: such a function has other parameters by now.
"""

import collections
import subprocess
import sys


def symbols(objects):
    """Names of functions and data that the objects define for others, and those that they need."""
    listed = subprocess.run(["nm", "--extern-only", "--print-file-name", *objects], capture_output=True, text=True, check=True).stdout
    defined, needed = set(), set()
    for line in listed.splitlines():
        *_, kind, name = line.split()
        if kind == "U":
            needed.add(name)
        elif kind in "TDBR":
            defined.add(name)
    return defined, needed - defined


def readable(names):
    return subprocess.run(["c++filt", *sorted(names)], capture_output=True, text=True, check=True).stdout.splitlines()


def main():
    parts = collections.defaultdict(list)
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            part, path = line.split(maxsplit=1)
            if path.strip().endswith(".o"):  # and not precompiled headers
                parts[part].append(path.strip())
    absent, _ = symbols(parts.pop("compute_absent"))
    bodies, _ = symbols(parts.pop("compute_cuda"))
    needed = set().union(*(symbols(objects)[1] for objects in parts.values()))
    if not absent or not bodies & needed:
        print("no_cuda: nothing to compare")
        return 1
    missing, stale = (bodies & needed) - absent, absent - bodies
    for name in readable(missing) if missing else []:
        print(f"no_cuda: compute/no_cuda lacks {name}")
    for name in readable(stale) if stale else []:
        print(f"no_cuda: compute/no_cuda has {name}, which no source for CUDA has")
    return 1 if missing or stale else 0


if __name__ == "__main__":
    sys.exit(main())
