"""The manual page and the completion of bash agree with the program: shell.py PROGRAM.

Every subcommand that `PROGRAM --help` lists is in both; the completion offers the subcommands, a subcommand's options
and files. groff is asked for warnings where it is installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
program = str(pathlib.Path(sys.argv[1]).resolve())
faults = []


def expect(condition, text):
    if not condition:
        faults.append(text)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def subcommands(*words):
    listed = run(program, *words, "--help").partition("Subcommands:")[2]
    return re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)


page = root / "resources" / "man" / "isolume.1"
text = page.read_text()
for name in subcommands() + subcommands("compute"):
    expect(re.search(rf"\b{name}\b", text), f"isolume.1: no {name}")
if shutil.which("groff"):
    said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True, check=False)
    expect(said.returncode == 0 and not said.stderr, f"isolume.1: {said.stderr}")


def completed(folder, *words):
    script = f"""
    source '{root / "resources" / "shell" / "isolume.bash"}'
    cd '{folder}'
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _isolume; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return run("bash", "-c", script, "bash", program, *words).split()


with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "water.molden").touch()
    for name in subcommands():
        expect(name in completed(folder, name[:2]), f"completion: {name} is not offered for {name[:2]}")
    missing = set(subcommands("compute")) - set(completed(folder, "compute", ""))
    expect(not missing, f"completion: compute lacks {missing}")
    for words in (("render", "--field-l"), ("compute", "potential", "--meth"), ("convert", "--sel")):
        found = completed(folder, *words)
        options = re.findall(r"--[a-z-]+", run(program, *words[:-1], "--help"))
        expect(found and set(found) <= set(options), f"completion: {words} gives {found}")
    expect("water.molden" in completed(folder, "info", "wa"), "completion: no files")
    expect(completed(folder, "--device", "cp") == ["cpu"], "completion: no devices")

for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
