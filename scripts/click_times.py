#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how long steps of docs/clicks.md take in the real window, in seconds of the processor.

    xvfb-run -a -s '-screen 0 1600x1200x24' scripts/click_times.py PROGRAM EXAMPLES [STORY...]

PROGRAM is build/PRESET/bin/isolume, EXAMPLES the folder resources/examples. Needs a window manager (openbox) and xdotool.
Each step is done by xdotool: its key, or its entry typed into Ctrl+K. Its time is what the program used on all processors
from then on until it used none for three seconds: with the refined picture, which other work on the machine does not change.
Prints Markdown rows: step, seconds.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

STORIES = {
    "structure": (["crambin.pdb.gz"], [
        ("sequence", "ctrl+u"),
        ("hide hydrogens", ">Hide hydrogens"),
        ("hydrogen bonds, salt bridges, clashes", ">Interactions"),
        ("Ramachandran plot", ">Ramachandran plot"),
        ("publication look", ">Publication"),
        ("save the image", "ctrl+F12"),
        ("surface coloured by the potential", "ctrl+e"),
    ]),
    "simulation": (["crambin_water/crambin_water.gro.gz", "crambin_water/crambin_water.xtc"], [
        ("next frame", "Right"),
        ("align all frames", "ctrl+shift+p Return"),
    ]),
    "orbitals": (["threonine_chi1/threonine_chi1_000.molden.gz"], [
        ("electron density with its exact potential", ">Electron density|Return"),
    ]),
}
REST = 3  # seconds without work


def used(pid):
    """Seconds of the processor that the process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def at_rest(process, longest=300):
    """Waits until the program has used less than 0.05 s in REST seconds, and returns what it has used in all."""
    begin = time.monotonic()
    seen = [used(process.pid)]
    while time.monotonic() - begin < longest:
        time.sleep(1)
        seen.append(used(process.pid))
        if len(seen) > REST and seen[-1] - seen[-1 - REST] < 0.05:
            return seen[-1]
    sys.exit("the program does not come to rest")


def xdotool(*words):
    subprocess.run(["xdotool", *words], check=True, stdout=subprocess.DEVNULL)


def do(keys):
    entry, _, after = keys.partition("|")
    if entry.startswith(">"):
        xdotool("key", "ctrl+k")
        time.sleep(1)
        xdotool("type", "--delay", "5", entry[1:])
        time.sleep(1)
        after = "Return " + after
    else:
        after = entry
    for key in after.split():
        xdotool("key", key)
        time.sleep(1)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, examples = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    for story in sys.argv[3:] or STORIES:
        files, steps = STORIES[story]
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home,
                           "QT_QPA_PLATFORM": "xcb"}
            manager = subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL)
            # What is saved goes next to the files.
            paths = [shutil.copy(os.path.join(examples, file), home) for file in files]
            process = subprocess.Popen([program, *paths], env=environment, cwd=home, stderr=subprocess.DEVNULL)
            try:
                last = at_rest(process)
                print(f"| {story}: open | {last:.1f} |", flush=True)
                for name, keys in steps:
                    do(keys)
                    now = at_rest(process)
                    print(f"| {name} | {now - last:.1f} |", flush=True)
                    if "ISOLUME_SCREENSHOTS" in os.environ:
                        picture = os.path.join(os.environ["ISOLUME_SCREENSHOTS"], f"{story}-{name.split(',')[0]}.png")
                        subprocess.run(["import", "-window", "root", picture], check=False)
                    last = now
            finally:
                process.terminate()
                process.wait(30)
                manager.terminate()


main()
