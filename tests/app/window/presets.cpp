// The presets for tasks in the window: one step of the history each.
#include <QTest>

#include "app/window/shell/message_bar.h"
#include "fixture.h"
#include "two_chains.h"

namespace isolume::test {
namespace {

TEST_F(WindowTest, APresetIsOneStepThatUndoTakesBack) {
  write_two_chains(temporary(QStringLiteral("complex.pdb")));
  ASSERT_TRUE(open({temporary(QStringLiteral("complex.pdb"))}));
  SceneController& controller = window_->controller();
  const Scene before = controller.scene();
  QAction* pocket = window_->commands().find(QStringLiteral("preset_pocket"));
  ASSERT_NE(pocket, nullptr);
  ASSERT_TRUE(pocket->isEnabled());
  pocket->trigger();
  ASSERT_TRUE(wait_until([&] { return controller.undo_text() == QLatin1String("Preset Pocket"); }));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(controller.scene().representations.back().style, Style::hydrogen_bonds);
  EXPECT_EQ(window_->viewport().camera(), controller.scene().camera) << "it goes to the ligand";
  screenshot(QStringLiteral("preset_pocket"));
  window_->commands().undo->trigger();
  EXPECT_EQ(controller.scene().representations, before.representations);
  EXPECT_EQ(controller.scene().fields, before.fields);
  EXPECT_FALSE(controller.modified());
  // What cannot be shown is said, and changes nothing.
  window_->run_command(QStringLiteral("action preset_cryo_em"));
  EXPECT_TRUE(wait_until([&] { return window_->messages().isVisible(); }));
  EXPECT_FALSE(controller.can_undo());
}

}  // namespace
}  // namespace isolume::test
