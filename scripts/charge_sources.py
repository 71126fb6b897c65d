"""Residues of AMBER, CHARMM and PARSE as published files have them, for charge_tables.py."""

import xml.etree.ElementTree as ET

from charge_residues import AMINO, COFACTORS, IONS, ION_CHARGE, Residue, end_of, is_hydrogen, radii_of, read_residues


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
