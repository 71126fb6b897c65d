// The outline of one thing: as the scene has it, none, or one of its own with a colour and a width.
#include "app/window/widgets/outline_edit.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include "app/window/widgets/colour_button.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {

OutlineEdit::OutlineEdit(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Outline"));
  setToolTip(tr("Line around it where it is in front of other objects"));
  mode_ = make_box(tr("Outline"), toolTip(), {tr("As the scene"), tr("None"), tr("Its own")});
  mode_->setMinimumContentsLength(6);
  colour_ = new ColourButton(tr("Colour of the outline"));
  colour_->setToolTip(tr("Colour of the outline"));
  width_ = new QDoubleSpinBox;
  width_->setAccessibleName(tr("Width of the outline"));
  width_->setToolTip(tr("Width of the outline"));
  width_->setRange(0.5, 20);
  width_->setDecimals(1);
  width_->setSingleStep(0.5);
  width_->setSuffix(QStringLiteral("\u202fpx"));
  width_->setKeyboardTracking(false);
  width_->setMinimumWidth(64);
  setFocusProxy(mode_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(mode_, 2);
  row->addWidget(colour_);
  row->addWidget(width_, 1);
  connect(mode_, &QComboBox::activated, this, [this](int index) {
    outline_.mode = static_cast<Outline::Mode>(index);
    show_outline();
    Q_EMIT changed(outline_, false);
  });
  connect(colour_, &ColourButton::chosen, this, [this](const QColor& c) {
    outline_.colour = {c.red(), c.green(), c.blue(), 255};
    Q_EMIT changed(outline_, false);
  });
  connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    outline_.width = static_cast<float>(value);
    Q_EMIT changed(outline_, true);
  });
  show_outline();
}

void OutlineEdit::set_outline(const Outline& outline) {
  outline_ = outline;
  show_outline();
}

void OutlineEdit::show_outline() {
  const QSignalBlocker quiet(width_);
  const bool own = outline_.mode == Outline::Mode::on;
  mode_->setCurrentIndex(static_cast<int>(outline_.mode));
  colour_->set_colour(outline_.colour);
  colour_->setVisible(own);
  if (!width_->hasFocus()) width_->setValue(double(outline_.width));
  width_->setVisible(own);
}

}  // namespace isolume
