#!/usr/bin/env python3
"""Parameters in CHARMM's format for three PSF files, made up for tests: no force field of anybody.

    python3 charmm_parameters.py SHARED_DATA OUT_FOLDER

writes made_up.prm (bonds and angles have the mean lengths and angles of the structures and force constants by rules;
torsions, radii and correction maps are chosen so that every form of an entry occurs: Urey-Bradley terms, wildcards,
several periodicities, phases other than 0 and 180, harmonic impropers, 1-4 radii, NBFIX), and the numbers that two of
the PSF files have for types, as topology files: ala3_numbers.rtf and parv_numbers.rtf.
"""
import collections
import gzip
import math
import os
import sys

import numpy

WIDTHS = {"NBOND": 2, "NTHETA": 3, "NPHI": 4, "NIMPHI": 4, "NCRTERM": 8}
ALA3 = {1: "HT", 3: "OT", 8: "POT", 15: "CLA", 31: "H", 32: "HC", 35: "HB", 45: "HA", 46: "C", 49: "CT1", 52: "CT3",
        60: "CC", 70: "NH1", 72: "NH3", 76: "O", 78: "OC"}
PARV = {1: "H", 2: "HC", 3: "HA", 5: "HP", 6: "HB", 7: "HR1", 9: "HR3", 10: "HS", 20: "C", 21: "CA", 22: "CT1",
        23: "CT2", 24: "CT3", 25: "CPH1", 26: "CPH2", 29: "CP1", 30: "CP2", 31: "CP3", 32: "CC", 50: "N", 51: "NR1",
        52: "NR2", 54: "NH1", 55: "NH2", 56: "NH3", 57: "NC2", 70: "O", 72: "OC", 73: "OH1", 81: "S"}
TETRAHEDRAL = {"CT1", "CT2", "CT3", "CP1", "CP2", "CP3", "NH3"}
# depth, half of the distance of the minimum; and for 1-4 pairs
RADII = {"H": (0.046, 0.225), "HC": (0.046, 0.225), "HA": (0.022, 1.32), "HB": (0.022, 1.31), "HP": (0.03, 1.36),
         "HR1": (0.046, 0.9), "HR3": (0.008, 1.47), "HS": (0.1, 0.45), "HT": (0.046, 0.225),
         "C": (0.11, 2.0), "CA": (0.07, 1.99), "CC": (0.07, 2.0), "CT1": (0.02, 2.27, 0.01, 1.9),
         "CT2": (0.055, 2.17, 0.01, 1.9), "CT3": (0.08, 2.06, 0.01, 1.9), "CP1": (0.02, 2.27, 0.01, 1.9),
         "CP2": (0.055, 2.17, 0.01, 1.9), "CP3": (0.055, 2.17, 0.01, 1.9), "CPH1": (0.05, 1.8), "CPH2": (0.05, 1.8),
         "CPT": (0.1, 1.86), "CY": (0.07, 1.99), "N": (0.2, 1.85, 0.0001, 1.85), "NC2": (0.2, 1.85),
         "NH1": (0.2, 1.85, 0.2, 1.55), "NH2": (0.2, 1.85), "NH3": (0.2, 1.85), "NR1": (0.2, 1.85),
         "NR2": (0.2, 1.85), "NY": (0.2, 1.85), "O": (0.12, 1.7, 0.12, 1.4), "OC": (0.12, 1.7),
         "OH1": (0.152, 1.77), "OT": (0.152, 1.77), "S": (0.45, 2.0), "POT": (0.087, 1.76), "CLA": (0.15, 2.27)}
MASSES = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.9994, "S": 32.06}


