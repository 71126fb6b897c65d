// The window: actions that belong to no other class, and the devices.
#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QSettings>
#include <algorithm>
#include <cmath>

#include "app/documents/titles.h"
#include "app/fields/field_atoms.h"
#include "app/models/labels.h"
#include "app/scene/density_name.h"
#include "app/scene/named_selections.h"
#include "app/view/charge_sets.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/dialogs/six_axis_page.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/panels/side_parameters.h"
#include "app/window/recovery/device_test.h"
#include "app/window/shell/command_runner.h"
#include "app/window/shell/file_actions.h"
#include "app/window/shell/main_window.h"
#include "app/window/shell/panels.h"
#include "app/window/shell/pick_actions.h"
#include "app/window/shell/program_runner.h"
#include "app/window/shell/status_line.h"
#include "app/window/viewport/legend_overlays.h"
#include "app/window/viewport/six_axis_mouse.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/theme.h"
#include "compute/base/device.h"
#include "compute/base/device_fault.h"
#include "compute/base/memory.h"
#include "formats/bytes/known_frames.h"

namespace isolume {

void MainWindow::connect_actions() {
  connect(actions_->quit, &QAction::triggered, qApp, &QApplication::closeAllWindows);
  connect(actions_->undo, &QAction::triggered, this, [this] {
    runner_->log().add_changes();
    controller_.undo();
    runner_->log().add(QStringLiteral("undo"));
  });
  connect(actions_->redo, &QAction::triggered, this, [this] {
    runner_->log().add_changes();
    controller_.redo();
    runner_->log().add(QStringLiteral("redo"));
  });
  connect(actions_->add_representation, &QAction::triggered, this, [this] {
    panels_->raise("representations");
    representations().add();
  });
  const auto add_field = [this](QAction* action, Field::Kind kind, bool bare = false) {
    connect(action, &QAction::triggered, this, [this, kind, bare] {
      panels_->raise("fields");
      field_panel().add(kind, bare);
    });
  };
  add_field(actions_->add_surface, Field::Kind::gaussian);
  add_field(actions_->add_excluded, Field::Kind::solvent_excluded);
  add_field(actions_->add_accessible, Field::Kind::solvent_accessible);
  add_field(actions_->add_bare, Field::Kind::solvent_excluded, true);
  add_field(actions_->add_cavities, Field::Kind::cavities);
  add_field(actions_->add_contacts, Field::Kind::contacts);
  add_field(actions_->add_orbital, Field::Kind::orbital);
  for (const auto& [action, name] : {std::pair{actions_->add_density, electron_density_name},
                                     std::pair{actions_->add_spin_density, spin_density_name}})
    connect(action, &QAction::triggered, this, [this, name = std::string(name)] {
      panels_->raise("fields");
      field_panel().add_density(name);
    });
  add_field(actions_->add_potential, Field::Kind::potential);
  add_field(actions_->add_volume, Field::Kind::volume);
  connect(&field_panel(), &FieldPanel::refused, this, [this](const QString& message) { say(message, true); });
  connect(&field_panel(), &FieldPanel::told, this, [this](const QString& message) { say(message, false); });
  connect(&field_panel(), &FieldPanel::progress, this,
          [this](const QString& what, double fraction) { show_task(QStringLiteral("charges"), what, fraction); });
  connect(field_panel().potential(), &PotentialRows::compare_asked, this, &MainWindow::compare_potentials);
  connect(actions_->play, &QAction::triggered, player_.get(), &Player::toggle);
  connect(actions_->cancel, &QAction::triggered, this, [this] {
    // A drawing alone is no reason to keep what Esc is for.
    if (status_->has_only(QStringLiteral("drawing"))) {
      picking_->measuring() ? picking_->end_measuring() : controller_.set_picked({});
    } else {
      cancel();
    }
  });
  connect(actions_->devices, &QMenu::aboutToShow, this, &MainWindow::fill_devices);
  connect(actions_->new_window, &QAction::triggered, this, [this] { open_another({}); });
  connect(actions_->watch, &QAction::toggled, &watch_, &FileWatch::set_enabled);
  connect(actions_->preferences, &QAction::triggered, this, &MainWindow::show_preferences);
  const QString theme = name(theme_from_name(QSettings().value(QStringLiteral("theme")).toString()));
  for (QAction* action : actions_->themes) {
    action->setChecked(action->data().toString() == theme);
    connect(action, &QAction::triggered, this, [this, action] {
      Preferences next = preferences_;
      next.theme = action->data().toString();
      next.write();
      apply_preferences(next);
    });
  }
  connect(actions_->full_screen, &QAction::triggered, this,
          [this](bool on) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, on)); });
  connect(actions_->reset_layout, &QAction::triggered, panels_, &Panels::lay_out);
}

