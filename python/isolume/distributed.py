"""Frames of one result computed by many processes or machines: ``isolume.distributed.run("rdf", files)``.

The frames are split into parts, each is one run of the program with ``--partial`` on a worker of a Dask cluster, and
the parts are merged as a tree (``isolume merge``). Dask (``pip install distributed``) is needed only for a client of
Dask.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, Optional, Union

import numpy as np

from .errors import InputError, UsageError, error_for
from .options import file_words, option_words, verb
from .program import find_program
from .readers import read_map, read_numbers, read_table
from .results import PointValues, Result, Table, Volume
from .verbs import Files, Path, info
from .worker import _Worker

__all__ = ["frame_parts", "run"]

#: Options that name what is written of the whole, by ``isolume merge``.
_of_merge = ("out", "error_out", "faded_out", "map", "bonds", "correlation", "occupancy", "timeline", "frames_out")
#: Of these, those that a part has to be made with.
_of_parts = ("map", "bonds", "correlation")
_fan_in = 8


def frame_parts(frames: Any, count: int, parts: int) -> List[str]:
    """``frames`` of a trajectory of ``count`` frames, as at most so many words "A:B:STEP" with equally many frames.

    ``frames``: None for all, "A:B:STEP" (B excluded), a slice or a range. Raises UsageError for none, and for a step
    that is negative.
    """
    if isinstance(frames, str):
        try:
            bounds = [int(word) if word else None for word in frames.split(":")]
            frames = slice(*bounds) if len(bounds) > 1 else slice(bounds[0], bounds[0] + 1)
        except (TypeError, ValueError):
            raise UsageError(f"frames: {frames!r} is no A:B:STEP", 2) from None
    chosen = range(count) if frames is None else range(count)[frames] if isinstance(frames, slice) else frames
    if not isinstance(chosen, range) or (len(chosen) > 0 and not 0 <= chosen[0] <= chosen[-1] < count):
        raise UsageError(f"frames: ascending frames of 0 to {count - 1}, as 'A:B:STEP', a slice or a range", 2)
    if len(chosen) == 0:
        raise UsageError("frames: there are none", 2)
    parts = max(1, min(parts, len(chosen)))
    words = []
    for i in range(parts):
        piece = chosen[len(chosen) * i // parts : len(chosen) * (i + 1) // parts]
        words.append(f"{piece[0]}:{piece[-1] + 1}:{piece.step}")
    return words


def run(
    verb_name: str,
    files: Files,
    frames: Any = None,
    client: Any = None,
    *,
    parts: Optional[int] = None,
    folder: Optional[Path] = None,
    resources: Optional[Dict[str, float]] = None,
    retries: int = 2,
    progress: bool = True,
    **options: Any,
) -> Union[Table, Volume, PointValues, Result]:
    """Computes a verb of ``isolume compute`` that has ``--partial`` over frames, on the workers of a cluster.

    >>> client = distributed.Client("scheduler:8786")
    >>> table = isolume.distributed.run("rdf", ["md.gro", "md.xtc"], frames="1000:", client=client, max=10)

    verb_name: "rdf", "rmsf", "hbonds", ..., or "potential", "density" and "volmap" with their averages.
    files: as workers see them, best on a disk that all of them share. Relative paths are taken from here.
    client: a ``distributed.Client``, or anything with its ``submit(function, *arguments, **keywords)``, ``gather`` and
        ``ncores``. None starts a cluster of this machine, a process for each core.
    parts: how many, by default four for each worker, at least 16 frames each.
    folder: where parts are kept, seen by all workers. One that is named is kept: the same call goes on from what
        is in it. Else a new one in the working folder, which is removed at the end.
    resources: what a task takes of a worker's resources, such as {"GPU": 1}. A worker with a resource that is named
        as a GPU ("GPU-8f2c...", its UUID) runs the program with CUDA_VISIBLE_DEVICES set to it.
    retries: how often a part is tried again that failed while it ran. A worker that dies does not count.
    progress: shows Dask's bar, with a client of Dask.

    Other options are those of the verb. Those for what is written (``out``, ``map``, ``bonds``, ...) are of the whole.
    Returns a Table, a Volume for maps, PointValues for averages ``at`` points. Raises as ``isolume.compute`` does.
    """
    of = verb("compute", verb_name.split()[-1])
    if of.option("partial") is None:
        raise UsageError(f"compute {of.words[-1]} has no --partial, so it cannot be split over frames", 2)
    for name in ("partial", "frame", "report", "convergence", "atoms_from", "all_frames"):
        if options.get(name) is not None:
            raise UsageError(f"{name} cannot be given here", 2)
    written = {name: options.pop(name) for name in _of_merge if options.get(name) is not None}
    paths = [os.path.abspath(word) for word in ([files] if isinstance(files, (str, os.PathLike)) else list(files))]
    known = info(paths)
    if not isinstance(known, dict):
        raise InputError("the files make several molecules; name a structure and its trajectory", 3)
    with contextlib.ExitStack() as stack:
        if client is None:
            client = stack.enter_context(_own_cluster())
        slots = sum(client.ncores().values())
        count = int(known.get("frames") or 0)
        whole = frame_parts(frames, count, 1)[0]
        chosen = len(range(*(int(word) for word in whole.split(":"))))
        pieces = frame_parts(frames, count, parts or max(1, min(4 * slots, chosen // 16)))
        place = _folder(folder, stack)
        options = {name: _seen_by_all(name, value, place) for name, value in options.items()}
        words = ["compute", of.words[-1], *file_words(paths), *option_words(of, options), "--quiet", "--no-record"]
        if of.option("average") is not None and options.get("average") is not True:
            words.append("--average")
        if of.option("atoms-from") is not None:
            words.append(f"--atoms-from={whole.split(':')[0]}")
        if of.option("all-frames") is not None:
            words.append(f"--all-frames={whole}")
        digits = len(str(len(pieces)))
        tasks = []
        for i, piece in enumerate(pieces):
            part = os.path.join(place, f"part.{i:0{digits}}")
            own = [f"--{name}={part}.{name}.csv" for name in _of_parts if name in written]
            tasks.append(([*words, *own, f"--frames={piece}", f"--partial={part}"], part))
        result = _tree(client, tasks, place, resources, retries, progress, "threads" not in options)
        return _finish(of.words[-1], result, written, options, place)


@contextlib.contextmanager
def _own_cluster():
    distributed = _dask()
    with distributed.LocalCluster(threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def _dask():
    try:
        import distributed
    except ImportError:
        raise ImportError(
            "isolume.distributed needs Dask for a cluster: pip install distributed, or give client= something with "
            "submit, gather and ncores"
        ) from None
    return distributed


def _folder(folder, stack):
    if folder is None:
        folder = tempfile.mkdtemp(prefix="isolume-parts-", dir=os.getcwd())
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    return os.path.abspath(folder)


def _seen_by_all(name, value, place):
    """Points as a file; files by their whole paths."""
    if name == "at" and not isinstance(value, (str, os.PathLike)):
        path = os.path.join(place, "points.csv")
        np.savetxt(path, np.atleast_2d(np.asarray(value, float)), fmt="%.17g", delimiter=",")
        return path
    if isinstance(value, (str, os.PathLike)) and os.path.isfile(value):
        return os.path.abspath(value)
    return value


def _tree(client, tasks, place, resources, retries, progress, fit_threads):
    """Submits parts and merges; waits. The path of the last part."""
    keywords: Dict[str, Any] = {"pure": False, "retries": retries}
    limited = dict(keywords, resources=resources) if resources else keywords
    program = find_program()
    level = [client.submit(_compute_part, program, words, part, fit_threads, **limited) for words, part in tasks]
    _show(client, level, progress)
    depth = 0
    while len(level) > 1:
        depth += 1
        level = [
            client.submit(
                _merge_parts, program, level[i : i + _fan_in], os.path.join(place, f"merged.{depth}.{i}"), **keywords
            )
            for i in range(0, len(level), _fan_in)
        ]
    (last,) = client.gather(level)
    if isinstance(last, tuple):
        raise error_for(*last)
    return last


def _show(client, futures, progress):
    distributed = sys.modules.get("distributed")
    if progress and distributed is not None and isinstance(client, distributed.Client):
        distributed.progress(futures)


def _compute_part(program, words, part, fit_threads):
    """On a worker: one part, by one process. Its path; (code, message, command) of what would fail again."""
    environment = dict(os.environ)
    worker = _worker()
    if worker is not None:
        for name in worker.state.total_resources:
            if name.startswith(("GPU-", "MIG-")):
                environment["CUDA_VISIBLE_DEVICES"] = name
    if fit_threads:
        words = [*words, f"--threads={worker.state.nthreads if worker is not None else 1}"]
    with _alone(part) as lock:
        return _call(program, words, environment, lock) or part


def _merge_parts(program, parts, merged):
    """On a worker: one part from several. Its path, or the first fault."""
    for part in parts:
        if isinstance(part, tuple):
            return part
    # Gaps are looked for at the end: here frames of other branches are missing.
    with _alone(merged) as lock:
        return _call(program, ["merge", *parts, f"--partial={merged}", "--quiet", "--no-record"], None, lock) or merged


def _worker():
    distributed = sys.modules.get("distributed")
    try:
        return distributed.get_worker() if distributed is not None else None
    except ValueError:  # not on a worker
        return None


@contextlib.contextmanager
def _alone(part):
    """A lock of the part, which its process inherits, or which says what file a process that goes on holds: where a
    worker has died, the next one waits until its process, which is asked to end, has written what it has and is gone.
    """
    with open(part + ".lock", "a+") as lock:
        _lock(lock)
        lock.seek(0)
        held = lock.read()
        if held:
            with contextlib.suppress(FileNotFoundError), open(held) as of_process:
                _lock(of_process, shared=True)
        yield lock


def _lock(file, shared=False):
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    except (ImportError, OSError):  # a disk or system without locks
        pass


# The program ends with its worker: SIGTERM when the parent dies (Linux), upon which it keeps what it has.
_with_parent = (
    "import ctypes, os, sys; parent = int(sys.argv[1]); ctypes.CDLL(None).prctl(1, 15); "
    "os.getppid() == parent or sys.exit(1); os.execv(sys.argv[2], sys.argv[2:])"
)


class _Running(_Worker):
    """A process of the program on a worker of Dask, which computes one part after another: the start of a GPU, the
    files' indices and the structure are there from the second on. As long as it lives it holds a file in the folder of
    the parts."""

    def __init__(self, program, environment, folder):
        number, self.held = tempfile.mkstemp(prefix="process.", suffix=".lock", dir=folder)
        self.folder = folder
        with open(number) as file:
            _lock(file)
            before = [sys.executable, "-c", _with_parent, str(os.getpid())]
            super().__init__(program, environment, before, (number,))


_idle: List[_Running] = []
_guard = threading.Lock()
#: After so many seconds without a part the process ends, which may hold a GPU's memory.
_patience = 20


def _take(program, environment, folder):
    """A process that is idle, or a new one. Those of other folders end."""
    with _guard:
        waiting, _idle[:] = list(_idle), []
        fit = [one for one in waiting if one.folder == folder and one.serves(program, environment)]
        _idle.extend(fit[1:])
    for one in waiting:
        if one not in fit:
            one.end()
    return fit[0] if fit else _Running(program, environment, folder)


def _give_back(running):
    def forget():
        with _guard:
            if running not in _idle or running.since is not now:
                return
            _idle.remove(running)
        running.end()

    now = running.since = object()
    with _guard:
        _idle.append(running)
    timer = threading.Timer(_patience, forget)
    timer.daemon = True
    timer.start()


def _ask(program, words, environment, lock):
    """The exit code and the messages, from a process that goes on."""
    running = _take(program, environment, os.path.dirname(lock.name))
    try:
        lock.truncate(0)
        lock.write(running.held)
        lock.flush()
        answer = running.ask(words, True)
        lock.truncate(0)
    except BaseException:
        running.end(interrupt=True)
        raise
    if answer is None:
        running.end()
        return running.child.returncode or 1, "the program has ended without an answer"
    _give_back(running)
    return answer.code, answer.err


def _start(program, words, environment, lock):
    """The same from a process of its own."""
    command: List[str] = [program, *words]
    if sys.platform.startswith("linux"):
        command = [sys.executable, "-c", _with_parent, str(os.getpid()), *command]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        pass_fds=(lock.fileno(),),
        check=False,
    )
    return done.returncode, done.stderr


def _call(program, words, environment, lock):
    """Runs the program. None, or (code, message, command) of wrong usage and bad input, which would fail again; raises
    for the rest."""
    if not os.access(program, os.X_OK):
        program = find_program()
    goes_on = _worker() is not None and sys.platform.startswith("linux")
    run_it = _ask if goes_on else _start
    code, message = run_it(program, words, dict(os.environ) if environment is None else environment, lock)
    if code == 0:
        return None
    message = message.strip().replace("isolume: ", "")
    if code in (2, 3):
        return (code, message, (program, *words))
    raise error_for(code, message, [program, *words])


def _finish(word, part, written, options, place):
    """The whole from the last part: what ``isolume.compute`` gives."""
    of = verb("merge")
    at = options.get("at")
    is_map = word in ("potential", "density", "volmap", "ligand-map") and at is None
    target = pathlib.Path(written.get("out") or pathlib.Path(place, "whole.mrc" if is_map else "whole.csv"))
    words = option_words(of, {**written, "out": target})
    report = pathlib.Path(place, "report.json")
    with _alone(part) as lock:
        fault = _call(find_program(), ["merge", part, *words, f"--report={report}", "--quiet"], None, lock)
    if fault is not None:
        raise error_for(*fault)
    content = json.loads(report.read_text())
    if is_map:
        if target.suffix.lower() not in (".mrc", ".map", ".ccp4"):
            return Result(report=content)
        values, origin, step = read_map(target)
        return Volume(report=content, values=values, origin=origin, step=step)
    if at is not None and word in ("potential", "density"):
        return PointValues(report=content, values=read_numbers(target.read_text()))
    return Table(report=content, columns=read_table(target.read_text()))
