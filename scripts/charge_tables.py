#!/usr/bin/env python3
"""Extracts residue topologies, charges and radii from published force-field files into resources/tables.

charge_tables.py OPENMM_DATA PHOSPHO_XML OUT
  OPENMM_DATA  the folder openmm/app/data of the Python package openmm (8.6 was used)
  PHOSPHO_XML  ffxml/amber/phosaa14SB.xml of the package openmmforcefields (0.15 was used)
  OUT          resources/tables
The Python package pdb2pqr (3.8 was used) must be importable: its reader maps the names of PARSE.
"""

import pathlib
import sys

from charge_residues import COFACTORS, IONS
from charge_sources import amber, charmm, parse, with_selenium


def wrapped(words, width=112):
    lines, line = [], ""
    for word in words:
        if line and len(line) + 2 + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line}  {word}" if line else word
    return lines + [line] if line else lines


def number(value, digits):
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def write_set(path, head, table):
    lines = ["# " + h for h in head]
    for name in sorted(table):
        r = table[name]
        total = r.charge()
        lines.append(f"residue {name} {number(total, 4)}")
        lines += wrapped([f"{a} {number(q, 6)} {number(radius, 4)}" for a, (q, radius) in r.atoms.items()])
    path.write_text("\n".join(lines) + "\n")


def write_shapes(path, shapes):
    lines = ["# Bonds of residues: which atoms there are, and how they are bonded. Names are those of PDB version 3.",
             "# A residue's states and ends have names of their own (HID HIE HIP; N... first, C... last of a chain; 5, 3).",
             "# Lines: residue NAME, links ATOM... (bonded to other residues), then bonds A-B, in any order.",
             "# Extracted by scripts/charge_tables.py from the AMBER ff14SB, OL15 and OL3 residues, CHARMM36 for cofactors.",
             "# ARN and TYM are arginine and tyrosine without HE and HH."]
    for name in sorted(shapes):
        r = shapes[name]
        if len(r.atoms) == 1:
            continue
        lines.append(f"residue {name}" + ("".join([" links"] + [" " + e for e in r.external]) if r.external else ""))
        lines += wrapped([f"{a}-{b}" for a, b in r.bonds])
    path.write_text("\n".join(lines) + "\n")


def main():
    data, phospho, out = (pathlib.Path(a) for a in sys.argv[1:4])
    ff14sb = amber(data, phospho)
    shapes = {k: v for k, v in ff14sb.items() if k not in IONS}
    for name, gone in (("ARN", "HE"), ("TYM", "HH")):
        for end in ("", "N", "C"):
            r = shapes[end + name.replace("ARN", "ARG").replace("TYM", "TYR")].copy()
            r.remove(gone)
            shapes[end + name] = r
    charmm36 = charmm(data, shapes)
    for name in ["HEM"] + COFACTORS:
        shapes[name] = charmm36[name]
    parse_set = parse(shapes, ff14sb)
    for table in (ff14sb, charmm36, parse_set, shapes):
        with_selenium(table)
    out.mkdir(parents=True, exist_ok=True)
    layout = ["Lines: residue NAME TOTAL, then ATOM CHARGE RADIUS (e, angstrom). Extracted by scripts/charge_tables.py."]
    write_shapes(out / "residues.txt", shapes)
    write_set(out / "ff14sb.txt", [
        "Charges and radii of AMBER ff14SB (Maier et al. 2015, doi:10.1021/acs.jctc.5b00255), OL15 for DNA (Zgarbova et",
        "al. 2015, doi:10.1021/acs.jctc.5b00716), OL3 for RNA (Zgarbova et al. 2011, doi:10.1021/ct200162x), phosaa14SB",
        "(Raguette et al. 2024, doi:10.1021/acs.jctc.4c00732), TIP3P water, ions of Joung and Cheatham and of Li and Merz",
        "for it. Radii are half the Lennard-Jones minimum distance. Ends of chains of ASH, GLH, LYN, CYM, HYP and the",
        "phosphorylated residues, which the force field does not have, are those of the plain residue by difference.",
        "MSE has the charges of methionine."] + layout, ff14sb)
    write_set(out / "charmm36.txt", [
        "Charges and radii of CHARMM36 (Best et al. 2012, doi:10.1021/ct300400x; nucleic acids: Hart et al. 2012,",
        "doi:10.1021/ct200723y, Denning et al. 2011, doi:10.1002/jcc.21777), with its patches for ends and states applied.",
        "Radii are half the Lennard-Jones minimum distance. 5' ends: patch 5TER. TPO: the patch of serine with one",
        "hydrogen less. MSE has the charges of methionine. Water is CHARMM's TIP3P."] + layout, charmm36)
    write_set(out / "parse.txt", [
        "Charges and radii of PARSE (Sitkoff, Sharp and Honig 1994, doi:10.1021/j100058a043; RNA: Tang et al. 2007,",
        "doi:10.1016/j.jmb.2006.12.001), as pdb2pqr 3.8 distributes them. Ions, which the set does not have, carry their",
        "valence with the radii of the ff14SB table. MSE has the charges of methionine."] + layout, parse_set)
    for name, table in (("ff14sb", ff14sb), ("charmm36", charmm36), ("parse", parse_set)):
        odd = {k: round(r.charge(), 4) for k, r in table.items() if abs(r.charge() - round(r.charge())) > 1e-4}
        print(name, len(table), "residues; totals that are not integral:", odd)


if __name__ == "__main__":
    main()
