// The panel of representations: the form of the selected one, and its controls.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPoint>
#include <QSignalBlocker>
#include <QToolButton>
#include <QValidator>
#include <algorithm>
#include <filesystem>

#include "app/documents/titles.h"
#include "app/models/labels.h"
#include "app/view/usual_look.h"
#include "app/window/panels/representation_panel.h"
#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/outline_edit.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/selection_edit.h"
#include "app/window/widgets/value_slider.h"
#include "molecule/base/error.h"
#include "molecule/selection/number_expression.h"

namespace isolume {
namespace {

/// One end of a range of colours, or "Automatic".
class RangeEnd final : public QDoubleSpinBox {
 public:
  void set_automatic(bool automatic) {
    if (automatic_ == automatic) return;
    automatic_ = automatic;
    setDecimals(decimals());  // writes its text again
  }
  QString textFromValue(double value) const override {
    return automatic_ ? RepresentationPanel::tr("Automatic") : QDoubleSpinBox::textFromValue(value);
  }
  double valueFromText(const QString& text) const override {
    return text == RepresentationPanel::tr("Automatic") ? 0 : QDoubleSpinBox::valueFromText(text);
  }
  QValidator::State validate(QString& text, int& position) const override {
    if (text == RepresentationPanel::tr("Automatic")) return QValidator::Acceptable;
    return QDoubleSpinBox::validate(text, position);
  }

 private:
  bool automatic_ = false;
};

QDoubleSpinBox* make_end(const QString& what, const QString& tip) {
  auto* box = new RangeEnd;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(-1e6, 1e6);
  box->setDecimals(3);
  box->setSingleStep(0.1);
  box->setKeyboardTracking(false);
  box->setMinimumWidth(64);  // not as wide as the largest number would be
  return box;
}

}  // namespace

void RepresentationPanel::build_form() {
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("Selected representation"));
  set_cost(form_, tr("Shapes are rebuilt: about 0.1 s per million atoms as spheres, longer for ribbons"));
  rows_ = make_form(form_);
  molecule_ = make_box(tr("Molecule"), tr("Molecule to show"), {});
  selection_ = new SelectionEdit;
  style_ = make_box(tr("Style"), tr("Drawing style of atoms and bonds"), style_labels());
  colouring_ = make_box(tr("Colour by"), tr("Property that colours the atoms"), colouring_labels());
  colour_ = new ColourButton(tr("Colour of the representation"));
  colour_->setToolTip(tr("Single colour; with Colour by Element, the colour of carbon"));
  build_colours();
  material_ = make_box(tr("Material"), tr("How the surface reflects light"), material_labels());
  outline_ = new OutlineEdit;
  set_cost(outline_, tr("Redrawn only, not rebuilt"));
  opacity_ = make_percent(tr("Opacity"), tr("100 % is opaque, 0 % invisible"));
  sphere_scale_ = new ValueSlider(tr("Sphere size"), tr("Factor on the van der Waals radius"));
  sphere_scale_->set_range(0.1, 2, ValueSlider::Scale::linear, 2);
  bond_radius_ = new ValueSlider(tr("Bond radius"), tr("Radius of bonds in angstrom"));
  bond_radius_->set_range(0.02, 0.6, ValueSlider::Scale::linear, 2);
  bond_radius_->set_suffix(QStringLiteral("\u00c5"));
  line_width_ = new ValueSlider(tr("Line width"), tr("Width of lines in pixels"));
  line_width_->set_range(0.5, 8, ValueSlider::Scale::linear, 1);
  line_width_->set_suffix(QStringLiteral("px"));
  ribbon_width_ = new ValueSlider(tr("Ribbon width"), tr("Half width of helices and strands in angstrom"));
  ribbon_width_->set_range(0.3, 3, ValueSlider::Scale::linear, 2);
  ribbon_width_->set_suffix(QStringLiteral("\u00c5"));

