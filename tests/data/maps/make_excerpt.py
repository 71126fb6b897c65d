#!/usr/bin/env python3
"""Makes the excerpt of the references of density maps: make_excerpt.py FOLDER_OF_REFERENCES STRUCTURE.pdb (crambin, 1CRN).

The references were computed in double precision by numpy and scipy: maps as sums of Gaussians without a cutoff (checked
by Fourier series), correlations (checked by gemmi and BioTEMPy), and forces of a map (checked by differences)."""

import json
import pathlib
import shutil
import sys

folder, structure = pathlib.Path(sys.argv[1]), sys.argv[2]
here = pathlib.Path(__file__).parent
name = "1crn_molmap_4A"
numbers = {"C": 6, "N": 7, "O": 8, "S": 16}
atoms, residues = [], []
for line in open(structure):
    if line.startswith("ATOM"):
        number = int(line[22:26])
        if not residues or residues[-1] != number:
            residues.append(number)
        place = [float(line[c : c + 8]) for c in (30, 38, 46)]
        atoms.append(place + [numbers[line[76:78].strip()], len(residues) - 1])
maps = json.load(open(folder / "maps" / f"{name}.json"))
correlation = json.load(open(folder / "correlation" / f"{name}.json"))
mdff = json.load(open(folder / "mdff" / f"{name}.json"))
rows = [correlation["rows"][i] for i in (0, 1, 4, 9)]
spline = mdff["cubic_bspline"]
excerpt = {
    "atoms": atoms,
    "maps": {"sigma": maps["sigma"], "max": maps["grid"]["max"], "points": maps["points"][:80], "values": maps["values"][:80]},
    "correlation": {"threshold": correlation["threshold"], "centroid": correlation["centroid"], "rows": rows},
    "mdff": {
        "xi_kcal_mol": mdff["xi_kcal_mol"],
        "threshold": mdff["threshold"],
        "points": mdff["points"][:30],
        "weights_Da": mdff["weights_Da"][:30],
        "cubic_bspline": {key: spline[key][:30] for key in ("energy_kcal_mol", "force_kcal_mol_A")},
    },
}
text = json.dumps(excerpt, separators=(",", ":"))
(here / f"{name}.json").write_text(text + "\n")
shutil.copyfile(folder / "maps" / f"{name}.mrc.gz", here / f"{name}.mrc.gz")
