// Rows of mmCIF's atom_site as atoms and models.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/text_pieces.h"
#include "formats/structures/cif.h"
#include "formats/structures/mmcif_annotations.h"
#include "molecule/trajectory.h"

namespace isolume::mmcif {

/// The values of one row, and numbers out of them, with errors that say where it is.
class Row {
 public:
  using Fail = std::function<void(const std::string& message)>;  ///< throws Error (input)
  explicit Row(Fail fail) : fail_(std::move(fail)) {}

  std::vector<std::string_view>& values() { return values_; }
  std::string_view at(std::size_t column) const {
    return column < values_.size() ? values_[column] : std::string_view();
  }

  /// A number within a million of the origin; `what` names it in the error.
  double coordinate(std::size_t column, const char* what) const;
  float real_or(std::size_t column, double missing) const;
  std::optional<std::int32_t> integer(std::size_t column) const;

 private:
  Fail fail_;
  std::vector<std::string_view> values_;
};

/// A row of a table that knows the line where the loop begins, but not those of its rows.
Row row_of(const ByteSource& source, const CifTable& table, const std::size_t& row);

/// Columns of atom_site that say which atom a row is.
struct SiteColumns {
  explicit SiteColumns(const CifTable& t)
      : group(t.column("group_pdb")),
        id(t.column("id")),
        symbol(t.column("type_symbol")),
        name(first(t, "label_atom_id", "auth_atom_id")),
        altloc(t.column("label_alt_id")),
        residue(first(t, "auth_comp_id", "label_comp_id")),
        chain(first(t, "auth_asym_id", "label_asym_id")),
        label_chain(t.column("label_asym_id")),
        number(first(t, "auth_seq_id", "label_seq_id")),
        label_number(t.column("label_seq_id")),
        insertion(t.column("pdbx_pdb_ins_code")),
        x(t.column("cartn_x")),
        y(t.column("cartn_y")),
        z(t.column("cartn_z")),
        occupancy(t.column("occupancy")),
        b_factor(t.column("b_iso_or_equiv")),
        charge(t.column("pdbx_formal_charge")),
        model(t.column("pdbx_pdb_model_num")) {}

  static std::size_t first(const CifTable& table, std::string_view a, std::string_view b) {
    const std::size_t column = table.column(a);
    return column != CifTable::none ? column : table.column(b);
  }

  std::size_t group, id, symbol, name, altloc, residue, chain, label_chain, number, label_number, insertion;
  std::size_t x, y, z, occupancy, b_factor, charge, model;
};

/// Rows [first, end) of one model.
struct Rows {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// Runs of rows with one model number each.
std::vector<Rows> models_of(const CifTable& table, const SiteColumns& columns);

/// The same atoms in the same order.
bool same_atoms(const CifTable& table, const SiteColumns& columns, const Rows& a, const Rows& b);

/// Atoms and positions of the first model, on all threads where each row is a line. Throws Error (input).
AtomPart read_first(const ByteSource& source, const CifTable& table, const SiteColumns& columns, const Rows& rows);

/// The index by which other categories find the residues of `topology`, the first model's.
ResidueIndex residue_index(const CifTable& table, const SiteColumns& columns, const Topology& topology);

/// Models as frames, all in the cell of `first`: read when asked for where each row is a line, else all at once.
std::shared_ptr<const Trajectory> frames_of(const std::shared_ptr<const ByteSource>& source, const CifTable& table,
                                            const SiteColumns& columns, const std::vector<Rows>& models, Frame first);

}  // namespace isolume::mmcif
