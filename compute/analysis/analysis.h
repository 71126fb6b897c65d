// Analyses of trajectories as tables, which the command line writes and the window plots.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/analysis/distance_counts.h"
#include "compute/analysis/residue_matching.h"
#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/frames/frame_stream.h"
#include "compute/schedule/tile_book.h"
#include "molecule/hydrogen_bonds.h"
#include "molecule/molecule.h"

namespace isolume {

enum class AnalysisKind : std::uint8_t {
  rmsd,            ///< of every frame to a reference
  gyration,        ///< radius and shape of every frame
  contacts,        ///< between two selections, and how many of the reference's are left
  dipole,          ///< of every frame
  area,            ///< solvent-accessible, of every frame
  hydrogen_bonds,  ///< number in every frame
  distance,        ///< between the centres of two selections, and the smallest between their atoms
  rmsf,            ///< of every residue or atom
  rdf,             ///< radial distribution function
  contact_map,     ///< of pairs of residues, the part of the frames in which they touch
};
inline constexpr int analysis_kinds = 10;

/// "rmsd", "hbonds", ...: the word of the command line.
const char* name(AnalysisKind kind);

/// How a radial distribution is normalised.
enum class RadialNorm : std::uint8_t {
  g,        ///< by the ideal gas of the same density: 1 where there is no order
  density,  ///< neighbours per cubic angstrom
  counts,   ///< pairs per frame
};

/// What is computed of which atoms in which frames. Empty selections mean the usual: for rmsd, rmsf "polymer and name
/// CA P", for rdf the oxygens of water, else "protein or nucleic"; where that is nothing, all atoms. Atoms are looked
/// up in the first of the frames, once.
struct AnalysisRequest {
  AnalysisKind kind = AnalysisKind::rmsd;
  std::shared_ptr<const Molecule> molecule;
  std::vector<std::size_t> frames;
  std::optional<std::size_t> opening;  ///< the frame in which atoms are looked up; none: the first of `frames`
  std::string selection;
  std::string other;  ///< the second set of contacts, contact_map, hydrogen_bonds, distance, rdf; empty: the same
  std::string fit;    ///< by which rmsd and rmsf superpose; empty: by the selection
  bool superpose = true;
  std::shared_ptr<const Molecule> reference;        ///< of rmsd; null: the molecule itself
  AtomMatching matching = AtomMatching::automatic;  ///< of rmsd, the atoms of `reference`
  std::size_t reference_frame = 0;                  ///< of rmsd and contacts
  bool by_mass = false;                             ///< weights of rmsd and gyration
  bool per_atom = false;                            ///< rmsf: atoms instead of residues
  double cutoff = 4.5;                              ///< of contacts, angstrom
  int apart = 4;                 ///< contacts: residues of one chain nearer to each other than this many do not count
  DistanceBins bins{0, 0};       ///< rdf; 0: of `bin_width`, up to 15 angstrom or as far as images are unique
  double bin_width = 0.1;        ///< rdf, angstrom
  bool within_molecules = true;  ///< rdf: pairs of one molecule (joined by bonds) count too
  RadialNorm norm = RadialNorm::g;
  HydrogenBondRule bond_rule;   ///< of hydrogen_bonds
  Device device;                ///< not of contact_map, which the CPU computes
  std::vector<Device> devices;  ///< that share the frames, `device` first; empty: that alone; not of rmsf
  std::vector<WorkerRecord>* workers = nullptr;  ///< what each of several did, where it is asked for
  FrameTimes* times = nullptr;  ///< of reading and computing, where it is asked for; not of rdf and area
};

struct AnalysisColumn {
  std::string name, unit;  ///< "rmsd", "angstrom"; the unit may be empty
  std::vector<double> values;
  int decimals = 4;
};

/// Rows of values. The first column is what the others are over: frame, residue, atom or r.
struct AnalysisTable {
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;  ///< "chain", one for each row; before columns
  std::vector<AnalysisColumn> columns;
  std::vector<std::uint32_t> atoms;  ///< of rows that are residues or atoms: one that stands for it; else empty
  std::string selection, other;      ///< as they were taken
  std::vector<std::pair<std::string, std::string>> facts;  ///< what else was found, such as "rounds", "5"
  std::vector<std::string> notes;                          ///< sentences

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().values.size(); }
  /// The column of that name; throws Error (failed) where there is none.
  const AnalysisColumn& column(const std::string& name) const;
  /// A heading with units, "frame,time (ps),rmsd (angstrom)", and a line for each row.
  std::string csv() const;
};

/// Computes it, reading the frames one after another: memory does not grow with their number (but for the table).
/// Throws Error (usage) that names what is missing: no atoms, no charges, no cell, selections that hold nothing.
AnalysisTable analyse(const AnalysisRequest& request, Job& job);

/// Throws Error (usage) where there are no atoms with positions, no frames, or frames that the trajectory has not.
void check_request(const AnalysisRequest& request);

/// One word or number as a field of a CSV file.
std::string csv_field(const std::string& text);

}  // namespace isolume
