// The panel of the scene's molecules.
#include "app/window/panels/molecule_panel.h"
#include "app/scene/named_selections.h"
#include "app/view/scene_extent.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTreeView>
#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "app/models/labels.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/scene_commands.h"
#include "app/view/give_charges.h"
#include "app/window/panels/charge_list.h"
#include "app/window/panels/charge_set_list.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/assembly.h"
#include "molecule/crystal/crystal.h"

namespace isolume {
namespace {

const QString usual_centre = QStringLiteral("protein or nucleic");  // what an empty CellTreatment::selection means

}  // namespace

MoleculePanel::MoleculePanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller), model_(tr("Assembly")) {
  setAccessibleName(tr("Molecules"));
  model_.set_title(tr("File"));
  list_ = make_list_view(model_, tr("Molecules of the scene"), this);
  auto* bar = new QWidget(this);
  bar->setAccessibleName(tr("Open or remove"));
  auto* open = new QPushButton(tr("&Open..."), bar);
  open->setAccessibleName(tr("Open"));
  open->setToolTip(tr("Add molecules, trajectories, orbitals or maps from files"));
  remove_ = new QPushButton(tr("&Remove"), bar);
  remove_->setAccessibleName(tr("Remove molecule"));
  remove_->setToolTip(tr("Remove the molecule from the scene; the file is kept"));
  superpose_ = new QPushButton(tr("Superpose..."), bar);
  superpose_->setAccessibleName(tr("Superpose molecule"));
  superpose_->setToolTip(tr("Fit the molecule to another one by least squares, or align its trajectory"));
  connect(superpose_, &QPushButton::clicked, this, [this] { Q_EMIT superpose_asked(current()); });
  auto* buttons = new QHBoxLayout(bar);
  buttons->setContentsMargins(0, 0, 0, 0);
  buttons->addWidget(open);
  buttons->addWidget(remove_);
  buttons->addWidget(superpose_);
  buttons->addStretch(1);
  const auto entry = [this](const QString& text, const QString& tip, auto what) {
    auto* action = new QAction(text, list_);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, what);
    list_->addAction(action);
  };
  entry(tr("Show or &hide"), tr("Show or hide the selected molecule"), [this] {
    const int row = current();
    if (row < 0) return;
    const bool visible = !controller_.scene().molecules[static_cast<std::size_t>(row)].visible;
    edit(visible ? tr("Show molecule") : tr("Hide molecule"), [visible](SceneMolecule& m) { m.visible = visible; });
  });
  entry(tr("&Superpose..."), superpose_->toolTip(), [this] {
    if (current() >= 0) Q_EMIT superpose_asked(current());
  });
  entry(tr("&Remove"), remove_->toolTip(), [this] { remove_->click(); });
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  build_form();
  lay_out_panel(this, list_, bar, form_);
  connect(open, &QPushButton::clicked, this, &MoleculePanel::open_asked);
  connect(remove_, &QPushButton::clicked, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Remove molecule"),
                     [row](Scene& scene) { remove_molecule(scene, static_cast<std::size_t>(row)); });
  });
  connect(&model_, &SceneListModel::visibility_edited, this, [this](int row, bool visible) {
    controller_.edit(visible ? tr("Show molecule") : tr("Hide molecule"), [row, visible](Scene& scene) {
      scene.molecules[static_cast<std::size_t>(row)].visible = visible;
    });
  });
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &MoleculePanel::show_current);
  controller_.listen(this, SceneParts::molecules | SceneParts::selections | SceneParts::frame,
                     &MoleculePanel::show_scene);
  show_scene(controller_.scene());
}

void MoleculePanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("Selected molecule"));
  set_cost(form_, tr("Drawing time grows with the number of images; an assembly copies its atoms, so time and memory "
                     "grow with them"));
  rows_ = make_form(form_);
  assembly_ = make_box(tr("Assembly"), tr("Biological assembly, built from the chains with the file's operators"), {});
  cell_ =
      make_box(tr("Periodic cell"),
               tr("Placement of the molecules in the periodic cell, in every frame of the view, plots and "
                  "surfaces:\nas in the file; whole, with bonded atoms next to each other; whole and wrapped into the "
                  "cell; or whole\nand wrapped around the selected atoms in its centre"),
               {tr("As in the file"), tr("Make molecules whole"), tr("Wrap into the cell"), tr("Centre a selection")});
  centred_ = new SelectionEdit;
  centred_->setAccessibleName(tr("Centred atoms"));
  cells_ = new QWidget;
  cells_->setAccessibleName(tr("Periodic images"));
  auto* line = new QHBoxLayout(cells_);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  const QString names[] = {tr("Unit cells along a"), tr("Unit cells along b"), tr("Unit cells along c")};
  for (int axis = 0; axis < 3; ++axis) {
    auto* box = new QSpinBox;
    box->setAccessibleName(names[axis]);
    box->setToolTip(tr("Number of periodic images along this cell vector"));
    box->setRange(1, 9);
    box->setKeyboardTracking(false);
    line->addWidget(box, 1);
    images_[static_cast<std::size_t>(axis)] = box;
    connect(box, &QSpinBox::valueChanged, this, [this, axis](int count) {
      edit(
          tr("Change periodic images"), [=](SceneMolecule& m) { m.images[axis] = count; }, true);
    });
  }
  cells_->setFocusProxy(images_[0]);
  about_ = new QLabel;
  about_->setAccessibleName(tr("Molecule details"));
  about_->setTextFormat(Qt::PlainText);
  about_->setWordWrap(true);
  about_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  about_->setForegroundRole(QPalette::PlaceholderText);
  add_row(rows_, tr("Assem&bly"), assembly_);
  add_row(rows_, tr("&Periodic cell"), cell_);
  add_row(rows_, tr("Ce&ntred atoms"), centred_, true);
  add_row(rows_, tr("&Unit cells a \u00d7 b \u00d7 c"), cells_);
  charge_sets_ = new ChargeSetList(controller_, this);
  connect(charge_sets_, &ChargeSetList::failed, this, &MoleculePanel::failed);
  connect(charge_sets_, &ChargeSetList::progress, this, &MoleculePanel::progress);
  charges_ = new ChargeList(controller_);
  connect(charges_, &ChargeList::atoms_asked, this, &MoleculePanel::atoms_asked);
  add_wide_row(rows_, about_);
  add_wide_row(rows_, charge_sets_);
  side_chains_ = new QCheckBox(tr("Build missing side chains"));
  side_chains_->setToolTip(tr(
      "Atoms of side chains that the file lacks, in the rotamer with the fewest clashes.\nA molecule without charges "
      "gets hydrogens and charges too"));
  side_chains_->hide();
  add_wide_row(rows_, side_chains_);
  add_wide_row(rows_, charges_);
  connect(side_chains_, &QCheckBox::clicked, this, &MoleculePanel::choose_side_chains);
  connect(charges_, &ChargeList::side_chains_found, this, &MoleculePanel::show_side_chains);
  connect(assembly_, &QComboBox::activated, this,
          [this](int index) { choose_assembly(assembly_->itemData(index).toString()); });
  const auto chosen = [this] {
    CellTreatment cell{static_cast<CellTreatment::Mode>(cell_->currentIndex())};
    const QString text = centred_->text().trimmed();
    if (cell.mode == CellTreatment::Mode::centre && text != usual_centre) cell.selection = centred_->words();
    choose_cell(cell);
  };
  connect(cell_, &QComboBox::activated, this, chosen);
  connect(centred_, &SelectionEdit::entered, this, chosen);
}

int MoleculePanel::current() const {
  const QModelIndex index = list_->currentIndex();
  return index.isValid() && static_cast<std::size_t>(index.row()) < controller_.scene().molecules.size() ? index.row()
                                                                                                         : -1;
}

