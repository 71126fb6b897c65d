// The list of a molecule's charges.
#include "app/window/panels/charge_list.h"

#include <QHeaderView>
#include <QPaintEvent>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "app/documents/table_charges.h"
#include "app/models/labels.h"
#include "app/scene/built_in_tables.h"
#include "app/window/live/scene_controller.h"
#include "app/window/widgets/async.h"
#include "compute/preparation/side_chains.h"
#include "molecule/residue_kinds.h"

namespace isolume {

/// What the list shows.
struct ChargeTotals {
  double total = 0;
  bool by_tables = false;  ///< the molecule does not have them yet
  std::vector<std::pair<std::string, double>> chains;
  /// A residue that is neither polymer nor water nor an ion.
  struct Ligand {
    std::string place;  ///< "HEM 142 A"
    double charge = 0;
    bool estimated = false;
    std::vector<std::uint32_t> atoms;
  };
  std::vector<Ligand> ligands;
  std::size_t missing_side_chains = 0;  ///< that could be built
  std::vector<ChargeIssue> issues;      ///< atoms by their places in the molecule that is shown
};

namespace {

constexpr std::size_t most_atoms = 200'000;  // that are prepared to be listed alone
constexpr std::size_t most_entries = 300;    // of each kind of remark

void add_totals(const Topology& topology, ChargeTotals& charges) {
  std::map<std::string, std::size_t> places;
  for (const Atom& atom : topology.atoms) {
    const Chain& chain = topology.chains[topology.residues[atom.residue].chain];
    const std::string& name = chain.id.empty() ? chain.segment : chain.id;
    const auto [found, is_new] = places.emplace(name, charges.chains.size());
    if (is_new) charges.chains.emplace_back(name, 0.0);
    charges.chains[found->second].second += static_cast<double>(atom.charge);
    charges.total += static_cast<double>(atom.charge);
  }
}

/// `estimated`: of every residue of the topology. `place`: of its atoms in the molecule that is shown, -1 for none.
void add_ligands(const Topology& topology, const std::vector<std::uint8_t>& estimated,
                 const std::vector<std::int64_t>& place, ChargeTotals& charges) {
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const ResidueKind kind = residue_kind(topology, r);
    if (kind != ResidueKind::other && kind != ResidueKind::sugar && kind != ResidueKind::lipid) continue;
    const Residue& residue = topology.residues[r];
    const std::string& chain = topology.chains[residue.chain].id;
    ChargeTotals::Ligand ligand;
    ligand.place = residue.name + " " + std::to_string(residue.number) + (chain.empty() ? "" : " " + chain);
    ligand.estimated = estimated[r] != 0;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      ligand.charge += static_cast<double>(topology.atoms[i].charge);
      if (place[i] >= 0) ligand.atoms.push_back(static_cast<std::uint32_t>(place[i]));
    }
    charges.ligands.push_back(std::move(ligand));
  }
}

/// `bare` by the tables; `has` says that the molecule that is shown is what they made of it.
ChargeTotals charges_by_tables(const Molecule& bare, const std::string& tables, bool has) {
  PreparedStructure prepared = charged_by_tables(bare, tables);
  ChargeTotals charges;
  charges.by_tables = !has;
  if (!builds_side_chains(tables)) charges.missing_side_chains = incomplete_side_chains(bare, 0).size();
  add_totals(*prepared.molecule.topology, charges);
  charges.issues = std::move(prepared.issues);
  const Topology& topology = *prepared.molecule.topology;
  std::vector<std::uint8_t> guessed(bare.topology->residues.size(), 0), estimated(topology.residues.size(), 0);
  for (const ChargeIssue& issue : charges.issues)
    for (const std::uint32_t atom : issue.atoms)
      if (issue.kind == ChargeIssue::Kind::estimated) guessed[bare.topology->atoms[atom].residue] = 1;
  std::vector<std::int64_t> places(topology.atoms.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t source = prepared.source[i];
    places[i] = has ? static_cast<std::int64_t>(i) : source;
    if (source >= 0 && guessed[bare.topology->atoms[static_cast<std::size_t>(source)].residue] != 0)
      estimated[topology.atoms[i].residue] = 1;
  }
  add_ligands(topology, estimated, places, charges);
  if (!has) return charges;
  std::vector<std::uint32_t> place(bare.atom_count(), UINT32_MAX);
  for (std::uint32_t i = 0; i < prepared.source.size(); ++i) {
    if (prepared.source[i] >= 0) place[static_cast<std::size_t>(prepared.source[i])] = i;
  }
  for (ChargeIssue& issue : charges.issues) {
    for (std::uint32_t& atom : issue.atoms) atom = place[atom];
    std::erase(issue.atoms, UINT32_MAX);
  }
  return charges;
}

