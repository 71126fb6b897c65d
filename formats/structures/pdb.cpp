// PDB files: atoms of the first model, an index of the models, and the other records.
#include "formats/structures/pdb.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/bytes/frame_index.h"
#include "formats/bytes/text.h"
#include "formats/structures/crystal_symmetry.h"
#include "formats/structures/pdb_annotations.h"
#include "formats/structures/pdb_assembly.h"
#include "formats/structures/pdb_atoms.h"
#include "formats/structures/pdb_fields.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using namespace pdb;

constexpr const char* reader = "PDB";

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

bool ends_model(std::string_view line) {
  return line.starts_with("ENDMDL") || trimmed(line) == "END";
}

/// A model while the file is walked through.
struct Model {
  FramePlace place;
  AtomIdentity identity;
};

/// Reads everything in one walk: the first model's atoms into a topology, later models into the index.
class PdbReader {
 public:
  /// `docking`: the file is a PDBQT.
  explicit PdbReader(std::shared_ptr<const ByteSource> source, bool docking = false)
      : source_(std::move(source)), scanner_(*source_), atoms_(docking), docking_(docking) {}

  Molecule read() {
    while (scanner_.next()) take_line(scanner_.line());
    close_model();
    if (places_.empty()) throw Error::in_file(source_->name(), 0, "no ATOM or HETATM record in this PDB file");
    return finish();
  }

 private:
  void take_line(std::string_view line) {
    if (is_atom(line)) {
      take_atom(line);
    } else if (line.starts_with("ANISOU")) {
      if (places_.empty() && open_) atoms_.take_displacement(scanner_);
    } else if (line.starts_with("TER")) {
      if (places_.empty()) atoms_.take_ter();
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
      atoms_.set_id(name(line, 63, 66));
    } else {
      if (annotations_.take(line) && !places_.empty()) plain_ = false;
    }
  }

  void open_model() {
    if (model_started_) return;
    model_ = {};
    model_.place = {scanner_.offset(), scanner_.number()};
    model_started_ = true;
    places_before_last_ = places_.size();
    left_out_before_last_ = left_out_.size();
    if (!places_.empty()) title_before_last_ = title_;
    plain_before_last_ = plain_;
  }

  /// Of a file that has grown since it was read, models that are known need not be walked through again.
  void go_on_where_known() {
    const auto known = known_frames(*source_, reader);
    if (!known || known->places.front().offset != places_.front().offset) return;
    if (known->atoms != atoms_.count()) return;
    places_ = known->places;
    left_out_ = known->left_out;
    title_ = known->title;
    scanner_ = LineScanner(*source_, known->last.offset, known->last.line);
  }

  void close_model() {
    if (open_) {
      const bool first = places_.empty();
      if (first || model_.identity == atoms_.identity()) {
        places_.push_back(model_.place);
      } else {
        left_out_.push_back({places_.size() + left_out_.size() + 1, model_.identity.atoms()});
      }
      if (first) go_on_where_known();
    }
    open_ = false;
    model_started_ = false;
  }

  void take_cell(std::string_view line) {
    const auto found = cell(line);
    if (!found) {
      if (!bad_cell_) warnings_.push_back("The CRYST1 record makes no sense; there is no cell.");
      bad_cell_ = true;
      plain_ = false;
    } else if (places_.empty()) {
      cell_ = *found;
      group_ = field(line, 56, 66);
      const auto z = parse_integer(field(line, 67, 70));
      z_ = z && *z > 0 ? static_cast<int>(*z) : 0;
    }
  }

  void take_atom(std::string_view line) {
    if (!places_.empty() && line.size() < 54 && scanner_.bytes_left() == 0) return;  // the file is cut inside this atom
    open_model();
    open_ = true;
    if (places_.empty()) {
      if (many_ && atoms_.take_many(scanner_)) return;
      many_ = false;  // few are left, or something is wrong with one
      atoms_.take_atom(scanner_);
    } else {
      model_.identity.add(line);
      if (model_.identity.atoms() > source_->limits().atoms) scanner_.fail("more atoms than the limit allows");
    }
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
    warn_left_out(molecule, left_out_, atoms_.count(), "model");
    atoms_.add_notes(molecule.warnings);
    Topology& draft = atoms_.builder().topology();
    apply_structure(annotations_, draft);
    apply_bonds(annotations_, draft, molecule.warnings);
    draft.has_charges = docking_;
    const std::size_t atoms = atoms_.count();
    molecule.topology = std::make_shared<Topology>(atoms_.builder().finish());
    molecule.assemblies = read_assemblies(annotations_.assemblies, *molecule.topology, molecule.warnings);
    add_unit_cell(molecule, cell_, remark_triplets(annotations_.symmetry), group_, z_);

    if (plain_before_last_) {
      KnownFrames known{reader, places_, left_out_, model_.place, title_before_last_, atoms, 0};
      known.places.resize(places_before_last_);
      known.left_out.resize(left_out_before_last_);
      remember_frames(*source_, std::move(known));
    }
    Frame first;
    first.positions = std::move(atoms_.positions());
    first.cell = cell_;
    molecule.trajectory = std::make_shared<IndexedTrajectory>(
        source_, std::move(places_), atoms,
        [atoms, common = cell_](const ByteSource& source, const FramePlace& place) {
          return decode(source, place, atoms, common);
        },
        std::move(first));
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
        if (frame.positions.empty() && read_many_positions(scanner, frame.positions)) continue;
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
  AtomReader atoms_;  ///< of the first model
  bool docking_ = false;
  Annotations annotations_;
  std::vector<FramePlace> places_;  ///< of models with the atoms of the first
  std::vector<LeftOut> left_out_;
  Model model_;
  bool open_ = false;           ///< the current model has atoms
  bool model_started_ = false;  ///< the current model has a place
  Cell cell_;
  std::string group_;  ///< of CRYST1
  int z_ = 0;          ///< and its Z
  std::string title_;
  std::string header_;
  std::vector<std::string> warnings_;
  std::size_t places_before_last_ = 0, left_out_before_last_ = 0;
  std::string title_before_last_;  ///< as it was when the last model began
  bool plain_ = true;              ///< nothing but atoms, cells and titles since the first model,
  bool plain_before_last_ = true;  ///< up to the last
  bool many_ = true;               ///< look for many atoms at once
  bool bad_cell_ = false;
};

Molecule read(std::shared_ptr<const ByteSource> source) {
  return PdbReader(std::move(source)).read();
}

/// A charge where PDB files have blanks or a segment, and a type behind it.
bool has_docking_columns(std::string_view line) {
  return has_pdb_columns(line.substr(0, std::min<std::size_t>(line.size(), 66))) && letter(line, 73) == '.' &&
         parse_real(columns(line, 71, 76)) && letter(line, 77) == ' ' && autodock_element(field(line, 78, 79));
}

int sniff_docking(const ByteSource& source) {
  for (const std::string_view line : first_lines(source, 800)) {
    if (is_atom(line)) return has_docking_columns(line) ? 95 : 0;
  }
  return 0;
}

Molecule read_docking(std::shared_ptr<const ByteSource> source) {
  return PdbReader(std::move(source), true).read();
}

}  // namespace

const Format pdbqt_format = {"PDBQT", "pdbqt", "structure", sniff_docking, read_docking};
const Format pdb_format = {"PDB", "pdb ent brk pdb1", "structure", sniff, read};

}  // namespace isolume
