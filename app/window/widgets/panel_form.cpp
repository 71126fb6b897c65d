// What the panels' forms are made of, so that they look alike.
#include "app/window/widgets/panel_form.h"

#include <QEvent>
#include <QFileInfo>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/widgets/list_bar.h"

namespace isolume {

namespace {

constexpr int last_row = 64;  ///< beyond all rows of any form: it takes the room that is left

/// Keeps the wheel from changing a value that the pointer only passes while the panel is scrolled.
class WheelGuard final : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* object, QEvent* event) override {
    const auto* widget = qobject_cast<QWidget*>(object);
    if (event->type() != QEvent::Wheel || widget == nullptr || widget->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

/// Takes the scroll bar away where the form is hidden: Qt would still make room for the rows.
class BarOfForm final : public QObject {
 public:
  BarOfForm(QScrollArea* scroll, QWidget* form) : QObject(scroll), scroll_(scroll) {
    form->installEventFilter(this);
    show(!form->isHidden());
  }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
      show(event->type() == QEvent::ShowToParent);
    return false;
  }

 private:
  void show(bool form_shown) {
    scroll_->setVerticalScrollBarPolicy(form_shown ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
  }
  QScrollArea* scroll_;
};

}  // namespace

QGridLayout* make_form(QWidget* owner) {
  auto* form = new QGridLayout(owner);
  form->setContentsMargins(0, 4, 4, 8);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(8);
  form->setColumnStretch(1, 1);
  form->setRowStretch(last_row, 1);
  return form;
}

void lay_out_panel(QWidget* panel, QWidget* list, QWidget* bar, QWidget* form) {
  auto* scroll = new QScrollArea(panel);
  scroll->setWidget(form);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  new BarOfForm(scroll, form);
  scroll->setAccessibleName(form->accessibleName());
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  form->setAutoFillBackground(false);
  auto* guard = new WheelGuard(form);
  for (QComboBox* box : form->findChildren<QComboBox*>()) box->installEventFilter(guard);
  for (QAbstractSpinBox* box : form->findChildren<QAbstractSpinBox*>()) box->installEventFilter(guard);
  for (QSlider* slider : form->findChildren<QSlider*>()) slider->installEventFilter(guard);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(10, 8, 10, 6);
  layout->setSpacing(6);
  if (list != nullptr) {
    list->setMinimumHeight(90);
    layout->addWidget(list, 1);
  }
  if (bar != nullptr) layout->addWidget(bar);
  layout->addWidget(scroll, 3);
}

QComboBox* make_box(const QString& what, const QString& tip, const QStringList& items) {
  auto* box = new QComboBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->addItems(items);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  box->setFocusPolicy(Qt::StrongFocus);  // not by the wheel: it scrolls the panel
  return box;
}

ValueSlider* make_percent(const QString& what, const QString& tip) {
  auto* slider = new ValueSlider(what, tip);
  slider->set_range(0, 100, ValueSlider::Scale::linear, 0);
  slider->set_suffix(QStringLiteral("%"));
  return slider;
}

void add_row(QGridLayout* form, const QString& label, QWidget* field, bool tall) {
  const int row = form->count();  // at most two items a row: always a free one
  if (!label.isEmpty()) {
    QLabel* text = form_label(label, field);
    if (tall) text->setContentsMargins(0, 5, 0, 0);
    form->addWidget(text, row, 0, (tall ? Qt::AlignTop : Qt::AlignVCenter) | Qt::AlignLeft);
  }
  form->addWidget(field, row, 1);
}

void add_wide_row(QGridLayout* form, QWidget* widget) {
  form->addWidget(widget, form->count(), 0, 1, 2);
}

void show_row(QGridLayout* form, QWidget* field, bool visible) {
  int row = 0, column = 0, rows = 0, columns = 0;
  form->getItemPosition(form->indexOf(field), &row, &column, &rows, &columns);
  if (field->isHidden() != visible) return;
  if (QLayoutItem* label = form->itemAtPosition(row, 0); label != nullptr && label->widget() != nullptr) {
    label->widget()->setVisible(visible);
  }
  field->setVisible(visible);
}

void show_molecules(QComboBox* box, const Scene& scene) {
  QStringList names;
  for (const SceneMolecule& molecule : scene.molecules) {
    QString name = molecule.paths.empty() ? QString() : QFileInfo(to_qt(molecule.paths.front())).fileName();
    if (molecule.paths.size() > 1) name += QObject::tr(" and %1 more").arg(molecule.paths.size() - 1);
    names += name;
  }
  QStringList shown;
  for (int i = 0; i < box->count(); ++i) shown += box->itemText(i);
  if (names == shown) return;
  const int index = box->currentIndex();
  box->clear();
  box->addItems(names);
  box->setCurrentIndex(index);
}

}  // namespace isolume
