#!/usr/bin/env python3
"""Superpositions and alignments by Biopython (1.88), as tests/app/view/superpose.cpp and tests/compute/analysis/superposition.cpp state them.

    superposition_biopython.py 4hhb.pdb

Prints the RMSD of CA of chains A and C of 4HHB (SVDSuperimposer, angstrom), how many residues of chains A and B its
alignment pairs and how many of these are identical, and the scores of four pairs of sequences (PairwiseAligner: global,
BLOSUM62, gaps -11 and -1, none at the ends).
"""
import sys

import numpy
from Bio import Align
from Bio.Align import substitution_matrices
from Bio.Data.PDBData import protein_letters_3to1
from Bio.PDB import PDBParser
from Bio.SVDSuperimposer import SVDSuperimposer

SEQUENCES = [
    ("MKTAYIAKQR", "TAYIAQR"),
    ("HEAGAWGHEE", "PAWHEAE"),
    ("ACDEFGHIKLMNPQRSTVWY", "ACDEFGHIKRSTVWY"),
    ("MNIFEMLRIDEGLRLKIYKDTEGYYTIGIGHLLTKSPSLNAAKSELDKAIGRNTNGVITKDEAEKLFNQDVDAAVRGILRNAKLKPVYDSLDAVRRAALINMVFQMGETGVAG"
     "FTNSLRMLQQKRWDEAAVNLAKSRWYNQTPNRAKRVITTFRTGTWDAYKNL",
     "KVFGRCELAAAMKRHGLDNYRGYSLGNWVCAAKFESNFNTQATNRNTDGSTDYGILQINSRWWCNDGRTPGSRNLCNIPCSALLSSDITASVNCAKKIVSDGNGMNAWVAWRN"
     "RCKGTDVQAWIRGCRL"),
]


def main():
    aligner = Align.PairwiseAligner(mode="global", substitution_matrix=substitution_matrices.load("BLOSUM62"))
    aligner.open_gap_score, aligner.extend_gap_score = -11, -1
    aligner.end_gap_score = 0

    model = PDBParser(QUIET=True).get_structure("4hhb", sys.argv[1])[0]
    letters, places = {}, {}
    for chain in "ABC":
        residues = [r for r in model[chain] if r.id[0] == " " and "CA" in r]
        letters[chain] = "".join(protein_letters_3to1[r.resname] for r in residues)
        places[chain] = numpy.array([r["CA"].coord for r in residues], dtype=float)
    fit = SVDSuperimposer()
    fit.set(places["C"], places["A"])
    fit.run()
    print("A on C:", len(places["A"]), "CA,", repr(float(fit.get_rms())), "angstrom")
    best = aligner.align(letters["A"], letters["B"])[0]
    pairs = [(i, j) for (a, b), (c, d) in zip(*best.aligned) for i, j in zip(range(a, b), range(c, d))]
    print("A with B:", len(pairs), "pairs,", sum(letters["A"][i] == letters["B"][j] for i, j in pairs), "identical")
    for a, b in SEQUENCES:
        print("score:", aligner.score(a, b))


if __name__ == "__main__":
    main()
