#!/usr/bin/env python3
"""licences.py FILE...: the packages that libraries come from; fails where one may not be in a package of Isolume.

A bundle and a wheel hold copies of other people's libraries. None of them may be under the GPL, unless an exception permits it, as that of
GCC's runtime. Which package a library comes from dpkg says, and its licence is read in /usr/share/doc/PACKAGE/copyright. Where that names the
GPL for what may be part of the library, a line of reviewed_licences.txt has to say why it is not, or what permits it.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

REVIEWED = pathlib.Path(__file__).with_name("reviewed_licences.txt")
# Files of a source package that no library holds.
NOT_IN_LIBRARY = re.compile(
    r"^(\./)?debian$|^(\./)?(debian|docs?|man|programs|tools|tests?|testsuite|examples?|samples?|contrib|m4|build-aux|autoconf|cmake|scripts|fuzz(ing)?|perf|benchmarks?)/|"
    r"(^|/)(configure|aclocal\.m4|ltmain\.sh|config\.(guess|sub|rpath)|depcomp|missing|compile|test-driver|install-sh|libtool|Makefile[^/]*|"
    r"[^/]*\.(m4|1|3|pc|cmake|sh|py|pl|md|txt|html|spec))$"
)


def is_gpl(name):
    """Of one licence: GPL-2, GPL-3+, AGPL-3; not LGPL-2.1, and not with an exception."""
    name = name.strip().lower()
    return bool(re.match(r"a?gpl([-v0-9.+]|$)|gnu (affero )?(general )?public", name)) and "exception" not in name


def needs_gpl(expression):
    """Whether a licence of a copyright file, as "GPL-2+ or MIT", leaves nothing but the GPL."""
    words = re.sub(r"\s+", " ", expression.strip().lower().replace(",", " "))
    return any(all(is_gpl(way) for way in re.split(r" or |\s*\|\s*", part)) for part in re.split(r" and(?!/)\b", words))


def paragraphs(text):
    """Of a copyright file in Debian's format: its files and the short name of their licence."""
    for paragraph in re.split(r"\n\s*\n", text):
        fields = {}
        for name, value in re.findall(r"^([A-Za-z-]+):((?:.*\n?)(?:[ \t].*\n?)*)", paragraph, re.MULTILINE):
            fields[name.lower()] = value
        if "files" in fields and "license" in fields:
            yield fields["files"].split(), fields["license"].strip("\n").split("\n")[0]


def gpl_parts(text):
    """What of a package is under nothing but the GPL by its copyright file: (files, licence)."""
    if not re.search(r"^Format(-Specification)?:", text, re.MULTILINE):
        named = re.search(r"(?<!Lesser )(?<!Library )General Public License|(?<![AL])GPL", text)
        return [("the package", "a text that names the GPL")] if named else []
    found = []
    for files, licence in paragraphs(text):
        kept = [name for name in files if not NOT_IN_LIBRARY.search(name)]
        if kept and needs_gpl(licence):
            found.append((" ".join(kept), licence.strip()))
    return found


def reviewed():
    """Packages that were looked at, with what was found."""
    lines = [line.strip() for line in REVIEWED.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


def package_of(file):
    """The Debian package of a file; None where it comes from none."""
    file = pathlib.Path(file).resolve()
    places = [file]
    if len(file.parts) > 2 and file.parts[1] == "lib":
        places.append(pathlib.Path("/usr", *file.parts[1:]))
    elif file.parts[1:3] == ("usr", "lib"):
        places.append(pathlib.Path("/", *file.parts[2:]))
    for place in places:
        said = subprocess.run(["dpkg", "-S", str(place)], capture_output=True, text=True, check=False).stdout
        for line in said.splitlines():
            if not line.startswith("diversion "):
                return line.split(":")[0]
    return None


def copyright_of(package):
    return pathlib.Path("/usr/share/doc", package, "copyright")


def refusal(library, package, text, known):
    """Why a library may not be copied; None where it may be."""
    if package is None:
        return f"{library} belongs to no Debian package, so its licence is not known"
    if text is None:
        return f"{library} ({package}) has no copyright file in /usr/share/doc/{package}"
    parts = gpl_parts(text)
    if not parts or any(fnmatch.fnmatchcase(package, name) for name in known):
        return None
    files, licence = parts[0]
    return (
        f"{library} ({package}) is under the GPL ({licence}: {files if len(files) < 60 else files[:57] + '...'}); leave it out, or say in "
        f"packaging/{REVIEWED.name} what permits it"
    )


def check(files):
    """Copyright file of each package that the files come from, and why files may not be copied."""
    known, found, refused = reviewed(), {}, []
    for file in files:
        package = package_of(file)
        place = copyright_of(package) if package else None
        text = place.read_text(errors="replace") if place and place.exists() else None
        if text is not None:
            found[package] = place
        why = refusal(pathlib.Path(file).name, package, text, known)
        if why:
            refused.append(why)
    return found, refused


def main(files):
    found, refused = check(files)
    for package in sorted(found):
        print(package)
    for why in refused:
        print(f"licences: {why}", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
