"""A residue with its charges and bonds, and how force-field files in OpenMM's XML have it."""

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
