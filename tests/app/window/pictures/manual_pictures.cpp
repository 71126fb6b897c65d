// The pictures of docs/window.md: each panel by itself, with one of the examples.
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>
#include <QTest>

#include "app/scene/scene_json.h"
#include "app/window/dialogs/analysis_dialog.h"
#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/dialogs/six_axis_page.h"
#include "app/window/frames/compare_frames_dialog.h"
#include "app/window/frames/frame_map.h"
#include "app/window/frames/motion_dialog.h"
#include "app/window/live/stream_follow.h"
#include "app/window/maps/calculate_map_dialog.h"
#include "app/window/maps/density_dialog.h"
#include "app/window/maps/fit_map_dialog.h"
#include "app/window/maps/morph_dialog.h"
#include "app/window/maps/volume_map_dialog.h"
#include "app/window/over_time/average_panel.h"
#include "app/window/over_time/contact_map_panel.h"
#include "app/window/over_time/probe_panel.h"
#include "app/window/over_time/stream_panel.h"
#include "app/window/over_time/timeline_panel.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/plots_panel.h"
#include "app/window/quantum/spectrum_view.h"
#include "app/window/quantum/states_panel.h"
#include "app/window/quantum/vibrations_panel.h"
#include "app/window/sampling/ion_dialog.h"
#include "app/window/sampling/ligand_map_dialog.h"
#include "app/window/shell/panels.h"
#include "app/window/widgets/plot.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/theme.h"
#include "tests/app/window/fixture.h"
#include "tests/support/data.h"
#include "tests/support/imd_bytes.h"
#include "tests/support/imd_server.h"

namespace isolume::test {
namespace {

class ManualPictures : public WindowTest {
 protected:
  void SetUp() override {
    if (qEnvironmentVariableIsEmpty("ISOLUME_SCREENSHOTS")) GTEST_SKIP() << "set ISOLUME_SCREENSHOTS to a folder";
    WindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    apply_theme(Theme::light);
    window_->resize(1280, 820);
  }
  bool open_example(const QStringList& names) {
    QStringList files;
    for (const QString& name : names)
      files += QString::fromStdString(data("../../resources/examples/" + name.toStdString()));
    return open(files);
  }
  /// The panel as a window of its own of that size, as `manual-NAME.png`.
  void panel(const char* name, QSize size, const char* picture = nullptr) {
    window_->panels().raise(name);
    QDockWidget& dock = window_->panels().dock(name);
    dock.setFloating(true);
    size = size.expandedTo(dock.minimumSizeHint());
    dock.resize(size);
    ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest() && dock.width() >= size.width(); }));
    QCoreApplication::processEvents();
    keep(picture ? picture : name, dock.widget()->grab().toImage());
    dock.setFloating(false);
  }
  /// As `manual-NAME.png`.
  void keep(const char* name, QDialog* dialog) {
    QCoreApplication::processEvents();  // texts of several lines make room for themselves
    keep(name, dialog->grab().toImage());
  }
  void keep(const char* name, const QImage& picture) {
    const QDir folder(qEnvironmentVariable("ISOLUME_SCREENSHOTS"));
    ASSERT_TRUE(folder.mkpath(QStringLiteral(".")));
    EXPECT_TRUE(picture.save(folder.filePath(QStringLiteral("manual-%1.png").arg(QLatin1String(name)))));
  }
  /// The dialog that an action of the menus opens.
  template <class Dialog>
  Dialog* dialog_of(const char* action) {
    window_->run_command(QStringLiteral("action %1").arg(QLatin1String(action)));
    Dialog* dialog = nullptr;
    wait_until([&] {
      dialog = window_->findChild<Dialog*>();
      return dialog && dialog->isVisible();
    });
    return dialog;
  }
  /// What the 3D view shows.
  void view(const char* name) {
    for (QDockWidget* dock : window_->panels().docks()) dock->hide();  // they would leave it a small corner
    ASSERT_TRUE(wait_for_picture());
    ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest(); }));
    keep(name, window_->viewport().grab_picture());
  }
  void command(const char* line) {
    window_->run_command(QString::fromLatin1(line));
    ASSERT_TRUE(wait_for_picture());
  }
};

