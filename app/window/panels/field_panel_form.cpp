// The panel of computed fields: the form of the selected one, and its controls.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "app/models/labels.h"
#include "app/window/panels/difference_rows.h"
#include "app/window/panels/field_panel.h"
#include "app/window/panels/level_rows.h"
#include "app/window/panels/potential_rows.h"
#include "app/window/panels/scatter_rows.h"
#include "app/window/panels/shape_rows.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/outline_edit.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/transfer_edit.h"

namespace isolume {

void FieldPanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("Selected surface or map"));
  rows_ = make_form(form_);
  molecule_ = make_box(tr("Molecule"), tr("Molecule of the surface or map"), {});
  selection_ = new SelectionEdit;
  partners_ = new SelectionEdit;
  partners_->line()->setAccessibleName(tr("Contacts with"));
  partners_->set_optional(tr("all other atoms"));
  orbital_ = new QLineEdit;
  orbital_->setAccessibleName(tr("Orbital"));
  orbital_->setToolTip(tr("homo, lumo, homo-1, lumo+2, or a number from 1; see the Orbitals panel"));
  spin_ = make_box(tr("Spin"), tr("Spin of the orbital"), {tr("Alpha"), tr("Beta")});
  volume_ = make_box(tr("Map"), tr("Map of the file"), {});
  transfer_ = new TransferEdit;
  cloud_range_ = new ValueSlider(tr("Range"), tr("Value at the ends of the curve"));
  isovalue_ = new ValueSlider(tr("Isovalue"), tr("Value of the field on the surface"));
  spacing_ = new QDoubleSpinBox;
  spacing_->setAccessibleName(tr("Spacing"));
  spacing_->setToolTip(
      tr("Grid spacing. Half the spacing takes eight times the points, time and memory.\nAutomatic depends on the size "
         "of the system."));
  spacing_->setRange(0, 3);
  spacing_->setDecimals(2);
  spacing_->setSingleStep(0.05);
  spacing_->setSpecialValueText(tr("Automatic"));
  spacing_->setSuffix(QStringLiteral("\u202f\u00c5"));
  spacing_->setKeyboardTracking(false);
  radius_scale_ = new ValueSlider(tr("Radius scale"), tr("Factor on the atomic radii; larger is smoother"));
  radius_scale_->set_range(0.3, 3, ValueSlider::Scale::linear, 2);
  beads_ = make_box(tr("Balls"), tr("What the surface wraps: atoms, or one ball for each residue, for large systems"),
                    {tr("Atoms"), tr("Residues")});
  quality_ = make_box(tr("Quality"), tr("Where the Gaussian of an atom ends: at 2, 2.5, 3 or 4 of its widths"),
                      {tr("Low"), tr("Medium"), tr("High"), tr("Maximum")});
  copies_ = new QWidget;
  copies_->setAccessibleName(tr("Copies of the map"));
  copies_->setToolTip(tr("Copies of a periodic map to each side along its axes"));
  auto* copies = new QHBoxLayout(copies_);
  copies->setContentsMargins(0, 0, 0, 0);
  copies->setSpacing(6);
  const QString sides[] = {tr("Copies along a"), tr("Copies along b"), tr("Copies along c")};
  for (int axis = 0; axis < 3; ++axis) {
    auto* box = new QSpinBox;
    box->setAccessibleName(sides[axis]);
    box->setToolTip(
        tr("Copies of a map of one period to each side along this axis; the surface goes on through the "
           "faces between them.\nTime and memory grow with their number"));
    box->setRange(0, 4);
    box->setKeyboardTracking(false);
    copies->addWidget(box, 1);
    repeat_[static_cast<std::size_t>(axis)] = box;
    connect(box, &QSpinBox::valueChanged, this, [this, axis](int count) {
      edit(
          tr("Change copies of the map"), [=](Field& f) { f.repeat[axis] = count; }, true);
    });
  }
  copies_->setFocusProxy(repeat_[0]);
  zone_ = new QDoubleSpinBox;
  zone_->setAccessibleName(tr("Near atoms"));
  zone_->setToolTip(tr("Show only the part of the map within this distance of atoms. All: the whole map"));
  zone_->setRange(0, 50);
  zone_->setDecimals(1);
  zone_->setSingleStep(0.5);
  zone_->setSpecialValueText(tr("All"));
  zone_->setSuffix(QStringLiteral("\u202f\u00c5"));
  zone_->setKeyboardTracking(false);
  probe_ = new ValueSlider(tr("Probe"), tr("Probe radius: 1.4 for water"));
  probe_->set_range(0.5, 5, ValueSlider::Scale::linear, 2);
  probe_->set_suffix(QStringLiteral("\u202f\u00c5"));
  colouring_ = make_box(tr("Colour by"), tr("Colour of the surface, taken from the nearest atoms"),
                        colouring_labels().mid(0, static_cast<int>(Colouring::value)));
  periodic_ = new QCheckBox(tr("Periodic surface"));
  periodic_->setAccessibleName(tr("Periodic surface"));
  periodic_->setToolTip(
      tr("Surface of one unit cell, cut at its faces. When off, molecules are whole and the surface is closed"));
  both_signs_ = new QCheckBox(tr("Show both signs"));
  both_signs_->setAccessibleName(tr("Show both signs"));
  both_signs_->setToolTip(tr("Also show the surface at the negative isovalue"));
  interatomic_ = new QCheckBox(tr("Interatomic surfaces"));
  interatomic_->setAccessibleName(interatomic_->text());
  interatomic_->setToolTip(tr("Also show the surfaces between atoms, through which the density has no flux"));
  colour_ = new ColourButton(tr("Colour of the surface, or of its positive part"));
  negative_colour_ = new ColourButton(tr("Colour of the negative part"));
  colours_ = new QWidget;
  colours_->setAccessibleName(tr("Colours"));
  colours_->setFocusProxy(colour_);
  auto* pair = new QHBoxLayout(colours_);
  pair->setContentsMargins(0, 0, 0, 0);
  pair->setSpacing(8);
  pair->addWidget(colour_);
  pair->addWidget(negative_colour_);
  pair->addStretch(1);
  material_ = make_box(tr("Material"), tr("How the surface reflects light"), material_labels());
  outline_ = new OutlineEdit;
  opacity_ = make_percent(tr("Opacity"), tr("100 % is opaque, 0 % invisible"));
  summary_ = new QLabel;
  summary_->setAccessibleName(tr("Result"));
  summary_->setToolTip(tr("Size and time of the last computation"));
  summary_->setTextFormat(Qt::PlainText);
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setForegroundRole(QPalette::PlaceholderText);

  // Settings of drawing alone, from results already computed.
  for (QWidget* widget :
       {static_cast<QWidget*>(colours_), static_cast<QWidget*>(transfer_), static_cast<QWidget*>(cloud_range_),
        static_cast<QWidget*>(material_), static_cast<QWidget*>(outline_), static_cast<QWidget*>(opacity_)})
    set_cost(widget, tr("Redrawn only, not recomputed"));

  add_row(rows_, tr("Mo&lecule"), molecule_);
  add_row(rows_, tr("A&toms"), selection_, true);
  add_row(rows_, tr("With"), partners_, true);
  add_row(rows_, tr("&Orbital"), orbital_);
  add_row(rows_, tr("Spi&n"), spin_);
  add_row(rows_, tr("Map"), volume_);
  auto* levels = new LevelRows(rows_, controller_, this);
  connect(levels, &LevelRows::chosen, this, [this](int row) { choose(row); });
  add_row(rows_, tr("&Isovalue"), isovalue_);
  add_row(rows_, QString(), both_signs_);
  add_row(rows_, QString(), interatomic_);
  add_row(rows_, tr("Spacing"), spacing_);
  add_row(rows_, tr("&Radius scale"), radius_scale_);
  add_row(rows_, tr("Balls"), beads_);
  add_row(rows_, tr("Quality"), quality_);
  add_row(rows_, tr("P&robe"), probe_);
  add_row(rows_, tr("Near atoms"), zone_);
  add_row(rows_, tr("Copies"), copies_);
  add_row(rows_, QString(), periodic_);
  potential_ = new PotentialRows(rows_, this);
  scatter_ = new ScatterRows(rows_, this);
  difference_ = new DifferenceRows(rows_, controller_, this);
  add_row(rows_, tr("Colour &by"), colouring_);
  add_row(rows_, tr("Co&lours"), colours_);
  shape_ = new ShapeRows(rows_, controller_, this);
  add_row(rows_, tr("Transfer function"), transfer_, true);
  add_row(rows_, tr("Ra&nge"), cloud_range_);
  add_row(rows_, tr("Material"), material_);
  add_row(rows_, tr("Outline"), outline_);
  add_row(rows_, tr("O&pacity"), opacity_);
  add_wide_row(rows_, summary_);
}

