// The sequence panel: what it shows, and that it and the picture select the same.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDockWidget>
#include <QTest>
#include <QToolButton>

#include "app/window/sequence/sequence_panel.h"
#include "app/window/sequence/sequence_view.h"
#include "app/window/shell/panels.h"
#include "fixture.h"
#include "render/represent/palette.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

class SequenceTest : public TwoChainsTest {
 protected:
  void SetUp() override {
    TwoChainsTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    QTest::keyClick(&window_->viewport(), Qt::Key_U, Qt::ControlModifier);
    ASSERT_TRUE(wait_until([&] { return view()->rows().size() == 2 && !panel().busy(); }));
  }
  SequencePanel& panel() { return window_->sequence(); }
  SequenceView* view() { return panel().view(); }
  QPoint at(int row, int column) { return view()->cell(row, column).center(); }
  void click(int row, int column, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, modifiers, at(row, column));
  }
  void drag(QPoint from, QPoint to) {
    QTest::mousePress(view()->viewport(), Qt::LeftButton, {}, from);
    for (const QPoint point : {(from + to) / 2, to}) {
      QMouseEvent event(QEvent::MouseMove, QPointF(point), view()->viewport()->mapToGlobal(QPointF(point)),
                        Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(view()->viewport(), &event);
    }
    QTest::mouseRelease(view()->viewport(), Qt::LeftButton, {}, to);
  }
  /// The residues whose every atom is selected, and no other atom is.
  std::vector<std::uint32_t> picked() {
    const auto molecule = window_->controller().molecule(0);
    std::vector<std::uint32_t> residues;
    std::size_t atoms = 0;
    for (const PickedAtom& atom : window_->controller().picked()) {
      const std::uint32_t residue = molecule->topology->atoms[atom.atom].residue;
      if (residues.empty() || residues.back() != residue) {
        residues.push_back(residue);
        atoms += molecule->topology->residues[residue].atom_count;
      }
    }
    EXPECT_EQ(atoms, window_->controller().picked().size()) << "whole residues";
    return residues;
  }
  using Residues = std::vector<std::uint32_t>;
};

TEST_F(SequenceTest, ChainsAreRowsWithTheirGaps) {
  EXPECT_EQ(view()->rows()[0].letters, "MKTAYI");
  EXPECT_EQ(view()->rows()[1].letters, "MKSYIG");
  EXPECT_EQ(view()->rows()[0].title, QStringLiteral("A"));
  EXPECT_EQ(view()->rows()[0].columns.size(), 6u);
  EXPECT_EQ(view()->rows()[1].columns, (std::vector<std::int32_t>{0, 1, 2, -1, 3, 4, 5})) << "residue 4 is missing";
  // A chain that is hidden with its molecule has no row.
  window_->controller().edit(QStringLiteral("Hide"), [](Scene& scene) { scene.molecules[0].visible = false; });
  EXPECT_TRUE(wait_until([&] { return view()->rows().empty(); }));
  window_->commands().undo->trigger();
  EXPECT_TRUE(wait_until([&] { return view()->rows().size() == 2; }));
}

TEST_F(SequenceTest, TheMouseSelectsInThePicture) {
  click(0, 1);
  EXPECT_EQ(picked(), (Residues{1}));
  click(0, 4, Qt::ShiftModifier);
  EXPECT_EQ(picked(), (Residues{1, 2, 3, 4}));
  click(0, 2, Qt::ControlModifier);
  EXPECT_EQ(picked(), (Residues{1, 3, 4}));
  drag(at(1, 1), at(1, 5));
  EXPECT_EQ(picked(), (Residues{7, 8, 9, 10})) << "the gap has none";
  QTest::mouseDClick(view()->viewport(), Qt::LeftButton, {}, at(0, 3));
  EXPECT_EQ(picked(), (Residues{0, 1, 2, 3, 4, 5}));
  QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, QPoint(8, at(1, 0).y()));
  EXPECT_EQ(picked(), (Residues{6, 7, 8, 9, 10, 11})) << "its name";
  QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, at(0, 30));
  EXPECT_TRUE(window_->controller().picked().empty()) << "next to the letters";
  ASSERT_TRUE(wait_for_picture());
  screenshot(QStringLiteral("sequence"));
}

