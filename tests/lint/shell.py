"""The manual page and the completions of bash, zsh and fish agree with the program: shell.py PROGRAM.

Every subcommand that `PROGRAM --help` lists, and every option of each, is in both; the completion offers files too.
groff is asked for warnings where it is installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "scripts"))
import man  # noqa: E402
program = str(pathlib.Path(sys.argv[1]).resolve())
faults = []


def expect(condition, text):
    if not condition:
        faults.append(text)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def subcommands(*words):
    listed = run(program, *words, "--help").partition("Subcommands:")[2]
    return re.findall(r"^  ([a-z][-a-z]*)  ", listed, re.MULTILINE)


page = root / "resources" / "man" / "isolume.1"
text = page.read_text()
for name in subcommands() + subcommands("compute"):
    expect(re.search(rf"\b{name}\b", text), f"isolume.1: no {name}")
for name in subcommands("compute"):
    expect(f".B compute {name}\n" in text, f"isolume.1: no entry of compute {name}; run scripts/man.py {sys.argv[1]}")
for words in man.subcommands(program):
    own = text.partition(f'.SS "isolume {" ".join(words)}"')[2].partition(".SS ")[0]
    for names, _, _ in man.options(man.help_of(program, words)):
        for name in names:
            expect(re.search(re.escape(man.roff(name)) + r"(?![a-z\\])", own),
                   f"isolume.1: no {name} of {' '.join(words)}; run scripts/man.py {sys.argv[1]}")
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
    for words in man.subcommands(program):
        wanted = {name for names, _, _ in man.options(man.help_of(program, words)) for name in names}
        lacking = wanted - set(completed(folder, *words, "-"))
        expect(not lacking, f"completion: {' '.join(words)} lacks {lacking}")
    expect("water.molden" in completed(folder, "info", "wa"), "completion: no files")
    expect(completed(folder, "--device", "cp") == ["cpu"], "completion: no devices")


def asked_of_fish(line):
    script = f"set PATH '{pathlib.Path(program).parent}' $PATH; source '{root / 'resources' / 'shell' / 'isolume.fish'}'; complete -C '{line}'"
    said = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=False)
    return [word.split("\t")[0] for word in said.stdout.splitlines()]


def asked_of_zsh(*words):
    """What the function offers: compadd is replaced by one that prints."""
    script = f"""
    compadd() {{ if [[ $1 == -a ]]; then print -l -- ${{(P)2}}; else print -l -- "$@"; fi }}
    _files() {{ print FILES }}
    words=("$@"); CURRENT=$#
    source '{root / "resources" / "shell" / "_isolume"}' """
    return run("zsh", "-f", "-c", script, "zsh", program, *words).split()


for shell in ("fish", "zsh"):
    if shutil.which(shell) is None:
        print(f"{shell} is not installed: not asked")
        continue
    ask = (lambda *words: asked_of_fish("isolume " + " ".join(words))) if shell == "fish" else asked_of_zsh
    missing = set(subcommands()) - set(ask(""))
    expect(not missing, f"{shell}: lacks {missing}")
    missing = set(subcommands("compute")) - set(ask("compute", ""))
    expect(not missing, f"{shell}: compute lacks {missing}")
    for words in (("render",), ("compute", "potential"), ("convert",)):
        wanted = {name for names, _, _ in man.options(man.help_of(program, words)) for name in names if name[:2] == "--"}
        lacking = wanted - set(ask(*words, "--"))
        expect(not lacking, f"{shell}: {' '.join(words)} lacks {lacking}")
    expect("cpu" in ask("render", "--device", ""), f"{shell}: no devices")

for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
