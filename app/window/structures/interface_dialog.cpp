// The dialog with the areas that chains and ligands bury against each other.
#include "app/window/structures/interface_dialog.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "app/models/labels.h"
#include "app/window/widgets/panel_form.h"
#include "compute/structure/interface_area.h"
#include "molecule/frames.h"
#include "molecule/selection/index_selection.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

/// Farther than two spheres with the probe between them ever reach, in angstrom.
constexpr float reach = 9;

/// A chain's polymer, or a ligand.
struct Part {
  std::string name;
  std::vector<std::uint32_t> atoms;
  glm::vec3 lower{std::numeric_limits<float>::max()}, upper{std::numeric_limits<float>::lowest()};
};

void add(Part& part, std::uint32_t atom, const Frame& frame) {
  part.atoms.push_back(atom);
  part.lower = glm::min(part.lower, frame.positions[atom]);
  part.upper = glm::max(part.upper, frame.positions[atom]);
}

std::vector<Part> parts_of(const Topology& topology, const Frame& frame) {
  const auto polymer = Selection("protein or nucleic").mask(topology, frame);
  const auto ligand = Selection("ligand").mask(topology, frame);
  std::vector<Part> chains(topology.chains.size()), ligands;
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    const Residue& residue = topology.residue_of(i);
    const std::string& chain = topology.chains[residue.chain].id;
    if (polymer[i]) {
      chains[residue.chain].name = chain.empty() ? "Chain " + std::to_string(residue.chain + 1) : "Chain " + chain;
      add(chains[residue.chain], i, frame);
    } else if (ligand[i]) {
      if (topology.atoms[i].residue != last)
        ligands.emplace_back().name =
            residue.name + " " + chain + (chain.empty() ? "" : ":") + std::to_string(residue.number);
      last = topology.atoms[i].residue;
      add(ligands.back(), i, frame);
    }
  }
  std::erase_if(chains, [](const Part& part) { return part.atoms.empty(); });
  for (Part& part : ligands) chains.push_back(std::move(part));
  return chains;
}

/// Made for a pair at a time: a membrane has thousands of ligands.
std::vector<std::uint8_t> mask_of(const Part& part, std::size_t count) {
  std::vector<std::uint8_t> mask(count, 0);
  for (const std::uint32_t atom : part.atoms) mask[atom] = 1;
  return mask;
}

bool near(const Part& a, const Part& b) {
  for (int d = 0; d < 3; ++d)
    if (a.lower[d] > b.upper[d] + reach || b.lower[d] > a.upper[d] + reach) return false;
  return true;
}

}  // namespace

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
        const std::vector<Part> parts = parts_of(topology, shown);
        found.parts = parts.size();
        for (std::size_t a = 0; a < parts.size(); ++a) {
          const auto first_atoms = mask_of(parts[a], topology.atoms.size());
          for (std::size_t b = a + 1; b < parts.size(); ++b) {
            job.check();
            if (!near(parts[a], parts[b])) continue;
            // Small ones are done before anyone could cancel them; their own progress would only flicker.
            Job quick;
            const bool large = parts[a].atoms.size() + parts[b].atoms.size() > 20000;
            const auto interface = interface_area(topology, shown, first_atoms,
                                                  mask_of(parts[b], topology.atoms.size()), {}, large ? job : quick);
            const double area = interface.area();
            if (area < 0.5) continue;
            const QString first = to_qt(index_selection(parts[a].atoms)),
                          second = to_qt(index_selection(parts[b].atoms));
            found.rows.push_back(
                {parts[a].name, parts[b].name, area,
                 QStringLiteral("same residue as ((%1 and within 5 of (%2)) or (%2 and within 5 of (%1)))")
                     .arg(first, second)});
          }
          job.progress(static_cast<double>(a + 1) / static_cast<double>(parts.size()), "Computing the interfaces");
        }
        std::stable_sort(found.rows.begin(), found.rows.end(),
                         [](const Found::Row& x, const Found::Row& y) { return x.area > y.area; });
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
  work_->say(found.rows.empty() ? tr("No two of the %1 chains and ligands touch").arg(found.parts)
                                : tr("%1 chains and ligands, %2 interfaces").arg(found.parts).arg(found.rows.size()));
}

}  // namespace isolume
