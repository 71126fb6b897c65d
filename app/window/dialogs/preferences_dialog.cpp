// The dialog in which preferences are changed.
#include "app/window/dialogs/preferences_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/window/dialogs/six_axis_page.h"
#include "app/window/settings/input_map.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

QTableWidget* make_table(const QString& name, const QString& tip, const QStringList& titles) {
  auto* table = new QTableWidget(0, static_cast<int>(titles.size()));
  table->setAccessibleName(name);
  table->setToolTip(tip);
  table->setHorizontalHeaderLabels(titles);
  table->horizontalHeader()->setAccessibleName(PreferencesDialog::tr("Column headers"));
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setTabKeyNavigation(false);
  return table;
}

void choose(QComboBox* box, const QString& data) {
  box->setCurrentIndex(std::max(0, box->findData(data)));
}

}  // namespace

PreferencesDialog::PreferencesDialog(Preferences preferences, const QList<QPair<QString, QString>>& devices,
                                     const QList<QAction*>& actions, QMap<QString, QList<QKeySequence>> usual,
                                     QWidget* parent)
    : QDialog(parent), before_(preferences), now_(std::move(preferences)), actions_(actions), usual_(std::move(usual)) {
  setWindowTitle(tr("Preferences"));
  setAccessibleName(windowTitle());
  resize(620, 560);
  auto* pages = new QTabWidget(this);
  pages->setAccessibleName(tr("Pages"));
  pages->addTab(general_page(devices), tr("&General"));
  pages->addTab(mouse_page(), tr("&Mouse"));
  six_axes_ = new SixAxisPage(actions);
  pages->addTab(six_axes_, tr("&3-D mouse"));
  connect(six_axes_, &SixAxisPage::changed, this, [this](const SixAxisUse& use) { now_.six_axes = use, announce(); });
  pages->addTab(key_page(actions), tr("&Keys"));
  auto* buttons =
      new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
  buttons->setAccessibleName(tr("OK or cancel"));
  for (QAbstractButton* button : buttons->buttons()) {
    button->setAccessibleName(button->text().remove(QLatin1Char('&')));
    button->setToolTip(button->accessibleName());
  }
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(pages, 1);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(this, &QDialog::rejected, this, [this] { Q_EMIT changed(before_); });
  connect(this, &QDialog::accepted, this, [this] { now_.write(); });
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
    now_ = {};
    announce();
  });
  announce();
}

QWidget* PreferencesDialog::general_page(const QList<QPair<QString, QString>>& devices) {
  auto* page = new QWidget;
  page->setAccessibleName(tr("General"));
  auto* form = make_form(page);
  form->setContentsMargins(18, 18, 18, 12);
  theme_ = make_box(tr("Theme"), tr("Colours of the window; applied immediately"), {});
  theme_->addItem(tr("System"), QStringLiteral("system"));
  theme_->addItem(tr("Light"), QStringLiteral("light"));
  theme_->addItem(tr("Dark"), QStringLiteral("dark"));
  device_ = make_box(tr("Device"), tr("Device that computes surfaces and maps; OpenGL always draws the image"), {});
  device_->addItem(tr("Automatic (fastest)"), QStringLiteral("auto"));
  for (const auto& [name, words] : devices) device_->addItem(words, name);
  memory_ = new QDoubleSpinBox;
  memory_->setAccessibleName(tr("Memory limit"));
  memory_->setToolTip(tr("Memory limit of one computation in GiB; 0 means no limit"));
  memory_->setRange(0, 1e6);
  memory_->setDecimals(1);
  memory_->setSuffix(tr(" GiB"));
  memory_->setSpecialValueText(tr("No limit"));
  drawing_ = make_box(tr("Rendering path"),
                      tr("Automatic depends on the graphics driver; takes effect at the next start"), {});
  drawing_->addItem(tr("Automatic"), QStringLiteral("auto"));
  drawing_->addItem(tr("OpenGL window"), QStringLiteral("window"));
  drawing_->addItem(tr("Images (software OpenGL, remote displays)"), QStringLiteral("image"));
  autosave_ = new QSpinBox;
  autosave_->setAccessibleName(tr("Autosave every"));
  autosave_->setToolTip(tr("Seconds between autosaves, 5 to 3600"));
  autosave_->setRange(5, 3600);
  autosave_->setSuffix(tr(" s"));
  ask_ = new QCheckBox(tr("Ask before closing an unsaved scene"));
  ask_->setAccessibleName(ask_->text());
  ask_->setToolTip(tr("When off, unsaved changes are discarded without asking"));
  follow_ = new QCheckBox(tr("Use a dark background in the dark theme"));
  follow_->setAccessibleName(follow_->text());
  follow_->setToolTip(tr("Background of new scenes; change it any time in View > Background"));
  still_ = new QCheckBox(tr("Reduced motion"));
  still_->setAccessibleName(still_->text());
  still_->setToolTip(tr("The camera jumps to saved views instead of flying"));
  index_ = new QCheckBox(tr("Remember where the frames of large trajectories begin"));
  index_->setAccessibleName(index_->text());
  index_->setToolTip(tr("A small file in the cache folder, so that a large trajectory opens at once the next time"));
  add_row(form, tr("&Theme"), theme_);
  add_row(form, tr("&Device"), device_);
  add_row(form, tr("&Memory limit"), memory_);
  add_row(form, tr("&Rendering path"), drawing_);
  add_row(form, tr("&Autosave every"), autosave_);
  add_wide_row(form, ask_);
  add_wide_row(form, follow_);
  add_wide_row(form, still_);
  add_wide_row(form, index_);
  connect(theme_, &QComboBox::activated, this, [this] { now_.theme = theme_->currentData().toString(), announce(); });
  connect(device_, &QComboBox::activated, this,
          [this] { now_.device = device_->currentData().toString(), announce(); });
  connect(drawing_, &QComboBox::activated, this,
          [this] { now_.drawing = drawing_->currentData().toString(), announce(); });
  connect(memory_, &QDoubleSpinBox::valueChanged, this, [this](double gib) { now_.memory_limit = gib, announce(); });
  connect(autosave_, &QSpinBox::valueChanged, this, [this](int seconds) { now_.autosave = seconds, announce(); });
  connect(ask_, &QCheckBox::toggled, this, [this](bool on) { now_.ask_unsaved = on, announce(); });
  connect(follow_, &QCheckBox::toggled, this, [this](bool on) { now_.background_follows_theme = on, announce(); });
  connect(still_, &QCheckBox::toggled, this, [this](bool on) { now_.reduced_motion = on, announce(); });
  connect(index_, &QCheckBox::toggled, this, [this](bool on) { now_.frame_index = on, announce(); });
  return page;
}

