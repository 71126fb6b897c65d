#!/usr/bin/env python3
"""Solvent-accessible areas of proteins beside FreeSASA: times, totals, and the differences of atoms and residues.

    sasa.py ISOLUME FREESASA POINTS FILE.pdb...

FreeSASA (Debian package) runs twice: Lee and Richards with 1000 slices, which is the truth here, and Shrake and Rupley
with as many points as Isolume takes. Both on as many threads as there are processors; whole runs with reading the file.
"""

import csv
import io
import json
import os
import subprocess
import sys
import time


def timed(command):
    best, out = None, ""
    for _ in range(3):
        begin = time.perf_counter()
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - begin
        best = seconds if best is None else min(best, seconds)
    return best, out


def freesasa(program, path, options):
    command = [program, *options, f"--n-threads={os.cpu_count()}", "--no-warnings", "--format=json", "--depth=atom", path]
    seconds, out = timed(command)
    atoms = {}
    for structure in json.loads(out)["results"][0]["structure"]:
        for chain in structure["chains"]:
            for residue in chain["residues"]:
                for atom in residue["atoms"]:
                    atoms[chain["label"], residue["number"].strip(), atom["name"].strip()] = atom["area"]
    return seconds, atoms


def isolume(program, path, points):
    command = [program, "compute", "sasa", path, "--radii", "protor", "--select", "protein", "--points", str(points),
               "--quiet", "--device", "cpu"]
    seconds, out = timed(command)
    atoms = {}
    for row in csv.DictReader(io.StringIO(out)):
        atoms.setdefault((row["chain"], row["number"], row["atom"]), float(row["area"]))
    return seconds, atoms


def by_residue(atoms):
    sums = {}
    for (chain, number, _), area in atoms.items():
        sums[chain, number] = sums.get((chain, number), 0.0) + area
    return sums


def differences(values, expected):
    both = [values[key] - expected[key] for key in expected if key in values]
    rms = (sum(d * d for d in both) / len(both)) ** 0.5
    return len(both), rms, max(abs(d) for d in both)


def main():
    ours, theirs, points = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for path in sys.argv[4:]:
        true_seconds, truth = freesasa(theirs, path, ["--lee-richards", "--resolution=1000"])
        peer_seconds, peer = freesasa(theirs, path, ["--shrake-rupley", f"--resolution={points}"])
        seconds, mine = isolume(ours, path, points)
        print(json.dumps({
            "file": os.path.basename(path), "atoms": len(truth), "atoms of isolume": len(mine),
            "total": round(sum(mine.values()), 1), "freesasa L&R": round(sum(truth.values()), 1),
            "freesasa S&R": round(sum(peer.values()), 1),
            "seconds": [round(s, 3) for s in (seconds, peer_seconds, true_seconds)],
            "atoms n, rms, max": differences(mine, truth), "of freesasa S&R": differences(peer, truth),
            "residues n, rms, max": differences(by_residue(mine), by_residue(truth))}))


if __name__ == "__main__":
    main()