  add_row(rows_, tr("M&olecule"), molecule_);
  add_row(rows_, tr("A&toms"), selection_, true);
  add_row(rows_, tr("St&yle"), style_);
  add_row(rows_, tr("Colour &by"), colouring_);
  add_row(rows_, tr("Colou&r"), colour_);
  add_row(rows_, tr("E&xpression"), value_);
  add_row(rows_, tr("Map val&ue"), volume_);
  probe_ = make_box(tr("Probe"), tr("Probe whose contributions by residue or chain are the colours"), {});
  add_row(rows_, tr("Probe"), probe_);
  connect(probe_, &QComboBox::activated, this, [this](int index) {
    const std::uint32_t probe = probe_->itemData(index).toUInt();
    edit(tr("Change probe of the colours"), [probe](Representation& r) { r.probe = probe; });
  });
  file_ = new QToolButton;
  file_->setAccessibleName(tr("Table or alignment"));
  file_->setToolTip(
      tr("CSV table of numbers or colours by residue or atom, or an alignment (FASTA, Clustal, Stockholm) to show its "
         "conservation"));
  file_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  file_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  file_->setFocusPolicy(Qt::StrongFocus);
  structure_ = make_box(tr("Structure"), tr("Source of helices and strands"),
                        {tr("Automatic"), tr("From the file"), tr("Of each frame")});
  add_row(rows_, tr("File"), file_);
  add_row(rows_, tr("Co&lour map"), map_);
  add_row(rows_, tr("Ran&ge"), range_);
  add_row(rows_, tr("Mater&ial"), material_);
  add_row(rows_, tr("Outline"), outline_);
  add_row(rows_, tr("O&pacity"), opacity_);
  add_row(rows_, tr("Sphere si&ze"), sphere_scale_);
  add_row(rows_, tr("Bond ra&dius"), bond_radius_);
  add_row(rows_, tr("Line &width"), line_width_);
  add_row(rows_, tr("Ribbon &width"), ribbon_width_);
  build_measures();
  add_row(rows_, tr("Structure"), structure_);

  connect(file_, &QToolButton::clicked, this, &RepresentationPanel::ask_file);
  connect(structure_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change secondary structure"),
         [index](Representation& r) { r.structure = static_cast<StructureSource>(index); });
  });
  connect(molecule_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change molecule"), [index](Representation& r) { r.molecule = static_cast<std::uint32_t>(index); });
  });
  connect(selection_, &SelectionEdit::entered, this, [this](const QString& text) {
    edit(tr("Change selection"), [&](Representation& r) { r.selection = text.toStdString(); });
  });
  connect(style_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change style"), [index](Representation& r) {
      r.style = static_cast<Style>(index);
      // Dashes and arrows of many colours would only confuse.
      const bool signs = r.style == Style::hydrogen_bonds || r.style == Style::vectors;
      if (!signs || r.colouring != Colouring::element || r.colour.a > 0) return;
      r.colouring = Colouring::uniform;
      r.colour = r.style == Style::vectors ? glm::u8vec4(213, 94, 0, 255) : hydrogen_bond_colour;
    });
  });
  connect(colouring_, &QComboBox::activated, this, [this](int index) {
    const int row = current();
    const auto chosen = static_cast<Colouring>(index);
    if (chosen == Colouring::file && row >= 0 &&
        controller_.scene().representations[static_cast<std::size_t>(row)].file.empty())
      return ask_file();
    edit(tr("Change colouring"), [chosen, this](Representation& r) {
      r.colouring = chosen;
      if (chosen == Colouring::probe) {
        // The first of the molecule's, where it has some.
        const auto& probes = controller_.scene().probes;
        for (std::size_t p = probes.size(); p > 0; --p)
          if (probes[p - 1].molecule == r.molecule) r.probe = static_cast<std::uint32_t>(p - 1);
      }
      if (r.colouring == Colouring::uniform && r.colour.a == 0) r.colour = {0, 114, 178, 255};
      if (r.colouring == Colouring::element) r.colour = {0, 0, 0, 0};
    });
  });
  connect(colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    edit(tr("Change colour"), [&](Representation& r) { r.colour = {c.red(), c.green(), c.blue(), 255}; });
  });
  connect(opacity_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change opacity"), [percent](Representation& r) { r.opacity = static_cast<float>(percent / 100); }, true);
  });
  connect(material_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change material"), [index](Representation& r) { r.material = static_cast<Material>(index); });
  });
  connect(outline_, &OutlineEdit::changed, this, [this](const Outline& outline, bool merge) {
    edit(
        tr("Change outline"), [&](Representation& r) { r.outline = outline; }, merge);
  });
  const auto measure = [this](ValueSlider* slider, float StyleOptions::*member, const QString& what) {
    connect(slider, &ValueSlider::moved, this, [this, member, what](double value) {
      edit(
          what, [=](Representation& r) { r.options.*member = static_cast<float>(value); }, true);
    });
  };
  measure(sphere_scale_, &StyleOptions::sphere_scale, tr("Change sphere size"));
  measure(bond_radius_, &StyleOptions::bond_radius, tr("Change bond radius"));
  measure(line_width_, &StyleOptions::line_width, tr("Change line width"));
  measure(ribbon_width_, &StyleOptions::cartoon_width, tr("Change ribbon width"));
}

