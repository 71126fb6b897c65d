"""Two charges that tests of the Python package share, and their potential by Coulomb's law."""

import numpy as np

VOLTS = 14.3996454779  # e^2/(4 pi eps0) in eV angstrom: volts of one elementary charge at 1 angstrom (CODATA 2018)
POLES = [((0.0, 0.0, 0.0), 1.0), ((3.0, 0.0, 0.0), -0.5)]


def coulomb(points):
    return sum(VOLTS * q / np.linalg.norm(points - np.array(at), axis=-1) for at, q in POLES)


def write_poles(folder):
    """A PQR of both, each a residue."""
    path = folder / "poles.pqr"
    path.write_text(
        "".join(f"ATOM {i + 1} N ION {i + 1} {x} {y} {z} {q} 1.0\n" for i, ((x, y, z), q) in enumerate(POLES))
    )
    return path