void FieldPanel::connect_form() {
  connect(molecule_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change molecule"), [index](Field& f) { f.molecule = static_cast<std::uint32_t>(index); });
  });
  connect(interatomic_, &QCheckBox::clicked, this, [this](bool on) {
    edit(on ? tr("Show interatomic surfaces") : tr("Hide interatomic surfaces"),
         [on](Field& f) { f.interatomic = on; });
  });
  connect(scatter_, &ScatterRows::edited, this,
          [this](const QString& what, const std::function<void(Field&)>& change) { edit(what, change); });
  connect(selection_, &SelectionEdit::entered, this, [this](const QString& text) {
    edit(tr("Change selection"), [&](Field& f) { f.selection = text.toStdString(); });
  });
  connect(partners_, &SelectionEdit::entered, this, [this](const QString& text) {
    edit(tr("Change selection"), [&](Field& f) { f.partners = text.toStdString(); });
  });
  connect(orbital_, &QLineEdit::editingFinished, this, [this] {
    edit(tr("Change orbital"), [this](Field& f) { f.orbital = orbital_->text().trimmed().toLower().toStdString(); });
  });
  connect(spin_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change spin"), [index](Field& f) { f.spin = index == 1 ? Spin::beta : Spin::alpha; });
  });
  connect(volume_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change map"), [index](Field& f) { f.volume = static_cast<std::uint32_t>(index); });
  });
  connect(transfer_, &TransferEdit::edited, this, [this](const std::vector<TransferPoint>& points, bool merge) {
    edit(
        tr("Change transfer function"), [&](Field& f) { f.transfer = points; }, merge);
  });
  connect(cloud_range_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change range of the cloud"), [value](Field& f) { f.cloud_range = value; }, true);
  });
  connect(isovalue_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change isovalue"), [value](Field& f) { f.isovalue = value; }, true);
  });
  connect(spacing_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    edit(
        tr("Change spacing"), [value](Field& f) { f.spacing = value; }, true);
  });
  connect(radius_scale_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change radius scale"), [value](Field& f) { f.radius_scale = static_cast<float>(value); }, true);
  });
  connect(beads_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change balls"), [index](Field& f) { f.beads = static_cast<Field::Beads>(index); });
  });
  connect(quality_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change quality"), [index](Field& f) { f.quality = static_cast<Field::Quality>(index); });
  });
  connect(zone_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    edit(
        tr("Change distance from atoms"),
        [this, value](Field& f) {
          f.zone = value;
          if (!has_atoms(f.zone_molecule))
            f.zone_molecule = static_cast<std::uint32_t>(std::max(0, first_with_atoms()));
        },
        true);
  });
  connect(probe_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change probe"), [value](Field& f) { f.probe_radius = value; }, true);
  });
  connect(colouring_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change colouring"), [index](Field& f) {
      f.colouring = static_cast<Colouring>(index);
      if (f.colouring == Colouring::uniform && f.colour.a == 0) f.colour = {0, 114, 178, 255};
      if (f.colouring == Colouring::element) f.colour = {0, 0, 0, 0};
    });
  });
  connect(potential_, &PotentialRows::edited, this,
          [this](const QString& what, const std::function<void(Field&)>& change, bool merge) {
            edit(what, change, merge);
          });
  connect(difference_, &DifferenceRows::edited, this,
          [this](const QString& what, const std::function<void(Field&)>& change, bool merge) {
            edit(what, change, merge);
          });
  connect(periodic_, &QCheckBox::clicked, this, [this](bool checked) {
    edit(checked ? tr("Show periodic surface") : tr("Show whole molecules"),
         [checked](Field& f) { f.periodic = checked; });
  });
  connect(both_signs_, &QCheckBox::clicked, this, [this](bool checked) {
    edit(checked ? tr("Show both signs") : tr("Show one sign"), [checked](Field& f) { f.both_signs = checked; });
  });
  connect(colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Field& f) { f.colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(negative_colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Field& f) { f.negative_colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(shape_, &ShapeRows::edited, this,
          [this](const QString& what, const std::function<void(Field&)>& change, bool merge) {
            edit(what, change, merge);
          });
  connect(material_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change material"), [index](Field& f) { f.material = static_cast<Material>(index); });
  });
  connect(outline_, &OutlineEdit::changed, this, [this](const Outline& outline, bool merge) {
    edit(
        tr("Change outline"), [&](Field& f) { f.outline = outline; }, merge);
  });
  connect(opacity_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change opacity"), [percent](Field& f) { f.opacity = static_cast<float>(percent / 100); }, true);
  });
}

}  // namespace isolume