QString charge_text(double charge) {
  if (std::abs(charge) < 5e-4) charge = 0;
  return (charge > 0 ? QStringLiteral("+") : QString()) + QString::number(charge, 'f', 3) + QStringLiteral(" e");
}

bool is_odd(double charge) {
  return std::abs(charge - std::round(charge)) > 0.01;
}

}  // namespace

ChargeList::ChargeList(SceneController& controller, QWidget* parent) : QTreeWidget(parent), controller_(controller) {
  setAccessibleName(tr("Charges"));
  setToolTip(tr("Total charges, and residues without charges. Click an entry to select its residue"));
  setColumnCount(2);
  setHeaderHidden(true);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  setMinimumHeight(9 * fontMetrics().height());
  connect(this, &QTreeWidget::itemClicked, this, &ChargeList::ask);
  connect(this, &QTreeWidget::itemActivated, this, &ChargeList::ask);
}

void ChargeList::show_molecule(int row) {
  const auto& molecules = controller_.scene().molecules;
  const auto at = static_cast<std::size_t>(row);
  const bool there = row >= 0 && at < molecules.size();
  const auto molecule = there ? controller_.molecule(at) : nullptr;
  const std::vector<std::string> templates = there ? molecules[at].templates : std::vector<std::string>();
  if (row == row_ && molecule == shown_ && templates == templates_) return;
  row_ = row;
  shown_ = molecule;
  templates_ = templates;
  atoms_.clear();
  missing_side_chains_ = 0;
  clear();
  const bool has = molecule && molecule->topology && molecule->topology->has_charges;
  const bool may = molecule && !has && takes_tables(*molecule) && molecule->atom_count() <= most_atoms;
  pending_ = has || may;
  setVisible(pending_);
}

void ChargeList::paintEvent(QPaintEvent* event) {
  QTreeWidget::paintEvent(event);
  if (std::exchange(pending_, false)) QTimer::singleShot(0, this, &ChargeList::start);
}

void ChargeList::start() {
  if (!shown_ || row_ < 0) return;
  const SceneMolecule entry = controller_.scene().molecules[static_cast<std::size_t>(row_)];
  run_async(
      this,
      [molecule = shown_, entry, documents = &controller_.documents()] {
        ChargeTotals charges;
        if (!molecule->topology->has_charges) {
          charges = charges_by_tables(*molecule, usual_tables, false);
        } else if (!entry.templates.empty() && names_tables(entry.templates.front()) && entry.assembly.empty()) {
          charges = charges_by_tables(*documents->molecule(SceneMolecule{entry.paths}), entry.templates.front(), true);
        } else {
          add_totals(*molecule->topology, charges);
          std::vector<std::int64_t> places(molecule->topology->atoms.size());
          std::iota(places.begin(), places.end(), 0);
          add_ligands(*molecule->topology, std::vector<std::uint8_t>(molecule->topology->residues.size(), 0), places,
                      charges);
        }
        return charges;
      },
      [this, molecule = shown_](const ChargeTotals& charges) {
        if (molecule != shown_) return;
        fill(charges);
        missing_side_chains_ = charges.missing_side_chains;
        Q_EMIT side_chains_found();
      },
      [this, molecule = shown_](const QString& message) {
        if (molecule != shown_) return;
        auto* item = new QTreeWidgetItem(this, {message});
        item->setToolTip(0, message);
      });
}

