"""One ``isolume worker`` that runs the commands of this process: a call then costs milliseconds, not a start."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

_lock = threading.Lock()
_worker: Optional["_Worker"] = None
_wanted = True


class Answer(NamedTuple):
    """What a command gave: its exit code, and what it printed."""

    code: int
    out: str
    err: str


def _time_of(program: str) -> int:
    """When the program was built: one that was installed anew is started anew."""
    return os.stat(program).st_mtime_ns


class _Worker:
    def __init__(
        self, program: str, variables: Dict[str, str], before: Sequence[str] = (), pass_fds: Sequence[int] = ()
    ):
        """before: words in front of the program; pass_fds: files that it inherits."""
        self.program, self.variables, self.process = program, variables, os.getpid()
        self.made = _time_of(program)
        # A session of its own: Ctrl-C comes to Python alone, which passes it on once.
        self.child = subprocess.Popen(
            [*before, program, "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=variables,
            pass_fds=pass_fds,
        )

    def serves(self, program: str, variables: Dict[str, str]) -> bool:
        return (
            self.process == os.getpid()
            and self.program == program
            and self.made == _time_of(self.program)
            and self.variables == variables
            and self.child.poll() is None
        )

    def ask(self, words: List[str], durable: bool) -> Optional[Answer]:
        """None where the worker ends without an answer."""
        request = json.dumps({"words": words, "directory": os.getcwd(), "durable": durable}, ensure_ascii=True)
        try:
            self.child.stdin.write(request.encode() + b"\n")
            self.child.stdin.flush()
        except (BrokenPipeError, OSError):
            return None
        try:
            line = self.child.stdout.readline()
        except BaseException:
            # The command removes what it has not finished; its answer is not waited for any longer than that.
            self.end(interrupt=True)
            raise
        if not line.endswith(b"\n"):
            return None
        answer = json.loads(line)
        return Answer(answer["code"], answer["out"], answer["err"])

    def end(self, interrupt: bool = False) -> None:
        if self.process != os.getpid():  # the worker of the process that this one was forked from
            return
        for stream in (self.child.stdin, self.child.stdout):
            try:
                stream.close()
            except OSError:
                pass
        if interrupt and self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def use_worker(wanted: bool = True) -> None:
    """Whether calls go to one long-lived process of the program (the default), or each starts its own.

    The process ends with Python. Where a GPU is used it keeps a CUDA context, some hundred megabytes of the GPU's
    memory, until then or until ``use_worker(False)``.
    """
    global _wanted
    _wanted = wanted
    if not wanted:
        stop()


def stop() -> None:
    """Ends the worker; the next call starts another one."""
    global _worker
    with _lock:
        if _worker is not None:
            _worker.end()
            _worker = None


def ask(program: str, variables: Dict[str, str], words: List[str], durable: bool = True) -> Optional[Answer]:
    """What the worker answers, whose files are on the disk then where `durable`; None where there is none to ask: not wanted, busy for another thread, or ended by what
    it was asked, which a process of its own then shows."""
    global _worker
    # A time limit ends the whole process.
    if not _wanted or os.name != "posix" or any(word.startswith("--time-limit") for word in words):
        return None
    if not _lock.acquire(blocking=False):
        return None
    try:
        if _worker is None or not _worker.serves(program, variables):
            if _worker is not None:
                _worker.end()
            _worker = _Worker(program, variables)
        answer = _worker.ask(words, durable)
        if answer is None:
            _worker.end()
            _worker = None
        return answer
    except BaseException:
        _worker = None
        raise
    finally:
        _lock.release()


def _after_fork() -> None:
    global _lock, _worker
    _lock, _worker = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(stop)
