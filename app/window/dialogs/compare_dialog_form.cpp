// What the dialog that compares potentials is made of.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/compare_view.h"
#include "app/window/viewport/layer_view.h"
#include "app/window/widgets/method_titles.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

using Method = PotentialSettings::Method;

constexpr double accuracies[] = {1e-2, 2.5e-3, 1e-3, 1e-4};

bool takes_accuracy(int method) {
  return method == static_cast<int>(Method::automatic) || has_accuracy(static_cast<Method>(method));
}

}  // namespace

CompareDialog::CompareDialog(FieldRequest request, MakeContext make_context, QWidget* parent)
    : QDialog(parent), request_(std::move(request)), make_context_(std::move(make_context)) {
  setWindowTitle(tr("Compare methods of the potential"));
  setAccessibleName(windowTitle());
  setAttribute(Qt::WA_DeleteOnClose);
  resize(980, 700);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(10);
  auto* top = new QGridLayout;
  build_methods(top);
  build_shown(top);
  build_maps(top);
  layout->addLayout(top);
  layout->addWidget(charges_row_ = build_charges());
  stack_ = new QStackedWidget;
  stack_->addWidget(surfaces_ = new CompareView);
  auto* layers = new QWidget;
  layers_ = new QGridLayout(layers);
  layers_->setContentsMargins(0, 0, 0, 0);
  layers_->setSpacing(12);
  const QString titles[3] = {tr("First"), tr("Second"), tr("Second minus first")};
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i] = new LayerView(i < 3 ? titles[i] : tr("Layer %1").arg(i + 1));
    if (i < 3) {
      layers_->addWidget(views_[i], 0, static_cast<int>(i));
    } else {
      views_[i]->setParent(layers);
      views_[i]->hide();
    }
  }
  stack_->addWidget(layers);
  layout->addWidget(stack_, 1);
  build_table();
  layout->addWidget(table_);
  build_buttons();
  auto* bottom = new QHBoxLayout;
  bottom->addWidget(message_, 1);
  for (QWidget* widget : std::initializer_list<QWidget*>{progress_, compute_, cancel_, save_, close_}) {
    bottom->addWidget(widget);
  }
  layout->addLayout(bottom);
  connect(surfaces_, &CompareView::failed, message_, &QLabel::setText);
  show_sides();
  choose_shown();
  show_running();
}

void CompareDialog::build_table() {
  table_ = new QTableWidget(3, 5);
  table_->setAccessibleName(tr("Times and errors"));
  table_->setToolTip(
      tr("Errors are measured against the exact sum at sample points, or estimated in the solvent for "
         "Poisson-Boltzmann; the difference is over all points"));
  table_->setHorizontalHeaderLabels({tr("Time"), tr("Error, relative"), tr("Error, RMS"), tr("Largest"), tr("How")});
  table_->setVerticalHeaderLabels({tr("First"), tr("Second"), tr("Difference")});
  table_->horizontalHeader()->setAccessibleName(tr("Titles"));
  table_->verticalHeader()->setAccessibleName(tr("Sides"));
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->setWordWrap(false);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         3 * table_->verticalHeader()->defaultSectionSize() + 10);
}

void CompareDialog::build_buttons() {
  message_ = new QLabel;
  message_->setAccessibleName(tr("Message"));
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  progress_ = new QProgressBar;
  progress_->setAccessibleName(tr("Progress"));
  progress_->setToolTip(tr("Progress of the current step"));
  progress_->setRange(0, 100);
  compute_ = new QPushButton(tr("Co&mpute"));
  cancel_ = new QPushButton(tr("C&ancel"));
  save_ = new QPushButton(tr("Sa&ve image..."));
  close_ = new QPushButton(tr("&Close"));
  compute_->setToolTip(tr("Compute the maps on the same grid"));
  cancel_->setToolTip(tr("Stop the computation"));
  save_->setToolTip(tr("Save this comparison with its scales, times and errors as PNG"));
  close_->setToolTip(tr("Stop the computation and close"));
  for (QPushButton* button : {compute_, cancel_, save_, close_}) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')).remove(QStringLiteral("...")));
  }
  compute_->setDefault(true);
  close_->setAutoDefault(false);
  save_->setAutoDefault(false);
  cancel_->setAutoDefault(false);
  connect(compute_, &QPushButton::clicked, this, &CompareDialog::start);
  connect(cancel_, &QPushButton::clicked, this, &CompareDialog::stop);
  connect(save_, &QPushButton::clicked, this, &CompareDialog::ask_path);
  connect(close_, &QPushButton::clicked, this, &QDialog::close);
}