void ChargeList::fill(const ChargeTotals& charges) {
  clear();
  atoms_.clear();
  const auto total = [](QTreeWidgetItem* item, double charge) {
    if (!is_odd(charge)) return;
    item->setText(0, item->text(0) + tr(" (not near an integer)"));
    item->setForeground(1, QBrush(QColor(0xd0, 0x50, 0x20)));
  };
  auto* whole = new QTreeWidgetItem(
      this, {charges.by_tables ? tr("Total charge it would get (AMBER ff14SB)") : tr("Total charge"),
             charge_text(charges.total)});
  total(whole, charges.total);
  whole->setToolTip(0, whole->text(0));  // it may have no room for all of it
  if (charges.chains.size() > 1) {
    for (const auto& [name, charge] : charges.chains) {
      if (whole->childCount() >= static_cast<int>(most_entries)) break;
      auto* item = new QTreeWidgetItem(
          whole, {name.empty() ? tr("Without a chain") : tr("Chain %1").arg(to_qt(name)), charge_text(charge)});
      total(item, charge);
    }
  }
  QTreeWidgetItem* ligands = nullptr;
  for (const ChargeTotals::Ligand& ligand : charges.ligands) {
    if (!ligands) ligands = new QTreeWidgetItem(this, {tr("Ligands"), count_label(charges.ligands.size())});
    if (ligands->childCount() >= static_cast<int>(most_entries)) break;
    const QString name = to_qt(ligand.place);
    auto* item = new QTreeWidgetItem(
        ligands, {ligand.estimated ? tr("%1 (estimated)").arg(name) : name, charge_text(ligand.charge)});
    total(item, ligand.charge);
    item->setData(0, Qt::UserRole, static_cast<int>(atoms_.size()));
    atoms_.push_back(ligand.atoms);
  }
  const std::pair<ChargeIssue::Kind, QString> kinds[] = {{ChargeIssue::Kind::left_out, tr("Without charges")},
                                                         {ChargeIssue::Kind::incomplete, tr("Incomplete")},
                                                         {ChargeIssue::Kind::estimated, tr("Estimated")},
                                                         {ChargeIssue::Kind::built, tr("Built")},
                                                         {ChargeIssue::Kind::chosen, tr("Other remarks")}};
  for (const auto& [kind, title] : kinds) {
    QTreeWidgetItem* group = nullptr;
    std::size_t count = 0;
    for (const ChargeIssue& issue : charges.issues) {
      if (issue.kind != kind) continue;
      if (!group) group = new QTreeWidgetItem(this, {title});
      if (++count > most_entries) continue;
      const QString text = tr("%1: %2").arg(to_qt(issue.place), to_qt(issue.text));
      auto* item = new QTreeWidgetItem(group, {text});
      item->setToolTip(0, issue.remedy.empty() ? text : text + QLatin1Char('\n') + to_qt(issue.remedy));
      item->setData(0, Qt::UserRole, static_cast<int>(atoms_.size()));
      atoms_.push_back(issue.atoms);
    }
    if (!group) continue;
    group->setText(1, count_label(count));
    group->setExpanded(kind == ChargeIssue::Kind::left_out || kind == ChargeIssue::Kind::estimated ||
                       kind == ChargeIssue::Kind::incomplete);
  }
  whole->setExpanded(charges.chains.size() < 9);
}

void ChargeList::ask(QTreeWidgetItem* item) {
  const QVariant number = item->data(0, Qt::UserRole);
  if (!number.isValid() || !shown_ || !shown_->topology) return;
  const auto at = static_cast<std::size_t>(number.toInt());
  if (at >= atoms_.size() || atoms_[at].empty()) return;
  // The whole residues of the atoms that are named.
  const Topology& topology = *shown_->topology;
  std::vector<std::uint32_t> residues, atoms;
  for (const std::uint32_t atom : atoms_[at]) {
    if (atom < topology.atoms.size()) residues.push_back(topology.atoms[atom].residue);
  }
  std::sort(residues.begin(), residues.end());
  residues.erase(std::unique(residues.begin(), residues.end()), residues.end());
  for (const std::uint32_t r : residues) {
    const Residue& residue = topology.residues[r];
    for (std::uint32_t k = 0; k < residue.atom_count; ++k) atoms.push_back(residue.first_atom + k);
  }
  if (!atoms.empty()) Q_EMIT atoms_asked(row_, atoms);
}

}  // namespace isolume
