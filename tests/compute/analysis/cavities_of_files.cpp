// The room that a mutation left inside T4 lysozyme, next to the ligand that sits in it and another program's figures.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/analysis/cavities.h"
#include "compute/molecular_surface/molecular_surface.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

struct Lysozyme {
  std::vector<DensityAtom> protein;  ///< without hydrogens
  std::vector<glm::dvec3> ligand;
};

/// Radii are those of EDTSurf (Xu and Zhang 2009), by names, angstrom.
float edtsurf_radius(const Atom& atom) {
  if (atom.name == "CA") return 1.90f;
  if (atom.name == "C") return 1.88f;
  return atom.name[0] == 'N' ? 1.63f : atom.name[0] == 'O' ? 1.48f : atom.name[0] == 'S' ? 1.78f : 1.96f;
}

Lysozyme load(const std::string& topology) {
  const Molecule molecule = read_files({topology, test::shared_data("structures/t4l/complex.crd")}).front();
  const Frame frame = molecule.trajectory->frame(0);
  Lysozyme loaded;
  for (std::size_t i = 0; i < molecule.atom_count(); ++i) {
    const Atom& atom = molecule.topology->atoms[i];
    if (atom.element == 1) continue;
    if (molecule.topology->residues[atom.residue].name == "TMP") {
      loaded.ligand.emplace_back(frame.positions[i]);
    } else {
      loaded.protein.push_back({frame.positions[i], edtsurf_radius(atom), {}});
    }
  }
  return loaded;
}

struct Found {
  Grid grid;
  Cavities cavities;
};

Found find(std::vector<DensityAtom> atoms, float larger) {
  for (DensityAtom& atom : atoms) atom.radius += larger;
  Job job;
  const MolecularSurfaceOptions options{SolventSurface::excluded, 1.4f};
  Found found;
  found.grid = molecular_surface_grid(atoms, options, 0.3);
  std::vector<float> depth(found.grid.size());
  molecular_surface(atoms, found.grid, options, Span<float>(depth), {}, job);
  found.cavities = find_cavities(atoms, found.grid, depth, {}, {30}, job);
  return found;
}

TEST(CavitiesOfFiles, TheRoomsOfLysozymeL99A) {
  const std::string topology = test::shared_data("structures/t4l/complex.prmtop.gz");
  ISOLUME_NEEDS(topology);
  const Lysozyme lysozyme = load(topology);
  ASSERT_EQ(lysozyme.ligand.size(), 8u);
  const Found found = find(lysozyme.protein, 0);
  ASSERT_EQ(found.cavities.list.size(), 2u);
  const Cavity& room = found.cavities.list.front();

  // All carbons of p-xylene lie in the larger one.
  glm::dvec3 middle(0);
  for (const glm::dvec3& carbon : lysozyme.ligand) {
    middle += carbon / 8.0;
    const glm::ivec3 at(glm::round((carbon - found.grid.origin) / found.grid.step[0][0]));
    EXPECT_GT(found.cavities.depth[found.grid.index(at.x, at.y, at.z)], 0);
  }
  EXPECT_LT(glm::distance(room.centre, middle), 1.5);

  // EDTSurf 0.2009-10 (-s 3 -h 1 -p 1.4) finds two rooms, of 191.297 angstrom^3 together at 4 points an angstrom and
  // 205.368 at 5.08. Its ball of one atom is up to 0.1 angstrom too large, and so its rooms are too small.
  const Found smaller = find(lysozyme.protein, 0.1f);
  ASSERT_EQ(smaller.cavities.list.size(), 2u);
  const auto both = [](const Found& f) { return f.cavities.list[0].volume + f.cavities.list[1].volume; };
  EXPECT_LT(both(smaller), 191.297);
  EXPECT_GT(both(found), 205.368);
  EXPECT_NEAR(0.5 * (both(smaller) + both(found)), 0.5 * (191.297 + 205.368), 0.03 * 200);
  // Between the two lie 0.1 angstrom of their walls, whose area is that of balls at least, and less than three times
  // that.
  const auto balls = [](const Found& f) {
    double area = 0;
    for (const Cavity& cavity : f.cavities.list) area += std::cbrt(36 * units::pi * cavity.volume * cavity.volume);
    return area;
  };
  EXPECT_GT(both(found) - both(smaller), 0.1 * balls(smaller));
  EXPECT_LT(both(found) - both(smaller), 0.1 * 3 * balls(found));
}

}  // namespace
}  // namespace isolume