void MainWindow::compare_potentials() {
  const int row = field_panel().current();
  if (row < 0) return;
  FieldRequest request;
  request.field = with_names(controller_.scene()).fields[static_cast<std::size_t>(row)];
  request.molecule = controller_.molecule(request.field.molecule);
  if (!request.molecule) return;
  request.frame = std::min(controller_.scene().frame, std::max<std::size_t>(1, request.molecule->frame_count()) - 1);
  request.device = fields_.device();
  auto* dialog = new CompareDialog(
      request, [this] { return viewport_->create_shared_context(); }, this);
  QString shown;
  std::vector<CompareDialog::Charges> others;
  const std::uint32_t number = request.field.molecule;
  for (const ChargeSetChoice& set : charge_sets(controller_.scene(), controller_.documents(), number)) {
    if (set.active) shown = to_qt(set.title);
    if (set.active || !set.charged) continue;
    others.push_back({to_qt(set.title), [scene = controller_.scene(), documents = &controller_.documents(), number, row,
                                         frame = request.frame, templates = set.templates] {
                        Scene other = scene;
                        use_charge_set(other, *documents, number, templates);
                        return field_atoms(with_names(other).fields[static_cast<std::size_t>(row)],
                                           documents->molecule(other.molecules[number]), frame);
                      }});
  }
  if (!controller_.scene().molecules[number].assembly.empty()) others.clear();
  dialog->set_charges(shown, std::move(others));
  std::vector<CompareDialog::Map> maps;
  for (std::size_t m = 0; m < controller_.scene().molecules.size(); ++m) {
    const auto molecule = controller_.molecule(m);
    for (std::size_t v = 0; molecule && v < molecule->volumes.size(); ++v)
      maps.push_back({to_qt(volume_title(*molecule, v)), molecule->volumes[v]});
  }
  dialog->set_maps(maps);
  connect(dialog, &CompareDialog::parameters_asked, dialog,
          [dialog, molecule = request.molecule, frame = request.frame](int side, const QString& title) {
            run_async(
                dialog, [molecule, frame] { return molecule->trajectory->frame(frame).cell.exists(); },
                [dialog, side, title](bool has_cell) {
                  auto* parameters = new SideParameters(title, dialog->settings(side), has_cell, dialog);
                  connect(parameters, &QDialog::accepted, dialog,
                          [dialog, parameters, side] { dialog->set_parameters(side, parameters->settings()); });
                  parameters->open();
                },
                [dialog](const QString& text) { dialog->message()->setText(text); });
          });
  dialog->show();
}

void MainWindow::apply_preferences(Preferences preferences) {
  const Preferences before = std::exchange(preferences_, preferences);
  if (before.theme != preferences.theme) apply_theme(theme_from_name(preferences.theme));
  for (QAction* action : actions_->themes) action->setChecked(action->data().toString() == preferences.theme);
  if (before.device != preferences.device) choose_device_by_name(preferences.device);
  if (preferences.memory_limit > 0 || before.memory_limit > 0) {
    set_memory_limit(static_cast<std::size_t>(preferences.memory_limit * std::pow(2.0, 30)));
  }
  IndexKeeping keeping;
  keeping.where = preferences.frame_index ? IndexKeeping::Where::cache : IndexKeeping::Where::nowhere;
  keep_indices(keeping);
  viewport_->set_input(input_map(preferences.input));
  viewport_->set_scroll(scroll_use(preferences.scroll));
  six_axes_->set_on(preferences.six_axes.on);
  recovery_.set_interval(preferences.autosave);
  apply_keys(actions_->all(), usual_keys_, preferences);
}