QWidget* PreferencesDialog::mouse_page() {
  auto* page = new QWidget;
  page->setAccessibleName(tr("Mouse"));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(18, 18, 18, 12);
  input_ = make_box(tr("Mouse and keyboard preset"), tr("Use the mouse and keyboard controls of another program"), {});
  for (const InputMap& map : input_maps()) input_->addItem(map.name, map.name);
  auto* row = new QWidget;
  row->setAccessibleName(input_->accessibleName());
  auto* form = make_form(row);
  add_row(form, tr("Mouse and keyboard &preset"), input_);
  scroll_ = make_box(tr("Two fingers on a trackpad"),
                     tr("Action of two-finger scrolling in the 3D view; pinching always zooms"), {});
  scroll_->addItem(tr("Zoom"), QStringLiteral("zoom"));
  scroll_->addItem(tr("Move"), QStringLiteral("move"));
  scroll_->addItem(tr("Rotate"), QStringLiteral("turn"));
  add_row(form, tr("&Two fingers on a trackpad"), scroll_);
  mouse_ = make_table(tr("Mouse controls"), tr("Mouse buttons and wheel in the 3D view"), {tr("Input"), tr("Action")});
  layout->addWidget(row);
  layout->addWidget(mouse_, 1);
  connect(scroll_, &QComboBox::activated, this,
          [this] { now_.scroll = scroll_->currentData().toString(), announce(); });
  connect(input_, &QComboBox::activated, this, [this] { now_.input = input_->currentData().toString(), announce(); });
  return page;
}

QWidget* PreferencesDialog::key_page(const QList<QAction*>& actions) {
  auto* page = new QWidget;
  page->setAccessibleName(tr("Keys"));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(18, 18, 18, 12);
  keys_ = make_table(tr("Keys of the actions"),
                     tr("Click in the second column and press the new key; Backspace removes it"),
                     {tr("Action"), tr("Key")});
  keys_->setRowCount(static_cast<int>(actions.size()));
  for (int i = 0; i < actions.size(); ++i) {
    // Texts change, as that of Undo does.
    const QString title = actions[i]->property("title").toString();
    const QString text =
        QString(title.isEmpty() ? actions[i]->text() : title).remove(QLatin1Char('&')).remove(QStringLiteral("..."));
    keys_->setItem(i, 0, new QTableWidgetItem(list_icon(actions[i]->icon()), text));
    auto* edit = new QKeySequenceEdit;
    edit->setAccessibleName(tr("Key of %1").arg(text));
    edit->setToolTip(tr("Press the new key"));
    keys_->setCellWidget(i, 1, edit);
    connect(edit, &QKeySequenceEdit::editingFinished, this, [this, edit, name = actions[i]->objectName()] {
      const QKeySequence key = edit->keySequence().isEmpty() ? QKeySequence() : QKeySequence(edit->keySequence()[0]);
      if (usual_.value(name).value(0) == key) {
        now_.keys.remove(name);
      } else {
        now_.keys[name] = key.toString();
      }
      announce();
    });
  }
  keys_->setColumnWidth(0, 320);
  layout->addWidget(keys_);
  return page;
}

void PreferencesDialog::announce() {
  const QSignalBlocker quiet_memory(memory_), quiet_autosave(autosave_), quiet_ask(ask_), quiet_follow(follow_),
      quiet_still(still_), quiet_index(index_);
  choose(theme_, now_.theme);
  choose(device_, now_.device);
  choose(drawing_, now_.drawing);
  choose(input_, now_.input);
  choose(scroll_, now_.scroll);
  memory_->setValue(now_.memory_limit);
  autosave_->setValue(now_.autosave);
  ask_->setChecked(now_.ask_unsaved);
  follow_->setChecked(now_.background_follows_theme);
  still_->setChecked(now_.reduced_motion);
  index_->setChecked(now_.frame_index);
  six_axes_->show_use(now_.six_axes);
  show_mouse();
  Q_EMIT changed(now_);
  show_keys();
}

void PreferencesDialog::show_mouse() {
  const auto lines = describe(input_map(now_.input));
  mouse_->setRowCount(static_cast<int>(lines.size()));
  for (int i = 0; i < lines.size(); ++i) {
    mouse_->setItem(i, 0, new QTableWidgetItem(lines[i].first));
    mouse_->setItem(i, 1, new QTableWidgetItem(lines[i].second));
  }
  mouse_->resizeColumnToContents(0);
}

void PreferencesDialog::show_keys() {
  for (int i = 0; i < actions_.size(); ++i) {
    auto* edit = qobject_cast<QKeySequenceEdit*>(keys_->cellWidget(i, 1));
    const QSignalBlocker quiet(edit);
    edit->setKeySequence(actions_[i]->shortcut());
  }
}

}  // namespace isolume
