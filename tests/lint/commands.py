"""Commands of the documentation work: commands.py PROGRAM [--list].

Every line of a code block, and every inline code, that begins with `isolume` or `./dev` names a subcommand that exists and
options that its --help has. Commands are run where their files are those of FILES, which stand for files of the
repository. Links between pages, and to headings in them, lead somewhere.
"""

import concurrent.futures
import functools
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = "resources/examples"
# Names in the documentation, and the files of the repository that they stand for.
FILES = {
    "water.molden": "tests/data/H2O-631Gd-cart.molden",
    "protein.pqr": f"{EXAMPLES}/crambin_charges/crambin_charges.pqr.gz",
    "protein.pdb": f"{EXAMPLES}/crambin.pdb.gz",
    "1crn.pdb": f"{EXAMPLES}/crambin.pdb.gz",
    "system.gro": f"{EXAMPLES}/crambin_water/crambin_water.gro.gz",
    "run.xtc": f"{EXAMPLES}/crambin_water/crambin_water.xtc",
    "density.cube": "tests/data/volumes/straight.cube",
    "esp.cube": "tests/data/volumes/straight.cube",
    "protein.cif.gz": "tests/data/formats/sample.cif",
    "threonine.molden": f"{EXAMPLES}/threonine_chi1/threonine_chi1_000.molden.gz",
}
DRAWN = ROOT / "docs/tasks.md"  # its pictures are drawn as well, small ones
FRAMES = f"{EXAMPLES}/ethylene_torsion"
ANYTHING = re.compile(r"[\[\]|…]|\.\.\.|\b[A-Z]{2,}\b|F\.|\bREF\b|imd://")  # of a synopsis, or with a running simulation: not run
program = None
faults = []


def pages():
    names = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
    return [ROOT / name for name in names] + sorted((ROOT / "docs").rglob("*.md"))


def commands(text):
    """(line number, command, whether it has a line of its own)"""
    text = re.sub(r"\n {10,}(?=\[)", " ", text)  # a synopsis goes on in the next line
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        if fenced or line.startswith("    "):
            text = re.sub(r"^\s*(\$ )?", "", line)
            if re.match(r"(isolume|\./dev)( |$)", text):
                yield number, re.split(r"\s{2,}#", text)[0].rstrip("\\ "), True
        else:
            for code in re.findall(r"(?<!`)`((?:isolume|\./dev) [^`]*)`", line):
                yield number, code, False


@functools.lru_cache(maxsize=None)
def help_of(words):
    ran = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=False)
    return ran.stdout if ran.returncode == 0 else None


def check_program(place, command):
    """The subcommand and its options."""
    words = re.findall(r"[^\s\[\]]+", command)[1:]
    path = ()
    for word in words:
        listed = (help_of(path) or "").partition("Subcommands:")[2]
        names = re.findall(r"^  ([a-z][-a-z]*)  ", listed, re.MULTILINE)
        if not names or not re.fullmatch(r"[a-z][a-z|-]*", word):
            break
        alternatives = word.split("|")
        unknown = [name for name in alternatives if name not in names]
        if unknown:
            if path:
                faults.append(f"{place}: there is no {' '.join([*path, unknown[0]])}: {command}")
            return
        path = (*path, alternatives[0])
    text = help_of(path) or ""
    known = set(re.findall(r"--[a-z][a-z0-9-]*", text))
    if not path:  # the window's options that --help leaves out
        known |= {f"--{name}" for name in re.findall(r'"([a-z-]+)"', (ROOT / "app/cli/window_words.cpp").read_text())}
    for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", command.split(" -- ")[0]):
        if option not in known:
            faults.append(f"{place}: isolume {' '.join(path)} has no {option}: {command}")


