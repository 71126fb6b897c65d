// The panel of a molecule's orbitals: its widgets, and how they are laid out.
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
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
  top->setAccessibleName(tr("Which orbital"));
  homo_ = new QPushButton(tr("&HOMO"), top);
  homo_->setAccessibleName(tr("HOMO"));
  homo_->setToolTip(tr("Show the highest occupied molecular orbital (H)"));
  lumo_ = new QPushButton(tr("&LUMO"), top);
  lumo_->setAccessibleName(tr("LUMO"));
  lumo_->setToolTip(tr("Show the lowest unoccupied molecular orbital (L)"));
  search_ = new QLineEdit(top);
  search_->setAccessibleName(tr("Search orbitals"));
  search_->setToolTip(tr("Keeps the orbitals in the table whose number, role, symmetry or energy has this text"));
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
  // The form below may grow and take the chosen row's place.
  connect(table_->verticalScrollBar(), &QScrollBar::rangeChanged, table_,
          [this] { table_->scrollTo(table_->currentIndex()); });
  table_->horizontalHeader()->setAccessibleName(tr("Orbitals, titles"));
  table_->verticalHeader()->setAccessibleName(tr("Orbitals, rows"));
  const int width = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  const int widths[] = {5, 10, 6, 9, 10, 5, 6};
  for (int i = 0; i < OrbitalModel::column_count; ++i) table_->setColumnWidth(i, widths[i] * width);
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
  tabs_->setTabToolTip(2, tr("The energies of followed orbitals over the frames"));
  return tabs_;
}

void OrbitalPanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("The shown orbital"));
  auto* rows = make_form(form_);
  shown_ = make_box(tr("Shown orbitals"),
                    tr("The orbitals in the picture; the one that is chosen here is edited below"), {});
  add_ = new QToolButton;
  add_->setText(QStringLiteral("+"));
  add_->setAccessibleName(tr("Show another orbital"));
  add_->setToolTip(tr("Show another orbital beside this one, in other colours"));
  remove_ = new QToolButton;
  remove_->setText(QString(QChar(0x2212)));
  remove_->setAccessibleName(tr("Hide this orbital"));
  remove_->setToolTip(tr("Take this orbital out of the picture"));
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

  follow_ = new QCheckBox(tr("&Follow"));
  follow_->setAccessibleName(tr("Follow"));
  follow_->setToolTip(
      tr("Follow this orbital through the frames by its overlap, with its phase; else its name or number is looked up "
         "in every frame"));
  match_ = new QLabel;
  match_->setAccessibleName(tr("How well the orbital is matched"));
  match_->setToolTip(tr("Weakest overlap of the orbital with its successor, from the frame where following began"));
  match_->setTextFormat(Qt::PlainText);
  auto* following = new QWidget;
  following->setAccessibleName(tr("Following"));
  following->setFocusProxy(follow_);
  auto* following_row = new QHBoxLayout(following);
  following_row->setContentsMargins(0, 0, 0, 0);
  following_row->setSpacing(8);
  following_row->addWidget(follow_);
  following_row->addWidget(match_, 1);

  isovalue_ = new ValueSlider(tr("Isovalue"), tr("The surfaces lie where the orbital has this value, in bohr^-3/2"));
  isovalue_->set_range(0.002, 0.5, ValueSlider::Scale::logarithmic, 4);
  enclosed_ = new ValueSlider(tr("Enclosed probability"),
                              tr("The part of the electron within the surfaces; sets the isovalue in every frame"));
  enclosed_->set_range(0.9, 99, ValueSlider::Scale::linear, 1);
  enclosed_->box()->setSpecialValueText(tr("not counted"));
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
  opacity_ = make_percent(tr("Opacity"), tr("100 % is solid, 0 % invisible"));
  add_row(rows, tr("Sho&wn"), which);
  add_row(rows, QString(), following);
  add_row(rows, tr("&Isovalue"), isovalue_);
  add_row(rows, tr("&Encloses"), enclosed_);
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
  QWidget* views = build_views();
  build_form();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  layout->addWidget(top);
  layout->addWidget(about_);
  layout->addWidget(views, 1);
  layout->addWidget(form_);
}

}  // namespace isolume
