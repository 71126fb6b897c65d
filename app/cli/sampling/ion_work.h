// What compute ionize and the window's dialog begin with: the solute, the sites where ions may be, and which ions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compute/electrostatics/charges/point_charge.h"
#include "compute/sampling/ion_kinds.h"
#include "compute/sampling/ion_placement.h"
#include "molecule/molecule.h"

namespace isolume::cli {

struct IonWorkOptions {
  std::string salt = "NaCl", counts, order = "alternating";
  double concentration = -1, distance_solute = 5, spacing = 1, padding = -1;
  IonPlacementOptions placement;
  bool neutralise = false, replace_water = false;
  std::string replace_water_name = "--replace-water";  ///< what the user calls it
};

/// Before any file is read: throws Error (usage) where the salt or the counts are not known.
void check_ions(const IonWorkOptions& options);

struct IonWork {
  std::vector<PointCharge> charges;     ///< of the solute
  double total = 0;                     ///< e
  IonSites sites;                       ///< without their potential
  std::vector<std::uint32_t> residues;  ///< with replace_water: the water of each site
  Grid lattice;
  double volume = 0;  ///< angstrom^3, for the concentration
  std::optional<int> salt_units;
  std::vector<const IonKind*> kinds;  ///< in the order in which they are placed
};

/// Of a molecule with charges, in a frame of it. `note` is told what there is to say. Throws Error (usage) where there
/// are no waters to replace, and where the ions do not fit.
IonWork ion_work(const Molecule& molecule, const Frame& frame, const IonWorkOptions& options,
                 const std::function<void(const std::string&)>& note, Job& job);

/// Computes the potential at the sites, and places all ions.
std::vector<PlacedIon> placed_ions(IonWork& work, const IonWorkOptions& options, Device device, Job& job);

/// The frame with the ions appended, and without the waters that they replace.
Molecule with_placed_ions(const Molecule& molecule, std::size_t frame, const IonWork& work,
                          const std::vector<PlacedIon>& placed);

/// A line for each ion, with a header.
std::string ion_table(const IonWork& work, const std::vector<PlacedIon>& placed);

}  // namespace isolume::cli
