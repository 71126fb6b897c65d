"""Checks that no library under the GPL comes into a bundle or a wheel: packaging/licences.py on copyright files, and on this machine's own."""

import contextlib
import io
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))

import licences  # noqa: E402

HEAD = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"


def paragraph(files, licence):
    return f"\nFiles: {files}\nCopyright: 2001 Someone\nLicense: {licence}\n Its text, which names the GPL.\n"


# What a copyright file says, and whether a library of the package may be copied.
CASES = [
    (HEAD + paragraph("*", "GPL-2+"), False),
    (HEAD + paragraph("*", "GPL-3"), False),
    (HEAD + paragraph("*", "AGPL-3+"), False),
    (HEAD + paragraph("*", "MIT and GPL-2"), False),
    (HEAD + paragraph("*", "MIT") + paragraph("src/part.c\n src/other.c", "GPL-2+"), False),
    (HEAD + paragraph("*", "MIT"), True),
    (HEAD + paragraph("*", "LGPL-2.1+"), True),
    (HEAD + paragraph("*", "LGPL-3 or GPL-2"), True),
    (HEAD + paragraph("*", "FTL or GPL-2+"), True),
    (HEAD + paragraph("*", "GPL-3+ with GCC exception"), True),
    (HEAD + paragraph("*", "BSD-2-clause") + paragraph("debian/*", "GPL-2+") + paragraph("programs/a.c m4/x.m4", "GPL-2+"), True),
    ("This library is free software under the GNU General Public License, version 2.\n", False),
    ("Licensed under the GPL.\n", False),
    ("Licensed under the GNU Lesser General Public License (LGPL).\n", True),
    ("Permission is hereby granted, free of charge.\n", True),
]


def main():
    faults = []

    def expect(holds, what):
        if not holds:
            faults.append(what)

    for text, allowed in CASES:
        why = licences.refusal("libexample.so.1", "libexample1", text, {})
        expect((why is None) == allowed, f"{text!r}: {why}")
        if why:
            expect("libexample.so.1 (libexample1)" in why, f"the library is not named: {why}")
            expect(licences.refusal("libexample.so.1", "libexample1", text, {"libex*": "MIT"}) is None, "a reviewed package was refused")
    expect("belongs to no Debian package" in licences.refusal("libown.so", None, None, {}), "a library of no package was taken")
    expect("no copyright file" in licences.refusal("libown.so", "libown", None, {}), "a package without a copyright file was taken")
    for package, why in licences.reviewed().items():
        expect(len(why) > 5 and not licences.needs_gpl(why.split(";")[0]), f"reviewed_licences.txt: {package}: {why}")
    expect("libjbig0" not in licences.reviewed(), "libjbig is under the GPL")

    # The whole command, with the packages of a machine that is not this one.
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        packages = {"libfree.so.1": "libfree1", "libgnu.so.2": "libgnu2"}
        for name, text in (("libfree1", HEAD + paragraph("*", "MIT")), ("libgnu2", HEAD + paragraph("*", "GPL-2+"))):
            (place / name).write_text(text)
        licences.package_of = lambda file: packages[pathlib.Path(file).name]
        licences.copyright_of = lambda package: place / package
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            alone = licences.main(["/usr/lib/libfree.so.1"])
            both = licences.main(["/usr/lib/libfree.so.1", "/usr/lib/libgnu.so.2"])
        expect(alone == 0 and both == 1, f"exit codes {alone} and {both}, not 0 and 1")
        expect("libgnu.so.2 (libgnu2) is under the GPL" in complained.getvalue(), complained.getvalue())
        expect("libfree" not in complained.getvalue(), complained.getvalue())
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
