"""Finding and running the ``isolume`` program: words in a list, never a shell; stopped when Python is interrupted."""

from __future__ import annotations

import functools
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
from typing import Any, Dict, List, Optional, Tuple, Union

from . import worker
from .errors import ProgramNotFound, error_for

_chosen: Optional[str] = None
_found: Optional[Tuple[Any, str]] = None  # what was looked for, and where it was
_own = pathlib.Path(__file__).resolve().parent / "_program" / "bin" / "isolume"


def set_program(path: Union[str, "os.PathLike[str]", None]) -> None:
    """Runs this ``isolume`` from now on; ``None`` looks for it again."""
    global _chosen
    text = None if path is None else os.fspath(path)
    _chosen = os.path.abspath(text) if text and os.sep in text else text


def find_program() -> str:
    """Path of the program: what ``set_program`` or the environment variable ``ISOLUME`` names, else the one that this
    package holds (a wheel), that of the prefix where it is installed, or the one in ``PATH``. Raises ProgramNotFound."""
    global _found
    named = _chosen or os.environ.get("ISOLUME")
    asked = (named, os.environ.get("PATH"), os.getcwd())
    # Each call asks several times: it is looked for again where something of this has changed, or it is gone.
    if _found is None or _found[0] != asked or not os.access(_found[1], os.X_OK):
        _found = (asked, _look_for_program(named))
    return _found[1]


def _look_for_program(named: Optional[str]) -> str:
    if named:
        found = shutil.which(named)
        if found is None:
            raise ProgramNotFound(f"{named} is no program that can be run")
        return found
    if os.access(_own, os.X_OK):
        return str(_own)
    for folder in pathlib.Path(__file__).resolve().parents:
        beside = folder / "bin" / "isolume"
        if folder.name not in ("python", "isolume") and beside.is_file() and os.access(beside, os.X_OK):
            return str(beside)
    found = shutil.which("isolume")
    if found is None:
        raise ProgramNotFound("no isolume program in PATH; isolume.set_program(path) or ISOLUME=path names one")
    return found


@functools.lru_cache(maxsize=1)
def _cuda_folders(_path: Tuple[str, ...]) -> List[str]:
    """Where pip has put CUDA's libraries in what Python looks at."""
    spec = importlib.util.find_spec("nvidia")
    places = [pathlib.Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    return [str(folder) for place in places for folder in sorted(place.glob("*/lib"))]


def environment() -> Dict[str, str]:
    """The variables that the program is started with: those of this process, and where pip has put CUDA's libraries."""
    variables = dict(os.environ)
    if find_program() != str(_own):
        return variables
    folders = _cuda_folders(tuple(sys.path))
    before = variables.get("LD_LIBRARY_PATH")
    if folders:
        variables["LD_LIBRARY_PATH"] = os.pathsep.join(folders + ([before] if before else []))
    return variables


def version() -> str:
    """The program's version, "0.1.0"."""
    return run(["--version"]).split()[-1]


def run(words: List[str], progress: Any = None, durable: bool = True) -> str:
    """Runs the program with these words and returns what it prints.

    progress: a function of (fraction, text) called now and then, or True for a line on stderr.
    durable: whether what is written has to survive a loss of power; results that are read and removed need not.
    Raises an IsolumeError with the program's message. A KeyboardInterrupt stops the program before it goes on up.
    """
    command = [find_program(), *words]
    if progress is None or progress is False:
        answer = worker.ask(command[0], environment(), [str(word) for word in words], durable)
        if answer is not None:
            if answer.code != 0:
                raise error_for(answer.code, _message(answer.err.encode()), command)
            return answer.out
    terminal = None
    errors = subprocess.PIPE
    if progress is not None and progress is not False and hasattr(os, "openpty"):
        terminal, errors = os.openpty()  # the program shows its progress on terminals alone
    try:
        # A session of its own: Ctrl-C comes to Python alone, which passes it on once.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env=environment(),
        )
    finally:
        if terminal is not None:
            os.close(errors)
    try:
        with child:
            try:
                if terminal is None:
                    out, err = child.communicate()
                else:
                    out, err = _follow(child, terminal, progress)
            except BaseException:
                _stop(child)
                raise
    finally:
        if terminal is not None:
            os.close(terminal)
    if child.returncode != 0:
        code = 130 if child.returncode == -signal.SIGINT else child.returncode
        raise error_for(code, _message(err), command)
    return out.decode("utf-8", "replace")


def _stop(child):
    """Asks the program to end, which removes its unfinished files; ends it where it does not."""
    for ask, patience in ((child.send_signal, 10), (None, 2)):
        try:
            if ask is not None:
                ask(signal.SIGINT)
            else:
                child.terminate()
            child.wait(patience)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return
    child.kill()
    child.wait()


def _follow(child, terminal, progress):
    """Reads output and, from the terminal, progress until the program ends."""
    import selectors

    out, err, line = [], b"", b""
    with selectors.DefaultSelector() as both:
        both.register(child.stdout, selectors.EVENT_READ)
        both.register(terminal, selectors.EVENT_READ)
        while both.get_map():
            for key, _ in both.select():
                try:
                    part = os.read(key.fd, 65536)
                except OSError:  # a terminal whose other side is closed
                    part = b""
                if not part:
                    both.unregister(key.fileobj)
                elif key.fd == terminal:
                    *done, line = re.split(rb"[\r\n]", line + part)
                    for text in [*done, line]:
                        _tell(text, progress)
                    err += b"".join(text + b"\n" for text in done if not _is_bar(text))
                else:
                    out.append(part)
    child.wait()
    if progress is True:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return b"".join(out), err + line


_bar = re.compile(rb"^\[[= ]*\] +(\d+) % *([^\x1b]*)")


def _is_bar(text):
    return _bar.match(text) is not None


def _tell(text, progress):
    bar = _bar.match(text)
    if bar is None or not text.endswith(b"\x1b[K"):
        return
    fraction, what = int(bar[1]) / 100, bar[2].decode("utf-8", "replace").strip()
    if progress is True:
        print(f"\r{fraction:4.0%} {what}\x1b[K", end="", file=sys.stderr, flush=True)
    else:
        progress(fraction, what)


def _message(err):
    """What the program says of its error, without its name and without control characters."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", err.decode("utf-8", "replace"))
    lines = [line.strip() for line in text.replace("\r", "\n").splitlines() if line.strip()]
    own = [line[len("isolume: ") :] for line in lines if line.startswith("isolume: ")]
    return "\n".join(own or lines[-3:])
