// Shared parts of the panels' forms, so that they look alike.
#include "app/window/widgets/panel_form.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileInfo>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/widgets/list_bar.h"
#include "molecule/molecule.h"

namespace isolume {

namespace {

constexpr int last_row = 999;  ///< beyond all rows of any form: it takes the room that is left

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

/// As wide as its form needs, so that only its height is scrolled; without a scroll bar where the form is hidden, as Qt
/// would still make room for the rows.
class FormScroll final : public QScrollArea {
 public:
  FormScroll(QWidget* parent, QWidget* form) : QScrollArea(parent) {
    setWidget(form);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    form->installEventFilter(this);
    show_bar(!form->isHidden());
  }
  QSize minimumSizeHint() const override {
    const int bar = verticalScrollBar()->sizeHint().width();
    return {widget()->minimumSizeHint().width() + bar, 4 * fontMetrics().height()};
  }
  bool eventFilter(QObject* object, QEvent* event) override {
    if (object == widget()) {
      if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        show_bar(event->type() == QEvent::ShowToParent);
      if (event->type() == QEvent::LayoutRequest) updateGeometry();
    }
    return QScrollArea::eventFilter(object, event);
  }

 private:
  void show_bar(bool form_shown) {
    setVerticalScrollBarPolicy(form_shown ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
  }
};

/// Scrolls what a dock is too small for, instead of making the window larger.
class PanelScroll final : public QScrollArea {
 public:
  explicit PanelScroll(QWidget* panel) {
    setObjectName(QStringLiteral("panel_scroll"));
    setWidget(panel);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    panel->setAutoFillBackground(false);
    panel->installEventFilter(this);
    setAccessibleName(panel->accessibleName());
  }
  QSize sizeHint() const override { return widget()->sizeHint(); }
  QSize minimumSizeHint() const override {
    return widget()->minimumSizeHint().boundedTo({narrowest * fontMetrics().averageCharWidth(), lowest});
  }
  bool eventFilter(QObject* object, QEvent* event) override {
    if (object == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(object, event);
  }

 private:
  static constexpr int narrowest = 36;  // characters
  static constexpr int lowest = 48;     // pixels
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

QWidget* scroll_panel(QWidget* panel) {
  return new PanelScroll(panel);
}

QScrollArea* scroll_form(QWidget* panel, QWidget* form) {
  auto* scroll = new FormScroll(panel, form);
  scroll->setAccessibleName(form->accessibleName());
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->viewport()->setAutoFillBackground(false);
  form->setAutoFillBackground(false);
  auto* guard = new WheelGuard(form);
  for (QComboBox* box : form->findChildren<QComboBox*>()) box->installEventFilter(guard);
  for (QAbstractSpinBox* box : form->findChildren<QAbstractSpinBox*>()) box->installEventFilter(guard);
  for (QSlider* slider : form->findChildren<QSlider*>()) slider->installEventFilter(guard);
  return scroll;
}

void lay_out_panel(QWidget* panel, QWidget* list, QWidget* bar, QWidget* form) {
  QScrollArea* scroll = scroll_form(panel, form);
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

QToolButton* make_text_button(QAction* action, const QString& text, QWidget* parent) {
  auto* button = new QToolButton(parent);
  action->setIconText(text);  // a button takes its text from there whenever the action changes
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setAccessibleName(QString(action->text()).remove(QLatin1Char('&')));
  return button;
}

QSize roomy_row(const QWidget& list) {
  return {0, list.fontMetrics().height() + 5};
}

QLabel* make_hint(const QString& text, QAbstractItemView* list) {
  auto* hint = new QLabel(text, list->viewport());
  hint->setAccessibleName(QObject::tr("Hint"));
  hint->setWordWrap(true);
  hint->setAlignment(Qt::AlignCenter);
  hint->setForegroundRole(QPalette::PlaceholderText);
  auto* middle = new QVBoxLayout(list->viewport());
  middle->addWidget(hint);
  return hint;
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

QDoubleSpinBox* make_number(const QString& what, const QString& tip, double lowest, double highest, int decimals,
                            const QString& unit) {
  auto* box = new QDoubleSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(lowest, highest);
  box->setDecimals(decimals);
  box->setSuffix(unit.isEmpty() ? QString() : QStringLiteral("\u202f") + unit);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  box->setKeyboardTracking(false);
  box->setFocusPolicy(Qt::StrongFocus);
  return box;
}

QDoubleSpinBox* make_points(const QString& what, const QString& tip, const QString& usual) {
  auto* box = new QDoubleSpinBox;
  box->setAccessibleName(what);
  box->setToolTip(tip);
  box->setRange(0, 200);
  box->setDecimals(1);
  box->setSuffix(QStringLiteral("\u202fpt"));
  box->setSpecialValueText(usual);
  box->setKeyboardTracking(false);
  box->setFocusPolicy(Qt::StrongFocus);
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
    // As wide as its column: with a letter underlined a text may be wider than it says.
    form->addWidget(text, row, 0, tall ? Qt::AlignTop : Qt::AlignVCenter);
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

void set_label(QGridLayout* form, QWidget* field, const QString& text) {
  int row = 0, column = 0, rows = 0, columns = 0;
  form->getItemPosition(form->indexOf(field), &row, &column, &rows, &columns);
  const QLayoutItem* item = form->itemAtPosition(row, 0);
  auto* label = item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
  if (label == nullptr || label->text() == text) return;
  label->setText(text);
  label->setAccessibleName(QString(text).remove(QLatin1Char('&')));
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
  box->setCurrentIndex(shown.isEmpty() && !names.isEmpty() ? 0 : index);
}

void show_models(QComboBox* box, const Scene& scene,
                 const std::function<std::shared_ptr<const Molecule>(std::size_t)>& molecule) {
  const QSignalBlocker quiet(box);
  const bool chosen = box->count() > 0 && box->currentIndex() >= 0;
  show_molecules(box, scene);
  if (chosen && box->currentIndex() >= 0) return;
  for (int m = 0; m < box->count(); ++m) {
    const auto loaded = molecule(static_cast<std::size_t>(m));
    if (loaded && loaded->atom_count() > 0 && loaded->frame_count() > 0) return box->setCurrentIndex(m);
  }
}

}  // namespace isolume
