// The dialog with the areas that chains and ligands bury against each other.
#include "app/window/structures/interface_dialog.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/widgets/panel_form.h"
#include "compute/structure/interfaces.h"
#include "molecule/frames.h"
#include "molecule/selection/index_selection.h"

namespace isolume {
struct InterfaceDialog::Found {
  struct Row {
    std::string first, second;
    double area = 0;
    QString words;
  };
  std::uint32_t number = 0;
  SceneMolecule entry;
  std::size_t parts = 0;
  std::vector<Row> rows;
};

InterfaceDialog::InterfaceDialog(SceneController& controller, QWidget* parent)
    : QDialog(parent), controller_(controller) {
  setWindowTitle(tr("Interface areas"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(460, 380);
  auto* layout = new QVBoxLayout(this);
  auto* top = new QWidget;
  top->setAccessibleName(tr("Molecule of the interfaces"));
  QGridLayout* form = make_form(top);
  form->setContentsMargins(0, 0, 0, 0);
  molecule_ = make_box(tr("Molecule"), tr("The molecule whose chains and ligands are compared"), {});
  add_row(form, tr("&Molecule"), molecule_);
  layout->addWidget(top);
  work_ = new DialogWork({tr("Com&pute"), tr("Compute the areas in the frame that is shown"), tr("Stop"),
                          tr("Cancelled"), tr("Close this dialog")},
                         this);
  work_->add_progress(layout);
  list_ = new QTreeWidget;
  list_->setAccessibleName(tr("Interfaces"));
  list_->setToolTip(
      tr("Half of the solvent-accessible area that both lose, probe 1.4 \u00c5. A click selects the residues within 5 "
         "\u00c5 of the other side"));
  list_->setHeaderLabels({tr("Between"), tr("and"), tr("Area (\u00c5\u00b2)")});
  list_->setRootIsDecorated(false);
  list_->header()->setSectionResizeMode(QHeaderView::Stretch);
  layout->addWidget(list_, 1);
  work_->add_buttons(layout);
  show_scene(controller_.scene());
  for (int m = 0; m < molecule_->count(); ++m) {
    const auto loaded = controller_.molecule(static_cast<std::size_t>(m));
    if (!loaded || loaded->atom_count() == 0) continue;
    molecule_->setCurrentIndex(m);
    break;
  }
  show_scene(controller_.scene());
  connect(work_->go(), &QPushButton::clicked, this, &InterfaceDialog::start);
  connect(work_, &DialogWork::changed, this, [this] { show_scene(controller_.scene()); });
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] {
    const auto chosen = list_->selectedItems();
    const int row = chosen.isEmpty() ? -1 : list_->indexOfTopLevelItem(chosen.front());
    const auto& molecules = controller_.scene().molecules;
    const bool same = number_ < molecules.size() && molecules[number_].paths == entry_.paths &&
                      molecules[number_].assembly == entry_.assembly;
    if (same && row >= 0 && static_cast<std::size_t>(row) < words_.size())
      Q_EMIT selection_asked(number_, words_[static_cast<std::size_t>(row)]);
  });
  controller_.listen(this, SceneParts::molecules, &InterfaceDialog::show_scene);
}

void InterfaceDialog::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(molecule_);
    show_molecules(molecule_, scene);
  }
  work_->go()->setEnabled(!work_->running() && molecule_->currentIndex() >= 0);
}

void InterfaceDialog::start() {
  const int index = molecule_->currentIndex();
  const Scene& scene = controller_.scene();
  if (work_->running() || index < 0 || static_cast<std::size_t>(index) >= scene.molecules.size()) return;
  Found asked;
  asked.number = static_cast<std::uint32_t>(index);
  asked.entry = scene.molecules[static_cast<std::size_t>(index)];
  work_->start(
      tr("Computing the interfaces"),
      [found = asked, frame = scene.frame, documents = &controller_.documents()](Job& job) mutable {
        const auto molecule = documents->molecule(found.entry);
        if (!molecule->topology || molecule->atom_count() == 0) throw Error("the molecule has no atoms");
        const Topology& topology = *molecule->topology;
        const Frame shown = frame_at(*molecule, frame);
        const std::vector<StructurePart> parts = structure_parts(topology, shown);
        found.parts = parts.size();
        for (const Interface& between : interfaces(topology, shown, parts, job)) {
          const StructurePart &first = parts[between.first], &second = parts[between.second];
          found.rows.push_back(
              {first.name, second.name, between.area,
               QStringLiteral("same residue as ((%1 and within 5 of (%2)) or (%2 and within 5 of (%1)))")
                   .arg(to_qt(index_selection(first.atoms)), to_qt(index_selection(second.atoms)))});
        }
        return found;
      },
      [this](const Found& found) { take(found); });
}

void InterfaceDialog::take(const Found& found) {
  const QSignalBlocker quiet(list_);
  list_->clear();
  words_.clear();
  number_ = found.number;
  entry_ = found.entry;
  for (const Found::Row& row : found.rows) {
    auto* item = new QTreeWidgetItem({to_qt(row.first), to_qt(row.second), QString::number(row.area, 'f', 0)});
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    list_->addTopLevelItem(item);
    words_.push_back(row.words);
  }
  work_->say(found.parts < 2      ? tr("The molecule is one chain or ligand, which has no interfaces")
             : found.rows.empty() ? tr("No two of the %1 chains and ligands touch").arg(found.parts)
                                  : tr("%1 chains and ligands, %2 interfaces").arg(found.parts).arg(found.rows.size()));
}

}  // namespace isolume
