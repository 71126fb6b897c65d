#!/usr/bin/env python3
"""Pictures of the repository hold the scene or the command that they were made of. These name files without the folders
of the machine that made them, so that anybody can make the pictures again."""
import pathlib
import re
import struct
import subprocess
import sys
import zlib

ABSOLUTE = re.compile(rb'"(/[^"/ ]+/[^"]*|[A-Za-z]:\\\\[^"]*)"')


def texts(data):
    """The texts of a PNG file, decompressed."""
    at = 8
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        at += length + 12
        if kind == b"tEXt":
            yield body
        elif kind == b"zTXt":
            yield zlib.decompress(body.partition(b"\0")[2][1:])
        elif kind == b"iTXt":
            rest = body.partition(b"\0")[2]
            text = rest[2:].split(b"\0", 2)[2]
            yield zlib.decompress(text) if rest[0] else text


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    names = subprocess.run(["git", "-C", root, "ls-files", "*.png"], capture_output=True, check=True).stdout.decode().split()
    bad = [(name, found) for name in names for text in texts((root / name).read_bytes()) for found in ABSOLUTE.findall(text)]
    for name, found in bad:
        print(f"{name}: names {found.decode(errors='replace')}")
    print(f"{len(names)} pictures read")
    return 1 if bad or not names else 0


if __name__ == "__main__":
    sys.exit(main())
