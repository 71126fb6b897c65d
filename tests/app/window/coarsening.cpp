// Grids that coarsen while something moves, and are refined when it rests.
#include <cmath>

#include "app/window/live/live_fields.h"
#include "fixture.h"
#include "tests/support/data.h"

namespace isolume::test {
namespace {

using CoarseningTest = WindowTest;

TEST(Coarsening, HalvesTheWorkUntilItKeepsUp) {
  EXPECT_EQ(coarsening_for(0), 1);
  EXPECT_EQ(coarsening_for(1.0 / 30), 1);
  // The work goes with the cube of the factor.
  for (const double seconds : {0.04, 0.1, 0.3, 1.0, 2.0}) {
    const double factor = coarsening_for(seconds);
    EXPECT_LE(seconds / std::pow(factor, 3), 1.0 / 30 + 1e-9) << seconds;
    EXPECT_GT(2 * seconds / std::pow(factor, 3), 1.0 / 30) << seconds << ": coarser than it needs to be";
  }
  EXPECT_EQ(coarsening_for(1e6), 4);
}

TEST_F(CoarseningTest, AGridCoarsensWhileItsIsovalueMovesAndIsRefinedAtRest) {
  ASSERT_TRUE(open({QString::fromStdString(data("window/water.molden"))}));
  window_->choose_device_by_name(QStringLiteral("cpu"));  // a graphics card keeps up with any grid
  ASSERT_TRUE(wait_until([this] { return !window_->fields().device().is_cuda(); }));
  // Sixty million points: no processor keeps up with them.
  window_->controller().edit(QStringLiteral("x"), [](Scene& s) { s.fields[0].spacing = 0.01; });
  ASSERT_TRUE(wait_for_picture());
  const auto& fields = window_->fields();
  const glm::ivec3 full = fields.results()[0].grid.counts;
  double isovalue = 0.06;
  ASSERT_TRUE(wait_until([&] {
    isovalue = isovalue > 0.1 ? 0.06 : isovalue + 0.0005;
    window_->controller().edit(
        QStringLiteral("Change isovalue"), [isovalue](Scene& s) { s.fields[0].isovalue = isovalue; }, true);
    return fields.coarsening() > 1;
  }));
  EXPECT_LT(fields.results()[0].grid.counts.x, full.x);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(fields.coarsening(), 1);
  // As fine as before, over an extent that goes with the isovalue.
  EXPECT_NEAR(fields.results()[0].grid.step[0].x, 0.01, 1e-12);
}

}  // namespace
}  // namespace isolume::test