void MoleculePanel::edit(const QString& what, const std::function<void(SceneMolecule&)>& change, bool merge) {
  const int row = current();
  if (row < 0) return;
  controller_.edit(
      what, [&](Scene& scene) { change(scene.molecules[static_cast<std::size_t>(row)]); }, merge);
}

void MoleculePanel::choose_assembly(const QString& id) {
  const int row = current();
  if (row < 0) return;
  SceneMolecule entry = entry_to_change(row);
  entry.assembly = id.toStdString();
  remake(row, entry, entry.assembly.empty() ? tr("Show asymmetric unit") : tr("Build assembly"));
}

void MoleculePanel::choose_cell(const CellTreatment& cell) {
  const int row = current();
  if (row < 0) return;
  SceneMolecule entry = entry_to_change(row);
  if (entry.cell == cell) return;
  entry.cell = cell;
  remake(row, entry, tr("Change the periodic cell"));
}

void MoleculePanel::choose_side_chains(bool build) {
  const int row = current();
  if (row < 0) return;
  const auto index = static_cast<std::uint32_t>(row);
  const std::vector<std::string>& templates = controller_.scene().molecules[index].templates;
  std::string tables = templates.empty() ? usual_tables : templates.front();
  if (builds_side_chains(tables)) tables.resize(tables.rfind(with_side_chains));
  if (build) tables += with_side_chains;
  const std::uint64_t epoch = ++epoch_;
  Q_EMIT progress(tr("Building side chains"), -1);
  run_async(
      this,
      [documents = &controller_.documents(), scene = controller_.scene(), index, tables]() mutable {
        const GivenCharges given = give_charges(scene, *documents, index, tables);
        documents->molecule(scene.molecules[index]);  // so that showing it need not wait
        return std::pair(std::move(scene), given);
      },
      [this, epoch, before = controller_.scene()](std::pair<Scene, GivenCharges> made) mutable {
        if (epoch != epoch_) return;
        Q_EMIT progress({}, 0);
        const Scene& now = controller_.scene();
        for (Scene* then : {&before, &made.first}) {  // turning and playing go on meanwhile
          then->camera = now.camera;
          then->frame = now.frame;
        }
        if (!(now == before)) return show_current();  // something else was changed
        controller_.set_picked({});
        controller_.edit(made.second.side_chains > 0 ? tr("Build missing side chains") : tr("Remove built side chains"),
                         [&](Scene& scene) { scene = made.first; });
      },
      [this, epoch](const QString& message) {
        if (epoch != epoch_) return;
        Q_EMIT progress({}, 0);
        Q_EMIT failed(message);
        show_current();
      });
}

QString MoleculePanel::assembly_label(const std::string& id) {
  if (id == unit_cell_id) return tr("Unit cell");
  if (is_of_crystal(id)) return tr("Symmetry mates within %1 \u00c5").arg(mates_distance(id).value_or(0));
  return tr("Assembly %1").arg(to_qt(id));
}

SceneMolecule MoleculePanel::entry_to_change(int row) const {
  const SceneMolecule& now = controller_.scene().molecules[static_cast<std::size_t>(row)];
  return coming_ && coming_->paths == now.paths ? *coming_ : now;
}

void MoleculePanel::remake(int row, const SceneMolecule& entry, const QString& what) {
  Scene wanted = controller_.scene();
  wanted.molecules[static_cast<std::size_t>(row)] = entry;
  // On another thread: a virus has millions of atoms.
  const std::uint64_t epoch = ++epoch_;
  coming_ = entry;
  Q_EMIT progress(
      entry.assembly.empty() ? tr("Reading the molecule") : tr("Building: %1").arg(assembly_label(entry.assembly)), -1);
  run_async(
      this,
      [documents = &controller_.documents(), wanted, entry] {
        documents->molecule(entry);
        return scene_extent(wanted, *documents);
      },
      [this, row, entry, what, epoch, aspect = aspect_()](const Extent& extent) {
        if (epoch != epoch_) return;  // a newer one is being made, or none is wanted
        Q_EMIT progress({}, 0);
        coming_.reset();
        const auto& molecules = controller_.scene().molecules;
        const auto place = static_cast<std::size_t>(row);
        if (place >= molecules.size() || molecules[place].paths != entry.paths) return show_current();
        controller_.edit(what, [&](Scene& scene) {
          scene.molecules[place].assembly = entry.assembly;
          scene.molecules[place].cell = entry.cell;
          scene.camera.fit(extent.balls, aspect);
        });
      },
      [this, epoch](const QString& message) {
        if (epoch == epoch_) {
          Q_EMIT progress({}, 0);
          coming_.reset();
          show_current();
        }
        Q_EMIT failed(message);
      });
}