void RepresentationPanel::build_colours() {
  value_ = new QLineEdit;
  value_->setAccessibleName(tr("Expression"));
  value_->setToolTip(
      tr("Expression that colours each atom: charge, beta, mass, speed, z, resid, abs(charge), sqr(x) + sqr(y)"));
  volume_ = make_box(tr("Map"), tr("Map sampled at the atoms, from any file of the scene"), {});
  map_ = make_box(
      tr("Colour map"), tr("Colours from the lowest to the highest value; all are colour-blind safe"),
      {tr("Automatic"), tr("Viridis"), tr("Cividis"), tr("Grey"), tr("Red, white, blue"), tr("Orange, white, purple")});
  lower_ = make_end(tr("Lower end"), tr("Value of the first colour. Automatic uses the lowest value shown"));
  upper_ = make_end(tr("Upper end"), tr("Value of the last colour. Automatic uses the highest value shown"));
  range_ = new QWidget;
  range_->setAccessibleName(tr("Range of the colours"));
  range_->setFocusProxy(lower_);
  auto* pair = new QHBoxLayout(range_);
  pair->setContentsMargins(0, 0, 0, 0);
  pair->setSpacing(8);
  pair->addWidget(lower_, 1);
  pair->addWidget(upper_, 1);
  connect(value_, &QLineEdit::editingFinished, this, [this] {
    const std::string text = value_->text().trimmed().toStdString();
    try {
      const NumberExpression checked(text);
      edit(tr("Change expression"), [&](Representation& r) { r.value = text; });
    } catch (const Error& error) {
      Q_EMIT refused(to_qt(error.what()));
      show_current();
    }
  });
  connect(volume_, &QComboBox::activated, this, [this](int index) {
    const QPoint which = volume_->itemData(index).toPoint();
    edit(tr("Change map"), [which](Representation& r) {
      r.map_molecule = static_cast<std::uint32_t>(which.x());
      r.map_volume = static_cast<std::uint32_t>(which.y());
    });
  });
  connect(map_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change colour map"), [index](Representation& r) { r.colours = static_cast<ColourMap>(index); });
  });
  for (QDoubleSpinBox* box : {lower_, upper_}) {
    connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
      edit(
          tr("Change range of colours"),
          [this](Representation& r) {
            r.lower = static_cast<float>(lower_->value());
            r.upper = static_cast<float>(upper_->value());
          },
          true);
    });
  }
}

