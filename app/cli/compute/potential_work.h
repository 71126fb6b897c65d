// What isolume compute potential works on, between its options and its files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/method_options.h"
#include "app/cli/prepared_charges.h"
#include "compute/electrostatics/molecule_charges.h"
#include "compute/electrostatics/potential_grid.h"

namespace isolume::cli {

/// The grid apart from what GridOptions say.
struct MapGridOptions {
  double padding = -1;  ///< angstrom, negative where not given
  std::string counts;   ///< "64,64,80" or "64"
  bool given() const { return padding >= 0 || !counts.empty(); }
};

/// The charges, and the method and unit for them.
struct PotentialWork {
  std::shared_ptr<const Molecule> molecule;
  std::size_t frame = 0;
  std::string selection;
  std::optional<Grid> like;  ///< --like
  MoleculeCharges charges;
  PotentialOptions potential;
  PotentialRoom room;  ///< results of the last map
  double factor = 1;   ///< volts into the unit
};

/// The charges of a file, its molecule read and, where `templates` names files, completed by their residues; else by
/// with_usual_charges() with `usual`. Throws Error, among others where a residue has no template.
PotentialWork read_charges(Run& run, const GridOptions& options, const std::string& selection,
                           const std::vector<std::string>& templates = {}, const CellTreatment& cell = {},
                           const UsualCharges& usual = {});

/// potential_options() in the cell of the charges, with the parts of the molecule where the method needs them.
PotentialOptions potential_of(const PotentialWork& work, const MethodOptions& method);

/// The accuracy that parameters are chosen for: --accuracy, else the usual one.
double chosen_accuracy(const MethodOptions& method);

/// Numbers of points: one for all axes, or three. Throws Error (usage).
glm::ivec3 counts_of(const std::string& text);
/// The grid that the options name: as another file's, the cell, or a box around the charges. Throws Error (usage).
Grid potential_grid_of(const MapGridOptions& options, const GridOptions& common, const PotentialWork& work,
                       const PotentialOptions& method);

/// {rms, max, relative, points, reference, near_charges} in the unit asked for.
nlohmann::ordered_json error_json(const MapError& error, const PotentialWork& work);

/// compute potential --faces: the Debye-Hückel potential on the six faces of a box, as lines x,y,z,V.
void write_potential_faces(Run& run, const Grid& grid, const std::string& out, const PotentialWork& work,
                           const std::string& unit);

/// The key `method` of the report.
nlohmann::ordered_json method_json(const MethodOptions& options, const PotentialWork& work);

}  // namespace isolume::cli
