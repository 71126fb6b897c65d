"""Isolume in notebooks and scripts: the verbs of the installed ``isolume`` program as functions.

>>> import isolume
>>> isolume.info("crambin.pdb.gz")["atoms"]
>>> isolume.render("crambin.pdb.gz", style="cartoon", size="800x600")      # shown as a picture in a notebook
>>> v = isolume.compute.potential("crambin.pqr", spacing=0.5)             # v.values[i, j, k] in v.unit

Options have the names of the command line's long options, with ``_`` for ``-``: ``spacing=0.5`` is ``--spacing 0.5``,
``transparent=True`` is ``--transparent``, ``orbital=["homo", "lumo"]`` gives ``--orbital`` twice. Which verbs and
options there are is asked of the program (``--help``), so that this package fits whatever version is installed.
"""

from . import distributed
from .errors import Cancelled, ComputeError, InputError, IsolumeError, ProgramNotFound, UsageError
from .program import find_program, set_program, version
from .results import Energies, Mesh, Picture, PointValues, Result, Table, Volume
from .verbs import compute, convert, devices, info, merge, render, replay
from .worker import use_worker

__all__ = [
    "Cancelled", "ComputeError", "Energies", "InputError", "IsolumeError", "Mesh", "Picture", "PointValues",
    "ProgramNotFound", "Result", "Table", "UsageError", "Volume", "compute", "convert", "devices", "distributed", "find_program",
    "info", "merge", "render", "replay", "set_program", "use_worker", "version",
]  # fmt: skip
