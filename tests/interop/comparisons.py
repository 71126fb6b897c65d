"""The table of comparisons: each line a file as one peer reads it, its largest difference, and its tolerance."""

import importlib
import importlib.metadata

import numpy as np

lines, missed = [], []


def check(what, peer, quantity, found, expected, tolerance):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    worst = np.inf
    if found.shape == expected.shape:
        worst = float(np.abs(found - expected).max()) if found.size else 0.0
    good = worst <= tolerance
    try:
        version = importlib.metadata.version(peer)
    except importlib.metadata.PackageNotFoundError:  # Debian's gemmi says it itself
        version = importlib.import_module(peer).__version__
    lines.append(f"| {what} | {peer} {version} | {quantity} | {worst:.2g} | {tolerance:g} |{'' if good else ' MISSED'}")
    print(lines[-1], flush=True)
    if not good:
        missed.append(f"{what} by {peer}: {quantity} {found.shape} {expected.shape} {worst:g} > {tolerance:g}")