void RepresentationPanel::show_colours(const Representation& r) {
  if (!value_->hasFocus()) value_->setText(to_qt(r.value));
  volume_->clear();
  const Scene& scene = controller_.scene();
  for (std::size_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = controller_.molecule(m);
    for (std::size_t v = 0; molecule && v < molecule->volumes.size(); ++v) {
      volume_->addItem(to_qt(volume_title(*molecule, v)).simplified(),
                       QPoint(static_cast<int>(m), static_cast<int>(v)));
      if (m == r.map_molecule && v == r.map_volume) volume_->setCurrentIndex(volume_->count() - 1);
    }
  }
  map_->setCurrentIndex(static_cast<int>(r.colours));
  const QSignalBlocker quiet_lower(lower_), quiet_upper(upper_);
  if (!lower_->hasFocus()) lower_->setValue(double(r.lower));
  if (!upper_->hasFocus()) upper_->setValue(double(r.upper));
  for (QDoubleSpinBox* box : {lower_, upper_}) {
    // With equal ends the range is chosen by what is shown; a box that is typed in keeps its text.
    if (r.lower != r.upper || !box->hasFocus()) static_cast<RangeEnd*>(box)->set_automatic(r.lower == r.upper);
  }
  show_row(rows_, colour_, r.colouring == Colouring::uniform || r.colouring == Colouring::element);
  set_label(rows_, colour_, r.colouring == Colouring::element ? tr("Ca&rbon colour") : tr("Colou&r"));
  show_row(rows_, value_, r.colouring == Colouring::value);
  show_row(rows_, volume_, r.colouring == Colouring::map);
  show_row(rows_, file_, r.colouring == Colouring::file);
  probe_->clear();
  for (std::size_t p = 0; p < scene.probes.size(); ++p) {
    if (scene.probes[p].molecule != r.molecule) continue;
    probe_->addItem(tr("Probe %1").arg(p + 1), static_cast<uint>(p));
    if (p == r.probe) probe_->setCurrentIndex(probe_->count() - 1);
  }
  show_row(rows_, probe_, r.colouring == Colouring::probe);
  file_->setText(to_qt(std::filesystem::path(r.file).filename().string()));
  structure_->setCurrentIndex(static_cast<int>(r.structure));
  show_row(rows_, structure_, r.style == Style::cartoon && controller_.frame_count() > 1);
  show_row(rows_, map_, is_scale(r.colouring));
  show_row(rows_, range_, is_scale(r.colouring));
}

void RepresentationPanel::ask_file() {
  show_current();  // what was there, until a file is chosen
  auto* dialog =
      new QFileDialog(window(), tr("Colour by a file"), {},
                      tr("Tables and alignments (*.csv *.fasta *.fa *.afa *.aln *.sto *.stk);;All files (*)"));
  dialog->setObjectName(QStringLiteral("colour_file"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &RepresentationPanel::colour_by_file);
  dialog->open();
}

void RepresentationPanel::colour_by_file(const QString& path) {
  edit(tr("Colour by %1").arg(QFileInfo(path).fileName()), [&](Representation& r) {
    r.colouring = Colouring::file;
    r.file = path.toStdString();
  });
}

void RepresentationPanel::build_measures() {
  profile_ = make_box(tr("Ribbon"), tr("Cross-section of helices and strands"),
                      {tr("Ribbon"), tr("Flat"), tr("Round"), tr("Cylinders for helices")});
  bases_ = make_box(tr("Bases"), tr("Drawing style of nucleic acid bases"), {tr("Slabs"), tr("Ladder"), tr("None")});
  probability_ = make_percent(tr("Probability"), tr("Probability of finding the atom inside its ellipsoid"));
  probability_->set_range(1, 99, ValueSlider::Scale::linear, 0);
  vectors_ = make_box(
      tr("Arrows of"),
      tr("Quantity shown by the arrows. Dipoles need partial charges; velocities and forces must be in the file"),
      {tr("Dipole moment"), tr("Dipoles of residues"), tr("Velocities"), tr("Forces")});
  vector_scale_ = new QDoubleSpinBox;
  vector_scale_->setAccessibleName(tr("Length of arrows"));
  vector_scale_->setToolTip(
      tr("Angstrom per unit (debye, angstrom/ps, kcal/mol/angstrom). Automatic scales to the longest arrow."));
  vector_scale_->setRange(0, 1000);
  vector_scale_->setDecimals(3);
  vector_scale_->setSingleStep(0.1);
  vector_scale_->setSpecialValueText(tr("Automatic"));
  vector_scale_->setKeyboardTracking(false);
  bond_distance_ = new ValueSlider(tr("Distance"), tr("Largest donor-acceptor distance in angstrom"));
  bond_distance_->set_range(2.4, 4.5, ValueSlider::Scale::linear, 2);
  bond_distance_->set_suffix(QStringLiteral("\u00c5"));
  bond_angle_ =
      new ValueSlider(tr("Angle"), tr("Smallest angle at the hydrogen in degrees, if the file has hydrogens"));
  bond_angle_->set_range(90, 180, ValueSlider::Scale::linear, 0);
  bond_angle_->set_suffix(QStringLiteral("\u00b0"));
  add_row(rows_, tr("Ribbo&n profile"), profile_);
  add_row(rows_, tr("Bases"), bases_);
  add_row(rows_, tr("Probability"), probability_);
  add_row(rows_, tr("Arro&ws of"), vectors_);
  add_row(rows_, tr("&Length"), vector_scale_);
  add_row(rows_, tr("Dista&nce"), bond_distance_);
  add_row(rows_, tr("An&gle"), bond_angle_);
  connect(profile_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change ribbon"), [index](Representation& r) { r.options.profile = static_cast<RibbonProfile>(index); });
  });
  connect(bases_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change bases"), [index](Representation& r) { r.options.bases = static_cast<Bases>(index); });
  });
  connect(probability_, &ValueSlider::moved, this, [this](double percent) {
    edit(
        tr("Change probability"),
        [percent](Representation& r) { r.options.probability = static_cast<float>(percent / 100); }, true);
  });
  connect(vectors_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change arrows"), [index](Representation& r) { r.options.vectors = static_cast<VectorKind>(index); });
  });
  connect(vector_scale_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    edit(
        tr("Change length of arrows"),
        [value](Representation& r) { r.options.vector_scale = static_cast<float>(value); }, true);
  });
  connect(bond_distance_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change distance of hydrogen bonds"),
        [value](Representation& r) { r.options.hydrogen_bonds.distance = static_cast<float>(value); }, true);
  });
  connect(bond_angle_, &ValueSlider::moved, this, [this](double value) {
    edit(
        tr("Change angle of hydrogen bonds"),
        [value](Representation& r) { r.options.hydrogen_bonds.angle = static_cast<float>(value); }, true);
  });
}

