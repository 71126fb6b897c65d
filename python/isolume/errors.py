"""What can go wrong: one exception for each exit code of the program."""


class IsolumeError(RuntimeError):
    """The program ended with an error.

    ``str(error)`` is its message, ``code`` its exit code and ``command`` the words that it was run with.
    """

    def __init__(self, message, code=1, command=()):
        super().__init__(message)
        self.code = code
        self.command = list(command)


class ComputeError(IsolumeError):
    """It failed while it ran (1): out of memory, no such device, a disk that is full."""


class UsageError(IsolumeError, ValueError):
    """An option or value that the program does not take (2)."""


class InputError(IsolumeError):
    """A file that cannot be read (3); the message names the file and the line."""


class Cancelled(IsolumeError):
    """It was stopped from outside (130). Ctrl-C in Python raises KeyboardInterrupt instead."""


class ProgramNotFound(IsolumeError, FileNotFoundError):
    """There is no ``isolume`` program; see ``set_program``."""

    def __init__(self, message):
        IsolumeError.__init__(self, message, code=127)

    def __str__(self):
        return str(self.args[0])


def error_for(code, message, command):
    """The exception of an exit code."""
    kinds = {1: ComputeError, 2: UsageError, 3: InputError, 130: Cancelled}
    return kinds.get(code, IsolumeError)(message or f"isolume ended with code {code}", code, command)
