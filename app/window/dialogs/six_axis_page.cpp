// The page of the preferences about 3-D mice.
#include "app/window/dialogs/six_axis_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QGroupBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

constexpr int button_count = 8;

/// What buttons of such mice are usually for; the others can be had by their keys.
const QStringList& offered() {
  static const QStringList names{
      QStringLiteral("fit"),          QStringLiteral("fit_picked"),   QStringLiteral("reset"),
      QStringLiteral("centre"),       QStringLiteral("front"),        QStringLiteral("back"),
      QStringLiteral("right"),        QStringLiteral("left"),         QStringLiteral("top"),
      QStringLiteral("bottom"),       QStringLiteral("view_1"),       QStringLiteral("view_2"),
      QStringLiteral("view_3"),       QStringLiteral("orthographic"), QStringLiteral("tiles"),
      QStringLiteral("play"),         QStringLiteral("undo"),         QStringLiteral("redo"),
      QStringLiteral("cancel"),       QStringLiteral("palette"),      QStringLiteral("save_view"),
      QStringLiteral("save_picture"), QStringLiteral("full_screen")};
  return names;
}

QSpinBox* make_speed(const QString& name, const QString& tip) {
  auto* box = new QSpinBox;
  box->setAccessibleName(name);
  box->setToolTip(tip);
  box->setRange(0, 500);
  box->setSingleStep(10);
  box->setSuffix(QStringLiteral("\u202f%"));
  box->setSpecialValueText(SixAxisPage::tr("Off"));
  return box;
}

}  // namespace

SixAxisPage::SixAxisPage(const QList<QAction*>& actions, QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("3-D mouse"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 18, 18, 12);
  layout->setSpacing(12);
  on_ = new QCheckBox(tr("Use a 3-D mouse"));
  on_->setAccessibleName(on_->text());
  on_->setToolTip(tr("Moves and rotates the scene with a SpaceMouse, by the program spacenavd"));
  state_ = new QLabel;
  state_->setAccessibleName(tr("State of the 3-D mouse"));
  state_->setWordWrap(true);
  layout->addWidget(on_);
  layout->addWidget(state_);
  build_form();
  layout->addWidget(button_rows(actions));
  layout->addStretch(1);
  const auto tell = [this] { Q_EMIT changed(use()); };
  connect(on_, &QCheckBox::toggled, this, tell);
  connect(strongest_, &QCheckBox::toggled, this, tell);
  connect(cap_, &QComboBox::activated, this, tell);
  for (QSpinBox* box : {move_, turn_}) connect(box, &QSpinBox::valueChanged, this, tell);
  for (QCheckBox* box : reversed_) connect(box, &QCheckBox::toggled, this, tell);
  for (QComboBox* box : buttons_) connect(box, &QComboBox::activated, this, tell);
}

void SixAxisPage::build_form() {
  auto* rows = new QWidget;
  rows->setAccessibleName(tr("Motion"));
  auto* form = make_form(rows);
  form->setContentsMargins(0, 0, 0, 0);
  cap_ = make_box(tr("The cap is"), tr("Whether the scene goes where the cap goes, or the camera does"), {});
  cap_->addItem(tr("The scene"), false);
  cap_->addItem(tr("The camera"), true);
  move_ = make_speed(tr("Speed of moving"), tr("In percent of the usual speed; 0 turns moving and zooming off"));
  turn_ = make_speed(tr("Speed of rotating"), tr("In percent of the usual speed; 0 turns rotating off"));
  strongest_ = new QCheckBox(tr("Only the strongest axis"));
  strongest_->setAccessibleName(strongest_->text());
  strongest_->setToolTip(tr("Either moves or rotates, along the axis that is pushed furthest"));
  add_row(form, tr("The &cap is"), cap_);
  add_row(form, tr("Speed of &moving"), move_);
  add_row(form, tr("Speed of &rotating"), turn_);
  add_row(form, tr("Reverse"), reverse_row());
  add_wide_row(form, strongest_);
  layout()->addWidget(rows);
}

QWidget* SixAxisPage::reverse_row() {
  auto* row = new QWidget;
  row->setAccessibleName(tr("Reverse"));
  row->setToolTip(tr("Axes that count backwards"));
  auto* grid = new QGridLayout(row);
  grid->setContentsMargins(0, 0, 0, 0);
  const QStringList texts{tr("Left, right"), tr("Up, down"), tr("Near, far"), tr("Tilt"), tr("Spin"), tr("Roll")};
  const QStringList tips{tr("Reverse moving to the left and right"),
                         tr("Reverse moving up and down"),
                         tr("Reverse zooming"),
                         tr("Reverse rotating about the horizontal axis"),
                         tr("Reverse rotating about the vertical axis"),
                         tr("Reverse rotating about the line of sight")};
  for (int i = 0; i < 6; ++i) {
    auto* box = new QCheckBox(texts[i]);
    box->setAccessibleName(texts[i]);
    box->setToolTip(tips[i]);
    grid->addWidget(box, i / 3, i % 3);
    reversed_ += box;
  }
  return row;
}

QWidget* SixAxisPage::button_rows(const QList<QAction*>& actions) {
  auto* group = new QGroupBox(tr("Buttons"));
  group->setAccessibleName(tr("Buttons"));
  auto* grid = new QGridLayout(group);
  for (int i = 0; i < button_count; ++i) {
    auto* box = make_box(tr("Button %1").arg(i + 1), tr("What button %1 does").arg(i + 1), {});
    box->addItem(tr("Nothing"), QString());
    for (const QString& name : offered())
      for (const QAction* action : actions)
        if (action->objectName() == name)
          box->addItem(QString(action->text()).remove(QLatin1Char('&')).remove(QStringLiteral("...")), name);
    auto* label = new QLabel(tr("Button %1").arg(i + 1));
    label->setAccessibleName(label->text());
    label->setBuddy(box);
    const int column = i < button_count / 2 ? 0 : 2;
    grid->addWidget(label, i % (button_count / 2), column);
    grid->addWidget(box, i % (button_count / 2), column + 1);
    grid->setColumnStretch(column + 1, 1);
    buttons_ += box;
  }
  return group;
}

SixAxisUse SixAxisPage::use() const {
  SixAxisUse use;
  use.on = on_->isChecked();
  use.moves_camera = cap_->currentData().toBool();
  use.move = move_->value();
  use.turn = turn_->value();
  for (int i = 0; i < reversed_.size(); ++i) use.reversed |= reversed_[i]->isChecked() ? 1 << i : 0;
  use.strongest = strongest_->isChecked();
  use.buttons.clear();
  for (const QComboBox* box : buttons_) use.buttons += box->currentData().toString();
  while (!use.buttons.isEmpty() && use.buttons.last().isEmpty()) use.buttons.removeLast();
  return use;
}

void SixAxisPage::show_use(const SixAxisUse& use) {
  const QSignalBlocker quiet(this);
  on_->setChecked(use.on);
  cap_->setCurrentIndex(use.moves_camera ? 1 : 0);
  move_->setValue(use.move);
  turn_->setValue(use.turn);
  for (int i = 0; i < reversed_.size(); ++i) reversed_[i]->setChecked(use.reversed >> i & 1);
  strongest_->setChecked(use.strongest);
  for (int i = 0; i < buttons_.size(); ++i)
    buttons_[i]->setCurrentIndex(std::max(0, buttons_[i]->findData(use.buttons.value(i))));
}

void SixAxisPage::show_connected(bool connected) {
  state_->setText(connected ? tr("Connected to spacenavd.")
                            : tr("spacenavd is not running; install and start the package of that name."));
}

}  // namespace isolume