TEST_F(ManualPictures, OfAMouseOfSixAxes) {
  window_->run_command(QStringLiteral("action preferences"));
  PreferencesDialog* dialog = nullptr;
  ASSERT_TRUE(wait_until([&] {
    dialog = window_->findChild<PreferencesDialog*>(QStringLiteral("preferences"));
    return dialog && dialog->isVisible();
  }));
  dialog->six_axis_page()->show_connected(true);
  dialog->resize(dialog->minimumSizeHint().expandedTo({560, 440}));
  dialog->findChild<QTabWidget*>()->setCurrentWidget(dialog->six_axis_page());
  keep("six_axes", dialog);
}

TEST_F(ManualPictures, OfAProtein) {
  ASSERT_TRUE(open_example({"crambin.pdb.gz"}));
  panel("representations", {400, 500});
  panel("scene", {400, 240});
  panel("look", {400, 680});
  command("select resid 7 to 19");
  panel("sequence", {900, 140});
  panel("ramachandran", {560, 330});
  command("add selections {\"name\": \"helix1\", \"selection\": \"resid 7 to 19\"}");
  command("add selections {\"name\": \"bridges\", \"selection\": \"resname CYS and sidechain\"}");
  panel("selections", {500, 140});
  // The folder is that of whoever makes the pictures.
  for (QLabel* label : window_->panels().dock("molecules").findChildren<QLabel*>())
    if (label->text().endsWith(QStringLiteral("crambin.pdb.gz")))
      label->setText(label->text().section(QLatin1Char('\n'), 0, -2) + QStringLiteral("\ncrambin.pdb.gz"));
  panel("molecules", {400, 640});
  command("action add_potential");
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().fields.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  panel("fields", {400, 640});
}

TEST_F(ManualPictures, OfCutsAndRulers) {
  const QString protease = QString::fromStdString(shared_data("structures/1hpv.pdb"));
  ASSERT_TRUE(open({protease}));
  window_->resize(800, 600);
  command("action add_excluded_surface");
  ASSERT_TRUE(wait_until([&] { return !window_->controller().scene().fields.empty(); }));
  ASSERT_TRUE(wait_for_picture());
  command("clip view");
  ASSERT_TRUE(wait_until([&] { return window_->controller().scene().clip_planes.size() == 1; }));
  command("set clip_planes[0].cuts surfaces");
  panel("clip_planes", {640, 170});
  view("clip_view");
  window_->controller().reset({});  // without a question
  ASSERT_TRUE(open({protease}));
  command("select name CA and resid 37");
  ASSERT_TRUE(wait_until([&] { return window_->controller().picked().size() == 2; }));
  command("action measure_ruler");
  ASSERT_TRUE(wait_until([&] { return window_->controller().scene().measurements.size() == 1; }));
  command("set representations[0].outline.mode on");
  command("set representations[0].outline.width 3");
  command("set look.scale_bar angstrom");
  panel("measure", {400, 200});
  view("ruler_view");
}

TEST_F(ManualPictures, OfATrajectory) {
  ASSERT_TRUE(open_example({"crambin_water/crambin_water.gro.gz", "crambin_water/crambin_water.xtc"}));
  panel("trajectory", {900, 60});
  command("select protein");
  ASSERT_TRUE(wait_until([&] { return !window_->controller().picked().empty(); }));
  command("action add_interactions");
  panel("interactions", {900, 300});
  auto* plot = new AnalysisDialog(window_->controller(), AnalysisKind::rmsd, window_.get());
  QObject::connect(plot, &AnalysisDialog::asked, &window_->plots(), &PlotsPanel::add_analysis);
  QTest::mouseClick(plot->plot_button(), Qt::LeftButton);
  window_->panels().raise("plots");
  ASSERT_TRUE(wait_until([&] { return !window_->plots().busy() && !window_->plots().plot()->curves().empty(); }));
  panel("plots", {900, 240});
}