void RepresentationPanel::show_measures(const Representation& r) {
  profile_->setCurrentIndex(static_cast<int>(r.options.profile));
  bases_->setCurrentIndex(static_cast<int>(r.options.bases));
  probability_->set_value(100 * double(r.options.probability));
  vectors_->setCurrentIndex(static_cast<int>(r.options.vectors));
  {
    const QSignalBlocker quiet(vector_scale_);
    if (!vector_scale_->hasFocus()) vector_scale_->setValue(double(r.options.vector_scale));
  }
  bond_distance_->set_value(double(r.options.hydrogen_bonds.distance));
  bond_angle_->set_value(double(r.options.hydrogen_bonds.angle));

  const auto is = [&r](std::initializer_list<Style> styles) {
    return std::find(styles.begin(), styles.end(), r.style) != styles.end();
  };
  show_row(rows_, molecule_, controller_.scene().molecules.size() > 1);
  show_row(rows_, sphere_scale_, is({Style::spheres, Style::ball_and_stick}));
  show_row(rows_, bond_radius_,
           is({Style::sticks, Style::ball_and_stick, Style::trace, Style::ellipsoids, Style::hydrogen_bonds,
               Style::vectors}));
  show_row(rows_, line_width_, is({Style::lines}));
  show_row(rows_, outline_, !is({Style::lines}));
  show_row(rows_, ribbon_width_, is({Style::cartoon, Style::tube}));
  set_label(rows_, ribbon_width_, r.style == Style::tube ? tr("Tube &width") : tr("Ribbon &width"));
  show_row(rows_, profile_, is({Style::cartoon}));
  show_row(rows_, bases_, is({Style::cartoon}));
  show_row(rows_, probability_, is({Style::ellipsoids}));
  show_row(rows_, vectors_, is({Style::vectors}));
  show_row(rows_, vector_scale_, is({Style::vectors}));
  show_row(rows_, bond_distance_, is({Style::hydrogen_bonds}));
  show_row(rows_, bond_angle_, is({Style::hydrogen_bonds}));
}

}  // namespace isolume
