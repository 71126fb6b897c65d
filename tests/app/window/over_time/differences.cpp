// Live differences in the window.
#include <QCheckBox>
#include <QFile>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "app/scene/scene_commands.h"
#include "app/scene/scene_json.h"
#include "app/window/panels/difference_rows.h"
#include "app/window/panels/field_panel.h"
#include "app/window/shell/message_bar.h"
#include "app/window/widgets/selection_edit.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "tests/app/window/potential_test.h"

namespace isolume::test {
namespace {

class DifferencesTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    raise_fields(*window_);
  }

  /// Two charges; the second one is at 6, 7, 8 and 9 A.
  QStringList write_frames() {
    QFile charges(temporary(QStringLiteral("ions.pqr")));
    const QString moves = temporary(QStringLiteral("ions.dcd"));
    EXPECT_TRUE(charges.open(QIODevice::WriteOnly));
    charges.write(
        "ATOM      1  C   LIG A   1       0.000   0.000   0.000  1.0000 1.700\n"
        "ATOM      2  O   LIG A   1       6.000   0.000   0.000 -1.0000 1.500\n");
    charges.close();
    const auto out = create_writer(moves.toStdString(), read_file(charges.fileName().toStdString()));
    for (int i = 0; i < 4; ++i) {
      Frame frame;
      frame.positions = {{0, 0, 0}, {6.0f + static_cast<float>(i), 0, 0}};
      out->add(frame);
    }
    out->finish();
    return {charges.fileName(), moves};
  }

  const Field& field(std::size_t index = 0) const { return window_->controller().scene().fields.at(index); }
  DifferenceRows& rows() { return *window_->field_panel().difference(); }
  FieldLegend legend() {
    return legends(*window_)->legends().empty() ? FieldLegend{} : legends(*window_)->legends()[0];
  }
  void pick(QComboBox* box, const QString& text) {
    const int index = box->findText(text);
    ASSERT_GE(index, 0) << text.toStdString();
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
  }
  void add(Field field) {
    window_->controller().edit(QStringLiteral("Add"), [&](Scene& scene) { scene.fields = {std::move(field)}; });
    window_->field_panel().select(0);
  }
};

TEST_F(DifferencesTest, OfFramesFollowWhatPlaysAndUndo) {
  ASSERT_TRUE(open(write_frames()));
  Field surface;
  surface.kind = Field::Kind::gaussian;
  surface.paint = Field::Paint::potential;
  surface.potential.method = PotentialMethod::direct;
  surface.spacing = 0.5;
  add(surface);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "electrostatic potential");
  pick(rows().minus_box(), QStringLiteral("Another potential"));
  EXPECT_TRUE(field().minus.fixed);
  EXPECT_EQ(field().minus.frame, 0u);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "potential less that of frame 0");
  EXPECT_NE(legend().note.find("no difference"), std::string::npos) << "frame 0 is shown: " << legend().note;
  const Image white = shot();
  window_->controller().touch([](Scene& scene) { scene.frame = 3; });
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().note.find("no difference"), std::string::npos) << legend().note;
  EXPECT_GT(legend().error, 0);
  EXPECT_GT(legend().error_points, 0u);
  EXPECT_GT(compare(white, shot()).mean, 0.001);
  screenshot(QStringLiteral("difference-frames"));
  // To the frame that is shown there is none.
  rows().frame_box()->setValue(3);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "potential less that of frame 3");
  EXPECT_NE(legend().note.find("no difference"), std::string::npos) << legend().note;
  rows().frame_box()->setValue(-1);
  EXPECT_FALSE(field().minus.fixed);
  // The other charge alone in place of both.
  Q_EMIT rows().atoms_edit()->entered(QStringLiteral("name O"));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "potential less that of name O");
  EXPECT_NEAR(legend().total_charge, 1, 1e-6);
  // The scene's file has it.
  EXPECT_EQ(scene_from_json(scene_to_json(window_->controller().scene())).fields[0].minus, field().minus);
  while (window_->controller().can_undo() && field().minus.kind != Subtrahend::Kind::none) window_->controller().undo();
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "electrostatic potential");
  EXPECT_TRUE(rows().atoms_edit()->isHidden());
}