TEST_F(ManualPictures, OfResiduesOverFrames) {
  ASSERT_TRUE(open_example({"crambin_water/crambin_water.gro.gz", "crambin_water/crambin_water.xtc"}));
  command("action contact_map");
  auto& contacts = window_->panels().get<ContactMapPanel>();
  ASSERT_TRUE(wait_until([&] { return !contacts.busy() && !contacts.matrix().residues.empty(); }));
  command("select resid 7 to 19");
  ASSERT_TRUE(wait_until([&] { return !window_->controller().picked().empty(); }));
  panel("contact_map", {900, 420});
  command("action timeline");
  auto& timeline = window_->panels().get<TimelinePanel>();
  ASSERT_TRUE(wait_until([&] { return timeline.compute_button()->isEnabled(); }));
  timeline.compute();
  ASSERT_TRUE(wait_until([&] { return timeline.interactions().has_value(); }));
  panel("timeline", {900, 320});
  timeline.of()->setCurrentIndex(TimelinePanel::structure_of);
  Q_EMIT timeline.of()->activated(TimelinePanel::structure_of);
  timeline.compute();
  ASSERT_TRUE(wait_until([&] { return timeline.line().has_value(); }));
  panel("timeline", {900, 420}, "timeline_structure");
  for (const auto& [action, name] :
       {std::pair("mean_structure", "mean_structure"), std::pair("animate_component", "animate_component")}) {
    auto* dialog = dialog_of<MotionDialog>(action);
    ASSERT_NE(dialog, nullptr);
    dialog->file_edit()->setText(QStringLiteral("%1.pdb").arg(QLatin1String(name)));
    keep(name, dialog);
    dialog->close();
    ASSERT_TRUE(wait_until([&] { return !window_->findChild<MotionDialog*>(); }));
  }
}

TEST_F(ManualPictures, OfRunningAverages) {
  ASSERT_TRUE(open_example({"crambin_water/crambin_water.gro.gz", "crambin_water/crambin_water.xtc"}));
  window_->controller().edit(QStringLiteral("Add"), [](Scene& scene) {
    Field field;
    field.kind = Field::Kind::gaussian;
    field.both_signs = false;
    field.selection = "protein";
    field.spacing = 1;
    scene.fields.push_back(field);
  });
  ASSERT_TRUE(wait_for_picture());
  auto& averages = window_->panels().get<AveragePanel>();
  window_->panels().raise("averages");
  averages.align()->set_text(QStringLiteral("name CA"));
  averages.start_button()->click();
  ASSERT_TRUE(wait_until([&] { return averages.frames() == window_->controller().frame_count(); }));
  ASSERT_TRUE(wait_for_picture());
  panel("averages", {900, 380});
}

TEST_F(ManualPictures, OfProbesAndVolumeMaps) {
  ASSERT_TRUE(open({QString::fromStdString(data("collection/over-time/probe/crambin_water_top.pqr.gz")),
                    QString::fromStdString(data("../../resources/examples/crambin_water/crambin_water.xtc"))}));
  window_->controller().edit(QStringLiteral("Look"), [](Scene& scene) {
    scene.representations.resize(1);
    scene.representations[0].selection = "protein";
    scene.representations[0].style = Style::cartoon;
  });
  // The carboxylate of ASP 43, the middle of TYR 29, and the bond C-O of its side chain.
  const auto topology = window_->controller().topology(0);
  const auto atom = [&](int residue, const char* name) {
    for (std::uint32_t i = 0; i < topology->atoms.size(); ++i)
      if (topology->residue_of(i).number == residue && topology->atoms[i].name == name) return i;
    ADD_FAILURE() << residue << name;
    return 0u;
  };
  const auto probe = [](FieldProbe::Kind kind, std::uint32_t first, std::uint32_t second = 0) {
    FieldProbe made;
    made.kind = kind;
    made.atom = first;
    made.second = second;
    return made;
  };
  window_->controller().edit(QStringLiteral("Probes"), [&](Scene& scene) {
    scene.probes = {probe(FieldProbe::Kind::residue, atom(29, "CA")), probe(FieldProbe::Kind::atom, atom(43, "CG")),
                    probe(FieldProbe::Kind::bond, atom(24, "C"), atom(24, "O"))};
  });
  auto& probes = window_->panels().get<ProbePanel>();
  window_->panels().raise("probes");
  probes.choose(0);
  ASSERT_TRUE(wait_until([&] { return probes.up_to_date(); }));
  probes.frames_button()->click();
  ASSERT_TRUE(wait_until([&] { return !probes.plot()->curves().empty(); }));
  ASSERT_TRUE(wait_for_picture());
  panel("probes", {1180, 330});
  auto* map = dialog_of<VolumeMapDialog>("volume_map");
  ASSERT_NE(map, nullptr);
  map->atoms()->set_text(QStringLiteral("water and element O"));
  map->align()->set_text(QStringLiteral("protein and name CA"));
  map->radius_box()->setValue(0.7);
  map->spacing_box()->setValue(0.5);
  const QString folder = QDir::currentPath();
  QDir::setCurrent(folder_.path());
  map->file_edit()->setText(QStringLiteral("density.mrc"));
  map->make_button()->click();
  ASSERT_TRUE(wait_until([&] { return !map->running(); }));
  map->resize(600, 620);
  map->file_edit()->setText(QStringLiteral("density-2.mrc"));
  QDir::setCurrent(folder);
  keep("volume_map", map);
}

