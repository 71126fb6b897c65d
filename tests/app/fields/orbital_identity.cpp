// Followed orbitals in the scene: index, phase and surfaces along the torsion of ethylene; isovalues by probability.
#include "app/fields/inputs/orbital_identity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/fields/fields.h"
#include "compute/orbitals/enclosed_probability.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::shared_ptr<const Molecule> ethylene(Documents& documents) {
  const auto opened = documents.open({test::shared_data("qm-computed/ethylene_torsion")});
  return documents.molecule(opened.at(0));
}

Field followed(const std::string& orbital, std::uint32_t from) {
  Field field;
  field.kind = Field::Kind::orbital;
  field.orbital = orbital;
  field.follow = true;
  field.follow_from = from;
  return field;
}

TEST(OrbitalIdentity, FollowsAndFindsTheWayBack) {
  ISOLUME_NEEDS(test::shared_data("qm-computed/ethylene_torsion"));
  Documents documents;
  const auto molecule = ethylene(documents);
  ASSERT_EQ(molecule->frame_count(), 37u);
  EXPECT_EQ(known_orbital_tracks(molecule), nullptr);
  Job job;
  for (std::size_t frame = 0; frame < 37; ++frame) {
    const FoundOrbital pi = find_orbital(molecule, followed("homo", 0), frame, job);
    EXPECT_EQ(pi.which, frame <= 18 ? 7u : 8u);
    EXPECT_TRUE(pi.followed);
    EXPECT_FALSE(pi.weak);
    // From the last frame backwards the same orbital has another name.
    const FoundOrbital back = find_orbital(molecule, followed("lumo", 36), frame, job);
    EXPECT_EQ(back.which, pi.which) << frame;
    Field by_name = followed("homo", 0);
    by_name.follow = false;
    EXPECT_EQ(find_orbital(molecule, by_name, frame, job).which, 7u);
  }
  EXPECT_NE(known_orbital_tracks(molecule), nullptr);
}

// At the vertices of the first surface of every frame the orbital, with the phase of frame 0, has the isovalue; at
// those of the second its negative.
TEST(OrbitalIdentity, SurfacesKeepTheirPhase) {
  ISOLUME_NEEDS(test::shared_data("qm-computed/ethylene_torsion"));
  Documents documents;
  const auto molecule = ethylene(documents);
  Job job;
  bool turned = false;
  for (const std::size_t frame : {0u, 9u, 18u, 19u, 27u, 36u}) {
    FieldRequest request;
    request.field = followed("homo-1", 0);  // whose file has the other sign in frame 36
    request.field.isovalue = 0.05;
    request.field.spacing = 0.2;
    request.molecule = molecule;
    request.frame = frame;
    const FieldResult result = compute_field(request, nullptr, job);
    ASSERT_EQ(result.items.size(), 2u);
    ASSERT_TRUE(result.orbital);
    EXPECT_TRUE(result.orbital->followed);
    const FoundOrbital found = find_orbital(molecule, request.field, frame, job);
    turned = turned || found.sign < 0;
    for (const int sign : {1, -1}) {
      const auto& surface = std::get<Surface>(result.items[sign > 0 ? 0 : 1]->shape);
      std::vector<glm::dvec3> points;
      for (std::size_t i = 0; i < surface.mesh->positions.size(); i += 97)
        points.emplace_back(surface.mesh->positions[i]);
      ASSERT_GT(points.size(), 5u);
      std::vector<double> psi(points.size());
      orbital_reference(*found.orbitals, found.which, points, psi);
      for (const double value : psi) EXPECT_NEAR(found.sign * value, sign * 0.05, 0.01) << frame;
    }
  }
  EXPECT_TRUE(turned) << "no frame of the sequence has the other sign: the test would not see it";
}

TEST(OrbitalIdentity, IsovalueEnclosesWhatIsAsked) {
  Documents documents;
  const auto opened = documents.open({test::data("H2O-631Gd-cart.molden")});
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.field.enclosed = 0.8;
  request.field.spacing = 0.15;
  request.molecule = documents.molecule(opened.at(0));
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_TRUE(result.orbital);
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_NEAR(enclosed_probability(volume.values, result.orbital->isovalue), 0.8, 2e-3);
  EXPECT_NE(result.summary.find("encloses 80.0 %"), std::string::npos) << result.summary;
  request.field.enclosed = 0;
  const FieldResult plain = compute_field(request, nullptr, job);
  EXPECT_EQ(plain.orbital->isovalue, 0.05);
  EXPECT_GT(plain.orbital->enclosed, 0.5);
}

TEST(OrbitalIdentity, CoarserGridsHaveFewerPoints) {
  Documents documents;
  const auto opened = documents.open({test::data("H2O-631Gd-cart.molden")});
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.molecule = documents.molecule(opened.at(0));
  Job job;
  const FieldResult fine = compute_field(request, nullptr, job);
  request.coarsening = 2;
  const FieldResult coarse = compute_field(request, nullptr, job);
  EXPECT_EQ(coarse.coarsening, 2);
  EXPECT_NEAR(static_cast<double>(fine.grid.size()) / static_cast<double>(coarse.grid.size()), 8, 1.5);
  EXPECT_NEAR(coarse.grid.step[0].x, 2 * fine.grid.step[0].x, 1e-12);
}

TEST(OrbitalIdentity, AFrameWithoutOrbitalsHasNoSurfacesAndTheFirstPictureHasOrbitals) {
  Documents documents;
  const auto opened = documents.open({test::data("H2O-631Gd-cart.molden")});
  auto molecule = std::make_shared<Molecule>(*documents.molecule(opened.at(0)));
  const Frame frame = molecule->trajectory->frame(0);
  molecule->trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{frame, frame, frame});
  molecule->orbitals = {nullptr, molecule->orbitals.at(0), nullptr};
  EXPECT_EQ(first_frame_with_orbitals(*molecule), 1u);
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.molecule = molecule;
  Job job;
  for (const std::size_t at : {0u, 1u, 2u}) {
    request.frame = at;
    const FieldResult result = compute_field(request, nullptr, job);
    EXPECT_EQ(result.items.size(), at == 1 ? 2u : 0u) << at;
  }
  EXPECT_THROW(find_orbital(molecule, request.field, 0, job), Error);
}

}  // namespace
}  // namespace isolume
