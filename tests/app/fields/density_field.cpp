// The density of a molecule's orbitals as a live field: its values, its level, what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "app/fields/fields.h"
#include "app/scene/density_name.h"
#include "app/scene/scene_json.h"
#include "compute/orbitals/orbital.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

FieldRequest request_of(const std::string& file, const std::string& name) {
  FieldRequest request;
  request.molecule = std::make_shared<const Molecule>(read_file(test::shared_data(file)));
  request.field.kind = Field::Kind::orbital;
  request.field.orbital = name;
  request.field.spacing = 0.25;
  return request;
}

TEST(DensityField, IsTheDensityOfTheOrbitals) {
  const FieldRequest request = request_of("qm-fields/water.molden", electron_density_name);
  Job job;
  const ComputedVolume volume = compute_volume(request, job);
  EXPECT_EQ(volume.name, "electron density");
  EXPECT_EQ(volume.unit, "bohr^-3");
  const Orbitals& orbitals = *request.molecule->orbitals.at(0);
  float edge = 0;
  for (int k = 0; k < volume.grid.counts.z; ++k) {
    for (int j = 0; j < volume.grid.counts.y; ++j) {
      for (int i = 0; i < volume.grid.counts.x; ++i) {
        const float value = volume.values[volume.grid.index(i, j, k)];
        const auto last = volume.grid.counts - 1;
        if (i == 0 || j == 0 || k == 0 || i == last.x || j == last.y || k == last.z) edge = std::max(edge, value);
        if ((i + 3 * j + 5 * k) % 37 != 0) continue;
        const glm::dvec3 point = volume.grid.point(i, j, k);
        double expected = 0;
        electron_density_reference(orbitals, std::span(&point, 1), std::span(&expected, 1));
        EXPECT_NEAR(value, expected, 1e-5 * (1 + expected));
      }
    }
  }
  EXPECT_LT(edge, 0.002f) << "the surface at the usual level is within the grid";
  EXPECT_EQ(effective_isovalue(request.field), 0.002);
  const FieldResult shown = compute_field(request, nullptr, job);
  EXPECT_TRUE(shown.error.empty()) << shown.error;
  EXPECT_FALSE(shown.items.empty());
}

// The unpaired electrons of nitrogen dioxide: one, by its values times the volume of a point (0.25 angstrom).
TEST(DensityField, OfSpins) {
  FieldRequest request = request_of("qm-fields/no2_doublet.molden", spin_density_name);
  request.field.isovalue = 1e-4;
  Job job;
  const ComputedVolume found = compute_volume(request, job);
  const double cell = std::abs(glm::determinant(found.grid.step)) / std::pow(0.529177210903, 3);
  double sum = 0, least = 0;
  for (const float value : found.values) {
    sum += cell * double{value};
    least = std::min(least, double{value});
  }
  EXPECT_NEAR(sum, 1, 0.02);
  EXPECT_LT(least, 0) << "spin polarisation";
}

TEST(DensityField, WhatItIsNotIsRefused) {
  Job job;
  EXPECT_THROW(compute_volume(request_of("qm-fields/water.molden", spin_density_name), job), Error);
  FieldRequest enclosed = request_of("qm-fields/water.molden", electron_density_name);
  enclosed.field.enclosed = 0.9;
  EXPECT_THROW(compute_volume(enclosed, job), Error);
  EXPECT_FALSE(names_density("homo"));
  Scene scene;
  scene.molecules = {{{"a.molden"}}};
  Field field;
  field.kind = Field::Kind::orbital;
  field.orbital = spin_density_name;
  scene.fields = {field};
  EXPECT_EQ(scene_from_json(scene_to_json(scene)).fields, scene.fields);
}

}  // namespace
}  // namespace isolume
