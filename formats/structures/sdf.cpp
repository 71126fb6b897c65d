// SDF and MOL files: the first record's atoms and bonds, an index of the records.
#include "formats/structures/sdf.h"

#include <algorithm>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/frames.h"
#include "formats/bytes/text.h"
#include "formats/structures/sdf_record.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 4);
  if (lines.size() < 4) return 0;
  const std::string_view version = field(lines[3], 34, 39);
  if (version == "V2000" || version == "V3000") return 90;
  return parse_integer(columns(lines[3], 1, 3)) && parse_integer(columns(lines[3], 4, 6)) ? 25 : 0;
}

Frame decode(const ByteSource& source, const FramePlace& place) {
  LineScanner scanner(source, place.offset, place.line);
  Frame frame;
  for (const sdf::Atom& atom : sdf::read_record(scanner).atoms) frame.positions.emplace_back(atom.position);
  return frame;
}

/// Topology of one record.
Topology topology_of(const sdf::Record& record) {
  TopologyBuilder builder;
  ElementColumn elements;
  for (std::size_t i = 0; i < record.atoms.size(); ++i) {
    const sdf::Atom& from = record.atoms[i];
    Atom atom;
    atom.name = from.symbol;
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.formal_charge = from.formal_charge;
    atom.charge = i < record.charges.size() ? record.charges[i] : 0;
    atom.hetero = true;
    atom.element = elements(from.symbol, from.symbol, {});
    builder.add(std::move(atom), {}, 1, ' ', {});
  }
  Topology& draft = builder.topology();
  draft.bonds = record.bonds;
  draft.has_bonds = true;
  draft.has_charges = !record.charges.empty();
  if (draft.has_charges)
    draft.notes.push_back("Partial charges are those of the data item " + record.charges_from + ".");
  if (record.flat) draft.notes.push_back("The coordinates are a drawing in two dimensions.");
  elements.add_notes(draft);
  return builder.finish();
}

bool same_molecule(const sdf::Record& a, const sdf::Record& b) {
  return a.bonds == b.bonds && std::equal(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
                                          [](const sdf::Atom& x, const sdf::Atom& y) {
                                            return x.symbol == y.symbol && x.formal_charge == y.formal_charge;
                                          });
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner scanner(*source);
  Molecule molecule;
  std::vector<FramePlace> places{{0, 1}};
  const sdf::Record first = sdf::read_record(scanner);
  if (first.atoms.empty()) throw Error::in_file(source->name(), 4, "expected at least one atom, found 0");
  molecule.title = first.title;
  molecule.topology = std::make_shared<Topology>(topology_of(first));

  std::vector<LeftOut> left_out;
  for (std::size_t number = 2; sdf::has_more(scanner); ++number) {
    const FramePlace place{scanner.next_offset(), scanner.number() + 1};
    try {
      const sdf::Record record = sdf::read_record(scanner);
      if (same_molecule(first, record)) {
        places.push_back(place);
      } else {
        left_out.push_back({number, record.atoms.size()});
      }
    } catch (const Error& error) {
      molecule.warnings.push_back("Record " + std::to_string(number) +
                                  " and what follows were left out: " + error.what());
      break;
    }
  }
  if (!left_out.empty()) {
    molecule.warnings.push_back(std::to_string(left_out.size()) +
                                " records are of other molecules than the first and were left out.");
  }
  molecule.trajectory = std::make_shared<IndexedTrajectory>(source, std::move(places), first.atoms.size(), decode);
  return molecule;
}

}  // namespace

const Format sdf_format = {"SDF", "sdf sd mol mdl", "structure", sniff, read};

}  // namespace isolume
