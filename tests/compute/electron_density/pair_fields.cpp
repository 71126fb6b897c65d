// Fields on fine grids from Gaussians of pairs: they are those of the formula, for all that they are made of, also
// where axes run backwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "compute/electron_density/fine_grids/pair_fields.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

struct Field {
  const char* file;
  bool spins;
  const char* name;
};

// Functions s to f, closed and open shells, with and without a core.
TEST(PairFields, AreThoseOfTheFormula) {
  const Field fields[] = {{"water.molden", false, "electron"},      {"water.molden", false, "gradient"},
                          {"water.molden", false, "laplacian"},     {"water.molden", false, "elf"},
                          {"no2_doublet.molden", true, "spin"},     {"no2_doublet.molden", true, "elf-spin"},
                          {"no2_doublet.molden", true, "tau-beta"}, {"no2_doublet.molden", true, "lol-spin"},
                          {"hi_ecp.molden", false, "lambda2"},      {"hi_ecp.molden", false, "elf"}};
  Grid grid = test::make_grid({-2.6, -2.4, -2.5}, glm::dvec3(0.1), {53, 50, 55});
  grid.step[1][1] = -0.1;
  grid.origin.y = 2.5;
  for (const Field& field : fields) {
    const std::string file = test::shared_data(std::string("qm-fields/") + field.file);
    ISOLUME_NEEDS(file);
    const SpinEvaluator evaluator(*read_file(file).orbitals.at(0), field.spins);
    const DensityMeasureInfo& info = *find_density_measure(field.name);
    ASSERT_GE(refinement_levels(grid), 1);
    ASSERT_TRUE(has_pair_fields(info, grid));
    Job job;
    const auto values = test::on_device<float>(
        Device::cpu(), grid.size(), [&](Span<float> out) { measure_on_grid(evaluator, info, grid, out, job); });
    std::mt19937 engine(5);
    std::vector<std::size_t> chosen;
    std::vector<glm::dvec3> points;
    for (int n = 0; n < 400; ++n) {
      glm::ivec3 at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = static_cast<int>(engine() % static_cast<unsigned>(grid.counts[axis]));
      chosen.push_back(grid.index(at.x, at.y, at.z));
      points.push_back(units::angstrom_in_bohr * grid.point(at.x, at.y, at.z));
    }
    std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
    evaluator.reference(points, alpha, beta);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double expected = measure_value(info.measure, alpha[i], beta[i]);
      EXPECT_NEAR(values[chosen[i]], expected, 3e-7 * std::max(1.0, std::abs(expected)))
          << field.file << " " << field.name << ", density " << alpha[i].density + beta[i].density;
    }
  }
}

// A second field of an evaluator, and the first one again: what is kept of one is not taken for the other.
TEST(PairFields, AreTheSameAgain) {
  const SpinEvaluator evaluator(test::one_gaussian(0.8, 2));
  const Grid grid = test::make_grid(glm::dvec3(-2.4), glm::dvec3(0.1), glm::ivec3(49));
  const auto field = [&](const char* name) {
    Job job;
    return test::on_device<float>(Device::cpu(), grid.size(), [&](Span<float> out) {
      measure_on_grid(evaluator, *find_density_measure(name), grid, out, job);
    });
  };
  const auto density = field("electron"), laplacian = field("laplacian");
  EXPECT_EQ(field("electron"), density);
  EXPECT_EQ(field("laplacian"), laplacian);
  EXPECT_NE(density, laplacian);
}

}  // namespace
}  // namespace isolume
