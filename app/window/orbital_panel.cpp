// The panel of a molecule's orbitals.
#include "app/window/orbital_panel.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/colour_button.h"
#include "app/window/field_panel.h"
#include "app/window/panel_form.h"

namespace isolume {

OrbitalPanel::OrbitalPanel(SceneController& controller, QWidget* parent) : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Orbitals"));
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(OrbitalModel::sort_role);
  build();
  connect(homo_, &QPushButton::clicked, this, [this] { show_orbital("homo", Spin::alpha, tr("Show HOMO")); });
  connect(lumo_, &QPushButton::clicked, this, [this] { show_orbital("lumo", Spin::alpha, tr("Show LUMO")); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) { show_row(index); });
  connect(table_, &QTableView::clicked, this, &OrbitalPanel::show_row);
  connect(isovalue_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change isovalue"), [value](Field& f) { f.isovalue = value; }, true);
  });
  connect(colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Field& f) { f.colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(negative_colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Field& f) { f.negative_colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(opacity_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change opacity"), [percent](Field& f) { f.opacity = static_cast<float>(percent / 100); }, true);
  });
  connect(&controller_, &SceneController::scene_changed, this, &OrbitalPanel::show_scene);
  show_scene(controller_.scene());
}

void OrbitalPanel::build() {
  homo_ = new QPushButton(tr("&HOMO"), this);
  homo_->setAccessibleName(tr("HOMO"));
  homo_->setToolTip(tr("Show the highest occupied molecular orbital"));
  lumo_ = new QPushButton(tr("&LUMO"), this);
  lumo_->setAccessibleName(tr("LUMO"));
  lumo_->setToolTip(tr("Show the lowest unoccupied molecular orbital"));
  about_ = new QLabel(this);
  about_->setAccessibleName(tr("About the orbitals"));
  about_->setWordWrap(true);
  about_->setTextFormat(Qt::PlainText);
  about_->setForegroundRole(QPalette::PlaceholderText);
  auto* top = new QHBoxLayout;
  top->setSpacing(6);
  top->addWidget(homo_);
  top->addWidget(lumo_);
  top->addWidget(about_, 1);

  table_ = new QTableView(this);
  table_->setModel(&sorted_);
  table_->setAccessibleName(tr("Orbitals of the molecule"));
  table_->setToolTip(tr("A click or the arrow keys show an orbital; a click on a title sorts"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAlternatingRowColors(true);
  table_->setShowGrid(false);
  table_->setSortingEnabled(true);
  table_->sortByColumn(OrbitalModel::ev_column, Qt::DescendingOrder);
  table_->setTabKeyNavigation(false);
  table_->setCornerButtonEnabled(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 7);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setAccessibleName(tr("Orbitals, titles"));
  table_->verticalHeader()->setAccessibleName(tr("Orbitals, rows"));
  const int width = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  const int widths[] = {5, 10, 6, 9, 10, 5, 6};
  for (int i = 0; i < OrbitalModel::column_count; ++i) table_->setColumnWidth(i, widths[i] * width);

  form_ = new QWidget(this);
  form_->setAccessibleName(tr("The shown orbital"));
  auto* rows = make_form(form_);
  isovalue_ = new ValueSlider(tr("Isovalue"), tr("The surfaces lie where the orbital has this value, in bohr^-3/2"));
  isovalue_->set_range(0.002, 0.5, ValueSlider::Scale::logarithmic, 4);
  colour_ = new ColourButton(tr("Colour of the positive phase"));
  negative_colour_ = new ColourButton(tr("Colour of the negative phase"));
  auto* pair = new QWidget;
  pair->setAccessibleName(tr("Colours of the phases"));
  pair->setFocusProxy(colour_);
  auto* pair_layout = new QHBoxLayout(pair);
  pair_layout->setContentsMargins(0, 0, 0, 0);
  pair_layout->setSpacing(8);
  pair_layout->addWidget(colour_);
  pair_layout->addWidget(negative_colour_);
  pair_layout->addStretch(1);
  opacity_ = make_percent(tr("Opacity"), tr("100 % is solid, 0 % invisible"));
  add_row(rows, tr("&Isovalue"), isovalue_);
  add_row(rows, tr("&Phases"), pair);
  add_row(rows, tr("Opacit&y"), opacity_);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(table_, 1);
  layout->addWidget(form_);
}

int OrbitalPanel::field() const {
  const auto& fields = controller_.scene().fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind == Field::Kind::orbital && static_cast<int>(fields[i].molecule) == molecule_) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

void OrbitalPanel::edit(const QString& what, const std::function<void(Field&)>& change, bool merge) {
  const int index = field();
  if (index < 0) return;
  controller_.edit(
      what, [&](Scene& scene) { change(scene.fields[static_cast<std::size_t>(index)]); }, merge);
}

void OrbitalPanel::show_orbital(const std::string& name, Spin spin, const QString& what) {
  if (molecule_ < 0) return;
  const int index = field();
  controller_.edit(what, [&](Scene& scene) {
    if (index < 0) {
      Field next;
      next.kind = Field::Kind::orbital;
      next.molecule = static_cast<std::uint32_t>(molecule_);
      scene.fields.push_back(next);
    }
    Field& shown = index < 0 ? scene.fields.back() : scene.fields[static_cast<std::size_t>(index)];
    shown.orbital = name;
    shown.spin = spin;
    shown.visible = true;
  });
}

void OrbitalPanel::show_row(const QModelIndex& index) {
  if (!index.isValid() || following_) return;
  const int row = sorted_.mapToSource(index).row();
  const Spin spin = model_.orbitals()->orbitals[static_cast<std::size_t>(row)].spin;
  const int shown = field();
  if (shown >= 0) {  // "homo" stays "homo" where it is that row
    const Field& f = controller_.scene().fields[static_cast<std::size_t>(shown)];
    if (f.visible && f.spin == spin && model_.row_of(f.orbital, f.spin) == row) return;
  }
  show_orbital(model_.name_of(row), spin, tr("Show orbital %1").arg(to_qt(model_.name_of(row))));
}

void OrbitalPanel::show_scene(const Scene& scene) {
  molecule_ = molecule_for(controller_, Field::Kind::orbital);
  const auto molecule = molecule_ < 0 ? nullptr : controller_.molecule(static_cast<std::size_t>(molecule_));
  std::shared_ptr<const Orbitals> orbitals;
  if (molecule && !molecule->orbitals.empty()) {
    orbitals = molecule->orbitals_at(std::min(scene.frame, molecule->orbitals.size() - 1));
  }
  following_ = true;
  if (orbitals != model_.orbitals()) {
    model_.set_orbitals(orbitals);
    table_->setColumnHidden(OrbitalModel::spin_column, !orbitals || !orbitals->unrestricted);
    // Labels that are all the same ("A" of a molecule without symmetry) say nothing.
    bool symmetry = false;
    for (std::size_t i = 1; orbitals && i < orbitals->count(); ++i) {
      symmetry |= orbitals->orbitals[i].symmetry != orbitals->orbitals[0].symmetry;
    }
    table_->setColumnHidden(OrbitalModel::symmetry_column, !symmetry);
    about_->setText(!orbitals ? tr("No orbitals here: open a Molden file.")
                              : tr("%1 orbitals, %2 functions")
                                    .arg(orbitals->count())
                                    .arg(orbitals->basis ? orbitals->basis->function_count() : 0));
  }
  homo_->setEnabled(orbitals && orbitals->homo());
  lumo_->setEnabled(orbitals && orbitals->lumo());
  const int index = field();
  form_->setEnabled(index >= 0);
  if (index >= 0) {
    const Field& f = scene.fields[static_cast<std::size_t>(index)];
    isovalue_->set_value(effective_isovalue(f));
    colour_->set_colour(f.colour);
    negative_colour_->set_colour(f.negative_colour);
    opacity_->set_value(100 * double(f.opacity));
    const int row = model_.row_of(f.orbital, f.spin);
    const QModelIndex wanted = row < 0 ? QModelIndex() : sorted_.mapFromSource(model_.index(row, 0));
    if (table_->currentIndex().row() != wanted.row()) {
      table_->setCurrentIndex(wanted);
      table_->scrollTo(wanted, QAbstractItemView::PositionAtCenter);
    }
  } else {
    table_->clearSelection();
  }
  following_ = false;
}

}  // namespace isolume
