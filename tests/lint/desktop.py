"""The desktop's files are well formed and agree with each other and with the formats that are read.

Checked here: every MIME type that the desktop file opens is described or well known, its endings are read by
the formats, nothing generic is claimed. desktop-file-validate and appstreamcli are asked where they are installed.
"""

import configparser
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

root = pathlib.Path(__file__).resolve().parents[2]
desktop = root / "resources" / "desktop"
faults = []


def expect(condition, text):
    if not condition:
        faults.append(text)


entry = configparser.ConfigParser(interpolation=None)
entry.optionxform = str
entry.read(desktop / "isolume.desktop")
main = entry["Desktop Entry"]
for key in ("Type", "Name", "Exec", "Icon", "MimeType", "Categories", "StartupWMClass"):
    expect(key in main, f"isolume.desktop: no {key}")
expect(main.get("Version") in ("1.0", "1.1", "1.2", "1.3", "1.4"), "isolume.desktop: no version that validators know")
opened = [kind for kind in main["MimeType"].split(";") if kind]
expect(len(opened) == len(set(opened)), "isolume.desktop: a MIME type twice")
expect(re.search(r"%[fFuU]\b", main["Exec"]), "isolume.desktop: Exec takes no files")
expect((root / "resources" / "icons" / "isolume.svg").exists(), "no icon")

space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
described = {}
for kind in xml.parse(desktop / "isolume.xml").getroot().findall("m:mime-type", space):
    described[kind.get("type")] = [glob.get("pattern") for glob in kind.findall("m:glob", space)]
    expect(kind.find("m:comment", space) is not None, f"isolume.xml: {kind.get('type')} has no comment")
expect(set(opened) == set(described), f"not in both: {set(opened) ^ set(described)}")

# const Format name_format = {"mmCIF", "cif mmcif mcif", ...
read = {"isolume"}
for source in (root / "formats").rglob("*.cpp"):
    for endings in re.findall(r'Format\s+\w+\s*=?\s*\{\s*"[^"]*",\s*"([^"]*)"', source.read_text()):
        read.update(endings.split())
for kind, globs in described.items():
    expect(globs, f"isolume.xml: {kind} has no ending")
    for glob in globs:
        expect(glob.startswith("*.") and glob[2:] in read, f"isolume.xml: {glob} of {kind} is not read")
        expect(glob not in ("*.map", "*.out", "*.log", "*.txt"), f"isolume.xml: {glob} is not ours to claim")

info = xml.parse(desktop / "isolume.metainfo.xml").getroot()
expect(info.find("launchable").text == "isolume.desktop", "metainfo launches another program")
for kind in info.find("provides").findall("mediatype"):
    expect(kind.text in opened, f"metainfo: {kind.text} is not opened")

thumbnailer = configparser.ConfigParser(interpolation=None)
thumbnailer.optionxform = str
thumbnailer.read(desktop / "isolume.thumbnailer")
made_by = thumbnailer["Thumbnailer Entry"]["Exec"]
for words in ("--device cpu", "--time-limit ", "--memory-limit "):
    expect(words in made_by, f"isolume.thumbnailer: files of strangers without {words.strip()}")
for kind in thumbnailer["Thumbnailer Entry"]["MimeType"].split(";"):
    expect(not kind or kind in opened, f"thumbnailer: {kind} is not opened")

for tool, arguments in (
    ("desktop-file-validate", ["isolume.desktop"]),
    ("appstreamcli", ["validate", "--no-net", "isolume.metainfo.xml"]),
):
    if shutil.which(tool) is None:
        print(f"{tool} is not installed: not asked")
        continue
    answer = subprocess.run([tool, *arguments], cwd=desktop, capture_output=True, text=True, check=False)
    expect(answer.returncode == 0, f"{tool}: {answer.stdout}{answer.stderr}")

print("\n".join(faults) if faults else "the desktop's files agree")
sys.exit(1 if faults else 0)
