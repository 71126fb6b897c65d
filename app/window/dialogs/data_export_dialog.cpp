// The dialog that exports data of the scene: which object, atoms, frames and format.
#include "app/window/dialogs/data_export_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "app/documents/frames.h"
#include "app/models/labels.h"
#include "app/models/scene_list_model.h"
#include "app/scene/named_selections.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"

namespace isolume {
namespace {

enum FrameChoice { shown_frame, all_frames, range_of_frames };

/// What a format is good for.
QString about(const QString& extension) {
  struct Entry {
    const char* extension;
    const char* text;
  };
  static constexpr Entry table[] = {
      {"pdb", QT_TRANSLATE_NOOP("DataExportDialog", "PDB: structure; frames as models")},
      {"cif", QT_TRANSLATE_NOOP("DataExportDialog", "mmCIF: structure of any size; frames as models")},
      {"bcif", QT_TRANSLATE_NOOP("DataExportDialog", "BinaryCIF: the tables of mmCIF in a small file")},
      {"pqr", QT_TRANSLATE_NOOP("DataExportDialog", "PQR: structure with charges and radii")},
      {"gro", QT_TRANSLATE_NOOP("DataExportDialog", "GRO: structure for GROMACS")},
      {"mol2", QT_TRANSLATE_NOOP("DataExportDialog", "MOL2: small molecule with charges and bond orders")},
      {"xyz", QT_TRANSLATE_NOOP("DataExportDialog", "XYZ: elements and positions")},
      {"xtc", QT_TRANSLATE_NOOP("DataExportDialog", "XTC: compressed trajectory without a topology, to 0.01 angstrom")},
      {"dcd", QT_TRANSLATE_NOOP("DataExportDialog", "DCD: trajectory without a topology")},
      {"glb", QT_TRANSLATE_NOOP("DataExportDialog", "GLB: surface with colours, for 3D programs and slides")},
      {"ply", QT_TRANSLATE_NOOP("DataExportDialog", "PLY: surface with colours")},
      {"obj", QT_TRANSLATE_NOOP("DataExportDialog", "OBJ: surface with colours")},
      {"stl", QT_TRANSLATE_NOOP("DataExportDialog", "STL: surface for 3D printing")},
      {"x3d", QT_TRANSLATE_NOOP("DataExportDialog", "X3D: surface with colours, for web pages")},
      {"dx", QT_TRANSLATE_NOOP("DataExportDialog", "DX: values for APBS, PyMOL, VMD")},
      {"cube", QT_TRANSLATE_NOOP("DataExportDialog", "Cube: values and atoms, as of Gaussian")},
      {"mrc", QT_TRANSLATE_NOOP("DataExportDialog", "MRC: values as a density map")},
      {"vdb", QT_TRANSLATE_NOOP("DataExportDialog", "VDB: values for Blender and other renderers")},
  };
  for (const Entry& entry : table)
    if (extension == QLatin1String(entry.extension)) return DataExportDialog::tr(entry.text);
  return extension;
}

QString name_of(const SceneRow& row) {
  return row.detail.isEmpty() ? row.what : QStringLiteral("%1, %2").arg(row.what, row.detail);
}

QSpinBox* make_number(const QString& name, const QString& tip) {
  auto* box = new QSpinBox;
  box->setAccessibleName(name);
  box->setToolTip(tip);
  box->setMinimumWidth(110);
  return box;
}

}  // namespace

QString field_name(const Field& field) {
  return name_of(scene_row(field));
}
QString representation_name(const Representation& representation) {
  return name_of(scene_row(representation));
}

DataExportDialog::DataExportDialog(SceneController& controller, int field, QWidget* parent)
    : QDialog(parent),
      controller_(controller),
      sources_(data_sources(controller.scene(), controller.documents())),
      form_(make_form(this)),
      what_(make_box(tr("What"), tr("The molecule, map, surface or representation to export"), {})),
      format_(make_box(tr("Format"), tr("The file format"), {})),
      atoms_(new SelectionEdit),
      frames_(make_box(tr("Frames"), tr("Which frames of the trajectory are written"),
                       {tr("The frame shown"), tr("All frames"), tr("A range of frames")})),
      first_(make_number(tr("First frame"), tr("First frame, from 0"))),
      last_(make_number(tr("Last frame"), tr("Last frame, which is written too"))),
      step_(make_number(tr("Every"), tr("Write every n-th frame"))),
      note_(new QLabel) {
  setWindowTitle(tr("Export data"));
  setAccessibleName(windowTitle());
  form_->setContentsMargins(20, 18, 20, 16);
  format_->setMinimumWidth(330);
  for (const DataSource& source : sources_) {
    const bool of_scene = source.kind == DataSource::Kind::field;
    if (of_scene) {
      what_->addItem(field_name(controller.scene().fields[source.index]));
    } else if (source.kind == DataSource::Kind::representation) {
      what_->addItem(representation_name(controller.scene().representations[source.index]));
    } else {
      what_->addItem(to_qt(source.title));
    }
    if (of_scene && static_cast<int>(source.index) == field) what_->setCurrentIndex(what_->count() - 1);
  }
  note_->setAccessibleName(tr("What is written"));
  note_->setWordWrap(true);
  note_->setForegroundRole(QPalette::PlaceholderText);
  add_row(form_, tr("&What"), what_);
  add_row(form_, tr("&Format"), format_);
  add_row(form_, tr("&Atoms"), atoms_, true);
  add_row(form_, tr("F&rames"), frames_);
  add_row(form_, tr("F&irst"), first_);
  add_row(form_, tr("&Last"), last_);
  add_row(form_, tr("&Every"), step_);
  add_wide_row(form_, note_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  buttons->setAccessibleName(tr("Save or cancel"));
  for (QAbstractButton* button : buttons->buttons()) button->setAccessibleName(button->text().remove(QLatin1Char('&')));
  buttons->button(QDialogButtonBox::Save)->setToolTip(tr("Choose the file to write"));
  buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Close without writing"));
  buttons->button(QDialogButtonBox::Save)->setEnabled(!sources_.empty());
  add_wide_row(form_, buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(what_, &QComboBox::currentIndexChanged, this, &DataExportDialog::show_source);
  connect(frames_, &QComboBox::currentIndexChanged, this, &DataExportDialog::show_rows);
  connect(format_, &QComboBox::currentIndexChanged, this, &DataExportDialog::show_rows);
  show_source();
}

void DataExportDialog::propose_atoms(std::size_t molecule, const QString& selection) {
  const auto find = [&](auto fits) { return std::find_if(sources_.begin(), sources_.end(), fits); };
  auto found = find([&](const DataSource& source) {
    return source.kind == DataSource::Kind::molecule && source.molecule == molecule;
  });
  // A file of a map has no atoms.
  if (found == sources_.end()) found = find([&](const DataSource& source) { return source.molecule == molecule; });
  if (found == sources_.end()) return;
  what_->setCurrentIndex(static_cast<int>(found - sources_.begin()));
  atoms_->set_text(selection);
}

void DataExportDialog::propose_representation(std::size_t index) {
  const auto found = std::find_if(sources_.begin(), sources_.end(), [index](const DataSource& source) {
    return source.kind == DataSource::Kind::representation && source.index == index;
  });
  if (found == sources_.end()) return;
  what_->setCurrentIndex(static_cast<int>(found - sources_.begin()));
  format_->setCurrentIndex(0);  // triangles, where it has any
}

void DataExportDialog::show_source() {
  const auto index = static_cast<std::size_t>(what_->currentIndex());
  if (index >= sources_.size()) return;
  const DataSource& source = sources_[index];
  const QString before = extension();
  {
    const QSignalBlocker quiet(format_);
    format_->clear();
    for (const QString& word : to_qt(source.extensions).split(QLatin1Char(' '))) format_->addItem(about(word), word);
    format_->setCurrentIndex(std::max(0, format_->findData(before)));
  }
  const auto molecule = controller_.documents().loaded(controller_.scene().molecules[source.molecule]);
  if (source.kind == DataSource::Kind::molecule && molecule)
    atoms_->set_molecule(molecule, frame_in(*molecule, controller_.scene().frame),
                         names_of(controller_.scene(), static_cast<std::uint32_t>(source.molecule)));
  if (atoms_->text().isEmpty()) atoms_->set_text(QStringLiteral("all"));
  show_rows();
}

void DataExportDialog::show_rows() {
  const auto index = static_cast<std::size_t>(what_->currentIndex());
  if (index >= sources_.size()) return;
  const DataSource& source = sources_[index];
  const bool atoms = source.makes_atoms(extension().toStdString());
  const auto molecule = controller_.documents().loaded(controller_.scene().molecules[source.molecule]);
  const std::size_t count = atoms && molecule ? molecule->frame_count() : 1;
  for (QSpinBox* box : {first_, last_}) box->setRange(0, static_cast<int>(std::min<std::size_t>(count, 1u << 30)) - 1);
  if (last_->value() == 0) last_->setValue(last_->maximum());
  step_->setRange(1, std::max(1, last_->maximum()));
  const bool range = count > 1 && frames_->currentIndex() == range_of_frames;
  show_row(form_, atoms_, source.kind == DataSource::Kind::molecule);
  show_row(form_, frames_, count > 1);
  for (QWidget* row : {first_, last_, step_}) show_row(form_, row, range);
  note_->setText(atoms ? tr("Atoms are written where the scene has them: molecules whole, frames superposed.")
                       : tr("In the current frame, with the colours and the level of the 3D view."));
  if (source.kind == DataSource::Kind::volume) note_->setText(tr("The values of the map as they were read."));
  if (source.kind == DataSource::Kind::representation && !atoms)
    note_->setText(tr("In the current frame, with the colours of the 3D view; spheres and sticks as triangles."));
  adjustSize();
}

QString DataExportDialog::extension() const {
  return format_->currentData().toString();
}

DataExport DataExportDialog::wanted() const {
  DataExport result;
  const auto index = static_cast<std::size_t>(what_->currentIndex());
  if (index >= sources_.size()) return result;
  result.source = sources_[index];
  if (!result.source.makes_atoms(extension().toStdString())) return result;
  result.selection = result.source.kind == DataSource::Kind::representation
                         ? controller_.scene().representations[result.source.index].selection
                     : atoms_->text().trimmed().isEmpty() ? "all"
                                                          : atoms_->text().toStdString();
  const auto molecule = controller_.documents().loaded(controller_.scene().molecules[result.source.molecule]);
  const std::size_t count = molecule ? molecule->frame_count() : 1;
  result.first = result.last = molecule ? frame_in(*molecule, controller_.scene().frame) : 0;
  if (count > 1 && frames_->currentIndex() == all_frames) {
    result.first = 0;
    result.last = count - 1;
  }
  if (count > 1 && frames_->currentIndex() == range_of_frames) {
    result.first = static_cast<std::size_t>(std::min(first_->value(), last_->value()));
    result.last = static_cast<std::size_t>(std::max(first_->value(), last_->value()));
    result.step = static_cast<std::size_t>(step_->value());
  }
  return result;
}

}  // namespace isolume