def check_dev(place, command):
    words = command.split()[1:]
    text = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^\./dev ([a-z-]+)", text, re.MULTILINE))
    name = next((word for word in words if not word.startswith("-")), "help")
    if name not in names | {"help"}:
        faults.append(f"{place}: there is no ./dev {name}")
    for option in re.findall(r"--[a-z][a-z-]*", command):
        if option not in text:
            faults.append(f"{place}: ./dev help does not mention {option}: {command}")


def runnable(command, made, pictures=False):
    """The words of a command whose files are all known or in `made`, else nothing; adds what it writes to `made`."""
    if ANYTHING.search(re.sub(r"'[^']*'|\"[^\"]*\"", "", command)):
        return None
    try:
        words = shlex.split(command)[1:]
    except ValueError:
        return None
    if words[:1] == ["render"] and pictures:
        words += [] if "--for" in words else ["--size", "160x120"]
    elif words[:1] not in (["info"], ["convert"], ["compute"], ["devices"]):
        return None  # pictures take seconds each; other tests draw them
    outputs = {"--out", "--report", "--table", "--map", "--mesh", "--atoms", "--energies"}
    written = {word for before, word in zip(words, words[1:]) if before in outputs}
    if words[0] == "convert":
        written.add(next((word for word in reversed(words) if re.search(r"\.[a-z]+$", word)), ""))
    for before, word in zip([""] + words, words):
        if re.search(r"\.[a-z0-9]+$", word) and not re.match(r"[-\d.]+$", word) and word not in written:
            if word not in FILES and word not in made and word != "frame_*.molden":
                return None
    made |= written
    return words


def lay_out(folder):
    for name, path in FILES.items():
        target = folder / name
        if path.endswith(".gz") != name.endswith(".gz"):
            with open(target, "wb") as file:
                subprocess.run(["gzip", "-dc" if path.endswith(".gz") else "-c", ROOT / path], stdout=file, check=True)
        else:
            shutil.copy(ROOT / path, target)  # a link would be followed by what writes
    (folder / "frames").mkdir()
    for path in sorted((ROOT / FRAMES).glob("*.molden.gz"))[:12]:
        name = "frame_" + re.search(r"\d+", path.name)[0] + ".molden"
        with open(folder / "frames" / name, "wb") as file:
            subprocess.run(["gzip", "-dc", path], stdout=file, check=True)
        if len(list(folder.glob("frame_*"))) < 3:
            (folder / name).symlink_to(folder / "frames" / name)


def run(tasks):
    """Runs the commands of a page one after the other in a folder of its own."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lay_out(folder)
        for place, command, words in tasks:
            device = [] if words[0] == "devices" else ["--device", "cpu"]
            ran = subprocess.run([program, *words, *device], cwd=folder, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                found.append(f"{place}: exit code {ran.returncode}: {command}\n  {ran.stderr.strip()}")
    return found


def anchor(heading):
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def check_links(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        to = (page.parent / path).resolve() if path else page
        if not to.exists():
            faults.append(f"{page.relative_to(ROOT)}: no {target}")
        elif fragment and to.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", to.read_text(), re.MULTILINE)
            if fragment not in {anchor(heading) for heading in headings}:
                faults.append(f"{page.relative_to(ROOT)}: no heading of {target}")


def main():
    global program
    program = str(pathlib.Path(sys.argv[1]).resolve())
    checked, all_tasks = 0, []
    for page in pages():
        check_links(page)
        made, tasks = set(), []
        for line, command, alone in commands(page.read_text()):
            checked += 1
            place = f"{page.relative_to(ROOT)}:{line}"
            if command.startswith("./dev"):
                check_dev(place, command)
                continue
            check_program(place, command)
            words = None
            if alone or any(name in command for name in FILES):
                words = runnable(command, made, page == DRAWN)
            if words:
                tasks.append((place, command, words))
            if "--list" in sys.argv:
                print("run " if words else "    ", place, command)
        if tasks:
            all_tasks.append(tasks)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(run, all_tasks):
            faults.extend(found)
    for fault in faults:
        print(fault)
    print(f"{checked} commands, {sum(map(len, all_tasks))} of them run")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