void CompareDialog::build_methods(QGridLayout* grid) {
  const QString sides[most_compared] = {tr("First"), tr("Second"), tr("Third"), tr("Fourth")};
  for (int i = 0; i < static_cast<int>(most_compared); ++i) {
    methods_[i] =
        make_box(tr("%1 method").arg(sides[i]), tr("How the potential is computed, or a map instead"), method_titles());
    methods_[i]->setMinimumContentsLength(20);
    accuracies_[i] = make_box(tr("%1 accuracy").arg(sides[i]), tr("Target relative error for MSM and PME"), {});
    for (const double accuracy : accuracies)
      accuracies_[i]->addItem(QStringLiteral("%1\u202f%").arg(100 * accuracy, 0, 'g', 3), accuracy);
    // One more entry, whose data say so.
    if (i >= 2) methods_[i]->addItem(tr("None"), QStringLiteral("none"));
    const QString labels[most_compared] = {tr("&First"), tr("&Second"), tr("&Third"), tr("Fo&urth")};
    auto* label = new QLabel(labels[i]);
    label->setBuddy(methods_[i]);
    grid->addWidget(label, i, 0);
    grid->addWidget(methods_[i], i, 1);
    more_[i] = new QToolButton;
    more_[i]->setText(QStringLiteral("\u2026"));
    more_[i]->setAccessibleName(tr("%1 parameters").arg(sides[i]));
    more_[i]->setToolTip(tr("Parameters of this side, such as dielectric, cutoff and ions"));
    connect(more_[i], &QToolButton::clicked, this, [this, i, title = sides[i]] { Q_EMIT parameters_asked(i, title); });
    parameters_[i] = request_.field.potential;
    auto* last = new QHBoxLayout;
    last->setSpacing(4);
    last->addWidget(accuracies_[i], 1);
    last->addWidget(more_[i]);
    grid->addLayout(last, i, 2);
    accuracies_[i]->setCurrentIndex(1);
  }
  const Method first = request_.field.potential.method;
  methods_[0]->setCurrentIndex(static_cast<int>(Method::direct));
  methods_[1]->setCurrentIndex(
      static_cast<int>(first == Method::automatic || first == Method::direct ? Method::msm : first));
  for (int i = 2; i < static_cast<int>(most_compared); ++i) methods_[i]->setCurrentIndex(methods_[i]->count() - 1);
  for (QComboBox* box : methods_) connect(box, &QComboBox::currentIndexChanged, this, &CompareDialog::show_sides);
  reference_ =
      make_box(tr("Reference"), tr("Differences are taken to this side"), {sides[0], sides[1], sides[2], sides[3]});
  auto* label = new QLabel(tr("&Differences to"));
  label->setBuddy(reference_);
  grid->addWidget(label, 2, 3);
  grid->addWidget(reference_, 2, 4);
}

QWidget* CompareDialog::build_charges() {
  auto* row = new QWidget;
  row->setAccessibleName(tr("Charges of the sides"));
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(new QLabel(tr("Charges")));
  const QString sides[most_compared] = {tr("First"), tr("Second"), tr("Third"), tr("Fourth")};
  for (int i = 0; i < static_cast<int>(most_compared); ++i) {
    charges_[i] = make_box(tr("%1 charges").arg(sides[i]), tr("Set of charges whose potential this side has"), {});
    line->addWidget(new QLabel(sides[i].toLower()));
    line->addWidget(charges_[i], 1);
  }
  row->hide();
  return row;
}

void CompareDialog::set_charges(const QString& shown, std::vector<Charges> others) {
  charge_sets_ = std::move(others);
  for (QComboBox* box : charges_) {
    box->clear();
    box->addItem(shown);
    for (const Charges& set : charge_sets_) box->addItem(set.title);
  }
  charges_row_->setVisible(!charge_sets_.empty());
}

void CompareDialog::build_maps(QGridLayout* grid) {
  add_map_ = new QPushButton(tr("Add ma&p file..."));
  add_map_->setAccessibleName(tr("Add map file"));
  add_map_->setToolTip(tr("Compare a map of a file, such as that of another program. The comparison is on its grid"));
  add_map_->setAutoDefault(false);
  grid->addWidget(add_map_, 3, 4);
  connect(add_map_, &QPushButton::clicked, this, &CompareDialog::ask_map);
  QStringList units;
  for (const auto unit :
       {PotentialSettings::Unit::volt, PotentialSettings::Unit::thermal, PotentialSettings::Unit::kcal})
    units += QString::fromUtf8(name(unit));
  map_unit_ = make_box(tr("Unit of maps"), tr("Unit of maps that name none: APBS writes kT/e"), units);
  map_unit_->setCurrentIndex(static_cast<int>(request_.field.potential.unit));
  auto* label = new QLabel(tr("Map u&nit"));
  label->setBuddy(map_unit_);
  grid->addWidget(label, 2, 5);
  grid->addWidget(map_unit_, 2, 6);
  resample_ = new QCheckBox(tr("R&esample"));
  resample_->setAccessibleName(tr("Resample maps"));
  resample_->setToolTip(tr("Interpolate maps whose points are not those of the first map. Else that is refused"));
  grid->addWidget(resample_, 3, 6);
}