def psf(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        lines = file.read().split("\n")
    out, at = {}, 1
    while at < len(lines):
        if "!" not in lines[at]:
            at += 1
            continue
        count, heading = int(lines[at].split()[0]), lines[at].split("!")[1].split(":")[0].split()[0]
        at += 1
        if heading in ("NTITLE", "NATOM"):
            out[heading] = [line.split() for line in lines[at:at + count]]
            at += count
        elif heading in WIDTHS:
            width, numbers = WIDTHS[heading], []
            while len(numbers) < count * width:
                numbers += [int(word) - 1 for word in lines[at].split()]
                at += 1
            out[heading] = [tuple(numbers[k:k + width]) for k in range(0, count * width, width)]
    return out


def positions(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        if ".pdb" in path:
            return numpy.array([[float(line[k:k + 8]) for k in (30, 38, 46)] for line in file
                                if line.startswith(("ATOM", "HETATM"))])
        rows = [line.split() for line in file if not line.startswith("*")][1:]
        return numpy.array([[float(x) for x in row[4:7]] for row in rows])


def angle(a, b, c):
    u, v = a - b, c - b
    return math.degrees(math.acos(numpy.dot(u, v) / numpy.linalg.norm(u) / numpy.linalg.norm(v)))


def canonical(types):
    return min(tuple(types), tuple(reversed(types)))


def is_hydrogen(kind):
    return kind.startswith("H")


def collect(shared):
    """Means of the structures, by types."""
    lengths, angles, between = (collections.defaultdict(list) for _ in range(3))
    torsions, impropers, maps = set(), set(), set()
    for name, coordinates, numbers in (
            ("charmm_dhfr/5dhfr_cube.psf.gz", "charmm_dhfr/5dhfr_cube.pdb.gz", None),
            ("parv.psf", "parv.pdb", PARV), ("ala3_solv.psf", "ala3_solv.crd", ALA3)):
        data = psf(os.path.join(shared, "structures", name))
        at = positions(os.path.join(shared, "structures", coordinates))
        types = [row[5] if numbers is None else numbers[int(row[5])] for row in data["NATOM"]]
        for a, b in data["NBOND"]:
            lengths[canonical((types[a], types[b]))].append(numpy.linalg.norm(at[a] - at[b]))
        for a, b, c in data["NTHETA"]:
            key = canonical((types[a], types[b], types[c]))
            angles[key].append(angle(at[a], at[b], at[c]))
            between[key].append(numpy.linalg.norm(at[a] - at[c]))
        torsions |= {canonical([types[k] for k in term]) for term in data["NPHI"]}
        impropers |= {canonical([types[k] for k in term]) for term in data["NIMPHI"]}
        maps |= {tuple(types[k] for k in term) for term in data.get("NCRTERM", [])}
    return lengths, angles, between, torsions, impropers, maps


def torsion_lines(torsions):
    """Wildcards for all middle bonds, and backbones with entries of their own."""
    lines = ["C NH1 CT1 C 0.2 1 180.0 ! two periodicities", "C NH1 CT1 C 0.15 2 35.0", "NH1 CT1 C NH1 0.6 1 0.0",
             "NH1 CT1 C NH1 0.3 4 -120.0", "H NH1 CT1 HB 0.05 5 60.0", "CT1 CT2 CT2 S 0.1 6 180.0",
             "X CT1 CT3 HA 0.17 3 0.0 ! one wildcard"]
    for middle in sorted({canonical(t[1:3]) for t in torsions}):
        b, c = middle
        if b in TETRAHEDRAL and c in TETRAHEDRAL:
            form = "0.18 3 0.0"
        elif middle in (("C", "NH1"), ("C", "N"), ("CC", "NH2"), ("C", "NC2")):
            form = "2.4 2 180.0"
        elif b not in TETRAHEDRAL and c not in TETRAHEDRAL and "OH1" not in middle and "S" not in middle:
            form = "3.0 2 180.0"
        else:
            form = "0.12 3 15.0"
        lines.append(f"X {b} {c} X {form}")
    return lines


def improper_lines(impropers):
    lines = ["O X X C 110.0 0 0.0 ! two wildcards in the middle"]
    for types in sorted(impropers):
        if types[0] in ("O", "C") and types[3] in ("O", "C") and types[0] != types[3]:
            continue
        strength = 20 if "H" in types or "HC" in types else 45
        lines.append(" ".join(types) + f" {strength:.1f} 0 0.0")
    return lines


def map_lines(maps):
    lines, known = [], set()
    for types in sorted(maps):
        key = canonical(types[:4]) + canonical(types[4:])
        if key in known:
            continue
        known.add(key)
        shift = 0.37 * len(known)
        lines.append(" ".join(types) + " 24")
        for i in range(24):
            phi = -math.pi + math.pi * i / 12
            lines.append(f"! {math.degrees(phi):.0f}")
            row = []
            for j in range(24):
                psi = -math.pi + math.pi * j / 12
                value = (0.9 * math.cos(phi + shift) * math.sin(psi) + 0.5 * math.cos(2 * phi - psi)
                         + 0.3 * math.sin(phi + 2 * psi) + 0.2 * math.cos(3 * psi - shift))
                row.append(f"{value:.6f}")
            lines += [" ".join(row[k:k + 6]) for k in range(0, 24, 6)]
    return lines


def parameters(shared):
    lengths, angles, between, torsions, impropers, maps = collect(shared)
    lines = ["* Made up for tests of Isolume by tests/bench/peers/charmm_parameters.py: lengths and angles are the means of",
             "* three structures, all else is chosen by rules. No force field of anybody; not for science.", "*", "",
             "ATOMS"]
    for kind in sorted(RADII):
        mass = {"POT": 39.0983, "CLA": 35.45}.get(kind) or MASSES[kind[0]]
        lines.append(f"MASS -1 {kind} {mass} {({'POT': 'K', 'CLA': 'CL'}).get(kind) or kind[0]}")
    lines += ["", "BONDS"]
    for types in sorted(lengths):
        length = round(float(numpy.mean(lengths[types])), 3)
        length = 1.5 if length < 1.05 and not any(map(is_hydrogen, types)) else length  # a guessed place
        strength = 0 if types == ("HT", "HT") else 450 if "HT" in types else 340 if any(
            map(is_hydrogen, types)) else 320 if set(types) <= TETRAHEDRAL else 430
        lines.append(f"{types[0]} {types[1]} {strength:.1f} {length:.3f}")
    lines += ["", "angles ! any case"]
    for types in sorted(angles):
        value = round(float(numpy.mean(angles[types])), 1)
        hydrogens = sum(map(is_hydrogen, (types[0], types[2])))
        strength = {0: 60, 1: 42, 2: 34}[hydrogens]
        line = f"{types[0]} {types[1]} {types[2]} {strength:.1f} {value:.1f}"
        if hydrogens > 0 and types[1].startswith("C"):
            line += f" {11.0 if hydrogens == 1 else 5.4} {float(numpy.mean(between[types])):.4f}"
        lines.append(line)
    lines += ["", "DIHEDRALS"] + torsion_lines(torsions)
    lines += ["", "IMPROPER"] + improper_lines(impropers)
    lines += ["", "CMAP"] + map_lines(maps)
    lines += ["", "NONBONDED nbxmod  5 atom cdiel shift vatom vdistance vswitch -",
              "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5"]
    for kind, values in sorted(RADII.items()):
        lines.append(f"{kind} 0.0 {-values[0]} {values[1]}" + (f" 0.0 {-values[2]} {values[3]}" if values[2:] else ""))
    lines += ["", "NBFIX", "POT CLA -0.114 4.08", "OC NC2 -0.15 3.40", "O OT -0.13 3.45 -0.08 3.2",
              "O H -0.08 1.95", "HBOND CUTHB 0.5", "", "END"]
    return lines


def main():
    shared, out = sys.argv[1:3]
    with open(os.path.join(out, "made_up.prm"), "w") as file:
        file.write("\n".join(parameters(shared)) + "\n")
    for name, numbers in (("ala3", ALA3), ("parv", PARV)):
        with open(os.path.join(out, name + "_numbers.rtf"), "w") as file:
            file.write(f"* Numbers of the types in {name}*.psf, with the names of made_up.prm\n*\n36 1\n\n")
            for number, kind in sorted(numbers.items()):
                mass = {"POT": 39.0983, "CLA": 35.45}.get(kind) or MASSES[kind[0]]
                file.write(f"MASS {number} {kind} {mass} {({'POT': 'K', 'CLA': 'CL'}).get(kind) or kind[0]}\n")
            file.write("\nEND\n")


if __name__ == "__main__":
    main()
