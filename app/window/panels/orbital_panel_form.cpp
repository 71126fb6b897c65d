// The panel of a molecule's orbitals: its widgets, and how they are laid out.
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/panels/orbital_panel.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/level_diagram.h"
#include "app/window/widgets/orbital_energies.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {

QWidget* OrbitalPanel::build_top() {
  auto* top = new QWidget(this);
  top->setAccessibleName(tr("Orbital to show"));
  homo_ = new QPushButton(tr("H&OMO"), top);
  homo_->setAccessibleName(tr("HOMO"));
  homo_->setToolTip(tr("Show the highest occupied molecular orbital (H)"));
  lumo_ = new QPushButton(tr("&LUMO"), top);
  lumo_->setAccessibleName(tr("LUMO"));
  lumo_->setToolTip(tr("Show the lowest unoccupied molecular orbital (L)"));
  search_ = new QLineEdit(top);
  search_->setAccessibleName(tr("Search orbitals"));
  search_->setToolTip(tr("Filter orbitals by number, role, symmetry or energy"));
  search_->setPlaceholderText(tr("Search"));
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(homo_);
  row->addWidget(lumo_);
  row->addWidget(search_, 1);
  return top;
}

QWidget* OrbitalPanel::build_views() {
  table_ = new QTableView(this);
  table_->setModel(&sorted_);
  table_->setAccessibleName(tr("Orbitals of the molecule"));
  table_->setToolTip(tr("Click, or use the arrow keys, to show an orbital; click a column header to sort"));
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
  // The form below may grow and take the chosen row's place.
  connect(table_->verticalScrollBar(), &QScrollBar::rangeChanged, table_,
          [this] { table_->scrollTo(table_->currentIndex()); });
  table_->horizontalHeader()->setAccessibleName(tr("Orbitals, column headers"));
  table_->verticalHeader()->setAccessibleName(tr("Orbitals, rows"));
  const int width = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  const int widths[] = {5, 9, 5, 8, 9, 5, 6};
  for (int i = 0; i < OrbitalModel::column_count; ++i) table_->setColumnWidth(i, widths[i] * width);
  // What tells rows apart comes first, the energy in a second unit last.
  table_->horizontalHeader()->moveSection(OrbitalModel::spin_column, OrbitalModel::symmetry_column);
  table_->horizontalHeader()->moveSection(table_->horizontalHeader()->visualIndex(OrbitalModel::hartree_column),
                                          OrbitalModel::column_count - 1);
  for (const int i : {OrbitalModel::spin_column, OrbitalModel::symmetry_column}) table_->setColumnHidden(i, true);
  levels_ = new LevelDiagram(this);
  energies_ = new OrbitalEnergies(this);
  tabs_ = new QTabWidget(this);
  tabs_->setAccessibleName(tr("Views of the orbitals"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(table_, tr("Table"));
  tabs_->addTab(levels_, tr("Levels"));
  tabs_->addTab(energies_, tr("Frames"));
  tabs_->setTabToolTip(0, tr("The orbitals of this frame as a table"));
  tabs_->setTabToolTip(1, tr("The orbitals of this frame as energy levels"));
  tabs_->setTabToolTip(2, tr("Energies of followed orbitals over the frames"));
  return tabs_;
}

void OrbitalPanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("The shown orbital"));
  auto* rows = make_form(form_);
  shown_ = make_box(tr("Shown orbitals"), tr("Shown orbitals; the selected one is edited below"), {});
  add_ = new QToolButton;
  add_->setText(QStringLiteral("+"));
  add_->setAccessibleName(tr("Show another orbital"));
  add_->setToolTip(tr("Show another orbital in other colours"));
  remove_ = new QToolButton;
  remove_->setText(QString(QChar(0x2212)));
  remove_->setAccessibleName(tr("Hide this orbital"));
  remove_->setToolTip(tr("Hide this orbital"));
  for (QToolButton* button : {add_, remove_}) {
    button->setFocusPolicy(Qt::StrongFocus);
    button->setFixedWidth(button->sizeHint().height());
  }
  auto* which = new QWidget;
  which->setAccessibleName(tr("Shown orbitals and their number"));
  which->setFocusProxy(shown_);
  auto* which_row = new QHBoxLayout(which);
  which_row->setContentsMargins(0, 0, 0, 0);
  which_row->setSpacing(4);
  which_row->addWidget(shown_, 1);
  which_row->addWidget(add_);
  which_row->addWidget(remove_);

  follow_ = new QCheckBox(tr("Follo&w"));
  follow_->setAccessibleName(tr("Follow"));
  follow_->setToolTip(
      tr("Follow this orbital through the frames by overlap, keeping its phase. When off, its name or number is used "
         "in every frame"));
  match_ = new QLabel;
  match_->setAccessibleName(tr("Quality of the match"));
  match_->setToolTip(tr("Smallest overlap between successive frames since following began"));
  match_->setTextFormat(Qt::PlainText);
  auto* following = new QWidget;
  following->setAccessibleName(tr("Following"));
  following->setFocusProxy(follow_);
  auto* following_row = new QHBoxLayout(following);
  following_row->setContentsMargins(0, 0, 0, 0);
  following_row->setSpacing(8);
  following_row->addWidget(follow_);
  following_row->addWidget(match_, 1);

  isovalue_ =
      new ValueSlider(tr("Isovalue"), tr("Value of the orbital on its surfaces, in bohr\u207b\u00b3\u2044\u00b2"));
  isovalue_->set_range(0.002, 0.5, ValueSlider::Scale::logarithmic, 4);
  enclosed_ =
      new ValueSlider(tr("Enclosed probability"),
                      tr("Probability of finding the electron inside the surfaces; sets the isovalue in every frame"));
  enclosed_->set_range(0.9, 99, ValueSlider::Scale::linear, 1);
  enclosed_->box()->setSpecialValueText(tr("not computed"));
  enclosed_->set_suffix(QStringLiteral("%"));
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
  opacity_ = make_percent(tr("Opacity"), tr("100 % is opaque, 0 % invisible"));
  add_row(rows, tr("Show&n"), which);
  add_row(rows, QString(), following);
  add_row(rows, tr("&Isovalue"), isovalue_);
  add_row(rows, tr("Enclosed pro&bability"), enclosed_);
  add_row(rows, tr("&Phases"), pair);
  shape_ = new ShapeRows(rows, controller_, this);
  add_row(rows, tr("Opaci&ty"), opacity_);
}

void OrbitalPanel::build() {
  QWidget* top = build_top();
  about_ = new QLabel(this);
  about_->setAccessibleName(tr("About the orbitals"));
  about_->setWordWrap(true);
  about_->setTextFormat(Qt::PlainText);
  about_->setForegroundRole(QPalette::PlaceholderText);
  localisation_ = make_box(tr("Localisation"),
                           tr("Canonical orbitals, or those localised by Pipek and Mezey or by Boys, in every frame"),
                           {tr("Canonical"), tr("Pipek-Mezey"), tr("Boys")});
  auto* kind = new QHBoxLayout;
  kind->setSpacing(6);
  kind->addWidget(about_, 1);
  kind->addWidget(localisation_, 0, Qt::AlignTop);
  QWidget* views = build_views();
  build_form();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  layout->addWidget(top);
  layout->addLayout(kind);
  layout->addWidget(views, 1);
  layout->addWidget(scroll_form(this, form_));
}

}  // namespace isolume