TEST_F(SequenceTest, KeysMoveAndSelect) {
  click(0, 1);
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_Right);
  EXPECT_EQ(picked(), (Residues{2}));
  QTest::keyClick(view(), Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_EQ(picked(), (Residues{2, 3}));
  EXPECT_TRUE(view()->accessibleDescription().contains(QStringLiteral("ALA 4")))
      << view()->accessibleDescription().toStdString();
  QTest::keyClick(view(), Qt::Key_Down);
  EXPECT_TRUE(picked().empty()) << "the gap of chain B";
  QTest::keyClick(view(), Qt::Key_End);
  EXPECT_EQ(picked(), (Residues{11}));
  QTest::keyClick(view(), Qt::Key_A, Qt::ControlModifier);
  EXPECT_EQ(picked().size(), 12u);
}

TEST_F(SequenceTest, WhatIsSelectedInThePictureIsSelectedHere) {
  window_->controller().set_picked({{0, 9}, {0, 30}});  // residues 2 and 7
  EXPECT_TRUE(holds(view()->selected(), 0, 2));
  EXPECT_TRUE(holds(view()->selected(), 0, 7));
  EXPECT_FALSE(holds(view()->selected(), 0, 3));
  EXPECT_EQ(window_->controller().picked().size(), 2u) << "atoms stay atoms";
  window_->controller().set_picked({});
  EXPECT_FALSE(holds(view()->selected(), 0, 2));
}

TEST_F(SequenceTest, ItHasTheColoursOfThePicture) {
  window_->controller().edit(QStringLiteral("Colour"), [](Scene& scene) {
    for (Representation& representation : scene.representations) representation.colouring = Colouring::chain;
  });
  const auto colour = [&](std::size_t residue) {
    const auto& colours = view()->colours();
    return colours.empty() || colours[0].size() <= residue ? glm::u8vec4(0) : colours[0][residue];
  };
  EXPECT_TRUE(wait_until([&] { return colour(0) == category_colour(0) && colour(7) == category_colour(1); }));
  window_->controller().edit(QStringLiteral("Colour"), [](Scene& scene) {
    for (Representation& representation : scene.representations) {
      representation.colouring = Colouring::uniform;
      representation.colour = {10, 200, 30, 255};
    }
  });
  EXPECT_TRUE(wait_until([&] { return colour(0) == glm::u8vec4(10, 200, 30, 255); }));
}

TEST_F(SequenceTest, ChainsAreAlignedAndCopied) {
  QTest::mouseClick(panel().copy_button(), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral(">A\nMKTAYI\n>B\nMKSYIG\n"));
  click(0, 1);
  click(0, 3, Qt::ShiftModifier);
  QTest::mouseClick(panel().copy_button(), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral(">A\nKTA\n"));
  EXPECT_EQ(panel().note()->text(), QStringLiteral("3 residues selected"));
  window_->controller().set_picked({});
  panel().align_box()->click();
  ASSERT_TRUE(wait_until([&] { return !panel().busy() && view()->rows()[1].aligned(); }));
  // M, K, Y and I are the same; S is aligned with T or A, and G is behind the end.
  EXPECT_EQ(view()->rows()[1].identical, 4u);
  EXPECT_EQ(view()->rows()[1].pairs, 5u);
  EXPECT_EQ(view()->rows()[0].columns.size(), 7u);
  EXPECT_EQ(view()->rows()[1].columns.size(), 7u);
  EXPECT_EQ(view()->rows()[1].columns[4], 3) << "Y below Y";
  EXPECT_TRUE(panel().fasta().startsWith(QStringLiteral(">A\nMKTAYI-\n"))) << panel().fasta().toStdString();
  screenshot(QStringLiteral("sequence_aligned"));
  panel().align_box()->click();
  EXPECT_TRUE(wait_until([&] { return !panel().busy() && !view()->rows()[1].aligned(); }));
}

}  // namespace
}  // namespace isolume::test
