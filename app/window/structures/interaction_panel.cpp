// The panel of interactions: hydrogen bonds, salt bridges, stacking, clashes, contacts of the frame that is shown.
#include "app/window/structures/interaction_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "app/view/interaction_lines.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "molecule/selection/index_selection.h"

namespace isolume {
namespace {

constexpr std::size_t most_rows = 5000;

bool InteractionSet::*const flags[] = {&InteractionSet::hydrogen_bonds, &InteractionSet::salt_bridges,
                                       &InteractionSet::stacking,       &InteractionSet::cation_pi,
                                       &InteractionSet::clashes,        &InteractionSet::contacts};
constexpr InteractionKind colours[] = {InteractionKind::hydrogen_bond, InteractionKind::salt_bridge,
                                       InteractionKind::stacking,      InteractionKind::cation_pi,
                                       InteractionKind::clash,         InteractionKind::contact};

QIcon swatch(InteractionKind kind) {
  QPixmap picture(24, 24);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  const glm::u8vec4 c = colour_of(kind);
  painter.setPen(QPen(QColor(c.r, c.g, c.b), 5, Qt::SolidLine, Qt::FlatCap));
  for (const int x : {1, 10, 19}) painter.drawLine(x, 12, x + 5, 12);
  return picture;
}

QString title_of(const Scene& scene, std::size_t index) {
  const InteractionSet& set = scene.interactions[index];
  QString text = QStringLiteral("%1: %2").arg(index + 1).arg(to_qt(set.selection).left(40));
  if (!set.other.empty()) text += QStringLiteral(" \u2013 %1").arg(to_qt(set.other).left(40));
  return text;
}

/// "1 clash", "2 hydrogen bonds", "3 stacking".
QString count_text(InteractionKind kind, std::size_t count) {
  using enum InteractionKind;
  const bool counted = kind == hydrogen_bond || kind == salt_bridge || kind == clash || kind == contact;
  const QLatin1String ending(count == 1 || !counted ? "" : kind == clash ? "es" : "s");
  return QStringLiteral("%1 %2%3").arg(count).arg(to_qt(name(kind)), ending);
}

}  // namespace

InteractionPanel::InteractionPanel(SceneController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Interactions"));
  add_ = new QAction(tr("&Interactions"), this);
  add_->setObjectName(QStringLiteral("add_interactions"));
  add_->setToolTip(
      tr("Show hydrogen bonds, salt bridges, stacking and clashes of the selected atoms, else of the "
         "ligands, else of all atoms"));
  add_->setProperty("words", tr("add show hydrogen bonds salt bridges stacking pi clashes contacts interface"));
  remove_ = new QAction(tr("Remove interactions"), this);
  remove_->setObjectName(QStringLiteral("remove_interactions"));
  remove_->setToolTip(tr("Remove the interactions shown in this panel"));

  auto* side = new QWidget(this);
  side->setAccessibleName(tr("Which interactions"));
  build_form(side);
  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Interactions in the current frame"));
  list_->setToolTip(tr("Click a row to select its atoms and centre on them"));
  list_->setHeaderLabels({tr("Interaction"), tr("First"), tr("Second"), tr("Distance (\u00c5)"), tr("Angle (\u00b0)")});
  list_->header()->setAccessibleName(tr("Column headers"));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setStretchLastSection(false);
  for (const int column : {0, 1, 2, 3, 4})
    list_->header()->setSectionResizeMode(column, column == 2 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  empty_ = make_hint({}, list_);
  note_ = new QLabel(this);
  note_->setAccessibleName(tr("Number of interactions"));
  note_->setWordWrap(true);
  auto* copy = new QAction(tr("Copy interactions"), this);
  copy->setToolTip(tr("Copy the list as a table"));
  connect(copy, &QAction::triggered, this, &InteractionPanel::copy);
  copy_ = make_text_button(copy, tr("Copy"), this);
  auto* foot = new QHBoxLayout;
  foot->addWidget(note_, 1);
  foot->addWidget(copy_);
  auto* right = new QVBoxLayout;
  right->addWidget(list_, 1);
  right->addLayout(foot);
  auto* head = new QHBoxLayout;
  head->addWidget(sets_, 1);
  head->addWidget(make_text_button(add_, tr("Add"), this));
  head->addWidget(make_text_button(remove_, tr("Remove"), this));
  auto* left = new QVBoxLayout;
  left->addLayout(head);
  left->addWidget(side);
  left->addStretch(1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->addLayout(left, 2);
  layout->addLayout(right, 3);

  connect(add_, &QAction::triggered, this, &InteractionPanel::add);
  connect(remove_, &QAction::triggered, this, [this] {
    const int row = current();
    if (row < 0) return;
    controller_.edit(tr("Remove interactions"),
                     [&](Scene& scene) { scene.interactions.erase(scene.interactions.begin() + row); });
  });
  connect(list_, &QTreeWidget::itemClicked, this,
          [this](QTreeWidgetItem* item) { choose_row(list_->indexOfTopLevelItem(item)); });
  connect(list_, &QTreeWidget::itemActivated, this,
          [this](QTreeWidgetItem* item) { choose_row(list_->indexOfTopLevelItem(item)); });
  controller_.listen(this,
                     SceneParts::molecules | SceneParts::measurements | SceneParts::selections | SceneParts::frame,
                     &InteractionPanel::show_scene);
  show_scene(controller_.scene());
}

void InteractionPanel::build_form(QWidget* owner) {
  form_ = make_form(owner);
  sets_ = make_box(tr("Set of interactions"), tr("Which interactions of the scene the list shows"), {});
  sets_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  sets_->setMinimumContentsLength(12);
  molecule_ = make_box(tr("Molecule"), tr("Molecule to search for interactions"), {});
  atoms_ = new SelectionEdit(owner);
  atoms_->line()->setAccessibleName(tr("Atoms of the first partner"));
  two_ = new QCheckBox(tr("With others"), owner);
  two_->setAccessibleName(tr("Between two sets of atoms"));
  two_->setToolTip(tr("Only interactions with a second set of atoms. When off, interactions within the first set"));
  others_ = new SelectionEdit(owner);
  others_->line()->setAccessibleName(tr("Atoms of the second partner"));
  visible_ = new QCheckBox(tr("Show in the picture"), owner);
  visible_->setAccessibleName(visible_->text());
  visible_->setToolTip(tr("Draw the interactions as dashed lines"));
  add_row(form_, tr("Molecule"), molecule_);
  add_row(form_, tr("Atoms"), atoms_, true);
  auto* boxes = new QWidget(owner);
  boxes->setAccessibleName(tr("Partners and picture"));
  auto* line = new QHBoxLayout(boxes);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(two_);
  line->addWidget(visible_);
  line->addStretch(1);
  add_row(form_, {}, boxes);
  add_row(form_, tr("Others"), others_, true);
  const QString names[] = {tr("Hydrogen bonds"), tr("Salt bridges"), tr("Stacking"),
                           tr("Cation-pi"),      tr("Clashes"),      tr("Contacts")};
  auto* grid = new QGridLayout;
  grid->setVerticalSpacing(2);
  for (int i = 0; i < 6; ++i) {
    auto* box = new QCheckBox(names[i], owner);
    box->setIcon(swatch(colours[i]));
    box->setAccessibleName(names[i]);
    box->setToolTip(tr("Find and draw: %1").arg(names[i].toLower()));
    grid->addWidget(box, i / 2, i % 2);
    connect(box, &QCheckBox::clicked, this, [this, i](bool on) {
      change(tr("Change interactions"), [&](InteractionSet& set) { set.*flags[i] = on; });
    });
    kinds_ += box;
  }
  form_->addLayout(grid, form_->count(), 0, 1, 2);
  connect(sets_, &QComboBox::currentIndexChanged, this, [this] { show_scene(controller_.scene()); });
  connect(molecule_, &QComboBox::activated, this, [this](int row) {
    change(tr("Change interactions"), [&](InteractionSet& set) { set.molecule = static_cast<std::uint32_t>(row); });
  });
  connect(atoms_, &SelectionEdit::entered, this, [this](const QString& text) {
    change(tr("Change interactions"), [&](InteractionSet& set) { set.selection = text.toStdString(); });
  });
  connect(others_, &SelectionEdit::entered, this, [this](const QString& text) {
    change(tr("Change interactions"), [&](InteractionSet& set) { set.other = text.toStdString(); });
  });
  connect(two_, &QCheckBox::clicked, this, [this](bool on) {
    change(tr("Change interactions"),
           [&](InteractionSet& set) { set.other = on ? "not (" + set.selection + ")" : std::string(); });
  });
  connect(visible_, &QCheckBox::clicked, this, [this](bool on) {
    change(on ? tr("Show interactions") : tr("Hide interactions"), [&](InteractionSet& set) { set.visible = on; });
  });
}

void InteractionPanel::add() {
  const auto& picked = controller_.picked();
  const std::uint32_t number = picked.empty() ? 0 : picked.front().molecule;
  const auto molecule = controller_.molecule(number);
  if (!molecule) return;
  std::vector<std::uint32_t> atoms;
  for (const PickedAtom& atom : picked)
    if (atom.molecule == number) atoms.push_back(atom.atom);
  const std::string selected = atoms.empty() ? std::string() : "(" + index_selection(std::move(atoms)) + ")";
  InteractionSet set = usual_interactions(*molecule, selected);
  set.molecule = number;
  controller_.edit(tr("Add interactions"), [&](Scene& scene) { scene.interactions.push_back(set); });
  sets_->setCurrentIndex(sets_->count() - 1);
  Q_EMIT added();
}

int InteractionPanel::current() const {
  const int row = sets_->currentIndex();
  return row < static_cast<int>(controller_.scene().interactions.size()) ? row : -1;
}

void InteractionPanel::change(const QString& what, const std::function<void(InteractionSet&)>& change) {
  const int row = current();
  if (row < 0) return;
  controller_.edit(what, [&](Scene& scene) { change(scene.interactions[static_cast<std::size_t>(row)]); });
}

void InteractionPanel::show_scene(const Scene& scene) {
  {
    const QSignalBlocker quiet(sets_);
    const int row = sets_->currentIndex(), count = static_cast<int>(scene.interactions.size());
    while (sets_->count() > count) sets_->removeItem(sets_->count() - 1);
    for (int i = 0; i < count; ++i) {
      const QString text = title_of(scene, static_cast<std::size_t>(i));
      if (i >= sets_->count()) {
        sets_->addItem(text);
      } else if (sets_->itemText(i) != text) {
        sets_->setItemText(i, text);
      }
    }
    if (count > 0 && (row < 0 || row >= count)) sets_->setCurrentIndex(count - 1);
  }
  add_->setEnabled(!scene.molecules.empty());
  const int row = current();
  remove_->setEnabled(row >= 0);
  sets_->setEnabled(row >= 0);
  for (QWidget* field : {static_cast<QWidget*>(atoms_), static_cast<QWidget*>(two_), static_cast<QWidget*>(visible_)})
    field->setEnabled(row >= 0);
  for (QCheckBox* box : kinds_) box->setEnabled(row >= 0);
  show_molecules(molecule_, scene);
  show_row(form_, molecule_, scene.molecules.size() > 1 && row >= 0);
  show_row(form_, others_, row >= 0 && !scene.interactions[static_cast<std::size_t>(row)].other.empty());
  if (row >= 0) {
    const InteractionSet& set = scene.interactions[static_cast<std::size_t>(row)];
    const auto molecule = controller_.molecule(set.molecule);
    molecule_->setCurrentIndex(static_cast<int>(set.molecule));
    const SelectionNames names = names_of(scene, set.molecule);
    atoms_->set_molecule(molecule, scene.frame, names);
    others_->set_molecule(molecule, scene.frame, names);
    atoms_->set_text(to_qt(set.selection));
    others_->set_text(to_qt(set.other));
    two_->setChecked(!set.other.empty());
    visible_->setChecked(set.visible);
    for (int i = 0; i < 6; ++i) kinds_[i]->setChecked(set.*flags[i]);
  }
  find();
}

/// With room for both partners, whose rows come and go.
QSize InteractionPanel::sizeHint() const {
  const QSize hint = QWidget::sizeHint();
  return {hint.width(), std::max(hint.height(), 18 * fontMetrics().height())};
}

void InteractionPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  find();
}

void InteractionPanel::show_picture(std::shared_ptr<const BuiltView> built) {
  built_ = std::move(built);
  find();
}

void InteractionPanel::find() {
  if (!isVisible()) return;
  const int row = current();
  const Scene& scene = controller_.scene();
  if (row < 0 || !built_ || built_->scene.molecules != scene.molecules) {
    gone_ = busy_;  // what is still looked for
    found_.clear();
    show_found();
    return;
  }
  if (busy_) {
    again_ = true;
    return;
  }
  const InteractionSet set = with_names(scene).interactions[static_cast<std::size_t>(row)];
  const auto molecule = controller_.molecule(set.molecule);
  const auto frame = set.molecule < built_->frames.size() ? built_->frames[set.molecule] : nullptr;
  if (!molecule || !molecule->topology || !frame) {
    found_.clear();
    return show_found();
  }
  busy_ = true;
  gone_ = false;
  const auto done = [this] {
    busy_ = false;
    if (std::exchange(again_, false)) find();
  };
  run_async(
      this,
      [set, molecule, frame] {
        Job job;
        return InteractionFinder().find(set, molecule, *frame, job);
      },
      [this, done, molecule, number = set.molecule](std::vector<Interaction> found) {
        if (!gone_) {
          found_ = std::move(found);
          found_in_ = molecule;
          found_of_ = number;
          show_found();
        }
        done();
      },
      [this, done](const QString&) {  // the picture has said it
        found_.clear();
        show_found();
        done();
      });
}

void InteractionPanel::show_found() {
  list_->clear();
  std::array<std::size_t, interaction_kinds> counts{};
  QList<QTreeWidgetItem*> rows;
  for (const Interaction& interaction : found_) {
    ++counts[static_cast<std::size_t>(interaction.kind)];
    if (static_cast<std::size_t>(rows.size()) >= most_rows) continue;
    const Topology& topology = *found_in_->topology;
    QString kind = to_qt(name(interaction.kind));
    kind[0] = kind[0].toUpper();
    auto* item = new QTreeWidgetItem({kind, to_qt(partner_text(topology, interaction.kind, interaction.first)),
                                      to_qt(partner_text(topology, interaction.kind, interaction.second)),
                                      QString::number(static_cast<double>(interaction.distance), 'f', 2),
                                      std::isfinite(interaction.angle)
                                          ? QString::number(static_cast<double>(interaction.angle), 'f', 0)
                                          : QString()});
    item->setIcon(0, swatch(interaction.kind));
    for (const int column : {3, 4}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    rows += item;
  }
  list_->addTopLevelItems(rows);
  QStringList texts;
  for (int k = 0; k < interaction_kinds; ++k)
    if (const std::size_t n = counts[static_cast<std::size_t>(k)]; n > 0)
      texts += count_text(static_cast<InteractionKind>(k), n);
  if (found_.size() > most_rows) texts += tr("the first %1 are listed").arg(most_rows);
  note_->setText(texts.join(QStringLiteral(", ")));
  copy_->setEnabled(!found_.empty());
  empty_->setVisible(found_.empty());
  empty_->setText(current() < 0 ? tr("No interactions. Press Add: of the selected atoms, else of the ligands")
                                : tr("None in this frame"));
}

void InteractionPanel::choose_row(int row) {
  if (row < 0 || static_cast<std::size_t>(row) >= found_.size()) return;
  const Interaction& interaction = found_[static_cast<std::size_t>(row)];
  std::vector<PickedAtom> picked;
  for (const auto* atoms : {&interaction.first, &interaction.second})
    for (const std::uint32_t atom : *atoms) picked.push_back({found_of_, atom});
  controller_.set_picked(std::move(picked));
  Q_EMIT centre_asked();
}

void InteractionPanel::copy() const {
  QString text;
  for (int column = 0; column < list_->columnCount(); ++column)
    text += (column ? QStringLiteral("\t") : QString()) + list_->headerItem()->text(column);
  for (int row = 0; row < list_->topLevelItemCount(); ++row) {
    text += QLatin1Char('\n');
    for (int column = 0; column < list_->columnCount(); ++column)
      text += (column ? QStringLiteral("\t") : QString()) + list_->topLevelItem(row)->text(column);
  }
  QApplication::clipboard()->setText(text + QLatin1Char('\n'));
}

}  // namespace isolume
