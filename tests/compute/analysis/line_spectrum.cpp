// Broadened spectra of lines: against the integrals and half widths that their formulas have.
#include "compute/analysis/line_spectrum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

class LineShapes : public testing::TestWithParam<LineShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, LineShapes, testing::Values(LineShape::lorentzian, LineShape::gaussian));

TEST_P(LineShapes, HaveTheirWidthAndArea) {
  const double width = 15, peak = line_shape(GetParam(), 0, width);
  EXPECT_NEAR(line_shape(GetParam(), 7.5, width), peak / 2, 1e-12);
  EXPECT_NEAR(line_shape(GetParam(), -7.5, width), peak / 2, 1e-12);
  // The part of a Lorentzian beyond r of its middle is 1 - 2/pi atan(2 r / width); of a Gaussian none is left.
  const double reach = 30'000, step = 0.5;
  double area = 0;
  for (double x = -reach; x <= reach; x += step) area += step * line_shape(GetParam(), x, width);
  const double within = GetParam() == LineShape::gaussian ? 1 : 2 / std::acos(-1.0) * std::atan(2 * reach / width);
  EXPECT_NEAR(area, within, 1e-6);
}

TEST_P(LineShapes, AddUp) {
  const std::vector<SpectralLine> lines = {{1000, 2}, {1010, 3}};
  const std::vector<double> x = {990, 1005, 1010};
  const auto y = broadened(lines, GetParam(), 8, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_DOUBLE_EQ(y[i], 2 * line_shape(GetParam(), x[i] - 1000, 8) + 3 * line_shape(GetParam(), x[i] - 1010, 8));
  EXPECT_THROW(broadened(lines, GetParam(), 0, x), Error);
}

// f = 4.319e-9 times the integral of the molar absorption coefficient (Mulliken), and 100 / ln 10 of 1 km/mol.
TEST(LineSpectrum, UnitsOfAbsorption) {
  EXPECT_NEAR(1 / absorption_of_strength(), 4.3190e-9, 1e-13);
  EXPECT_NEAR(absorption_of_intensity(), 43.4294, 1e-4);
}

}  // namespace
}  // namespace isolume
