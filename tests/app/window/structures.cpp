// The Ramachandran plot in the window, and which chains are aligned.
#include <QComboBox>
#include <QTest>

#include "app/window/sequence/sequence_rows.h"
#include "app/window/shell/panels.h"
#include "app/window/structures/ramachandran_panel.h"
#include "fixture.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

class StructuresTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    write_two_chains(temporary(QStringLiteral("complex.pdb")));
    ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  }
  std::size_t picked() { return window_->controller().picked().size(); }
};

TEST_F(StructuresTest, TheRamachandranPlotIsLinkedBothWays) {
  auto& panel = window_->panels().get<RamachandranPanel>();
  window_->run_command(QStringLiteral("action ramachandran"));
  ASSERT_TRUE(wait_until([&] { return panel.isVisible() && panel.plot()->residues().size() == 6; }))
      << "of chain A residues 2 to 5, of chain B 2 and 6";
  const auto& residues = panel.plot()->residues();
  EXPECT_EQ(residues[0].point.residue, 1u);
  EXPECT_TRUE(residues[0].text.startsWith(QStringLiteral("A/LYS 2")));
  screenshot(QStringLiteral("ramachandran"));
  // A residue of the picture is marked in the plot.
  window_->controller().set_picked({{0, 9}});
  EXPECT_TRUE(residues[1].selected) << "THR 3";
  EXPECT_FALSE(residues[0].selected);
  // A click on a dot selects its residue; all have the same dihedrals here, so the arrow keys go on from one to the
  // next.
  window_->controller().set_picked({});
  const QPointF place = panel.plot()->place(residues[0].point.phi, residues[0].point.psi);
  QTest::mouseClick(panel.plot(), Qt::LeftButton, Qt::NoModifier, place.toPoint());
  ASSERT_EQ(picked(), 4u) << "the atoms of one residue";
  const std::uint32_t first = window_->controller().picked().front().atom;
  QTest::keyClick(panel.plot(), Qt::Key_Right);
  ASSERT_EQ(picked(), 4u);
  EXPECT_GT(window_->controller().picked().front().atom, first);
  // A rectangle around everything, and nothing of another class.
  const QPoint corner = panel.plot()->place(-180, 180).toPoint(), end = panel.plot()->place(180, -180).toPoint();
  const auto drag = [&] {
    QTest::mousePress(panel.plot(), Qt::LeftButton, Qt::NoModifier, corner - QPoint(3, 3));
    QTest::mouseMove(panel.plot(), end);
    QTest::mouseRelease(panel.plot(), Qt::LeftButton, Qt::NoModifier, end + QPoint(3, 3));
  };
  drag();
  EXPECT_EQ(picked(), 24u);
  panel.classes()->setCurrentIndex(3);
  Q_EMIT panel.classes()->activated(3);
  drag();
  EXPECT_EQ(picked(), 0u) << "there is no proline";
}

TEST(SequenceRows, ChainsAreAlikeAboveACurveOfIdentity) {
  EXPECT_FALSE(is_related(71, 19, 71)) << "26.8 % of 71: 34.4 % are needed";
  EXPECT_TRUE(is_related(71, 25, 71));
  EXPECT_FALSE(is_related(40, 40, 100)) << "less than half is in pairs";
  EXPECT_TRUE(is_related(5, 4, 6));
  EXPECT_TRUE(is_related(450, 90, 450)) << "20 %";
  EXPECT_FALSE(is_related(450, 85, 450));
  EXPECT_FALSE(is_related(0, 0, 0));
}

}  // namespace
}  // namespace isolume::test