TEST_F(ManualPictures, OfADifferenceOfFrames) {
  ASSERT_TRUE(open({QString::fromStdString(data("collection/over-time/probe/crambin_water_top.pqr.gz")),
                    QString::fromStdString(data("../../resources/examples/crambin_water/crambin_water.xtc"))}));
  window_->controller().edit(QStringLiteral("Look"), [](Scene& scene) {
    scene.representations.clear();
    Field field;
    field.kind = Field::Kind::gaussian;
    field.both_signs = false;
    field.selection = "protein";
    field.paint = Field::Paint::potential;
    field.potential.method = PotentialMethod::direct;
    field.potential.unit = PotentialSettings::Unit::kcal;
    field.minus.kind = Subtrahend::Kind::potential;
    field.minus.selection = "protein";
    field.minus.potential.method = PotentialMethod::direct;
    field.minus.fixed = true;
    field.minus.frame = 0;
    scene.fields = {field};
    scene.frame = 5;
  });
  window_->panels().raise("fields");
  window_->resize(1280, 760);
  ASSERT_TRUE(wait_for_picture());
  window_->commands().fit->trigger();
  ASSERT_TRUE(wait_for_picture());
  auto* form = window_->field_panel().findChild<QScrollArea*>();
  ASSERT_NE(form, nullptr);
  form->verticalScrollBar()->setValue(form->verticalScrollBar()->maximum());
  ASSERT_TRUE(wait_until([&] { return window_->viewport().at_rest(); }));
  keep("minus", window_->grab().toImage());
}

TEST_F(ManualPictures, OfARunningSimulation) {
  std::string frames = ImdBytes().handshake(3).session(true, true, false, true, false, false).text;
  for (int i = 0; i < 40; ++i)
    frames += ImdBytes()
                  .time(0.002, 0.5 * i, 250 * i)
                  .energies(250 * i, 300.0f + static_cast<float>(i % 3))
                  .positions({0, 0, 0, 1, 0, 0, 0, 1 + 0.001f * static_cast<float>(i), 0})
                  .text;
  const QString water = temporary(QStringLiteral("water.xyz"));
  QFile file(water);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("3\nwater\nO 0 0 0\nH 1 0 0\nH 0 1 0\n");
  file.close();
  ImdServer server({[&](ImdPeer& peer) {
    peer.send(frames);
    while (peer.receive() >= 0) {
    }
  }});
  window_->open_files({water, QString::fromStdString(server.address())});
  ASSERT_TRUE(wait_until([&] { return window_->controller().frame_count() == 40; }));
  panel("stream", {560, 200});
  auto& stream = window_->panels().get<StreamPanel>();
  stream.connect_button()->click();
  ASSERT_TRUE(wait_until([&] { return !stream.stream().active(); }));
}

TEST_F(ManualPictures, OfFramesCompared) {
  ASSERT_TRUE(open_example({"crambin_water/crambin_water.gro.gz", "crambin_water/crambin_water.xtc"}));
  auto* frames = dialog_of<CompareFramesDialog>("compare_frames");
  ASSERT_NE(frames, nullptr);
  frames->resize(760, 560);
  frames->cutoff_box()->setValue(0.9);
  QTest::mouseClick(frames->compute_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !frames->running() && !frames->map()->empty(); }));
  keep("compare_frames", frames);
  frames->close();
  auto* morph = dialog_of<MorphDialog>("morph");
  ASSERT_NE(morph, nullptr);
  morph->file_edit()->setText(QStringLiteral("morph.pdb"));  // the folder is that of whoever makes the pictures
  morph->resize(420, morph->height());
  keep("morph", morph);
}