void MoleculePanel::cancel() {
  ++epoch_;
  coming_.reset();
  Q_EMIT progress({}, 0);
  show_current();
}

void MoleculePanel::show_scene(const Scene& scene) {
  std::vector<SceneRow> rows;
  for (const SceneMolecule& molecule : scene.molecules) {
    SceneRow row;
    row.visible = molecule.visible;
    if (!molecule.paths.empty()) row.what = QFileInfo(to_qt(molecule.paths.front())).fileName();
    if (molecule.paths.size() > 1) row.what += tr(" and %1 more").arg(molecule.paths.size() - 1);
    const auto loaded = controller_.molecule(rows.size());
    if (!molecule.assembly.empty()) row.detail = assembly_label(molecule.assembly);
    if (molecule.assembly.empty() && loaded && !loaded->assemblies.empty()) row.detail = tr("Asymmetric unit");
    rows.push_back(std::move(row));
  }
  if (rows != model_.rows()) model_.set_rows(std::move(rows));
  if (current() < 0 && model_.rowCount() > 0) list_->setCurrentIndex(model_.index(0, 0));
  show_current();
}

void MoleculePanel::show_cell(const SceneMolecule& entry) {
  for (int axis = 0; axis < 3; ++axis) {
    const QSignalBlocker quiet(images_[static_cast<std::size_t>(axis)]);
    images_[static_cast<std::size_t>(axis)]->setValue(entry.images[axis]);
  }
  cell_->setCurrentIndex(static_cast<int>(entry.cell.mode));
  centred_->set_molecule(controller_.molecule(static_cast<std::size_t>(current())), controller_.scene().frame,
                         names_of(controller_.scene(), static_cast<std::uint32_t>(current())));
  centred_->set_text(entry.cell.selection.empty() ? usual_centre : to_qt(entry.cell.selection));
  show_row(rows_, cell_, periodic_);
  show_row(rows_, centred_, periodic_ && entry.cell.mode == CellTreatment::Mode::centre);
  show_row(rows_, cells_, periodic_);
}

void MoleculePanel::add_symmetry_mates(const std::string& shown) {
  std::vector<std::string> ids{mates_id(5), mates_id(10), mates_id(20)};
  if (is_of_crystal(shown) && shown != unit_cell_id && std::find(ids.begin(), ids.end(), shown) == ids.end())
    ids.push_back(shown);
  for (const std::string& id : ids) {
    assembly_->addItem(assembly_label(id), to_qt(id));
    assembly_->setItemData(assembly_->count() - 1,
                           tr("The asymmetric unit, and in paler colours its symmetry copies within this distance"),
                           Qt::ToolTipRole);
    if (id == shown) assembly_->setCurrentIndex(assembly_->count() - 1);
  }
}

void MoleculePanel::show_side_chains() {
  const int row = current();
  if (row < 0) return side_chains_->hide();
  const SceneMolecule& entry = controller_.scene().molecules[static_cast<std::size_t>(row)];
  const bool built = !entry.templates.empty() && builds_side_chains(entry.templates.front());
  side_chains_->setChecked(built);
  side_chains_->setVisible(entry.assembly.empty() && (built || charges_->missing_side_chains() > 0));
}

