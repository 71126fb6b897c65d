"""What the program's verbs give back: arrays with what belongs to them."""

import pathlib
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np


@dataclass
class Result:
    """What every computation has: the program's report (``docs/command-line.md``) and what is read from it."""

    report: dict = field(default_factory=dict, repr=False)

    @property
    def unit(self) -> Optional[str]:
        """Unit of the values, as the program names it ("V", "bohr^-3/2")."""
        return self.report.get("unit")

    @property
    def method(self) -> Any:
        """How it was computed, with every parameter."""
        return self.report.get("method")

    @property
    def error(self) -> Any:
        """The measured error against a reference, where the method has one: rms, max, relative, points."""
        return self.report.get("error")

    @property
    def device(self) -> Any:
        return self.report.get("device")

    @property
    def time(self) -> Any:
        """Seconds of each phase, and their total."""
        return self.report.get("time")

    @property
    def result(self) -> Any:
        """What the program says of the result: charges, minimum, maximum, ..."""
        return self.report.get("result")


@dataclass
class Volume(Result):
    """Values on a grid: ``values[i, j, k]`` (float32) belongs to ``origin + i*step[0] + j*step[1] + k*step[2]``."""

    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 0), np.float32))
    origin: np.ndarray = field(default_factory=lambda: np.zeros(3))  #: angstrom
    step: np.ndarray = field(default_factory=lambda: np.eye(3))  #: angstrom, one vector a row
    info: dict = field(default_factory=dict)  #: what the report says of this volume alone: orbital, energy, ...

    @property
    def counts(self) -> tuple:
        return self.values.shape

    def points(self) -> np.ndarray:
        """Places of all values, angstrom: an array of counts x 3."""
        index = np.moveaxis(np.indices(self.values.shape), 0, -1)
        return self.origin + index @ self.step


@dataclass
class PointValues(Result):
    """Values at points: N, or N x columns where there are several (V, Ex, Ey, Ez; an orbital each)."""

    values: np.ndarray = field(default_factory=lambda: np.zeros(0))
    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  #: angstrom


@dataclass
class Mesh(Result):
    """Triangles: ``vertices`` N x 3 in angstrom, ``faces`` M x 3 indices, ``normals`` N x 3, ``colours`` N x 4 of
    8 bits (or None), ``scalars`` by name."""

    vertices: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    faces: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int32))
    normals: Optional[np.ndarray] = None
    colours: Optional[np.ndarray] = None
    scalars: dict = field(default_factory=dict)


@dataclass
class Energies(Result):
    """Energy and forces of charges."""

    energy: float = 0.0  #: kcal/mol
    forces: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))  #: kcal/(mol angstrom), N x 3; empty for pb, gb
    atoms: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))  #: kcal/mol of each atom


@dataclass
class Table(Result):
    """Lines of a table by the names of their columns, units may be left out; numbers are float64, all else is text."""

    columns: dict = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.columns:
            return self.columns[name]
        bare = [column for column in self.columns if column.split(" (")[0] == name]
        if len(bare) != 1:
            raise KeyError(f"'{name}' is none of the columns {', '.join(self.columns)}")
        return self.columns[bare[0]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


@dataclass
class Picture(Result):
    """A picture; notebooks show it."""

    png: bytes = field(default=b"", repr=False)
    path: Optional[pathlib.Path] = None  #: where it was written, None where nobody named a place

    def _repr_png_(self) -> bytes:
        return self.png

    def save(self, path: Any) -> pathlib.Path:
        """Writes the PNG, which carries the scene that draws it again (``isolume.replay``)."""
        pathlib.Path(path).write_bytes(self.png)
        return pathlib.Path(path)
