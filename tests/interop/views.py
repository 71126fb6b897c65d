"""MolViewSpec files that the program writes, as the library of the format reads them."""

import pathlib
import shutil

from comparisons import check

import isolume

examples = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples"


def views(folder):
    import gemmi
    import molviewspec

    shutil.copy(examples / "crambin.pdb.gz", folder)
    isolume.convert(folder / "crambin.pdb.gz", folder / "crambin.cif")
    isolume.render(folder / "crambin.cif", out=folder / "v.mvsj", select="resid 5 to 9 and name CA", style="spheres")
    # The library's models take every node and its parameters, or raise.
    root = molviewspec.MVSJ.load(folder / "v.mvsj").data.root
    found = {}

    def walk(node):
        found.setdefault(node.kind, []).append(node)
        for child in node.children or []:
            walk(child)

    walk(root)
    check("scene, mvsj", "molviewspec", "structures and cameras", [len(found["structure"]), len(found["camera"])], [1, 1], 0)
    parts = [molviewspec.ComponentExpression(**one) for one in found["component"][0].params["selector"]]
    structure = gemmi.read_structure(str(folder / "crambin.cif"))  # its atoms live as long
    atoms = list(structure[0].all())
    there = [(a.residue.seqid.num, a.atom.name) for a in atoms if 5 <= a.residue.seqid.num <= 9 and a.atom.name == "CA"]
    check("scene, mvsj", "molviewspec", "residues", [p.auth_seq_id for p in parts], [number for number, _ in there], 0)
    molviewspec.nodes.CameraParams(**found["camera"][0].params)
    check("scene, mvsj", "molviewspec", "other atoms", [p.auth_atom_id != "CA" for p in parts], [False] * len(there), 0)
