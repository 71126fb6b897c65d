"""The verbs of the command line as functions."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Callable, Iterable, List, Optional, Union

import numpy as np

from .errors import UsageError
from .options import file_words, option_words, verb
from .program import run
from .readers import read_map, read_numbers, read_ply, read_table
from .results import Energies, Mesh, Picture, PointValues, Result, Table, Volume

Files = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]
Path = Union[str, "os.PathLike[str]"]


def _split(options):
    """progress, and the options for the program."""
    return options.pop("progress", None), options


def _names_files(options, folder):
    """Whether an option may name a file outside of the folder, which is removed."""
    values = [value for value in options.values() if isinstance(value, (str, os.PathLike))]
    return any(os.path.splitext(value)[1] and not str(value).startswith(str(folder)) for value in values)


def _run(words, options, folder, progress):
    """What a verb prints, and its report."""
    report = pathlib.Path(folder, "report.json")
    given = options.pop("report", None)
    of = verb(*words[0])
    arguments = [*words[0], *words[1], *option_words(of, options), f"--report={report}"]
    if progress is None or progress is False:
        arguments.append("--quiet")
    if str(options.get("out", "")).startswith(str(folder)):
        arguments.append("--no-record")  # the file is read and removed
    out = run(arguments, progress, durable=words[0] == ["convert"] or _names_files(options, folder))
    content = json.loads(report.read_text()) if report.exists() else {}
    if given is not None:
        pathlib.Path(given).write_text(json.dumps(content, indent=2) + "\n")
    return out, content


def info(files: Files = (), **options: Any) -> Any:
    """What is in a file, as ``isolume info --json`` says it: a dict, or a list where files make several molecules.

    ``formats=True`` lists the formats that can be read.
    """
    progress, options = _split(options)
    options.setdefault("json", True)
    of = verb("info")
    out = run(["info", *file_words(files), *option_words(of, options), "--quiet"], progress)
    return json.loads(out) if options["json"] else out


def devices(**options: Any) -> Any:
    """What there is to compute with, as ``isolume devices --json`` says it."""
    options.setdefault("json", True)
    out = run(["devices", *option_words(verb("devices"), options)])
    return json.loads(out) if options["json"] else out


def convert(files: Files, out: Path, **options: Any) -> pathlib.Path:
    """Writes atoms and frames, or a volume, into another format; returns the path of ``out``."""
    progress, options = _split(options)
    with tempfile.TemporaryDirectory(prefix="isolume-") as folder:
        _run((["convert"], [*file_words(files), *file_words(out)]), options, folder, progress)
    return pathlib.Path(out)


def merge(parts: Files, out: Optional[Path] = None, **options: Any) -> Union[Volume, pathlib.Path]:
    """Joins the parts of one result that ``partial=`` kept; with ``minus=`` subtracts another average.

    A Volume for averages of maps, which ``out`` keeps as well. With another ``out`` (a table), or ``partial=`` alone, the
    path of what was written.
    """
    progress, options = _split(options)
    words = (["merge"], file_words(parts))
    partial = options.get("partial")
    with tempfile.TemporaryDirectory(prefix="isolume-") as folder:
        is_map = out is None or pathlib.Path(out).suffix.lower() in (".mrc", ".map", ".ccp4", ".dx", ".cube", ".cub")
        if is_map and (out is not None or partial is None):
            return _volumes(words, {**options, "out": out}, folder, progress)
        _run(words, {**options, "out": out}, folder, progress)
    return pathlib.Path(partial if out is None else out)


def render(files: Files, out: Optional[Path] = None, **options: Any) -> Union[Picture, pathlib.Path]:
    """Draws files or a scene and returns a Picture, which notebooks show; with ``out`` it is written there too.

    Several frames (``frames="0:100"``, ``out="movie.mp4"``) give the path of ``out``: numbered pictures or a movie.
    """
    return _picture(["render"], files, out, options)


def replay(picture: Union[Path, Picture], out: Optional[Path] = None, **options: Any) -> Union[Picture, pathlib.Path]:
    """Draws a picture again from the scene that it carries: a path, or a Picture.

    A picture's file may name data outside its own folder only with ``trust_paths=True``; a Picture of this session may.
    """
    if isinstance(picture, Picture):
        options.setdefault("trust_paths", True)
        with tempfile.TemporaryDirectory(prefix="isolume-") as folder:
            return _picture(["replay"], picture.save(pathlib.Path(folder, "picture.png")), out, options)
    return _picture(["replay"], picture, out, options)


def _picture(words, files, out, options):
    progress, options = _split(options)
    with tempfile.TemporaryDirectory(prefix="isolume-") as folder:
        target = pathlib.Path(out) if out is not None else pathlib.Path(folder, "picture.png")
        _, report = _run((words, file_words(files)), {**options, "out": target}, folder, progress)
        if target.suffix.lower() != ".png" or not target.exists():
            return target
        return Picture(report=report, png=target.read_bytes(), path=None if out is None else target)


class _Compute:
    """The verbs of ``isolume compute``, each a function of files and options: ``isolume.compute.potential(...)``.

    What comes back follows from what the verb writes: a Volume on a grid, PointValues with ``at=`` an array of points
    in angstrom (or a path), a Mesh, Energies with forces, a Table, or a Result. Where several orbitals or frames
    are asked for, or more than two sides of a comparison, it is a list of volumes. ``out=`` names a file that is kept as well. ``values=`` of a volume map may be
    an array: one number for each atom, or a row of them for each frame.
    """

    def __dir__(self) -> List[str]:
        return sorted([*super().__dir__(), *verb("compute").subcommands])

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        known = verb("compute").subcommands
        word = name.replace("_", "-")
        if word not in known:
            raise AttributeError(f"isolume compute has no {name}; there are {', '.join(known)}")

        def function(files: Files, **options: Any) -> Any:
            return _compute(word, files, options)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = verb("compute", word).text
        return function


compute = _Compute()


def _compute(word, files, options):
    progress, options = _split(options)
    of = verb("compute", word)
    words = (["compute", word], file_words(files))
    out = of.option("out")
    if out is None:
        raise UsageError(f"compute {word} writes nothing that is read here", 2)
    with tempfile.TemporaryDirectory(prefix="isolume-", dir=_place_of(options.get("at"))) as folder:
        if "at" in options and options["at"] is not None:
            return _at_points(words, options, folder, progress)
        kind = out.meaning
        if word == "energy" and options.get("binding") is None:
            return _energies(words, options, folder, progress)
        if ("cube" in kind or "mrc" in kind) and not options.get("faces") and not options.get("slice"):
            return _volumes(words, options, folder, progress)
        if "ply" in kind or options.get("slice"):
            return _mesh(words, options, folder, progress)
        return _table(words, of, options, folder, progress)


_few_points = 10_000  # whose files take little of the memory that /dev/shm is


def _place_of(at):
    """Where the files of a call with points go: in memory where they are few, since a disk takes longer to make and remove
    files than the program to compute; None for the system's place."""
    try:
        few = not isinstance(at, (str, os.PathLike)) and len(at) <= _few_points
    except TypeError:
        return None
    return "/dev/shm" if few and os.access("/dev/shm", os.W_OK | os.X_OK) else None


