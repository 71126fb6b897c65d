"""``python -m isolume``, and the command ``isolume`` of a wheel: becomes the program."""

import os
import sys

from .program import environment, find_program


def main():
    program = find_program()
    os.execve(program, [program, *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
