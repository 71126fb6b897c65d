#!/usr/bin/env python3
"""Writes the table of words in docs/selections.md from the parser's own table (molecule/selection/selection_words.cpp).

selections.py          rewrites the table
selections.py --check  exits with 1 where the page and the parser disagree
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "selections.md"
BEGIN, END = "<!-- words: made by scripts/selections.py -->", "<!-- end of words -->"
HEADINGS = {
    "flag": ("Classes of atoms", "one word, such as `protein`"),
    "attribute": ("Properties", "a word and values, such as `name CA CB`, or a comparison, such as `mass > 20`"),
    "operation": ("Distances, groups and bonds", "see above for their form"),
    "function": ("Functions in arithmetic", "`sqr(x) + sqr(y) < 100`"),
    "connective": ("Connectives", "`and`, `or` and `not` also as `&`, `|` and `!`"),
}
MEANINGS = {
    "flag all": "every atom",
    "flag none": "no atom",
    "flag protein": "residues of amino acids",
    "flag nucleic": "residues of DNA and RNA",
    "flag polymer": "protein and nucleic acids",
    "flag water": "water molecules",
    "flag ion": "monatomic and small polyatomic ions",
    "flag inorganic": "neither polymer nor water, in a residue without carbon",
    "flag metal": "atoms of metallic elements",
    "flag backbone": "backbone atoms of protein (N, CA, C, O and termini) and of nucleic acids",
    "flag sidechain": "atoms of polymers that are not backbone",
    "flag alpha": "C-alpha atoms of protein",
    "flag guide": "C-alpha atoms of protein and C4' atoms of nucleic acids",
    "flag hydrogen": "hydrogen atoms",
    "flag heavy": "all atoms but hydrogen",
    "flag hetero": "atoms of HETATM records",
    "flag ligand": "residues with carbon that are neither polymer, water, ion nor lipid",
    "flag lipid": "lipids",
    "flag sugar": "sugars",
    "flag helix": "residues in any helix",
    "flag alpha_helix": "residues in alpha helices",
    "flag helix_3_10": "residues in 3-10 helices",
    "flag helix_pi": "residues in pi helices",
    "flag sheet": "residues in beta strands",
    "flag turn": "residues in turns",
    "flag coil": "residues of protein without other secondary structure",
    "flag acidic": "ASP and GLU, also under CHARMM's names",
    "flag basic": "ARG, LYS, HIS, HSP and HIP",
    "flag polar": "residues of protein that are not hydrophobic",
    "flag hydrophobic": "ALA, LEU, VAL, ILE, PRO, PHE, MET, MSE and TRP",
    "flag aromatic": "PHE, TRP, TYR and all forms of HIS",
    "flag aliphatic": "ALA, GLY, ILE, LEU and VAL",
    "flag charged": "acidic and basic residues",
    "flag purine": "purine nucleotides",
    "flag pyrimidine": "pyrimidine nucleotides",
    "flag bonded": "every atom, accepted as PyMOL's word",
    "attribute chain": "chain identifier",
    "attribute segname": "segment name",
    "attribute resname": "residue name",
    "attribute name": "atom name",
    "attribute type": "atom type of the force field",
    "attribute element": "element symbol",
    "attribute altloc": "alternate location",
    "attribute insertion": "insertion code",
    "attribute structure": "secondary structure in VMD's letters (H, G, I, E, T, C)",
    "attribute ss": "secondary structure in PyMOL's letters (H, S, L)",
    "attribute resid": "residue number of the file, with insertion code where needed (`27A`)",
    "attribute residue": "number of the residue, from 0",
    "attribute index": "number of the atom, from 0",
    "attribute serial": "atom number of the file",
    "attribute fragment": "number of the covalently bonded molecule, from 0",
    "attribute atomic_number": "atomic number",
    "attribute bond_count": "number of bonds",
    "attribute formal_charge": "formal charge, e",
    "attribute x": "coordinate, angstrom",
    "attribute y": "coordinate, angstrom",
    "attribute z": "coordinate, angstrom",
    "attribute speed": "speed, where the frames have velocities",
    "attribute force": "length of the force, where the frames have forces",
    "attribute charge": "partial charge, e",
    "attribute mass": "mass, Da",
    "attribute radius": "van der Waals radius, angstrom",
    "attribute beta": "B factor, or what the file has in its column",
    "attribute occupancy": "occupancy",
    "operation within": "`within 5 of S`: atoms within 5 A of S, S included",
    "operation exwithin": "`exwithin 5 of S`: the same without S",
    "operation pbwithin": "`pbwithin 5 of S`: the same to the nearest periodic images",
    "operation beyond": "`beyond 5 of S`: atoms farther than 5 A from S",
    "operation within_bonds": "`withinbonds 2 of S`: atoms at most 2 bonds from S",
    "operation same": "`same residue as S`: all atoms that share the property with an atom of S",
    "operation by_residue": "`byres S`: whole residues of S",
    "operation by_chain": "`bychain S`: whole chains of S",
    "operation by_segment": "`bysegment S`: whole segments of S",
    "operation by_fragment": "`bymolecule S`: whole bonded molecules of S",
    "operation neighbour": "`neighbor S`: atoms bonded to S, without S",
    "operation bound_to": "`bound_to S`: atoms bonded to an atom of S",
    "operation around": "`S around 5`: atoms within 5 A of S, without S",
    "operation expand": "`S expand 5`: atoms within 5 A of S, with S",
    "operation extend": "`S extend 2`: S and atoms at most 2 bonds from it",
    "function absolute": "absolute value",
    "function square": "square",
    "function root": "square root",
    "function exponential": "exponential",
    "function logarithm": "natural logarithm",
    "connective conjunction": "both; two selections side by side mean the same",
    "connective disjunction": "either or both",
    "connective negation": "the others",
    "connective of": "before the selection of `within`",
    "connective as": "before the selection of `same`",
    "connective to": "a range: `resid 10 to 20`",
}


def table():
    text = (ROOT / "molecule/selection/selection_words.cpp").read_text(encoding="utf-8")
    words = {}
    for kind, word, which in re.findall(r'\b(flag|attribute|operation|function|connective)\("([^"]+)", \w+::(\w+)\)', text):
        if word not in ("AND", "OR", "NOT"):
            words.setdefault(f"{kind} {which}", []).append(word)
    unknown = sorted(set(words) ^ set(MEANINGS))
    if unknown:
        sys.exit("scripts/selections.py: meanings and words differ: " + ", ".join(unknown))
    lines = []
    for kind, (title, form) in HEADINGS.items():
        lines += ["", f"### {title}", "", f"Form: {form}.", "", "| word | also | meaning |", "|---|---|---|"]
        for key, names in words.items():
            if key.startswith(kind + " "):
                also = " ".join(f"`{name}`" for name in names[1:])
                lines.append(f"| `{names[0]}` | {also} | {MEANINGS[key]} |".replace("``", "` `"))
    return "\n".join(lines).strip() + "\n"


def main():
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    fresh = f"{before}{BEGIN}\n\n{table()}\n{END}{after}"
    if "--check" in sys.argv:
        if fresh != page:
            print("docs/selections.md differs from the parser's words; run scripts/selections.py")
            return 1
        return 0
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