void MoleculePanel::show_current() {
  const int row = current();
  remove_->setEnabled(row >= 0);
  superpose_->setEnabled(row >= 0);
  form_->setVisible(row >= 0);
  charge_sets_->show_molecule(row);
  charges_->show_molecule(row);
  show_side_chains();
  if (row < 0) return;
  const SceneMolecule& entry = controller_.scene().molecules[static_cast<std::size_t>(row)];
  // The assemblies are those of the file as it is.
  const auto file = controller_.documents().loaded(SceneMolecule{entry.paths});
  const auto molecule = controller_.molecule(static_cast<std::size_t>(row));
  const auto& described = file ? file->assemblies : molecule ? molecule->assemblies : decltype(file->assemblies){};
  assembly_->clear();
  assembly_->addItem(tr("Asymmetric unit (as in file)"), QString());
  for (const auto& assembly : described) {
    const QString id = to_qt(assembly->id);
    const std::size_t copies = copy_count(*assembly);
    QString size = copies == 1 ? tr("1 copy") : tr("%1 copies").arg(count_label(copies));
    const auto& topology = file ? file->topology : molecule->topology;
    if (file && topology) size += tr(", %1").arg(atom_count_label(atom_count(*assembly, *topology)));
    const QString text = tr("%1 (%2)").arg(assembly_label(assembly->id), size);
    assembly_->addItem(text, id);
    assembly_->setItemData(assembly_->count() - 1, to_qt(assembly->details), Qt::ToolTipRole);
    if (assembly->id == entry.assembly) assembly_->setCurrentIndex(assembly_->count() - 1);
    if (assembly->id == unit_cell_id) add_symmetry_mates(entry.assembly);
  }
  if (molecule != asked_) {
    // Reading a frame takes time in large files.
    asked_ = molecule;
    // Another treatment of the same files has a cell as before: its rows stay while the frame is read.
    if (entry.paths != asked_paths_) periodic_ = false;
    asked_paths_ = entry.paths;
    if (molecule && molecule->frame_count() > 0) {
      run_async(
          this, [molecule] { return molecule->trajectory->frame(0).cell.exists(); },
          [this, molecule](bool exists) {
            if (molecule != asked_) return;
            periodic_ = exists;
            show_current();
          },
          [](const QString&) {});
    }
  }
  show_row(rows_, assembly_, !described.empty());
  show_cell(entry);
  if (!molecule) {
    about_->setText(tr("Reading..."));
    return;
  }
  QStringList lines;
  if (!molecule->title.empty()) lines += to_qt(molecule->title).simplified().left(200);
  QString size = atom_count_label(molecule->atom_count());
  if (molecule->topology) {
    const std::size_t residues = molecule->topology->residues.size(), chains = molecule->topology->chains.size();
    size += residues == 1 ? tr(", 1 residue") : tr(", %1 residues").arg(count_label(residues));
    size += chains == 1 ? tr(", 1 chain") : tr(", %1 chains").arg(count_label(chains));
  }
  if (molecule->frame_count() > 1) size += tr(", %1 frames").arg(count_label(molecule->frame_count()));
  lines += size;
  if (!entry.placement.motion.none()) {
    const double angle = 2 * std::acos(std::min(1.0, std::abs(entry.placement.motion.rotation.w)));
    lines += tr("Moved: rotated by %1\u00b0").arg(angle * 180 / glm::pi<double>(), 0, 'f', 1);
  }
  if (!entry.placement.steady.empty())
    lines +=
        tr("Frames superposed on frame %1 by %2").arg(entry.placement.steady_frame).arg(to_qt(entry.placement.steady));
  if (entry.smoothing > 0 && molecule->frame_count() > 2 && molecule->orbitals.empty())
    lines += tr("Motion smoothed over %1 frames, in the picture only").arg(2 * entry.smoothing + 1);
  for (const std::string& path : entry.paths) {
    lines += to_qt(path);
    if (lines.size() > 6) break;
  }
  about_->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace isolume
