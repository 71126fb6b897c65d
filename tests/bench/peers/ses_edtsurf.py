#!/usr/bin/env python3
"""Areas and volumes of solvent-excluded surfaces beside EDTSurf, with its radii.

    ses_edtsurf.py ISOLUME EDTSURF SPACING FILE.pdb...

EDTSurf (Debian package) takes a scale in points per angstrom and never more than 300 points along a side.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

# What EDTSurf gives atoms by name, angstrom (its single atoms come out 0.1 larger).
NAMED = {"CA": 1.90, "C": 1.88}
ELEMENTS = {"N": 1.63, "O": 1.48, "S": 1.78, "C": 1.96}


def heavy_atoms(path):
    for line in open(path):
        if line.startswith("ATOM") and line[16] in " A" and line[76:78].strip() != "H":
            yield line


def main():
    ours, theirs, spacing = sys.argv[1], sys.argv[2], sys.argv[3]
    for path in sys.argv[4:]:
        with tempfile.TemporaryDirectory() as work:
            pdb, pqr = os.path.join(work, "a.pdb"), os.path.join(work, "a.pqr")
            lines = list(heavy_atoms(path))
            open(pdb, "w").writelines(lines)
            with open(pqr, "w") as out:
                for i, line in enumerate(lines):
                    name = line[12:16].strip()
                    radius = NAMED.get(name) or ELEMENTS[name[0]]
                    at = " ".join(f"{float(line[c:c + 8]):10.3f}" for c in (30, 38, 46))
                    out.write(f"ATOM {i + 1:6d} {name:4s} {line[17:20]} {line[21]} {int(line[22:26]):5d} {at} 0.0 {radius}\n")
            report = os.path.join(work, "r.json")
            subprocess.run([ours, "compute", "surface", pqr, "--kind", "ses", "--spacing", spacing, "--quiet", "--out",
                            os.path.join(work, "s.ply"), "--report", report], check=True)
            result = json.load(open(report))["result"]
            row = {"file": os.path.basename(path), "atoms": len(lines), "area": result["area"], "volume": result["volume"]}
            for scale in ("4", "20"):
                out = subprocess.run([theirs, "-i", pdb, "-o", os.path.join(work, "e"), "-t", "2", "-s", "3", "-h", "1",
                                      "-p", "1.4", "-f", scale], check=True, capture_output=True, text=True).stdout
                points = re.search(r"scale factor\s+([\d.]+)", out)[1]
                row[f"EDTSurf, {points} points/A"] = re.search(r"Total area ([\d.]+) and volume ([\d.]+)", out).groups()
            print(json.dumps(row))


if __name__ == "__main__":
    main()