TEST_F(DifferencesTest, OfStructuresAreSurfacesOnOneGrid) {
  ASSERT_TRUE(open(write_frames()));
  QFile other(temporary(QStringLiteral("other.pqr")));
  ASSERT_TRUE(other.open(QIODevice::WriteOnly));
  other.write("ATOM      1  C   LIG A   1       0.000   0.000   0.000  1.0000 1.700\n");
  other.close();
  ASSERT_TRUE(open({other.fileName()}));
  Field potential;
  potential.kind = Field::Kind::potential;
  potential.potential.method = PotentialMethod::direct;
  potential.isovalue = 1;
  potential.spacing = 0.5;
  add(potential);
  ASSERT_TRUE(wait_for_picture());
  pick(rows().minus_box(), QStringLiteral("Another potential"));
  pick(rows().molecule_box(), QStringLiteral("other.pqr"));
  rows().frame_box()->setValue(-1);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "potential less that of other.pqr");
  // What is left is one negative charge, with a sphere of 14.4 A about it at -1 V; none at +1 V.
  const auto results = window_->fields().results();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_NEAR(results[0].legend->total_charge, -1, 1e-6);
  screenshot(QStringLiteral("difference-structures"));
  pick(rows().method_box(), rows().method_box()->itemText(static_cast<int>(PotentialMethod::cutoff)));
  ASSERT_TRUE(wait_for_picture());
  EXPECT_EQ(legend().title, "potential less that of other.pqr, Cutoff sum");
  // Without the molecule there is no difference to it.
  window_->controller().edit(QStringLiteral("Remove"), [](Scene& scene) { remove_molecule(scene, 1); });
  EXPECT_EQ(field().minus.kind, Subtrahend::Kind::none);
}

TEST_F(DifferencesTest, OfMapsAreResampledWhenAskedAndFadedByTheirErrors) {
  const auto write = [this](const char* name, const char* title, double step, auto value) {
    Volume map;
    map.grid = {glm::dvec3(-4), glm::dmat3(step), glm::ivec3(static_cast<int>(8 / step) + 1)};
    for (int k = 0; k < map.grid.counts.z; ++k)
      for (int j = 0; j < map.grid.counts.y; ++j)
        for (int i = 0; i < map.grid.counts.x; ++i)
          map.values.push_back(static_cast<float>(value(map.grid.point(i, j, k))));
    const QString path = temporary(QString::fromLatin1(name));
    write_volume(path.toStdString(), VolumeView(map.grid, map.values, title, "V"));
    return path;
  };
  const auto ball = [](glm::dvec3 p) { return 4 - glm::length(p); };
  ASSERT_TRUE(open({write("a.dx", "a", 0.5, ball)}));
  ASSERT_TRUE(open({write("b.dx", "b", 0.5, [](glm::dvec3 p) { return p.x > 0 ? 0.0 : 1.0; })}));
  ASSERT_TRUE(open({write("c.dx", "c", 1, [](glm::dvec3) { return 1.0; })}));
  ASSERT_TRUE(open({write("e.dx", "standard error", 0.5, [](glm::dvec3 p) { return p.x > 0 ? 0.1 : 10.0; })}));
  Field volume;
  volume.kind = Field::Kind::volume;
  volume.isovalue = 2;
  add(volume);
  ASSERT_TRUE(wait_for_picture());
  const auto choose_map = [&](std::uint32_t molecule) {
    window_->controller().edit(QStringLiteral("Choose"),
                               [&](Scene& scene) { scene.fields[0].minus.molecule = molecule; });
  };
  pick(rows().minus_box(), QStringLiteral("A map"));
  choose_map(1);
  ASSERT_TRUE(wait_for_picture());
  const auto result = [this] { return window_->fields().results().at(0); };
  EXPECT_TRUE(result().error.empty());
  EXPECT_NE(legend().title.find(" less "), std::string::npos) << legend().title;
  EXPECT_FALSE(rows().resample_box()->isHidden());
  // Faded where the error is large: x < 0.
  ASSERT_GT(rows().error_box()->count(), 3);
  const int last = rows().error_box()->count() - 1;
  rows().error_box()->setCurrentIndex(last);
  Q_EMIT rows().error_box()->activated(last);
  ASSERT_TRUE(field().minus.error.given);
  EXPECT_EQ(field().minus.error.molecule, 3u);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(legend().note.find("significant at"), std::string::npos) << legend().note;
  screenshot(QStringLiteral("difference-maps"));
  window_->controller().undo();
  EXPECT_FALSE(field().minus.error.given);
  // Other points.
  choose_map(2);
  const auto* bar = window_->findChild<MessageBar*>();
  ASSERT_TRUE(bar != nullptr);
  ASSERT_TRUE(wait_until([&] { return bar->message().contains(QStringLiteral("Resample")); }))
      << bar->message().toStdString();
  rows().resample_box()->click();
  EXPECT_TRUE(field().minus.resample);
  ASSERT_TRUE(wait_for_picture());
  EXPECT_NE(legend().title.find("less "), std::string::npos);
}

}  // namespace
}  // namespace isolume::test