TEST_F(ManualPictures, OfMaps) {
  ASSERT_TRUE(open({QString::fromStdString(shared_data("structures/1crn.cif"))}));
  ASSERT_TRUE(open({QString::fromStdString(shared_data("map-fit/maps/1crn_molmap_4A.mrc.gz"))}));
  panel("fields", {400, 640}, "map");
  auto* fit = dialog_of<FitMapDialog>("fit_map");
  ASSERT_NE(fit, nullptr);
  fit->resolution_box()->setValue(6);
  QTest::mouseClick(fit->fit_button(), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return !fit->running() && !fit->plot()->curves().empty(); }));
  keep("fit_map_dialog", fit);
  fit->close();
  auto* map = dialog_of<CalculateMapDialog>("calculate_map");
  ASSERT_NE(map, nullptr);
  map->propose(CalculateMapDialog::Task::model_difference, {1, 0}, 0, 4);
  map->file_edit()->setText(QStringLiteral("difference.mrc"));
  keep("calculate_map", map);
}

TEST_F(ManualPictures, OfLigandMapsAndIons) {
  ASSERT_TRUE(open({QString::fromStdString(shared_data("md-computed/crambin_water.pqr.gz")),
                    QString::fromStdString(shared_data("md-computed/crambin_water.xtc"))}));
  const QString folder = QDir::currentPath();
  QDir::setCurrent(folder_.path());
  auto* map = dialog_of<LigandMapDialog>("ligand_map");
  ASSERT_NE(map, nullptr);
  map->step_box()->setValue(6);
  map->align()->set_text(QStringLiteral("protein and name CA"));
  map->file_edit()->setText(QStringLiteral("xe.mrc"));
  map->make_button()->click();
  ASSERT_TRUE(wait_until([&] { return !map->running(); }));
  map->resize(640, 860);
  map->file_edit()->setText(QStringLiteral("xe-2.mrc"));
  keep("ligand_map", map);
  map->close();
  ASSERT_TRUE(open({QString::fromStdString(shared_data("charges/1ubq_amber_propka7.pqr"))}));
  auto* ions = dialog_of<IonDialog>("ionize");
  ASSERT_NE(ions, nullptr);
  ions->molecule_box()->setCurrentIndex(ions->molecule_box()->count() - 1);
  ions->file_edit()->setText(QStringLiteral("ions.pqr"));
  ions->make_button()->click();
  ASSERT_TRUE(wait_until([&] { return !ions->running(); }));
  ions->resize(560, 760);
  ions->file_edit()->setText(QStringLiteral("ions-2.pqr"));
  QDir::setCurrent(folder);
  keep("ions", ions);
}

TEST_F(ManualPictures, OfModesAndStates) {
  ASSERT_TRUE(open({QString::fromStdString(shared_data("qm-fields/vibrations/formamide_vib.molden"))}));
  window_->run_command(QStringLiteral("action vibrations"));
  auto& modes = window_->panels().get<VibrationsPanel>();
  ASSERT_TRUE(wait_until([&] { return modes.isVisible() && modes.table()->topLevelItemCount() == 12; }));
  modes.table()->setCurrentItem(modes.table()->topLevelItem(7));
  ASSERT_TRUE(wait_until([&] { return !modes.spectrum()->busy(); }));
  panel("vibrations", {900, 330});
  auto* density = dialog_of<DensityDialog>("compute_density");
  ASSERT_NE(density, nullptr);
  density->file_edit()->setText(QStringLiteral("electron.cube"));
  keep("density", density);
  density->close();
  window_->run_command(QStringLiteral("close"));
  ASSERT_TRUE(open({QString::fromStdString(data("orbitals/formaldehyde.molden.gz"))}));
  window_->run_command(QStringLiteral("action states"));
  auto& states = window_->panels().get<StatesPanel>();
  ASSERT_TRUE(wait_until([&] { return states.isVisible(); }));
  states.open_amplitudes(QString::fromStdString(data("orbitals/formaldehyde_tda.json.gz")));
  ASSERT_TRUE(wait_until([&] { return !states.busy() && states.table()->topLevelItemCount() == 5; }));
  states.table()->setCurrentItem(states.table()->topLevelItem(1));
  ASSERT_TRUE(wait_until([&] { return !states.spectrum()->busy(); }));
  panel("states", {900, 240});
}

TEST_F(ManualPictures, OfOrbitals) {
  QStringList files;
  for (int i = 0; i < 12; ++i)
    files += QStringLiteral("threonine_chi1/threonine_chi1_%1.molden.gz").arg(i, 3, 10, QLatin1Char('0'));
  ASSERT_TRUE(open_example(files));
  panel("orbitals", {400, 640});
}

}  // namespace
}  // namespace isolume::test
