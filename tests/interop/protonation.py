"""States of residues: the pKa that the program takes from PROPKA, beside PROPKA's own table of the same structure."""

import csv
import io
import os
import pathlib
import re
import subprocess
import sys

from comparisons import check, missed

import isolume

root = pathlib.Path(__file__).resolve().parents[2]
shared = pathlib.Path(os.environ.get("ISOLUME_SHARED_DATA", root.parent / "shared" / "data"))
# The states with and without the hydrogen; of HIS without it there are two.
STATES = {
    "ASP": ({"ASH"}, {"ASP"}),
    "GLU": ({"GLH"}, {"GLU"}),
    "LYS": ({"LYS"}, {"LYN"}),
    "TYR": ({"TYR"}, {"TYM"}),
    "CYS": ({"CYS"}, {"CYM"}),
    "HIS": ({"HIP"}, {"HID", "HIE"}),
}


def table_of(folder, source):
    """{(chain, number): (residue, pKa)} of PROPKA run on the file as it is."""
    (folder / "own.pdb").write_bytes(source.read_bytes())
    subprocess.run([propka(), "--quiet", "own.pdb"], cwd=folder, check=True, capture_output=True)
    text = (folder / "own.pka").read_text()
    table = {}
    for line in text[text.index("SUMMARY OF THIS PREDICTION") :].splitlines()[2:]:
        if line.startswith("-"):
            break
        group = re.match(r"\s*([A-Z]{3})\s*(-?\d+)\s*(\S)\s+(-?\d+\.\d+)", line)
        if group and group[1] in STATES and float(group[4]) < 90:  # 99.99 in a bridge
            table.setdefault((group[3], group[2]), (group[1], float(group[4])))
    return table


def propka():
    return str(pathlib.Path(sys.executable).parent / "propka3")


def protonation(folder):
    """At three pH: PARSE has charges for all of the states."""
    environment = {**os.environ, "PATH": f"{pathlib.Path(propka()).parent}:{os.environ['PATH']}"}
    for name in ("1crn.pdb", "1aki.pdb", "1hpv.pdb"):
        source = shared / "structures" / name
        if not source.exists():
            continue
        expected = table_of(folder, source)
        for ph in (4, 7, 10):
            command = [str(isolume.find_program()), "compute", "charges", str(source), "--force-field", "parse"]
            command += ["--protonation", "propka", "--ph", str(ph)]
            done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            found = {(row[0], row[1]): row for row in csv.reader(io.StringIO(done.stdout)) if len(row) > 5}
            pairs = []
            for place, (residue, pka) in expected.items():
                state, why = found[place][3][-3:], found[place][5]  # NLYS begins a chain
                said = re.search(r"PROPKA pKa (-?[\d.]+)", why)
                pairs.append((float(said[1]) if said else pka, pka))
                if state not in STATES[residue][0 if ph < pka else 1]:
                    missed.append(f"{name} at pH {ph}: {residue} {place} with pKa {pka} is {state}")
            check(f"{name}, pH {ph}", "propka", f"pKa of {len(pairs)} groups", *zip(*pairs), 0.005)
