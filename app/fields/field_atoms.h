// The atoms of a field: those selected, their colours and charges, and their images in a periodic system.
#pragma once

#include "app/documents/frame_ahead.h"
#include "app/fields/device_volume.h"
#include "compute/electrostatics/molecule_charges.h"
#include "molecule/cell.h"

namespace isolume {

/// Which atoms a field has, and all about them that a trajectory does not change.
struct ChosenAtoms {
  std::shared_ptr<const Topology> topology;
  std::string selection;
  Colouring colouring{};
  glm::u8vec4 colour{0};     ///< of the field
  std::uint32_t number = 0;  ///< of its molecule
  bool coloured = false;     ///< the field wraps atoms, so that they have looks

  bool in_all_frames = false;  ///< the selection does not look at positions
  std::vector<std::uint32_t> numbers;
  std::vector<glm::vec4> looks;  ///< radius (angstrom), red, green, blue
  std::optional<ColourKey> key;  ///< what the colours of `looks` mean, where they stand for numbers
  std::vector<float> charges;    ///< e; empty where the file has none
  std::vector<float> radii;      ///< angstrom, the file's, else van der Waals radii; 0 where neither is known
  double total_charge = 0;
};

/// The atoms of a request in its frame: those selected, of alternate locations the first.
struct FieldAtoms {
  Frame frame;  ///< of all atoms
  /// Angstrom: the middle of those selected where they are far from the origin, else 0; charges are relative to it.
  glm::dvec3 origin{0.0};
  std::shared_ptr<const ChosenAtoms> chosen;
};

/// request.atoms, or read and chosen now; `kept` (of an earlier frame, or null) is taken where it holds in all frames
/// and is of the same atoms, else replaced; `ahead` (of the same frames) reads what may follow. Throws Error (usage)
/// where there are no atoms, or the selection holds none.
std::shared_ptr<const FieldAtoms> field_atoms(const FieldRequest& request,
                                              std::shared_ptr<const ChosenAtoms>* kept = nullptr,
                                              FrameAhead* ahead = nullptr);

/// True where a field's values or colours come from atoms.
bool needs_atoms(const Field& field);

/// What the positions of charged_spheres() are relative to, angstrom; 0 but far from the origin.
glm::dvec3 charge_origin(const FieldRequest& request);

/// The charges of a request with the radii of their atoms, relative to charge_origin(). Throws Error (usage) where the
/// file has none, or all are 0. In the memory of `room`.
std::vector<ChargedSphere> charged_spheres(const FieldRequest& request, std::vector<ChargedSphere> room = {});
/// Throws Error (usage) where the molecule of a request has no atoms, or no charges.
void require_charges(const FieldRequest& request);
/// The parts of the molecule that the charges of charged_spheres() belong to, in their order.
std::shared_ptr<const HcpHierarchy> charge_parts(const FieldRequest& request);

/// The cell of the request's frame; no cell where it has none.
Cell cell_of(const FieldRequest& request);

/// surface_atoms(), and where the field is periodic the images of them that count: those within reach_factor * radius +
/// reach_more (angstrom) of one period (compute/density/periodic_images.h). Throws Error (usage) where there is no
/// cell. In the memory of `room`.
std::vector<DensityAtom> atoms_and_images(const FieldRequest& request, double reach_factor, double reach_more,
                                          std::vector<DensityAtom> room = {});

}  // namespace isolume