void MainWindow::show_preferences() {
  run_async(
      this, [] { return list_devices(); },
      [this](const std::vector<DeviceInfo>& infos) {
        QList<QPair<QString, QString>> devices;
        for (const DeviceInfo& info : infos) {
          const QString name = to_qt(to_string(info.device));
          if (info.usable) devices.append({name, QStringLiteral("%1: %2").arg(name, to_qt(info.name))});
        }
        auto* dialog = new PreferencesDialog(preferences_, devices, actions_->all(), usual_keys_, this);
        dialog->setObjectName(QStringLiteral("preferences"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &PreferencesDialog::changed, this, [](const Preferences& changed) {
          for (QWidget* window : QApplication::topLevelWidgets()) {
            if (auto* main = qobject_cast<MainWindow*>(window)) main->apply_preferences(changed);
          }
        });
        dialog->six_axis_page()->show_connected(six_axes_->connected());
        connect(six_axes_, &SixAxisMouse::connection_changed, dialog->six_axis_page(), &SixAxisPage::show_connected);
        dialog->open();
      },
      [this](const QString& message) { say(message, true); });
}

void MainWindow::show_history() {
  const auto text = [](const QString& verb, const QString& what) {
    return what.isEmpty() ? verb : QStringLiteral("%1 %2").arg(verb, what.left(1).toLower() + what.mid(1));
  };
  actions_->undo->setEnabled(controller_.can_undo());
  actions_->undo->setText(text(tr("&Undo"), controller_.undo_text()));
  actions_->undo->setToolTip(text(tr("Undo"), controller_.undo_text()) + tr(" (Ctrl+Z)"));
  actions_->redo->setEnabled(controller_.can_redo());
  actions_->redo->setText(text(tr("&Redo"), controller_.redo_text()));
  actions_->redo->setToolTip(text(tr("Redo"), controller_.redo_text()) + tr(" (Ctrl+Shift+Z)"));
  QString title;
  const QString& session = files_->session_path();
  if (!session.isEmpty()) {
    title = QFileInfo(session).fileName();
  } else if (!controller_.scene().molecules.empty() && !controller_.scene().molecules.front().paths.empty()) {
    title = QFileInfo(to_qt(controller_.scene().molecules.front().paths.front())).fileName();
  }
  setWindowTitle(title.isEmpty() ? QString() : title + QStringLiteral("[*]"));
  setWindowModified(controller_.modified());
}

void MainWindow::export_picture(const QString& path, const PictureOptions& wanted, double dpi) {
  if (!viewport_->view()) return;
  PictureOptions options = wanted;
  options.dots = dpi;
  auto view = std::make_shared<SceneView>(*viewport_->view());
  view->camera = controller_.scene().camera;
  view->look = controller_.scene().look;
  try {
    export_.start(viewport_->create_shared_context(), view, {controller_.scene(), options, {}}, path,
                  legends_->legends(), fields_.device());
  } catch (const Error& error) {
    say(to_qt(error.what()), true);
  }
}

void MainWindow::choose_device_by_name(const QString& wish) {
  status_->show_device(tr("Looking for devices"), {});
  const std::uint64_t number = ++device_asked_;
  struct Found {
    Device device;
    QString name, tip, why;
  };
  run_async(
      this,
      [wish = wish.toStdString(), program = tests_devices_ ? qApp->property(program_property).toString() : QString(),
       after_crash = after_crash_] {
        Found found;
        const TestedDevice tested = tested_device(program, choose_device(wish), wish != "auto", after_crash);
        found.device = tested.device;
        found.why = tested.why;
        for (const DeviceInfo& info : list_devices()) {
          if (info.device == found.device) found.name = to_qt(info.name);
        }
        found.tip = to_qt(cuda_status());
        return found;
      },
      [this, number](const Found& found) {
        if (number != device_asked_) return;  // another one was chosen since
        if (!found.why.isEmpty()) say(tr("%1. Computing on %2.").arg(found.why, to_qt(to_string(found.device))), true);
        fields_.set_device(found.device);
        QString kind = found.device.is_cuda() ? to_qt(to_string(found.device)) : tr("CPU");
        for (const LostDevice& lost : lost_devices()) kind += tr(" (%1 stopped)").arg(to_qt(to_string(lost.device)));
        status_->show_device(kind, tr("Computes on %1. %2").arg(found.name, found.tip));
      },
      [this, number](const QString& message) {
        if (number != device_asked_) return;
        status_->show_device(tr("CPU"), tr("Computes on the CPU"));
        say(message, true);
      });
}

void MainWindow::leave_device(const QString& message, bool lost) {
  if (!lost) {
    say(tr("%1. It was computed on another device.").arg(message), true);
    return;
  }
  if (lost_device_ == message) return;
  lost_device_ = message;
  say(tr("%1. Surfaces and maps are computed on another device or the CPU from now on; the status bar names it.")
          .arg(message),
      true);
  choose_device_by_name(QStringLiteral("auto"));
}

void MainWindow::fill_devices() {
  actions_->devices->clear();
  actions_->devices->addAction(tr("Looking for devices"))->setEnabled(false);
  run_async(
      this, [] { return list_devices(); },
      [this](const std::vector<DeviceInfo>& devices) {
        actions_->devices->clear();
        for (const DeviceInfo& info : devices) {
          const QString name = to_qt(to_string(info.device));
          QAction* action = actions_->devices->addAction(QStringLiteral("%1: %2").arg(name, to_qt(info.name)));
          action->setCheckable(true);
          action->setChecked(info.device == fields_.device());
          action->setEnabled(info.usable);
          action->setToolTip(to_qt(info.usable ? info.detail : info.why_not));
          connect(action, &QAction::triggered, this, [this, name] { choose_device_by_name(name); });
        }
      },
      [this](const QString& message) { say(message, true); });
}

}  // namespace isolume