def _at_points(words, options, folder, progress):
    at = options.pop("at")
    if not isinstance(at, (str, os.PathLike)):
        points = np.atleast_2d(np.asarray(at, float))
        if points.ndim != 2 or points.shape[1] != 3:
            raise UsageError(f"at: points are an array of N x 3, not {points.shape}", 2)
        at = pathlib.Path(folder, "points.csv")
        at.write_text("".join("%.17g,%.17g,%.17g\n" % tuple(point) for point in points.tolist()))
    else:
        points = np.atleast_2d(np.loadtxt(at, delimiter=",", ndmin=2))[:, :3]
    kept = options.pop("out", None)
    if kept is None and "stdout" in verb(*words[0]).option("out").meaning:  # printed, which is quicker than a file
        text, report = _run(words, {**options, "at": at}, folder, progress)
    else:
        target = pathlib.Path(kept) if kept is not None else pathlib.Path(folder, "values.csv")
        _, report = _run(words, {**options, "at": at, "out": target}, folder, progress)
        text = target.read_text()
    return PointValues(report=report, values=read_numbers(text), points=points)


def _volumes(words, options, folder, progress):
    if isinstance(options.get("values"), np.ndarray):
        path = pathlib.Path(folder, "values.npy")
        np.save(path, np.ascontiguousarray(options["values"], np.float64))
        options = {**options, "values": path}
    kept = options.pop("out", None)
    target = pathlib.Path(kept) if kept is not None else pathlib.Path(folder, "map.mrc")
    if str(target).endswith(".csv"):
        _, report = _run(words, {**options, "out": target}, folder, progress)
        return Table(report=report, columns=read_table(target.read_text()))
    _, report = _run(words, {**options, "out": target}, folder, progress)
    result = report.get("result") or {}
    each = [(pathlib.Path(entry["file"]), entry) for entry in result.get("orbitals") or [] if "file" in entry]
    each = each or [(pathlib.Path(entry["map"]), entry) for entry in result.get("differences") or []]  # of compare
    each = each or [(target, {})]
    volumes = []
    for path, entry in each:
        if path.suffix.lower() not in (".mrc", ".map", ".ccp4"):
            map_path = pathlib.Path(folder, path.name + ".mrc")
            run(["convert", *file_words(path), str(map_path), "--quiet", "--no-record"])
            path = map_path
        values, origin, step = read_map(path)
        grid = report.get("grid") or {}
        # The report has more digits; of several volumes it has the grid of the last.
        if (
            grid.get("counts") == list(values.shape)
            and np.allclose(grid["step"], step, atol=1e-4)
            and np.allclose(grid["origin"], origin, atol=1e-3)
        ):
            origin, step = np.array(grid["origin"]), np.array(grid["step"])
        volumes.append(Volume(report=report, values=values, origin=origin, step=step, info=entry))
    return volumes[0] if len(volumes) == 1 and not _is_list(options.get("orbital")) else volumes


