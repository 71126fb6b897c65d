"""Checks that a program is hardened: position-independent, read-only relocations, checked stacks and checked libc calls.

hardening.py PROGRAM: needs readelf. Leaves with 77 (skipped) without it.
"""

import shutil
import subprocess
import sys


def main(program):
    if not shutil.which("readelf"):
        print("readelf is not installed")
        return 77

    def read(option):
        return subprocess.run(["readelf", "-W", option, program], capture_output=True, text=True, check=True).stdout

    symbols = read("--dyn-syms")
    checks = {
        "position-independent (PIE)": "DYN (" in read("-h"),
        "relocations read-only (RELRO)": "GNU_RELRO" in read("-l"),
        "all symbols bound at the start (BIND_NOW)": "NOW" in read("-d"),
        "stack protector": "__stack_chk_fail" in symbols,
        "checked calls of libc (_FORTIFY_SOURCE)": "_chk@GLIBC" in symbols.replace("__stack_chk", ""),
    }
    for name, holds in checks.items():
        print(f"{'yes' if holds else 'NO '} {name}")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
