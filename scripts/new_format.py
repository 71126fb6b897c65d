#!/usr/bin/env python3
"""Begins a reader: ./dev new-format NAME [FOLDER]. FOLDER of formats/ is structures unless it is named.

Writes formats/FOLDER/NAME.{h,cpp}, a test and a small file, and enters them wherever a format is listed. What is written reads a
format of its own, a word on the first line and "symbol x y z" below, so that it builds and its tests pass before the first change.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

HEADER = """// {upper} files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {{

/// {upper} (name the document that defines it): what is read, and in which units it is in the file.
extern const Format {name}_format;

}}  // namespace isolume
"""

SOURCE = """// {upper} files: atoms of one frame.
#include "formats/{folder}/{name}.h"

#include <memory>
#include <utility>
#include <vector>

#include "formats/bytes/element_column.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"

namespace isolume {{
namespace {{

constexpr std::string_view first_line = "{upper}";

int sniff(const ByteSource& source) {{
  const auto lines = first_lines(source, 1);
  return !lines.empty() && trimmed(lines[0]) == first_line ? 90 : 0;
}}

Molecule read(std::shared_ptr<const ByteSource> source) {{
  LineScanner scanner(*source);
  scanner.require("the name of the format");
  TopologyBuilder builder;
  ElementColumn elements;
  Frame frame;
  std::vector<std::string_view> fields;
  while (scanner.next()) {{
    if (trimmed(scanner.line()).empty()) continue;
    split(scanner.line(), fields);
    if (fields.size() != 4) scanner.fail("expected \\"symbol x y z\\", found \\"" + clean(scanner.line(), 60) + "\\"");
    if (frame.positions.size() >= source->limits().atoms) scanner.fail("more atoms than the limit allows");
    Atom atom;
    atom.serial = static_cast<std::int32_t>(frame.positions.size() + 1);
    atom.name = clean(fields[0]);
    atom.element = elements(fields[0], atom.name, {{}});
    const double x = scanner.coordinate(fields[1], "x"), y = scanner.coordinate(fields[2], "y");
    add_position({{x, y, scanner.coordinate(fields[3], "z")}}, frame);
    builder.add(std::move(atom), {{}}, 1, ' ', {{}});
  }}
  if (frame.positions.empty()) scanner.fail("expected at least one atom, found 0");
  elements.add_notes(builder.topology());
  Molecule molecule;
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{{std::move(frame)}});
  return molecule;
}}

}}  // namespace

const Format {name}_format = {{"{upper}", "{name}", "structure", sniff, read}};

}}  // namespace isolume
"""

TEST = """// {upper} files: atoms, positions, and what is wrong with a file.
#include "tests/formats/structures/structures.h"

namespace isolume {{
namespace {{

using test::expect_error;
using test::expect_near;

TEST({camel}, AtomsAndPositions) {{
  const Molecule molecule = read_file(test::data("formats/sample.{name}"));
  EXPECT_EQ(molecule.format, "{upper}");
  ASSERT_EQ(molecule.atom_count(), 3u);
  EXPECT_EQ(molecule.topology->atoms[0].element, 8);
  expect_near(molecule.trajectory->frame(0).positions[1], {{0.757, 0.586, 0}}, 1e-6);
}}

TEST({camel}, ErrorsNameTheLine) {{
  expect_error("{upper}\\nO 0 0 0\\nH 1 2\\n", "short.{name}", 3, "expected");
  expect_error("{upper}\\n", "empty.{name}", 0, "at least one atom");
}}

}}  // namespace
}}  // namespace isolume
"""

SAMPLE = """{upper}
O  0.000 0.000 0.000
H  0.757 0.586 0.000
H -0.757 0.586 0.000
"""


def insert(path, pattern, line, before=False):
    """Enters a line behind the last match of a pattern, or before it."""
    path = ROOT / path
    text = path.read_text()
    found = list(re.finditer(pattern, text, re.M))
    if not found:
        sys.exit(f"new-format: {path.relative_to(ROOT)} has no line like {pattern!r}: enter the format there by hand")
    at = found[-1].start() if before else found[-1].end()
    path.write_text(text[:at] + line + text[at:])


def main():
    if not 2 <= len(sys.argv) <= 3 or not re.fullmatch(r"[a-z][a-z0-9_]*", sys.argv[1]):
        sys.exit("usage: ./dev new-format NAME [FOLDER]; the name is in small letters, as in my_format")
    name, folder = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else "structures"
    if not (ROOT / "formats" / folder).is_dir() or not (ROOT / "tests/formats" / folder).is_dir():
        sys.exit(f"new-format: formats/ has no folder {folder} with tests")
    words = {"name": name, "folder": folder, "upper": name.upper(), "camel": "".join(w.capitalize() for w in name.split("_"))}
    files = {f"formats/{folder}/{name}.h": HEADER, f"formats/{folder}/{name}.cpp": SOURCE,
             f"tests/formats/{folder}/{name}.cpp": TEST, f"tests/data/formats/sample.{name}": SAMPLE}
    for path in files:
        if (ROOT / path).exists():
            sys.exit(f"new-format: {path} exists")
    for path, text in files.items():
        (ROOT / path).write_text(text.format(**words))
    source = f"    {folder}/{name}.cpp\n"
    insert("formats/CMakeLists.txt", rf"^    {folder}/[a-z0-9_]+\.cpp\n", source)
    insert("tests/formats/CMakeLists.txt", rf"^    {folder}/[a-z0-9_]+\.cpp\n", source)
    insert("formats/read.cpp", rf'^#include "formats/{folder}/[a-z0-9_]+\.h"\n', f'#include "formats/{folder}/{name}.h"\n')
    insert("formats/read.cpp", r"^      sdf_format,\n", f"      {name}_format,\n")
    insert("tests/formats/bytes/damage.cpp", r'"v3000\.sdf"', f', "sample.{name}"')
    insert("tests/fuzz/CMakeLists.txt", r"^fuzz\(SDF .*\n", f"fuzz({words['upper']} 50000 ${{data}}/formats/*.{name})\n")
    insert("docs/formats.md", r"^\| SDF, MOL \|.*\n",
           f"| {words['upper']} | {name} | (the document that defines it) | symbols and positions |\n")
    print("\n".join(list(files) + ["", "Entered in formats/CMakeLists.txt, formats/read.cpp, docs/formats.md, "
                                   "tests/formats/CMakeLists.txt, tests/formats/bytes/damage.cpp and tests/fuzz/CMakeLists.txt.",
                                   "./dev format sorts the includes. The MIME type goes into resources/desktop by hand."]))


if __name__ == "__main__":
    main()
