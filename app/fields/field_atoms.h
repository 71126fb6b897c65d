// The atoms of a field: those selected, their colours and charges, and their images in a periodic system.
#pragma once

#include "app/documents/frame_ahead.h"
#include "app/scene/scene.h"
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/molecule_charges.h"
#include "molecule/molecule.h"

namespace isolume {

/// Which atoms a field has, and all about them that a trajectory does not change.
struct ChosenAtoms {
  std::shared_ptr<const Topology> topology;
  std::string selection;
  Colouring colouring{};
  glm::u8vec4 colour{0};     ///< of the field
  std::uint32_t number = 0;  ///< of its molecule
  bool coloured = false;     ///< the field wraps atoms, so that they have looks
  bool beads = false;        ///< it wraps one ball for each residue

  bool in_all_frames = false;  ///< the selection does not look at positions
  std::vector<std::uint32_t> numbers;
  std::vector<glm::vec4> looks;  ///< radius (angstrom), red, green, blue
  /// Of beads: the first of `numbers` of each residue and their count, and the masses (Da) of all.
  std::vector<std::uint32_t> first_of_bead;
  std::vector<float> masses;
  std::optional<ColourKey> key;  ///< what the colours of `looks` mean, where they stand for numbers
  std::vector<float> charges;    ///< e; empty where the file has none
  std::vector<float> radii;      ///< angstrom, the file's, else van der Waals radii; 0 where neither is known
  double total_charge = 0;
};

/// The atoms of a field in a frame of its molecule: those selected, of alternate locations the first.
struct FieldAtoms {
  std::shared_ptr<const Molecule> molecule;
  Frame frame;  ///< of all atoms
  /// Angstrom: the middle of those selected where they are far from the origin, else 0; charges are relative to it.
  glm::dvec3 origin{0.0};
  std::shared_ptr<const ChosenAtoms> chosen;
};

/// Reads the frame and chooses the atoms of a field. `kept` (of an earlier frame, or null) is taken where it holds in
/// all frames and is of the same atoms, else replaced; `ahead` (of the same frames) reads what may follow. Throws Error
/// (usage) where there are no atoms, or the selection holds none.
std::shared_ptr<const FieldAtoms> field_atoms(const Field& field, std::shared_ptr<const Molecule> molecule,
                                              std::size_t frame, std::shared_ptr<const ChosenAtoms>* kept = nullptr,
                                              FrameAhead* ahead = nullptr);

/// True where a field's values or colours come from atoms.
bool needs_atoms(const Field& field);

/// The charges of a field with the radii of their atoms, relative to atoms.origin. Throws Error (usage) where the file
/// has none, or all are 0. In the memory of `room`.
std::vector<ChargedSphere> charged_spheres(const FieldAtoms& atoms, std::vector<ChargedSphere> room = {});

/// The atoms of a surface of atoms, with their radii and colours, or the beads that stand for them. In the memory of
/// `room`.
std::vector<DensityAtom> surface_atoms(const FieldAtoms& atoms, std::vector<DensityAtom> room = {});
/// surface_atoms(), and of a periodic field the images of them that count: those within reach_factor * radius +
/// reach_more (angstrom) of one period (compute/density/periodic_images.h). Throws Error (usage) where there is no
/// cell. In the memory of `room`.
std::vector<DensityAtom> atoms_and_images(const Field& field, const FieldAtoms& atoms, double reach_factor,
                                          double reach_more, std::vector<DensityAtom> room = {});

}  // namespace isolume
