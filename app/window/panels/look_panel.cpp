// The panel of lights and effects.
#include "app/window/panels/look_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <cmath>

#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/number_tips.h"
#include "app/window/widgets/panel_form.h"
#include "app/window/widgets/value_slider.h"

namespace isolume {
namespace {

constexpr double degrees = 57.29577951308232;

/// Ready-made looks; the background stays.
Look preset(int index, const Look& now) {
  Look look;
  switch (index) {
    case 1:  // soft: broad light, deep crevices
      look.ambient = 0.5f, look.diffuse = 0.5f, look.specular = 0.08f;
      look.ambient_occlusion_strength = 1.5f, look.outlines = false;
      break;
    case 2:  // plain: for print
      look.ambient = 0.75f, look.diffuse = 0.3f, look.specular = 0, look.depth_cue = 0;
      look.ambient_occlusion_strength = 0.6f, look.outline_width = 1.5f;
      break;
    case 3:  // dramatic
      look.ambient = 0.16f, look.diffuse = 0.95f, look.specular = 0.4f, look.shadows = true;
      look.light = {-0.7f, 0.6f, 0.45f};
      break;
    case 4:  // quick: nothing but light
      look.ambient_occlusion = look.outlines = false, look.depth_cue = 0.2f;
      break;
    default:
      break;
  }
  look.background = now.background;
  look.background_bottom = now.background_bottom;
  look.axes = now.axes;
  look.scale_bar = now.scale_bar;
  look.text_points = now.text_points;
  look.caps = now.caps;
  look.focus = now.focus;
  return look;
}

}  // namespace

LookPanel::LookPanel(SceneController& controller, QWidget* parent) : QWidget(parent), controller_(controller) {
  setAccessibleName(tr("Appearance"));
  form_ = new QWidget(this);
  form_->setAccessibleName(tr("Lights and effects"));
  set_cost(form_, tr("Redrawn only, not recomputed"));
  rows_ = make_form(form_);
  presets_ = new QPushButton(tr("Choose..."));
  presets_->setAccessibleName(tr("Presets"));
  presets_->setToolTip(tr("Apply a preset; the background is kept"));
  auto* menu = new QMenu(presets_);
  menu->setAccessibleName(tr("Presets"));
  const QString names[] = {tr("&Default"), tr("&Soft"), tr("&Publication"), tr("D&ramatic"), tr("&Fast")};
  for (int i = 0; i < 5; ++i) {
    connect(menu->addAction(names[i]), &QAction::triggered, this,
            [this, i] { edit(tr("Choose preset"), [i](Look& look) { look = preset(i, look); }); });
  }
  presets_->setMenu(menu);
  add_row(rows_, tr("&Preset"), presets_);
  legends_ = make_box(tr("Legends"), tr("Legends shown in the image"),
                      {tr("Colour scales only"), tr("Colour scales and names"), tr("None")});
  add_row(rows_, tr("Le&gends"), legends_);
  connect(legends_, &QComboBox::activated, this, [this](int index) {
    controller_.edit(tr("Change legends"), [index](Scene& scene) { scene.legends = static_cast<Legends>(index); });
  });
  add_together(tr("&Background"), tr("Background colours"),
               {make_background(tr("Background colour, top"), &Look::background),
                make_background(tr("Background colour, bottom"), &Look::background_bottom)},
               false);
  add_effect(tr("Ambient occl&usion"),
             make_check(tr("Ambient occlusion"),
                        tr("Darken crevices, as under an overcast sky.\nUp to a third of the drawing time with "
                           "software OpenGL, little on a GPU"),
                        &Look::ambient_occlusion),
             make_slider(tr("Occlusion strength"), tr("Strength of ambient occlusion"),
                         &Look::ambient_occlusion_strength, 0, 3, 2));
  const QString angstrom = QStringLiteral("\u202f\u00c5"), pixels = QStringLiteral("\u202fpx");
  add_slider(tr("Occlusion &radius"), tr("Range of ambient occlusion"), &Look::ambient_occlusion_radius, 0.5, 30, 1)
      ->set_suffix(angstrom);
  ValueSlider* width = make_slider(tr("Line width"), tr("Width of outlines"), &Look::outline_width, 0.5, 6, 1);
  width->set_suffix(pixels);
  add_effect(tr("&Outlines"),
             make_check(tr("Outlines"),
                        tr("Silhouette outlines.\nUp to half the drawing time with software OpenGL, little on a GPU"),
                        &Look::outlines),
             width);
  add_slider(tr("&Depth cue"), tr("Fade distant atoms into the background, percent"), &Look::depth_cue, 0, 100, 0, 100);
  depth_of_field_ = add_slider(tr("Depth of fie&ld"),
                               tr("Blur in front of and behind the focus distance, percent of the image height; 0 is "
                                  "off.\nThe slowest effect with software OpenGL"),
                               &Look::depth_of_field, 0, 8, 1, 100);
  add_slider(tr("Focus dista&nce"), tr("Distance from the centre of the view towards the viewer"), &Look::focus, -100,
             100, 1)
      ->set_suffix(angstrom);
  build_light();
  shadows_ =
      make_check(tr("Shadows"), tr("Shadows of the key light.\nEverything is drawn a second time, from the light"),
                 &Look::shadows);
  QCheckBox* caps = make_check(
      tr("Fill cut surfaces"),
      tr("Fill closed surfaces with their colour where clipping planes cut them (Shift+wheel moves the front one).\n"
         "Cut surfaces are drawn twice"),
      &Look::caps);
  QCheckBox* axes = make_check(tr("A&xes"), tr("Small axes in the corner"), &Look::axes);
  shadows_->setText(shadows_->accessibleName());
  caps->setText(caps->accessibleName());
  axes->setText(tr("A&xes"));
  add_together({}, tr("Switches"), {shadows_, caps, axes}, false);
  scale_bar_ = make_box(tr("Scale bar"),
                        tr("A bar of a round length in the lower right corner; with perspective it is that of the "
                           "centre of rotation"),
                        {tr("None"), QStringLiteral("\u00c5"), QStringLiteral("nm")});
  add_row(rows_, tr("Scale bar"), scale_bar_);
  connect(scale_bar_, &QComboBox::activated, this, [this](int index) {
    edit(tr("Change scale bar"), [index](Look& look) { look.scale_bar = static_cast<ScaleBar>(index); });
  });
  shown_.push_back([this](const Look& look) { scale_bar_->setCurrentIndex(static_cast<int>(look.scale_bar)); });
  text_size_ = make_points(tr("Text size"),
                           tr("Letters of labels, legends, rulers and the scale bar in points, the same "
                              "on paper at every resolution.\nAutomatic: by the size of the picture"),
                           tr("Automatic"));
  add_row(rows_, tr("Text size"), text_size_);
  connect(text_size_, &QDoubleSpinBox::valueChanged, this, [this](double points) {
    edit(
        tr("Change text size"), [points](Look& look) { look.text_points = static_cast<float>(points); }, true);
  });
  shown_.push_back([this](const Look& look) {
    const QSignalBlocker quiet(text_size_);
    text_size_->setValue(double(look.text_points));
  });
  lay_out_panel(this, nullptr, nullptr, form_);
  controller_.listen(this, SceneParts::molecules | SceneParts::look | SceneParts::arrangement, &LookPanel::show_scene);
  show_scene(controller_.scene());
}

void LookPanel::build_light() {
  from_the_left_ =
      new ValueSlider(tr("Light from the side"), tr("Degrees to the right of the viewer; negative is to the left"));
  from_the_left_->set_range(-90, 90, ValueSlider::Scale::linear, 0);
  from_above_ = new ValueSlider(tr("Light from above"), tr("Degrees above the viewer"));
  from_above_->set_range(-90, 90, ValueSlider::Scale::linear, 0);
  for (ValueSlider* slider : {from_the_left_, from_above_}) slider->set_suffix(QStringLiteral("\u00b0"));
  add_row(rows_, tr("L&ight, side"), from_the_left_);
  add_row(rows_, tr("Light, above"), from_above_);
  for (ValueSlider* slider : {from_the_left_, from_above_}) {
    connect(slider, &ValueSlider::moved, this, [this] {
      const double side = from_the_left_->value() / degrees, above = from_above_->value() / degrees;
      edit(
          tr("Change light"),
          [=](Look& look) {
            look.light = glm::vec3(std::cos(above) * std::sin(side), std::sin(above), std::cos(above) * std::cos(side));
          },
          true);
    });
  }
  shown_.push_back([this](const Look& look) {
    const glm::dvec3 light(look.light);
    if (!(glm::length(light) > 0)) return;
    from_the_left_->set_value(degrees * std::atan2(light.x, light.z));
    from_above_->set_value(degrees * std::asin(light.y / glm::length(light)));
  });
  add_slider(tr("&Key light"), tr("Brightness of the directional light, percent"), &Look::diffuse, 0, 150, 0, 100);
  add_slider(tr("Ambient light"), tr("Brightness of the ambient light, percent"), &Look::ambient, 0, 150, 0, 100);
  add_slider(tr("Highlights"), tr("Strength of highlights, percent"), &Look::specular, 0, 150, 0, 100);
  add_slider(tr("Shininess"), tr("Size of highlights: larger values give smaller highlights"), &Look::shininess, 1, 200,
             0);
}

void LookPanel::edit(const QString& what, const std::function<void(Look&)>& change, bool merge) {
  controller_.edit(
      what, [&](Scene& scene) { change(scene.look); }, merge);
}

QCheckBox* LookPanel::make_check(const QString& text, const QString& tip, bool Look::*member) {
  auto* box = new QCheckBox;
  const QString plain = QString(text).remove(QLatin1Char('&'));
  box->setAccessibleName(plain);
  box->setToolTip(tip);
  connect(box, &QCheckBox::clicked, this, [this, plain, member](bool on) {
    edit(tr("Change %1").arg(plain.toLower()), [=](Look& look) { look.*member = on; });
  });
  shown_.push_back([box, member](const Look& look) { box->setChecked(look.*member); });
  return box;
}

ValueSlider* LookPanel::make_slider(const QString& text, const QString& tip, float Look::*member, double lowest,
                                    double highest, int decimals, double factor) {
  const QString plain = QString(text).remove(QLatin1Char('&'));
  auto* slider = new ValueSlider(plain, tip);
  slider->set_range(lowest, highest, ValueSlider::Scale::linear, decimals);
  if (factor == 100) slider->set_suffix(QStringLiteral("%"));
  connect(slider, &ValueSlider::moved, this, [this, plain, member, factor](double value) {
    edit(
        tr("Change %1").arg(plain.toLower()), [=](Look& look) { look.*member = static_cast<float>(value / factor); },
        true);
  });
  shown_.push_back([slider, member, factor](const Look& look) { slider->set_value(factor * double(look.*member)); });
  return slider;
}

ValueSlider* LookPanel::add_slider(const QString& text, const QString& tip, float Look::*member, double lowest,
                                   double highest, int decimals, double factor) {
  ValueSlider* slider = make_slider(text, tip, member, lowest, highest, decimals, factor);
  add_row(rows_, text, slider);
  return slider;
}

void LookPanel::add_effect(const QString& text, QCheckBox* on, ValueSlider* strength) {
  add_together(text, on->accessibleName(), {on, strength}, true);
  connect(on, &QCheckBox::toggled, strength, &QWidget::setEnabled);
  strength->setEnabled(on->isChecked());
}

void LookPanel::add_together(const QString& text, const QString& name, std::initializer_list<QWidget*> fields,
                             bool stretch) {
  auto* together = new QWidget;
  together->setAccessibleName(name);
  together->setToolTip((*fields.begin())->toolTip());
  auto* line = new QHBoxLayout(together);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(text.isEmpty() ? 14 : 6);
  for (QWidget* field : fields) line->addWidget(field, stretch && field != *fields.begin() ? 1 : 0);
  if (!stretch) line->addStretch(1);
  together->setFocusProxy(*fields.begin());
  if (text.isEmpty()) {
    add_wide_row(rows_, together);
  } else {
    add_row(rows_, text, together);
  }
}

ColourButton* LookPanel::make_background(const QString& tip, glm::vec3 Look::*member) {
  auto* button = new ColourButton(tip);
  button->setToolTip(tip);
  connect(button, &ColourButton::chosen, this, [this, member](const QColor& colour) {
    edit(tr("Change background"),
         [&](Look& look) { look.*member = glm::vec3(colour.redF(), colour.greenF(), colour.blueF()); });
  });
  shown_.push_back([button, member](const Look& look) {
    button->set_colour(glm::u8vec4(glm::u8vec3(glm::round(255.0f * (look.*member))), 255));
  });
  return button;
}

void LookPanel::show_scene(const Scene& scene) {
  setEnabled(!scene.molecules.empty());
  legends_->setCurrentIndex(static_cast<int>(scene.legends));
  for (const auto& show : shown_) show(scene.look);
}

}  // namespace isolume
