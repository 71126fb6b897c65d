#!/usr/bin/env python3
"""Writes verbs of compute and options of subcommands into the manual page, as `PROGRAM ... --help` gives them.

    scripts/man.py build/release/bin/isolume

replaces the text between the marks of resources/man/isolume.1. tests/lint/shell.py fails where an option is missing.
"""
import functools
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[1] / "resources" / "man" / "isolume.1"
BEGIN = '.\\" Options of the subcommands: written by scripts/man.py from --help.\n'
END = '.\\" End of the options of the subcommands.\n'
BEGIN_VERBS = '.\\" Verbs of compute: written by scripts/man.py from --help.\n'
END_VERBS = '.\\" End of the verbs.\n'
COMMON = {"--help", "--device", "--threads", "--memory-limit", "--report", "--quiet"}


@functools.cache
def printed_help(program, words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def help_of(program, words):
    return printed_help(program, tuple(words))


def subcommands(program, words=()):
    """Lists of words: ["info"], ["compute", "fit"], ..."""
    names = re.findall(r"^  ([a-z][-a-z]*)  ", help_of(program, words).partition("Subcommands:")[2], re.MULTILINE)
    found = []
    for name in names:
        below = subcommands(program, [*words, name])
        found += below or [[*words, name]]
    return found


def options(text):
    """(names, value, meaning) of every option of a help text."""
    found = []
    for line in text.splitlines():
        begins = re.match(r"  (-[-,a-z]+)(?:\{[^}]*\})?(.*)", line)
        if begins and not line.startswith("   "):
            value, _, meaning = begins[2].partition("  ")
            found.append([begins[1].split(","), re.sub(r":.*|=.*", "", value.strip()), meaning.strip()])
        elif found and line.startswith(" " * 20):
            found[-1][2] = (found[-1][2] + " " + line.strip()).strip()
    return [o for o in found if o[0][-1] not in COMMON]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def section(program):
    lines = [".SH OPTIONS OF THE SUBCOMMANDS"]
    for words in subcommands(program):
        found = options(help_of(program, words))
        if found:
            lines.append('.SS "isolume ' + " ".join(words) + '"')
        for names, value, meaning in found:
            lines += [".TP", ".BI " + ", ".join(roff(name) for name in names).replace(", ", ",\\ ")
                      + (f' " {roff(value)}"' if value else ""), roff(meaning)]
    return "\n".join(lines) + "\n"


def verbs(program):
    """An entry for each verb of compute, with its summary."""
    listed = help_of(program, ["compute"]).partition("Subcommands:")[2]
    return "".join(f".TP\n.B compute {name}\n{roff(meaning.strip())}.\n"
                   for name, meaning in re.findall(r"^  ([a-z][-a-z]*)  +(.*)$", listed, re.MULTILINE))


def replaced(page, begin, end, text):
    return page[: page.index(begin) + len(begin)] + text + page[page.index(end) :]


def main():
    page = replaced(PAGE.read_text(), BEGIN_VERBS, END_VERBS, verbs(sys.argv[1]))
    PAGE.write_text(replaced(page, BEGIN, END, section(sys.argv[1])))


if __name__ == "__main__":
    main()
