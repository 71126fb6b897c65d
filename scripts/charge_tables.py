#!/usr/bin/env python3
"""Extracts residue topologies, charges and radii from published force-field files into resources/tables.

charge_tables.py OPENMM_DATA PHOSPHO_XML OUT
  OPENMM_DATA  the folder openmm/app/data of the Python package openmm (8.6 was used)
  PHOSPHO_XML  ffxml/amber/phosaa14SB.xml of the package openmmforcefields (0.15 was used)
  OUT          resources/tables
The Python package pdb2pqr (3.8 was used) must be importable: its reader maps the names of PARSE.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ET

AMINO = ("ALA ARG ASH ASN ASP CYM CYS CYX GLH GLN GLU GLY HID HIE HIP ILE LEU LYN LYS MET PHE PRO SER THR TRP TYR "
         "VAL HYP").split()
IONS = {  # our name (the PDB's): the CHARMM name
    "LI": "LIT", "NA": "SOD", "K": "POT", "RB": "RUB", "CS": "CES", "MG": "MG", "CA": "CAL", "BA": "BAR",
    "ZN": "ZN2", "CD": "CD2", "CL": "CLA", "F": None, "BR": None, "IOD": None, "MN": None, "FE": None, "FE2": None,
    "CO": None, "NI": None, "CU": None, "HG": None, "SR": None}
ION_CHARGE = {"LI": 1, "NA": 1, "K": 1, "RB": 1, "CS": 1, "MG": 2, "CA": 2, "BA": 2, "ZN": 2, "CD": 2, "CL": -1, "F": -1,
              "BR": -1, "IOD": -1, "MN": 2, "FE": 3, "FE2": 2, "CO": 2, "NI": 2, "CU": 2, "HG": 2, "SR": 2}
COFACTORS = "AMP ADP ATP NAD NAI NAP NDP".split()
HALF_MINIMUM = 10 * 2 ** (1 / 6) / 2  # from sigma in nm to Rmin/2 in angstrom


class Residue:
    """Atoms (name -> [charge, radius]), bonds and the atoms bonded to other residues."""

    def __init__(self):
        self.atoms, self.bonds, self.external = {}, [], []

    def copy(self):
        r = Residue()
        r.atoms = {k: list(v) for k, v in self.atoms.items()}
        r.bonds, r.external = list(self.bonds), list(self.external)
        return r

    def remove(self, name):
        self.atoms.pop(name, None)
        self.bonds = [b for b in self.bonds if name not in b]
        self.external = [e for e in self.external if e != name]

    def rename(self, names):
        self.atoms = {names.get(k, k): v for k, v in self.atoms.items()}
        self.bonds = [tuple(names.get(a, a) for a in b) for b in self.bonds]
        self.external = [names.get(e, e) for e in self.external]
        return self

    def charge(self):
        return sum(a[0] for a in self.atoms.values())

    def hydrogens(self, parent):
        found = [b if a == parent else a for a, b in self.bonds if parent in (a, b)]
        return sorted(n for n in found if is_hydrogen(n))


def is_hydrogen(name):
    return name.lstrip("0123456789").startswith("H") and name != "HG_ion"


def radii_of(root):
    """Rmin/2 by type and by class."""
    radii = {}
    for force in ("NonbondedForce", "LennardJonesForce"):
        for atom in root.findall(f"{force}/Atom"):
            key = atom.get("type") or atom.get("class")
            if force == "NonbondedForce" and key in radii:
                continue
            sigma, epsilon = float(atom.get("sigma")), float(atom.get("epsilon"))
            radii[key] = 0.0 if epsilon == 0 else sigma * HALF_MINIMUM
    return radii


def read_residues(root, radii, classes=None):
    found = {}
    for node in root.findall("Residues/Residue"):
        r = Residue()
        for a in node.findall("Atom"):
            kind = a.get("type")
            radius = radii.get(kind, radii.get((classes or {}).get(kind, kind), 0.0))
            r.atoms[a.get("name")] = [float(a.get("charge")), radius]
        for b in node.findall("Bond"):
            r.bonds.append((b.get("atomName1"), b.get("atomName2")))
        r.external = [e.get("atomName") for e in node.findall("ExternalBond")]
        found[node.get("name")] = r
    return found


def end_of(base, plain, end):
    """A residue `base` at an end of a chain, by what that end changes in the `plain` one."""
    r = end.copy()
    for name in list(r.atoms):
        if name in plain.atoms and name not in base.atoms:
            r.remove(name)
    for name, (charge, radius) in base.atoms.items():
        if name in plain.atoms and name not in end.atoms:
            continue  # the H that the end removes
        change = end.atoms[name][0] - plain.atoms[name][0] if name in plain.atoms else 0.0
        r.atoms[name] = [charge + change, end.atoms[name][1] if name in plain.atoms else radius]
    for bond in base.bonds:
        if all(a in r.atoms for a in bond) and bond not in r.bonds and bond[::-1] not in r.bonds:
            r.bonds.append(bond)
    r.external = [e for e in base.external if e in end.external]
    # What the base lacks of the plain one (its hydrogens) is missing from the sum: keep the base's charge.
    whole = base.charge() + end.charge() - plain.charge()
    missing = round(whole) - r.charge()
    r.atoms["CA"][0] += missing
    if abs(missing) > 0.35:
        print(f"note: {missing:.4f} e moved onto CA")
    return r


def amber(data, phospho):
    roots = {n: ET.parse(data / "amber14" / n).getroot() for n in
             ("protein.ff14SB.xml", "DNA.OL15.xml", "RNA.OL3.xml", "tip3p.xml")}
    out = {}
    protein_root = roots["protein.ff14SB.xml"]
    protein = read_residues(protein_root, radii_of(protein_root))
    out.update(protein)
    dna = read_residues(roots["DNA.OL15.xml"], radii_of(roots["DNA.OL15.xml"]))
    rna = read_residues(roots["RNA.OL3.xml"], radii_of(roots["RNA.OL3.xml"]))
    out.update(dna)
    out.update({"R" + k: v for k, v in rna.items() if k != "OHE"})
    # Classes of the protein's types, as the phosphorylated residues use them.
    classes = {k.split("-", 1)[-1]: v for k, v in radii_of(protein_root).items()}
    phospho_root = ET.parse(phospho).getroot()
    classes.update(radii_of(phospho_root))
    for name, r in read_residues(phospho_root, classes).items():
        if name in ("SEP", "TPO", "PTR"):
            for a in r.atoms.values():
                a[0] = round(a[0], 6)
            out[name] = r
    water_root = roots["tip3p.xml"]
    water = read_residues(water_root, radii_of(water_root))
    out["HOH"] = water["HOH"]
    for name in IONS:
        if name in water:
            ion = Residue()
            ion.atoms[name] = list(water[name].atoms.values())[0]
            out[name] = ion
    for base, plain in (("ASH", "ASP"), ("GLH", "GLU"), ("LYN", "LYS"), ("CYM", "CYS"), ("HYP", "PRO"), ("SEP", "SER"),
                        ("TPO", "THR"), ("PTR", "TYR")):
        for end in "NC":
            if end + base not in out:
                out[end + base] = end_of(out[base], out[plain], out[end + plain])
    return out


def charmm(data, shapes):
    root = ET.parse(data / "charmm36.xml").getroot()
    water_root = ET.parse(data / "charmm36" / "water.xml").getroot()
    by_type = radii_of(root)
    water_radii = radii_of(water_root)
    plain = read_residues(root, by_type)
    patches = {p.get("name"): p for p in root.findall("Patches/Patch")}

    def patched(name, *names):
        r = plain[name].copy()
        for patch in names:
            for node in patches[patch]:
                atom = node.get("name", "")
                if atom.startswith("2:"):
                    continue
                atom = atom.removeprefix("1:")
                if node.tag in ("AddAtom", "ChangeAtom"):
                    r.atoms[atom] = [float(node.get("charge")), by_type[node.get("type")]]
                elif node.tag == "RemoveAtom":
                    r.remove(atom)
                elif node.tag == "AddBond":
                    bond = (node.get("atomName1"), node.get("atomName2"))
                    if not any(a.startswith(("1:", "2:")) for a in bond):
                        r.bonds.append(bond)
                elif node.tag == "RemoveExternalBond":
                    r.external = [e for e in r.external if e != atom]
        return r

    carboxyl = {"OT1": "O", "OT2": "OXT"}
    nucleic = {"O1P": "OP1", "O2P": "OP2", "C5M": "C7"}

    def canonical(r, name, renames):
        """Names of the shape: heavy atoms by `renames`, hydrogens by what they are bonded to, in order."""
        shape = shapes[name]
        r = r.copy().rename({k: v for k, v in renames.items() if k in r.atoms})
        names = {}
        for parent in [a for a in r.atoms if not is_hydrogen(a)]:
            ours, theirs = shape.hydrogens(parent), r.hydrogens(parent)
            if len(ours) != len(theirs):
                raise SystemExit(f"charmm {name} {parent}: {theirs} for {ours}")
            names.update(zip(theirs, ours))
        r.rename(names)
        if set(r.atoms) != set(shape.atoms):
            raise SystemExit(f"charmm {name}: {sorted(set(r.atoms) ^ set(shape.atoms))}")
        return r

    out = {}
    states = {n: (n,) for n in AMINO if n in plain}
    states |= {"ASH": ("ASP", "ASPP"), "GLH": ("GLU", "GLUP"), "HID": ("HSD",), "HIE": ("HSE",), "HIP": ("HSP",),
               "LYN": ("LYS", "LSN"), "CYM": ("CYS", "CYSD"), "CYX": ("CYS", "DISU"), "HYP": ("HYP",),
               "ARN": ("ARG", "RN1"), "SEP": ("SER", "SP2"), "TPO": ("THR", "SP2"),
               "PTR": ("TYR", "TP2")}
    for name, (base, *more) in states.items():
        for end in ("", "N", "C"):
            if end + name not in shapes:
                continue
            patch = {"": (), "N": ({"GLY": "GLYP", "PRO": "PROP", "HYP": "PROP"}.get(name, "NTER"),), "C": ("CTER",)}[end]
            r = patched(base, *more, *patch)
            renames = dict(carboxyl) if end == "C" else {}
            if name == "ILE":
                renames["CD"] = "CD1"
            if name == "ARN":
                r.remove("HE")
            if name in ("SEP", "TPO"):
                renames["OT"] = "O3P"
                r.remove("HG1")
            if name == "HYP":
                renames["OE"] = "OD1"
            if name == "TPO":  # the serine's patch, with one hydrogen less on CB
                r.atoms["OG1"] = r.atoms.pop("OG")
                r.bonds = [tuple("OG1" if a == "OG" else a for a in b) for b in r.bonds]
                for atom in ("HB1", "HB2"):
                    r.remove(atom)
                r.atoms["CB"][0] += r.atoms["HB" if "HB" in r.atoms else "HA"][0]
            if name == "PTR":
                renames |= {"P1": "P", "O2": "O1P", "O3": "O2P", "O4": "O3P"}
                r.remove("HH")
            try:
                out[end + name] = canonical(r, end + name, renames)
            except SystemExit as fault:
                print("left out:", fault)
    for name, patch, atoms in (("ACE", "ACE", {"CAY": "CH3", "CY": "C", "OY": "O", "HY1": "H1", "HY2": "H2", "HY3": "H3"}),
                               ("NME", "CT3", {"NT": "N", "HNT": "H", "CAT": "C", "HT1": "H1", "HT2": "H2", "HT3": "H3"}),
                               ("NHE", "CT2", {"NT": "N", "HT1": "HN1", "HT2": "HN2"})):
        r = Residue()
        for node in patches[patch].findall("AddAtom"):
            r.atoms[node.get("name")] = [float(node.get("charge")), by_type[node.get("type")]]
        for node in patches[patch].findall("AddBond"):
            bond = (node.get("atomName1"), node.get("atomName2"))
            if all(a in r.atoms for a in bond):
                r.bonds.append(bond)
        r = r.rename({k: v for k, v in atoms.items()})
        shape = shapes[name]
        if name == "NME" and "CH3" in shape.atoms:
            r.rename({"C": "CH3"})
        out[name] = canonical(r, name, {})
    bases = {"A": "ADE", "C": "CYT", "G": "GUA", "T": "THY", "U": "URA"}
    for sugar in "DR":
        for letter, base in bases.items():
            for end in ("", "5", "3", "N"):
                name = sugar + letter + end
                if name not in shapes:
                    continue
                r = patched(base, *(["DEO5" if end in "5N" and end else "DEOX"] if sugar == "D" else []))
                if sugar == "D":
                    r.bonds.append(("C2'", "H2'"))
                if end in ("5", "N"):  # patch 5TER of CHARMM: the phosphate becomes a hydroxyl
                    for atom in ("P", "O1P", "O2P"):
                        r.remove(atom)
                    r.atoms["O5'"][0], r.atoms["C5'"][0] = -0.66, 0.05
                    r.atoms["H5T"] = [0.43, by_type["HN5"]]
                    r.bonds.append(("O5'", "H5T"))
                if end in ("3", "N"):
                    for node in patches["3TER"].findall("ChangeAtom"):
                        r.atoms[node.get("name")] = [float(node.get("charge")), by_type[node.get("type")]]
                    r.bonds.append(("O3'", "H3T"))
                out[name] = canonical(r, name, nucleic)
    out["HEM"] = plain["HEME"]
    for name in COFACTORS:
        out[name] = plain[name].copy()
    out["AMP"].rename({"PA": "P", "O1A": "O1P", "O2A": "O2P", "O3A": "O3P"})
    water = read_residues(water_root, water_radii)
    out["HOH"] = water["TIP3"].rename({"OH2": "O"})
    for name, theirs in IONS.items():
        if theirs in water:
            ion = Residue()
            ion.atoms[name] = list(water[theirs].atoms.values())[0]
            out[name] = ion
    return out


def parse(shapes, amber_set):
    import logging

    from pdb2pqr import forcefield, io
    logging.disable(logging.CRITICAL)
    table = forcefield.Forcefield("PARSE", io.get_definitions(), None, None).map
    theirs = {"ARN": "AR0", "NME": "N-M", "HOH": "WAT"}
    other = {"H": "HN", "H5'": "H5'1", "H5''": "H5'2", "H2'": "H2'1", "HO2'": "HO'2", "HO5'": "H5T", "HO3'": "H3T",
             "OP1": "O1P", "OP2": "O2P", "H1": "HH31", "H2": "HH32", "H3": "HH33", "CH3": "CA", "HA3": "HA1",
             "HH31": "HA1", "HH32": "HA1", "HH33": "HA1"}
    out = {}
    for name, shape in shapes.items():
        key = theirs.get(name, name)
        if name[0] in "NC" and name[1:] == "ARN":
            key = name[0] + "AR0"
        if key not in table or name in IONS or name == "NA":
            continue
        atoms = table[key].atoms
        r = shape.copy()
        lacks = []
        for atom in r.atoms:
            found = atoms.get(atom) or atoms.get(other.get(atom, ""))
            if not found and atom in ("HZ3", "H3"):  # hydrogens are numbered from 1 there, from 2 here
                found = atoms["HZ1" if atom == "HZ3" else "H1"]
            if name == "NME":
                found = atoms.get({"N": "N", "H": "HN1", "C": "CA", "CH3": "CA"}.get(atom, "HA1"))
            if not found:
                lacks.append(atom)
                continue
            r.atoms[atom] = [found.charge, found.radius]
        if lacks:
            print("parse", name, "lacks", lacks, "of", sorted(atoms))
            continue
        out[name] = r
    for name in IONS:
        if name in amber_set:
            ion = Residue()
            ion.atoms[name] = [float(ION_CHARGE[name]), list(amber_set[name].atoms.values())[0][1]]
            out[name] = ion
    return out


def with_selenium(table):
    for end in ("", "N", "C"):
        if end + "MET" in table:
            table[end + "MSE"] = table[end + "MET"].copy().rename({"SD": "SE"})


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
