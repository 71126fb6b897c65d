#!/usr/bin/env python3
"""tasks.py PROGRAM: draws the pictures of docs/tasks.md by the commands of that page."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/lint"))
import commands  # noqa: E402  (the files that stand for the names of the documentation)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    page = (ROOT / "docs/tasks.md").read_text()
    target = ROOT / "docs/images/tasks"
    target.mkdir(exist_ok=True)
    wanted = {pathlib.Path(name).name for name in re.findall(r"\(images/tasks/([^)]*)\)", page)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        commands.lay_out(folder)
        for _, command, alone in commands.commands(page):
            if not alone:
                continue
            # Pages are read at this width; a column of a journal is far wider.
            words = re.sub(r" --for \S+", "", command).split(" ", 1)[1]
            if " --out " in words and words.startswith("render") and ".png" in words:
                words += " --size 960x720 --samples 16"
            print(command, flush=True)
            subprocess.run(f"{program} {words} --device cpu", cwd=folder, shell=True, check=True)
        for picture in sorted(wanted):
            shutil.copy(folder / picture, target / picture)


main()
