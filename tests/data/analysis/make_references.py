#!/usr/bin/env python3
"""Makes the reference values beside it, with MDAnalysis and freud (pip install MDAnalysis freud-analysis).

    make_references.py SHARED_DATA

Reads trajectories of the large collection; writes adk.json (a protein in 98 frames without a cell) and tz2.json (a
peptide in water in a truncated octahedron, 10 frames).
"""

import gzip
import json
import os
import sys
import tempfile
import warnings

import freud
import MDAnalysis as mda
import numpy as np
from MDAnalysis.analysis import align, contacts, distances, rms
from MDAnalysis.analysis.rdf import InterRDF

warnings.simplefilter("ignore")
shared = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
programs = f"MDAnalysis {mda.__version__}, freud {freud.__version__}"


def adk():
    files = [f"{shared}/trajectories/adk/adk.psf.gz", f"{shared}/trajectories/adk/adk_dims.dcd"]
    plain = plain_copy(files[0], ".psf")
    u = mda.Universe(plain, files[1])
    result = {"programs": programs, "files": ["trajectories/adk/adk.psf.gz", "trajectories/adk/adk_dims.dcd"]}
    alpha = u.select_atoms("name CA")
    run = rms.RMSD(u, u, select="name CA", ref_frame=0).run()
    result["rmsd_ca"] = run.results.rmsd[:, 2].tolist()
    core = rms.RMSD(u, u, select="name CA and resid 1-29 60-121 160-214", groupselections=["name CA and resid 122-159"], ref_frame=0)
    result["rmsd_lid_on_core"] = core.run().results.rmsd[:, 3].tolist()
    protein = u.select_atoms("protein")
    # The principal values of the tensor of gyration, by mass.
    radius, values, dipole = [], [], []
    for _ in u.trajectory:
        radius.append(protein.radius_of_gyration())
        d = protein.positions.astype(np.float64) - protein.center_of_mass()
        tensor = (protein.masses[:, None, None] * d[:, :, None] * d[:, None, :]).sum(0) / protein.masses.sum()
        values.append(np.linalg.eigvalsh(tensor)[::-1].tolist())
        dipole.append(np.linalg.norm((protein.charges[:, None] * d).sum(0)))
    result["radius_of_gyration"], result["principal_values"], result["dipole_e_angstrom"] = radius, values, dipole
    # Fluctuations about the mean, superposed on the mean until it stands still.
    frames = np.array([alpha.positions.astype(np.float64) for _ in u.trajectory])
    mean = frames[0]
    for _ in range(100):
        moved = []
        for frame in frames:
            rotation, _ = align.rotation_matrix(frame - frame.mean(0), mean - mean.mean(0))
            moved.append((frame - frame.mean(0)) @ rotation.T)
        moved = np.array(moved)
        next_mean = moved.mean(0)
        change = np.sqrt(((next_mean - (mean - mean.mean(0))) ** 2).sum(1).mean())
        mean = next_mean
        if change < 1e-6:
            break
    result["rmsf_ca"] = np.sqrt(((moved - mean) ** 2).sum(2).mean(0)).tolist()
    # Contacts of CA atoms at least four residues apart, within 8 angstrom.
    u.trajectory[0]
    first = distances.self_distance_array(alpha.positions)
    i, j = np.triu_indices(len(alpha), 1)
    far = (j - i) >= 4
    native = (first <= 8) & far
    count, hard, soft = [], [], []
    for _ in u.trajectory:
        r = distances.self_distance_array(alpha.positions)
        count.append(int(((r <= 8) & far).sum()))
        hard.append(float((r[native] <= 8).mean()))
        soft.append(float(contacts.soft_cut_q(r[native], first[native], beta=5.0, lambda_constant=1.8)))
    result["contacts_ca"], result["native_hard"], result["native_soft"] = count, hard, soft
    os.unlink(plain)
    return result


def plain_copy(path, suffix):
    """A copy that is not compressed, which MDAnalysis does not read by that name."""
    with tempfile.NamedTemporaryFile("wb", suffix=suffix, delete=False) as plain:
        plain.write(gzip.open(path).read())
    return plain.name


def tz2():
    files = ["trajectories/tz2/tz2.truncoct.parm7.gz", "trajectories/tz2/tz2.truncoct.nc"]
    plain = plain_copy(f"{shared}/{files[0]}", ".parm7")
    u = mda.Universe(plain, f"{shared}/{files[1]}", format="NCDF")
    oxygen, hydrogen = u.select_atoms("resname WAT and name O"), u.select_atoms("resname WAT and name H1 H2")
    result = {"programs": programs, "files": files, "maximum": 15.0, "bins": 100}
    same = InterRDF(oxygen, oxygen, nbins=100, range=(0, 15), exclusion_block=(1, 1)).run()
    other = InterRDF(oxygen, hydrogen, nbins=100, range=(0, 15), exclusion_block=(1, 2)).run()
    result["pairs_oo"] = same.results.count.tolist()
    result["g_oo_mdanalysis"] = same.results.rdf.tolist()
    result["pairs_oh_between"] = other.results.count.tolist()
    result["g_oh_between_mdanalysis"] = other.results.rdf.tolist()
    # freud normalises every frame by its own volume, as Isolume does, and by N_b / V: N_b / (N_b - 1) of ours.
    rdf = freud.density.RDF(bins=100, r_max=15.0, normalization_mode="exact")
    volumes = []
    for frame in u.trajectory:
        matrix = frame.triclinic_dimensions.astype(np.float64).T
        box = freud.box.Box.from_matrix(matrix)
        rdf.compute((box, box.wrap(oxygen.positions - 0.5 * frame.triclinic_dimensions.sum(0))), reset=False)
        volumes.append(float(frame.volume))
    result["g_oo_freud"] = rdf.rdf.astype(float).tolist()
    result["n_oo_freud"] = rdf.n_r.astype(float).tolist()
    result["volumes"] = volumes
    os.unlink(plain)
    return result


for name, make in (("adk", adk), ("tz2", tz2)):
    with open(f"{here}/{name}.json", "w") as out:
        json.dump(make(), out, indent=None, separators=(",", ":"), default=float)
        out.write("\n")
