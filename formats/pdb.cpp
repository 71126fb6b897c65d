// PDB files: atoms of the first model, an index of the models, and what the other records say.
#include "formats/pdb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "formats/element_column.h"
#include "formats/frames.h"
#include "formats/pdb_annotations.h"
#include "formats/pdb_assembly.h"
#include "formats/pdb_fields.h"
#include "formats/text.h"
#include "molecule/error.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

using namespace pdb;

int sniff(const ByteSource& source) {
  int score = 0;
  for (const std::string_view line : first_lines(source, 800)) {
    if (line.starts_with("HEADER    ") && line.size() >= 50) return 90;
    if (is_atom(line)) return has_pdb_columns(line) ? 75 : std::max(score, 20);
    if (line.starts_with("CRYST1") || line.starts_with("MODEL ") || line.starts_with("REMARK") ||
        line.starts_with("TITLE ") || line.starts_with("COMPND") || line.starts_with("AUTHOR") ||
        line.starts_with("ORIGX1") || line.starts_with("SCALE1")) {
      score = 45;
    }
  }
  return score;
}

/// Fingerprint of the columns that say which atom it is (name to insertion code): FNV-1a.
std::uint64_t add_identity(std::uint64_t hash, std::string_view line) {
  for (const char c : columns(line, 13, 27)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

bool ends_model(std::string_view line) {
  return line.starts_with("ENDMDL") || trimmed(line) == "END";
}

/// A model while the file is walked through.
struct Model {
  FramePlace place;
  std::size_t atoms = 0;
  std::uint64_t identity = 0xcbf29ce484222325u;
};

/// Reads everything in one walk: the first model's atoms into a topology, later models into the index.
class PdbReader {
 public:
  explicit PdbReader(std::shared_ptr<const ByteSource> source) : source_(std::move(source)), scanner_(*source_) {}

  Molecule read() {
    while (scanner_.next()) take_line(scanner_.line());
    close_model();
    if (models_.empty()) throw Error::in_file(source_->name(), 0, "no ATOM or HETATM record in this PDB file");
    return finish();
  }

 private:
  void take_line(std::string_view line) {
    if (is_atom(line)) {
      take_atom(line);
    } else if (line.starts_with("ANISOU")) {
      if (models_.empty() && open_) take_displacement(line);
    } else if (line.starts_with("TER")) {
      after_ter_ = models_.empty();
    } else if (ends_model(line) || line.starts_with("MODEL")) {
      close_model();
      if (line.starts_with("MODEL")) open_model();
    } else if (line.starts_with("CRYST1")) {
      if (!open_) open_model();
      take_cell(line);
    } else if (line.starts_with("TITLE ")) {
      append(title_, field(line, 11, 80));
    } else if (line.starts_with("HEADER")) {
      header_ = name(line, 11, 50);
      id_ = name(line, 63, 66);
    } else {
      annotations_.take(line);
    }
  }

  void open_model() {
    if (model_started_) return;
    model_ = {};
    model_.place = {scanner_.offset(), scanner_.number()};
    model_started_ = true;
  }

  void close_model() {
    if (open_) {
      if (models_.empty()) {
        models_.push_back(model_);
      } else if (model_.atoms == models_[0].atoms && model_.identity == models_[0].identity) {
        models_.push_back(model_);
      } else {
        left_out_.push_back({models_.size() + left_out_.size() + 1, model_.atoms});
      }
    }
    open_ = false;
    model_started_ = false;
  }

  void take_cell(std::string_view line) {
    const auto found = cell(line);
    if (!found) {
      if (!bad_cell_) warnings_.push_back("The CRYST1 record makes no sense; there is no cell.");
      bad_cell_ = true;
    } else if (models_.empty()) {
      cell_ = *found;
    }
  }

  void take_atom(std::string_view line) {
    if (!models_.empty() && line.size() < 54 && scanner_.bytes_left() == 0) return;  // the file is cut inside this atom
    open_model();
    open_ = true;
    ++model_.atoms;
    model_.identity = add_identity(model_.identity, line);
    if (model_.atoms > source_->limits().atoms) scanner_.fail("more atoms than the limit allows");
    if (!models_.empty()) return;

    last_identity_ = columns(line, 13, 27);
    position(scanner_);  // fails here, where the line is known to be the first model's
    Atom atom;
    atom.name = name(line, 13, 16);
    atom.altloc = letter(line, 17);
    atom.hetero = line[0] == 'H';
    const std::string_view serial =
        letter(line, 6) >= '0' && letter(line, 6) <= '9' ? columns(line, 6, 11) : columns(line, 7, 11);
    atom.serial = number(serial).value_or(last_serial_ < 0x7fffffff ? last_serial_ + 1 : 0);
    last_serial_ = atom.serial;
    atom.occupancy = static_cast<float>(optional_real(columns(line, 55, 60), 1));
    atom.b_factor = static_cast<float>(optional_real(columns(line, 61, 66), 0));
    atom.formal_charge = formal_charge(line);

    std::string residue = name(line, 18, 21);
    const auto number = residue_number(line);
    if (!number && !unnumbered_++) first_unnumbered_ = scanner_.number();
    const ResidueNumber where = number.value_or(ResidueNumber{});
    const std::string chain = name(line, 22, 22);
    std::string segment = name(line, 73, 76);
    if (segment == id_) segment.clear();  // the entry's own name, as old files repeat it in these columns

    // Alternate residues at one place ("APRO" and "BSER") are one residue under the first name.
    if (atom.altloc != ' ' && !builder_.topology().atoms.empty()) {
      const Residue& last = builder_.topology().residues.back();
      if (builder_.topology().atoms.back().altloc != ' ' && last.number == where.value &&
          last.insertion == where.insertion && last.name != residue && builder_.topology().chains.back().id == chain) {
        residue = last.name;
        mixed_ = true;
      }
    }
    // Some programs write TER after every water: those stay one chain.
    if (after_ter_ && !(last_is_solvent() && is_solvent(residue))) builder_.end_chain();
    after_ter_ = false;
    altlocs_ += atom.altloc != ' ';
    atom.element = elements_(field(line, 77, 78), atom.name, residue);
    builder_.add(std::move(atom), residue, where.value, where.insertion, chain, segment);
  }

  /// ANISOU belongs to the atom before it; its numbers are 10^-4 angstrom^2.
  void take_displacement(std::string_view line) {
    Topology& draft = builder_.topology();
    if (columns(line, 13, 27) != last_identity_) return;
    const auto found = displacement(line);
    if (!found && !bad_numbers_++) first_bad_number_ = scanner_.number();
    draft.displacements.resize(draft.atoms.size());
    draft.displacements.back() = found.value_or(std::array<float, 6>{});
  }

  static bool is_solvent(const std::string& residue) {
    const ResidueKind kind = residue_kind(residue);
    return kind == ResidueKind::water || kind == ResidueKind::ion;
  }

  bool last_is_solvent() {
    return !builder_.topology().residues.empty() && is_solvent(builder_.topology().residues.back().name);
  }

  double optional_real(std::string_view text, double missing) {
    if (trimmed(text).empty()) return missing;
    const auto value = parse_real(text);
    if (value && std::abs(*value) < 1e30) return *value;
    if (!bad_numbers_++) first_bad_number_ = scanner_.number();
    return missing;
  }

  static void append(std::string& text, std::string_view more) {
    if (text.size() > 1000) return;
    if (!text.empty()) text += ' ';
    text += clean(more);
  }

  Molecule finish() {
    Molecule molecule;
    molecule.title = title_.empty() ? header_ : title_;
    molecule.warnings = std::move(warnings_);
    warn_left_out(molecule, left_out_, models_[0].atoms, "model");
    if (unnumbered_ > 0) {
      molecule.warnings.push_back(std::to_string(unnumbered_) +
                                  " atoms have no residue number that can be read (first at line " +
                                  std::to_string(first_unnumbered_) + "); 0 stands for it.");
    }
    if (bad_numbers_ > 0) {
      molecule.warnings.push_back(std::to_string(bad_numbers_) +
                                  " occupancies, B factors or displacements are not numbers (first at line " +
                                  std::to_string(first_bad_number_) + ").");
    }
    Topology& draft = builder_.topology();
    elements_.add_notes(draft);
    if (altlocs_ > 0) {
      draft.notes.push_back(std::to_string(altlocs_) + " atoms are alternate locations; all are kept.");
    }
    if (mixed_) draft.notes.push_back("Residues that have several names at one place go by the first of them.");
    apply_structure(annotations_, draft);
    apply_bonds(annotations_, draft, molecule.warnings);
    const std::size_t atoms = models_[0].atoms;
    molecule.topology = std::make_shared<const Topology>(builder_.finish());
    molecule.assemblies = read_assemblies(annotations_.assemblies, *molecule.topology, molecule.warnings);

    std::vector<FramePlace> places;
    places.reserve(models_.size());
    for (const Model& model : models_) places.push_back(model.place);
    molecule.trajectory = std::make_shared<IndexedTrajectory>(
        source_, std::move(places), atoms, [atoms, common = cell_](const ByteSource& source, const FramePlace& place) {
          return decode(source, place, atoms, common);
        });
    return molecule;
  }

  /// One model. Its own CRYST1 wins over the file's.
  static Frame decode(const ByteSource& source, const FramePlace& place, std::size_t atoms, const Cell& common) {
    Frame frame;
    frame.cell = common;
    frame.positions.reserve(atoms);
    LineScanner scanner(source, place.offset, place.line);
    while (frame.positions.size() < atoms && scanner.next()) {
      const std::string_view line = scanner.line();
      if (is_atom(line)) {
        frame.positions.emplace_back(position(scanner));
      } else if (line.starts_with("CRYST1")) {
        frame.cell = cell(line).value_or(common);
      } else if (ends_model(line)) {
        break;
      }
    }
    return frame;
  }

  std::shared_ptr<const ByteSource> source_;
  LineScanner scanner_;
  TopologyBuilder builder_;
  Annotations annotations_;
  ElementColumn elements_;
  std::vector<Model> models_;
  std::vector<LeftOut> left_out_;
  Model model_;
  bool open_ = false;           ///< the current model has atoms
  bool model_started_ = false;  ///< the current model has a place
  Cell cell_;
  std::string title_;
  std::string header_;
  std::string id_;
  std::vector<std::string> warnings_;
  std::int32_t last_serial_ = 0;
  std::string last_identity_;  ///< columns 13 to 27 of the last atom of the first model
  std::size_t altlocs_ = 0;
  std::size_t unnumbered_ = 0;
  std::size_t bad_numbers_ = 0;
  std::int64_t first_unnumbered_ = 0;
  std::int64_t first_bad_number_ = 0;
  bool after_ter_ = false;
  bool mixed_ = false;
  bool bad_cell_ = false;
};

Molecule read(std::shared_ptr<const ByteSource> source) {
  return PdbReader(std::move(source)).read();
}

}  // namespace

const Format pdb_format = {"PDB", "pdb ent brk pdb1", "structure", sniff, read};

}  // namespace isolume