def _is_list(value):
    return value is not None and not isinstance(value, str) and hasattr(value, "__iter__")


def _mesh(words, options, folder, progress):
    kept = options.pop("out", None)
    target = pathlib.Path(folder, "mesh.ply")
    if kept is not None:  # the mesh itself is read from a PLY, whatever is kept
        _, report = _run(words, {**dict(options), "out": kept}, folder, progress)
        if pathlib.Path(kept).suffix.lower() != ".ply":
            return Result(report=report)
        target = pathlib.Path(kept)
    else:
        _, report = _run(words, {**options, "out": target}, folder, progress)
    if not target.exists():
        return Result(report=report)  # one file for each of several frames
    columns, faces = read_ply(target)
    taken = [("x", "y", "z"), ("nx", "ny", "nz"), ("red", "green", "blue", "alpha")]
    parts = [
        np.stack([columns.pop(n) for n in names if n in columns], 1) if names[0] in columns else None for names in taken
    ]
    return Mesh(report=report, vertices=parts[0], faces=faces, normals=parts[1], colours=parts[2], scalars=columns)


def _energies(words, options, folder, progress):
    atoms = pathlib.Path(options.pop("atoms", None) or pathlib.Path(folder, "atoms.npy"))
    options["atoms"] = atoms
    forces = options.get("out")
    if forces is None and options.get("method") not in ("pb", "gb"):
        forces = options["out"] = pathlib.Path(folder, "forces.npy")
    _, report = _run(words, options, folder, progress)
    return Energies(
        report=report,
        energy=report["result"]["energy"],
        forces=np.zeros((0, 3), np.float32) if forces is None else np.load(forces),
        atoms=np.load(atoms),
    )


def _table(words, of, options, folder, progress):
    """Verbs whose result is a table: of --table or --energies where there is one, else of --out."""
    name = next((n for n in ("table", "energies") if of.option(n) is not None), "out")
    kept = options.pop(name, None)
    target = pathlib.Path(kept) if kept is not None else pathlib.Path(folder, "table.csv")
    _, report = _run(words, {**options, name: target}, folder, progress)
    return Table(report=report, columns=read_table(target.read_text()))
