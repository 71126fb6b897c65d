#!/usr/bin/env python3
"""Writes the same orbitals in every format, next to itself: made_up.{molden,fchk,wfn,wfx,json,cjson}, made_up_gamess.log
and made_up_gaussian.log. Others, with spherical functions, are in made_up_orca.json.

The molecule is an O and two H in general position with a made-up basis of contracted s, p and Cartesian d functions. Its
orbitals are no solution of anything: they are the basis made orthonormal by a Cholesky decomposition of the overlap, which
is computed here by Gauss's integrals, independently of the program. `made_up.json` (QCSchema) has all digits; the
others have those of their formats. `values.csv` and `values_orca.csv` have the orbitals at six points, for comparison."""
import json
import math
import os

folder = os.path.dirname(os.path.abspath(__file__))
atoms = [("O", 8, (0.10, -0.20, 0.30)), ("H", 1, (1.55, 0.35, -0.60)), ("H", 1, (-1.25, 0.90, 0.85))]  # bohr
shells = [  # atom, l, exponents, coefficients of normalised primitives
    (0, 0, (130.7, 23.8, 6.44), (0.15, 0.53, 0.44)),
    (0, 0, (5.03, 1.17, 0.38), (-0.10, 0.40, 0.70)),
    (0, 1, (5.03, 1.17, 0.38), (0.16, 0.61, 0.39)),
    (0, 2, (0.80,), (1.0,)),
    (1, 0, (3.43, 0.62, 0.17), (0.15, 0.54, 0.44)),
    (2, 0, (3.43, 0.62, 0.17), (0.15, 0.54, 0.44)),
]
powers = {0: [(0, 0, 0)], 1: [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
          2: [(2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (1, 0, 1), (0, 1, 1)]}
electrons = 10


def odd(n):
    """n!! of an odd number, 1 for -1"""
    return 1 if n <= 0 else n * odd(n - 2)


def primitive_norm(a, ijk):
    return ((2 * a / math.pi) ** 0.75 * (4 * a) ** (sum(ijk) / 2)
            / math.sqrt(odd(2 * ijk[0] - 1) * odd(2 * ijk[1] - 1) * odd(2 * ijk[2] - 1)))


def moment(i, j, a, b, x, y):
    """Integral of (t - x)^i (t - y)^j exp(-a (t - x)^2 - b (t - y)^2)"""
    p = a + b
    centre = (a * x + b * y) / p
    total = 0.0
    for m in range(i + 1):
        for n in range(j + 1):
            if (m + n) % 2:
                continue
            total += (math.comb(i, m) * (centre - x) ** (i - m) * math.comb(j, n) * (centre - y) ** (j - n)
                      * odd(m + n - 1) / (2 * p) ** ((m + n) // 2))
    return total * math.sqrt(math.pi / p) * math.exp(-a * b / p * (x - y) ** 2)


functions = []  # (shell, powers, [(exponent, coefficient of the bare primitive)])
for number, (atom, l, exponents, coefficients) in enumerate(shells):
    for ijk in powers[l]:
        functions.append([number, ijk, [(a, c * primitive_norm(a, ijk)) for a, c in zip(exponents, coefficients)]])


def overlap(f, g):
    x, y = atoms[shells[f[0]][0]][2], atoms[shells[g[0]][0]][2]
    return sum(c * d * math.prod(moment(f[1][k], g[1][k], a, b, x[k], y[k]) for k in range(3))
               for a, c in f[2] for b, d in g[2])


scale = []  # contracted functions have norm 1
for f in functions:
    scale.append(1 / math.sqrt(overlap(f, f)))
    f[2] = [(a, c * scale[-1]) for a, c in f[2]]
first_of = [next(i for i, f in enumerate(functions) if f[0] == n) for n in range(len(shells))]
shells = [(atom, l, e, tuple(c * scale[first_of[n]] for c in cs)) for n, (atom, l, e, cs) in enumerate(shells)]

n = len(functions)
S = [[overlap(f, g) for g in functions] for f in functions]
L = [[0.0] * n for _ in range(n)]
for i in range(n):
    for j in range(i + 1):
        rest = S[i][j] - sum(L[i][k] * L[j][k] for k in range(j))
        L[i][j] = math.sqrt(rest) if i == j else rest / L[j][j]
orbitals = []  # rows of the inverse of L: orthonormal
for i in range(n):
    row = [0.0] * n
    row[i] = 1.0
    for j in range(n - 1, -1, -1):
        row[j] = (row[j] - sum(row[k] * L[k][j] for k in range(j + 1, n))) / L[j][j]
    orbitals.append(row)
orbitals.reverse()  # the first have all functions
energies = [-20.0 + 2 * i for i in range(n)]
occupied = electrons // 2


def write(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def value(orbital, point):
    total = 0.0
    for c, f in zip(orbital, functions):
        d = [point[k] - atoms[shells[f[0]][0]][2][k] for k in range(3)]
        total += c * math.prod(d[k] ** f[1][k] for k in range(3)) * sum(
            b * math.exp(-a * sum(x * x for x in d)) for a, b in f[2])
    return total


def numbers(values, form, per_line):
    texts = [form.format(v) for v in values]
    return "".join("".join(texts[i:i + per_line]) + "\n" for i in range(0, len(texts), per_line))


# Values at points: bohr, then the orbitals in the order of the files.
points = [(0.1, -0.2, 0.3), (1, 0, 0), (-0.5, 0.7, 1.1), (2.2, -1.3, 0.4), (0, 0, -2.5), (-1.25, 0.9, 0.85)]
write("values.csv", "".join(",".join(f"{v:.12g}" for v in (*p, *(value(o, p) for o in orbitals))) + "\n" for p in points))

# Molden
text = "[Molden Format]\n[Title]\n made up\n[Atoms] AU\n"
for i, (name, z, p) in enumerate(atoms):
    text += f"{name} {i + 1} {z} {p[0]:.10f} {p[1]:.10f} {p[2]:.10f}\n"
text += "[GTO]\n"
for i in range(len(atoms)):
    text += f"{i + 1} 0\n"
    for atom, l, exponents, coefficients in shells:
        if atom == i:
            text += f"{'spd'[l]} {len(exponents)} 1.0\n"
            text += "".join(f" {a:.10e} {c:.10e}\n" for a, c in zip(exponents, coefficients))
    text += "\n"
text += "[MO]\n"
for i, row in enumerate(orbitals):
    text += f" Sym= A\n Ene= {energies[i]:.6f}\n Spin= Alpha\n Occup= {2 if i < occupied else 0}.0\n"
    text += "".join(f"{k + 1} {c:.12e}\n" for k, c in enumerate(row))
write("made_up.molden", text)


# Gaussian's formatted checkpoint
def scalar(name, kind, v):
    return f"{name:<43}{kind}     " + (f"{v:12d}" if kind == "I" else f"{v:22.15E}") + "\n"


def array(name, kind, values):
    head = f"{name:<43}{kind}   N={len(values):12d}\n"
    return head + (numbers(values, "{:12d}", 6) if kind == "I" else numbers(values, "{:16.8E}", 5))


flat = [x for _, _, p in atoms for x in p]
text = "made up\n" + f"{'SP':<10}{'RHF':<60}{'made up':<20}\n"
text += scalar("Number of atoms", "I", len(atoms)) + scalar("Charge", "I", 0) + scalar("Multiplicity", "I", 1)
text += scalar("Number of electrons", "I", electrons)
text += scalar("Number of alpha electrons", "I", occupied) + scalar("Number of beta electrons", "I", occupied)
text += scalar("Number of basis functions", "I", n) + scalar("Number of independent functions", "I", n)
text += array("Atomic numbers", "I", [z for _, z, _ in atoms]) + array("Nuclear charges", "R", [z for _, z, _ in atoms])
text += array("Current cartesian coordinates", "R", flat)
text += scalar("Number of contracted shells", "I", len(shells))
text += scalar("Number of primitive shells", "I", sum(len(s[2]) for s in shells))
text += scalar("Pure/Cartesian d shells", "I", 1) + scalar("Pure/Cartesian f shells", "I", 1)
text += scalar("Highest angular momentum", "I", 2) + scalar("Largest degree of contraction", "I", 3)
text += array("Shell types", "I", [s[1] for s in shells])
text += array("Number of primitives per shell", "I", [len(s[2]) for s in shells])
text += array("Shell to atom map", "I", [s[0] + 1 for s in shells])
text += array("Primitive exponents", "R", [a for s in shells for a in s[2]])
text += array("Contraction coefficients", "R", [c for s in shells for c in s[3]])
text += array("Coordinates of each shell", "R", [x for s in shells for x in atoms[s[0]][2]])
text += array("Alpha Orbital Energies", "R", energies)
text += array("Alpha MO coefficients", "R", [c for row in orbitals for c in row])
write("made_up.fchk", text)

# AIM's WFN and WFX: occupied orbitals in primitives
wfn_type = {ijk: i + 1 for i, ijk in enumerate(powers[0] + powers[1] + powers[2])}
primitives = [(shells[f[0]][0] + 1, wfn_type[f[1]], a, c, k) for k, f in enumerate(functions) for a, c in f[2]]
text = f" made up\nGAUSSIAN{occupied:15d} MOL ORBITALS{len(primitives):7d} PRIMITIVES{len(atoms):9d} NUCLEI\n"
for i, (name, z, p) in enumerate(atoms):
    text += f"  {name:<4}{i + 1:3d}    (CENTRE{i + 1:3d}) {p[0]:12.8f}{p[1]:12.8f}{p[2]:12.8f}  CHARGE ={z:5.1f}\n"


def rows(head, values, form, per_line):
    return "".join(head + line + "\n" for line in numbers(values, form, per_line).splitlines())


def fortran(v):
    """As 0.1234567D+01 in 14 columns"""
    if v == 0:
        return "  0.0000000D+00"[1:]
    e = math.floor(math.log10(abs(v))) + 1
    digits = f"{abs(v) / 10 ** e:.7f}"
    if digits.startswith("1"):
        e, digits = e + 1, "0.1000000"
    return f"{'-' if v < 0 else ' '}{digits}D{e:+03d}".rjust(14)


text += rows("CENTRE ASSIGNMENTS  ", [p[0] for p in primitives], "{:3d}", 20)
text += rows("TYPE ASSIGNMENTS    ", [p[1] for p in primitives], "{:3d}", 20)
text += rows("EXPONENTS ", [fortran(p[2]) for p in primitives], "{}", 5)
for i in range(occupied):
    text += f"MO{i + 1:5d}     MO 0.0        OCC NO =    2.0000000  ORB. ENERGY ={energies[i]:13.6f}\n"
    text += numbers([f"{orbitals[i][p[4]] * p[3]:16.8E}".replace("E", "D") for p in primitives], "{}", 5)
write("made_up.wfn", text + "END DATA\n TOTAL ENERGY =    -75.000000000000 THE VIRIAL(-V/T)=   2.00000000\n")


def tag(name, body):
    return f"<{name}>\n{body.rstrip()}\n</{name}>\n"


text = tag("Title", "made up") + tag("Keywords", "GTO") + tag("Number of Nuclei", str(len(atoms)))
text += tag("Number of Primitives", str(len(primitives)))
text += tag("Number of Occupied Molecular Orbitals", str(occupied)) + tag("Number of Perturbations", "0")
text += tag("Nuclear Names", "\n".join(f"{a[0]}{i + 1}" for i, a in enumerate(atoms)))
text += tag("Atomic Numbers", "\n".join(str(a[1]) for a in atoms))
text += tag("Nuclear Charges", "\n".join(f"{a[1]:.14E}" for a in atoms))
text += tag("Nuclear Cartesian Coordinates", numbers(flat, "{:22.14E}", 3)) + tag("Net Charge", "0.0")
text += tag("Number of Electrons", str(electrons)) + tag("Number of Alpha Electrons", str(occupied))
text += tag("Number of Beta Electrons", str(occupied)) + tag("Model", "Restricted HF")
text += tag("Primitive Centers", numbers([p[0] for p in primitives], "{:3d}", 10))
text += tag("Primitive Types", numbers([p[1] for p in primitives], "{:3d}", 10))
text += tag("Primitive Exponents", numbers([p[2] for p in primitives], "{:22.14E}", 4))
text += tag("Molecular Orbital Occupation Numbers", "2.0\n" * occupied)
text += tag("Molecular Orbital Energies", numbers(energies[:occupied], "{:.14E}", 1))
text += tag("Molecular Orbital Spin Types", "Alpha and Beta\n" * occupied)
text += tag("Molecular Orbital Primitive Coefficients", "".join(
    tag("MO Number", str(i + 1)) + numbers([orbitals[i][p[4]] * p[3] for p in primitives], "{:22.14E}", 4)
    for i in range(occupied)))
write("made_up.wfx", text + tag("Energy = T + Vne + Vee + Vnn", "-75.0") + tag("Virial Ratio (-V/T)", "2.0"))

# GAMESS
letters = {0: "S", 1: "P", 2: "D"}
text = " GAMESS VERSION = none: written by tests/data/orbitals/make_files.py\n\n"
text += " ATOM      ATOMIC                      COORDINATES (BOHR)\n"
text += "           CHARGE         X                   Y                   Z\n"
for i, (name, z, p) in enumerate(atoms):
    text += f" {name + str(i + 1):<11}{z:.1f}{p[0]:17.10f}{p[1]:20.10f}{p[2]:20.10f}\n"
text += "\n     ATOMIC BASIS SET\n     ----------------\n"
text += " THE CONTRACTED PRIMITIVE FUNCTIONS HAVE BEEN UNNORMALIZED\n"
text += " THE CONTRACTED BASIS FUNCTIONS ARE NOW NORMALIZED TO UNITY\n\n"
text += "  SHELL TYPE  PRIMITIVE        EXPONENT          CONTRACTION COEFFICIENT(S)\n\n"
count = 0
for i in range(len(atoms)):
    text += f" {atoms[i][0] + str(i + 1)}\n\n"
    for number, (atom, l, exponents, coefficients) in enumerate(shells):
        if atom != i:
            continue
        for a, c in zip(exponents, coefficients):
            count += 1
            text += f"{number + 1:7d}   {letters[l]}{count:8d}{a:22.7f}{c:18.12f}\n"
        text += "\n"
text += f" TOTAL NUMBER OF BASIS SET SHELLS             ={len(shells):5d}\n"
text += f" NUMBER OF CARTESIAN GAUSSIAN BASIS FUNCTIONS ={n:5d}\n NUMBER OF ELECTRONS                          ={electrons:5d}\n"
text += f" CHARGE OF MOLECULE                           ={0:5d}\n"
text += f" NUMBER OF OCCUPIED ORBITALS (ALPHA)          ={occupied:5d}\n NUMBER OF OCCUPIED ORBITALS (BETA )          ={occupied:5d}\n"
text += "\n          ------------\n          EIGENVECTORS\n          ------------\n"
for start in range(0, n, 5):
    block = range(start, min(start + 5, n))
    text += "\n" + " " * 15 + "".join(f"{i + 1:11d}" for i in block) + "\n"
    text += " " * 15 + "".join(f"{energies[i]:11.4f}" for i in block) + "\n"
    text += " " * 15 + "".join(f"{'A':>11}" for i in block) + "\n"
    for k, f in enumerate(functions):
        atom = shells[f[0]][0]
        label = "XYZ"[f[1].index(1)] if sum(f[1]) == 1 else "S" if not sum(f[1]) else "".join(
            c * p for c, p in zip("XYZ", f[1]))
        text += f"{k + 1:5d}  {atoms[atom][0]:<2}{atom + 1:3d}{label:>3}"[:15]
        text += "".join(f"{orbitals[i][k]:11.6f}" for i in block) + "\n"
write("made_up_gamess.log", text + " ...... END OF RHF CALCULATION ......\n")

# Gaussian
text = " Entering Gaussian System: written by tests/data/orbitals/make_files.py\n Charge =  0 Multiplicity = 1\n"
text += " Standard basis: made up (6D, 10F)\n" + " " * 25 + "Standard orientation:\n"
rule = " " + "-" * 69 + "\n"
text += rule + " Center     Atomic     Atomic              Coordinates (Angstroms)\n"
text += " Number     Number      Type              X           Y           Z\n" + rule
for i, (name, z, p) in enumerate(atoms):
    q = [x * 0.529177210903 for x in p]
    text += f"{i + 1:5d}{z:11d}{0:14d}    {q[0]:16.10f}{q[1]:16.10f}{q[2]:16.10f}\n"
text += rule + " AO basis set in the form of general basis input (Overlap normalization):\n"
for i in range(len(atoms)):
    text += f"{i + 1:7d} 0\n"
    for atom, l, exponents, coefficients in shells:
        if atom == i:
            text += f" {letters[l]}{len(exponents):4d} 1.00       0.000000000000\n"
            text += "".join(f"      {a:.10E}  {c:.10E}\n".replace("E", "D") for a, c in zip(exponents, coefficients))
    text += " ****\n"
text += f"\n{occupied:6d} alpha electrons {occupied:6d} beta electrons\n"
text += "     Molecular Orbital Coefficients:\n"
labels = {0: ["S"], 1: ["PX", "PY", "PZ"], 2: ["XX", "YY", "ZZ", "XY", "XZ", "YZ"]}
for start in range(0, n, 5):
    block = range(start, min(start + 5, n))
    text += " " * 21 + "".join(f"{i + 1:10d}" for i in block) + "\n"
    text += " " * 21 + "".join(f"{'(A)--' + ('O' if i < occupied else 'V'):>10}" for i in block) + "\n"
    text += f"{'     Eigenvalues -- ':<21}" + "".join(f"{energies[i]:10.5f}" for i in block) + "\n"
    for k, f in enumerate(functions):
        atom, l = shells[f[0]][:2]
        place = labels[l][powers[l].index(f[1])]
        text += f"{k + 1:4d} {atom + 1:3d} {atoms[atom][0]:<2}{f[0] + 1:4d}{place:<5}"[:21].ljust(21)
        text += "".join(f"{orbitals[i][k]:10.5f}" for i in block) + "\n"
write("made_up_gaussian.log", text + " Normal termination\n")

# QCSchema: Cartesian functions in lexical order; functions are rows
order = [first_of[s] + powers[l].index(ijk) for s, (_, l, _, _) in enumerate(shells)
         for ijk in sorted(powers[l], reverse=True)]
centres = {}
for i in range(len(atoms)):
    centres[f"centre_{i}"] = {"electron_shells": [
        {"harmonic_type": "cartesian", "angular_momentum": [l], "exponents": list(e), "coefficients": [list(c)]}
        for atom, l, e, c in shells if atom == i]}
schema = {
    "schema_name": "qcschema_output", "schema_version": 1, "driver": "energy",
    "molecule": {"schema_name": "qcschema_molecule", "symbols": [a[0] for a in atoms], "geometry": flat},
    "model": {"method": "none", "basis": "made up"}, "properties": {},
    "wavefunction": {
        "restricted": True,
        "basis": {"name": "made up", "center_data": centres, "atom_map": [f"centre_{i}" for i in range(len(atoms))]},
        "scf_orbitals_a": [orbitals[i][k] for k in order for i in range(n)],
        "scf_eigenvalues_a": energies, "scf_occupations_a": [1.0 if i < occupied else 0.0 for i in range(n)],
        "orbitals_a": "scf_orbitals_a", "eigenvalues_a": "scf_eigenvalues_a", "occupations_a": "scf_occupations_a"}}
write("made_up.json", json.dumps(schema, indent=1) + "\n")

# Chemical JSON: Gaussian's order, angstrom and electronvolt
chemical = {
    "chemicalJson": 1, "name": "made up",
    "atoms": {"coords": {"3d": [x * 0.529177210903 for x in flat]}, "elements": {"number": [a[1] for a in atoms]}},
    "bonds": {"connections": {"index": [0, 1, 0, 2]}, "order": [1, 1]},
    "basisSet": {"shellTypes": [s[1] for s in shells], "primitivesPerShell": [len(s[2]) for s in shells],
                 "shellToAtomMap": [s[0] for s in shells], "exponents": [a for s in shells for a in s[2]],
                 "coefficients": [c for s in shells for c in s[3]]},
    "orbitals": {"electronCount": electrons, "energies": [e * 27.211386245988 for e in energies],
                 "moCoefficients": [c for row in orbitals for c in row]},
    "properties": {"totalCharge": 0, "totalSpinMultiplicity": 1}}
write("made_up.cjson", json.dumps(chemical, indent=1) + "\n")

# ORCA's JSON: spherical functions of another basis with f, its order and signs, angstrom. The functions are polynomials
# times Gaussians, made orthonormal as above.
shells = shells[:3] + [(0, 2, (0.80,), (1.0,)), (0, 3, (1.10, 0.45), (0.6, 0.5))] + shells[4:]
r3, r15 = math.sqrt(3), math.sqrt(15)
harmonics = {  # by m in ORCA's order: powers and factors; |m| = 3 with the opposite sign
    0: [{(0, 0, 0): 1}],
    1: [{(0, 0, 1): 1}, {(1, 0, 0): 1}, {(0, 1, 0): 1}],
    2: [{(0, 0, 2): 1, (2, 0, 0): -0.5, (0, 2, 0): -0.5}, {(1, 0, 1): r3}, {(0, 1, 1): r3},
        {(2, 0, 0): r3 / 2, (0, 2, 0): -r3 / 2}, {(1, 1, 0): r3}],
    3: [{(0, 0, 3): 1, (2, 0, 1): -1.5, (0, 2, 1): -1.5},
        {(1, 0, 2): 4 * math.sqrt(0.375), (3, 0, 0): -math.sqrt(0.375), (1, 2, 0): -math.sqrt(0.375)},
        {(0, 1, 2): 4 * math.sqrt(0.375), (2, 1, 0): -math.sqrt(0.375), (0, 3, 0): -math.sqrt(0.375)},
        {(2, 0, 1): r15 / 2, (0, 2, 1): -r15 / 2}, {(1, 1, 1): r15},
        {(3, 0, 0): -math.sqrt(0.625), (1, 2, 0): 3 * math.sqrt(0.625)},
        {(2, 1, 0): -3 * math.sqrt(0.625), (0, 3, 0): math.sqrt(0.625)}]}


def spherical_norm(a, l):
    """of r^l exp(-a r^2) times one of `harmonics`"""
    square = odd(2 * l + 1) * math.sqrt(math.pi) / (2 ** (l + 2) * (2 * a) ** (l + 1.5))  # of r^(l + 1) exp(-a r^2)
    return 1 / math.sqrt(square * 4 * math.pi / (2 * l + 1))


def spherical_overlap(f, g):
    x, y = atoms[f[0]][2], atoms[g[0]][2]
    return sum(c * d * u * v * math.prod(moment(i[k], j[k], a, b, x[k], y[k]) for k in range(3))
               for a, c in f[2] for b, d in g[2] for i, u in f[1].items() for j, v in g[1].items())


functions, normalised = [], []
for atom, l, exponents, coefficients in shells:
    for harmonic in harmonics[l]:
        one = [atom, harmonic, [(a, c * spherical_norm(a, l)) for a, c in zip(exponents, coefficients)]]
        size = 1 / math.sqrt(spherical_overlap(one, one))
        functions.append([atom, harmonic, [(a, c * size) for a, c in one[2]]])
    normalised.append([c * size for c in coefficients])
n = len(functions)
S = [[spherical_overlap(f, g) for g in functions] for f in functions]
orbitals = []  # Gram and Schmidt
for i in range(n):
    row = [1.0 if k == i else 0.1 * math.sin(3 * i + 2 * k) for k in range(n)]
    for _ in range(2):
        for other in orbitals:
            part = sum(row[a] * S[a][b] * other[b] for a in range(n) for b in range(n))
            row = [x - part * y for x, y in zip(row, other)]
    size = 1 / math.sqrt(sum(row[a] * S[a][b] * row[b] for a in range(n) for b in range(n)))
    orbitals.append([x * size for x in row])


def spherical_value(orbital, point):
    total = 0.0
    for c, (atom, harmonic, primitives) in zip(orbital, functions):
        d = [point[k] - atoms[atom][2][k] for k in range(3)]
        total += c * sum(v * math.prod(d[k] ** p[k] for k in range(3)) for p, v in harmonic.items()) * sum(
            b * math.exp(-a * sum(x * x for x in d)) for a, b in primitives)
    return total


write("values_orca.csv", "".join(
    ",".join(f"{v:.12g}" for v in (*p, *(spherical_value(o, p) for o in orbitals))) + "\n" for p in points))
orca = {"Molecule": {
    "Atoms": [{"Basis": [{"Coefficients": normalised[s], "Exponents": list(shells[s][2]), "Shell": "spdf"[shells[s][1]]}
                         for s in range(len(shells)) if shells[s][0] == i],
               "Coords": [x * 0.529177210903 for x in p], "ElementLabel": name, "ElementNumber": z, "Idx": i,
               "NuclearCharge": float(z)} for i, (name, z, p) in enumerate(atoms)],
    "BaseName": "made_up", "Charge": 0, "CoordinateUnits": "Angs", "HFTyp": "RHF",
    "MolecularOrbitals": {"EnergyUnit": "Eh", "MOs": [
        {"MOCoefficients": orbitals[i], "Occupancy": 2.0 if i < occupied else 0.0, "OrbitalEnergy": -20.0 + 2 * i}
        for i in range(n)]},
    "Multiplicity": 1}}
write("made_up_orca.json", json.dumps(orca, indent=1) + "\n")