bool CompareDialog::has_method(int side) const {
  return methods_[side]->currentData().isNull();
}

const CompareDialog::Map* CompareDialog::map_of(int side) const {
  const QVariant data = methods_[side]->currentData();
  return data.typeId() == QMetaType::Int ? &maps_[static_cast<std::size_t>(data.toInt())] : nullptr;
}

void CompareDialog::show_sides() {
  int maps = 0;
  for (int i = 0; i < static_cast<int>(most_compared); ++i) {
    const bool method = has_method(i);
    accuracies_[i]->setEnabled(method && takes_accuracy(methods_[i]->currentIndex()));
    more_[i]->setEnabled(method);
    charges_[i]->setEnabled(method);
    if (map_of(i)) ++maps;
  }
  map_unit_->setEnabled(maps > 0);
  resample_->setEnabled(maps > 1);
}

void CompareDialog::offer(const Map& map) {
  const int number = static_cast<int>(maps_.size());
  maps_.push_back(map);
  for (QComboBox* box : methods_) {
    const int none = box->findData(QStringLiteral("none"));
    const QSignalBlocker quiet(box);
    box->insertItem(none < 0 ? box->count() : none, tr("Map: %1").arg(map.title), number);
  }
}

void CompareDialog::set_maps(const std::vector<Map>& maps) {
  for (const Map& map : maps) offer(map);
}

void CompareDialog::build_shown(QGridLayout* grid) {
  shown_ =
      make_box(tr("Show"), tr("A surface coloured by the potentials and their differences, or a layer of the maps"),
               {tr("Gaussian surface"), tr("Solvent-excluded surface"), tr("Isosurfaces"), tr("Layer of the grid")});
  shown_->setMinimumContentsLength(22);
  isovalue_ = new QDoubleSpinBox;
  isovalue_->setAccessibleName(tr("Isovalue"));
  isovalue_->setToolTip(tr("Isovalue of the potentials, with either sign"));
  isovalue_->setDecimals(3);
  isovalue_->setRange(0.001, 1e6);
  isovalue_->setKeyboardTracking(false);
  isovalue_->setSuffix(QStringLiteral("\u202f") + QString::fromUtf8(name(request_.field.potential.unit)));
  Field own = request_.field;
  own.kind = Field::Kind::potential;
  if (request_.field.kind != Field::Kind::potential) own.isovalue = 0;
  isovalue_->setValue(shown_isovalue(own));
  auto* shown_label = new QLabel(tr("S&how"));
  shown_label->setBuddy(shown_);
  auto* isovalue_label = new QLabel(tr("&Isovalue"));
  isovalue_label->setBuddy(isovalue_);
  grid->addWidget(shown_label, 0, 3);
  grid->addWidget(shown_, 0, 4);
  grid->addWidget(isovalue_label, 1, 3);
  grid->addWidget(isovalue_, 1, 4);
  axis_ = make_box(tr("Layer across"), tr("Grid axis perpendicular to the layer"), {tr("x"), tr("y"), tr("z")});
  axis_->setCurrentIndex(2);
  layer_ = new QSlider(Qt::Horizontal);
  layer_->setAccessibleName(tr("Layer"));
  layer_->setToolTip(tr("Number of the layer"));
  place_ = new QLabel;
  place_->setAccessibleName(tr("Position of the layer"));
  auto* axis_label = new QLabel(tr("Layer ac&ross"));
  axis_label->setBuddy(axis_);
  auto* layer_label = new QLabel(tr("&Layer"));
  layer_label->setBuddy(layer_);
  grid->addWidget(axis_label, 0, 5);
  grid->addWidget(axis_, 0, 6);
  grid->addWidget(place_, 0, 7);
  grid->addWidget(layer_label, 1, 5);
  grid->addWidget(layer_, 1, 6, 1, 2);
  grid->setColumnStretch(7, 1);
  grid->setHorizontalSpacing(12);
  connect(axis_, &QComboBox::currentIndexChanged, this, [this] {
    if (!result_) return;
    const int count = result_->grid.counts[axis_->currentIndex()];
    const QSignalBlocker quiet(layer_);
    layer_->setRange(0, count - 1);
    layer_->setValue(count / 2);
    show_layer();
  });
  connect(layer_, &QSlider::valueChanged, this, &CompareDialog::show_layer);
  connect(shown_, &QComboBox::currentIndexChanged, this, &CompareDialog::choose_shown);
  connect(isovalue_, &QDoubleSpinBox::valueChanged, this, &CompareDialog::show_surfaces);
}

}  // namespace isolume
