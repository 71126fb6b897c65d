// The panel of movies by key frames: a time axis, and what happens between its key frames.
#include "app/window/movie/movie_panel.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/movie.h"
#include "app/window/movie/key_line.h"
#include "app/window/widgets/flow_layout.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/list_bar.h"
#include "app/window/widgets/panel_form.h"

namespace isolume {
namespace {

constexpr double usual_step = 2;  // seconds between key frames that are added one after the other

/// A label and its field that stay next to each other.
QWidget* labelled(const QString& text, QWidget* field) {
  auto* both = new QWidget;
  both->setAccessibleName(field->accessibleName());
  auto* row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 6, 0);
  row->setSpacing(5);
  row->addWidget(form_label(text, field));
  row->addWidget(field);
  return both;
}

}  // namespace

MoviePanel::MoviePanel(SceneController& controller, std::function<bool()> ready, QWidget* parent)
    : QWidget(parent), controller_(controller), ready_(std::move(ready)) {
  setAccessibleName(tr("Movie"));
  build_actions();
  build();
  connect(line_, &KeyLine::time_asked, this, &MoviePanel::go);
  connect(line_, &KeyLine::move_asked, this, &MoviePanel::move);
  connect(line_, &KeyLine::add_asked, this, [this](double seconds) { add_key_at(seconds); });
  connect(line_, &KeyLine::remove_asked, this, &MoviePanel::remove);
  connect(time_, &QDoubleSpinBox::valueChanged, this, [this](double seconds) {
    const auto key = line_->current();
    key ? move(*key, seconds) : go(seconds);
  });
  connect(easing_, &QComboBox::activated, this, [this](int index) {
    edit_key(tr("Change easing"), [index](MovieKey& key) { key.easing = static_cast<Easing>(index); });
  });
  connect(turns_, &QSpinBox::valueChanged, this, [this](int turns) {
    edit_key(tr("Change turns of a movie"), [turns](MovieKey& key) { key.turns = turns; });
  });
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &MoviePanel::tick);
  // What is edited while it plays goes on from there.
  connect(&controller_, &SceneController::history_changed, this, [this] {
    if (!playing()) return;
    timer_.stop();
    show_current();
  });
  controller_.listen(this, SceneParts::molecules | SceneParts::keys, &MoviePanel::show_scene);
  show_scene(controller_.scene());
}

void MoviePanel::build_actions() {
  const auto make = [this](const char* name, const QString& text, const QString& tip) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setToolTip(tip);
    action->setProperty("words", tr("movie animation key frame keyframe timeline story video"));
    actions_ += action;
    return action;
  };
  add_ = make("key_add", tr("&Add key frame"),
              tr("Add what is shown to the movie: camera, frame, visibility, opacity, colours, isovalues, clipping "
                 "planes"));
  update_ = make("key_update", tr("&Update key frame"), tr("Replace the key frame at this time by what is shown"));
  remove_ = make("key_remove", tr("&Remove key frame"), tr("Remove the key frame at this time"));
  previous_ = make("key_previous", tr("Pr&evious key frame"), tr("Go to the key frame before"));
  next_ = make("key_next", tr("&Next key frame"), tr("Go to the key frame after"));
  play_ = make("movie_play", tr("&Play movie"), tr("Play the movie in the 3D view; again to stop"));
  play_->setIcon(icon(QStringLiteral("play")));
  export_ = new QAction(tr("E&xport..."), this);  // that of the File menu
  export_->setToolTip(tr("Export the movie as MP4, WebM, GIF or APNG"));
  connect(add_, &QAction::triggered, this, &MoviePanel::add_key);
  connect(update_, &QAction::triggered, this, [this] { add_key_at(line_->time()); });
  connect(remove_, &QAction::triggered, this, &MoviePanel::remove);
  const auto neighbour = [this](bool later) {
    std::optional<double> found;
    for (const MovieKey& key : controller_.scene().keys) {
      if (later ? key.time > line_->time() && !found : key.time < line_->time()) found = key.time;
    }
    if (found) go(*found);
  };
  connect(previous_, &QAction::triggered, this, [neighbour] { neighbour(false); });
  connect(next_, &QAction::triggered, this, [neighbour] { neighbour(true); });
  connect(play_, &QAction::triggered, this, [this] { playing() ? stop() : play(); });
  connect(export_, &QAction::triggered, this, &MoviePanel::export_asked);
}

void MoviePanel::build() {
  line_ = new KeyLine(this);
  time_ = new QDoubleSpinBox;
  time_->setAccessibleName(tr("Time"));
  time_->setToolTip(tr("Time in the movie. On a key frame, this moves it"));
  time_->setRange(0, longest_movie);
  time_->setDecimals(2);
  time_->setSingleStep(0.5);
  time_->setSuffix(tr(" s"));
  time_->setKeyboardTracking(false);
  easing_ = make_box(tr("Easing"), tr("Motion from this key frame to the next one"),
                     {tr("Even"), tr("Slow start"), tr("Slow end"), tr("Slow start and end"), tr("Hold")});
  easing_->setMinimumContentsLength(17);
  turns_ = new QSpinBox;
  turns_->setAccessibleName(tr("Turns"));
  turns_->setToolTip(tr("Full turns about the vertical axis on the way to the next key frame; negative: to the left"));
  turns_->setRange(-most_turns, most_turns);
  turns_->setKeyboardTracking(false);
  summary_ = new QLabel;
  summary_->setAccessibleName(tr("Summary of the movie"));
  summary_->setToolTip(tr("Key frames and length of the movie"));
  auto* buttons = new QWidget(this);
  buttons->setAccessibleName(tr("Key frames"));
  auto* row = new FlowLayout(buttons);
  auto* play = new QToolButton(buttons);
  play->setDefaultAction(play_);
  play->setAccessibleName(tr("Play movie"));
  play->setAutoRaise(true);
  play->setFocusPolicy(Qt::StrongFocus);
  row->addWidget(play);
  const std::pair<QAction*, QString> texts[] = {
      {add_, tr("Add key frame")}, {update_, tr("Update")}, {remove_, tr("Remove")}, {export_, tr("Export...")}};
  for (const auto& [action, text] : texts) row->addWidget(make_text_button(action, text, buttons));
  row->addWidget(summary_);
  auto* fields = new QWidget(this);
  fields->setAccessibleName(tr("Key frame"));
  auto* second = new FlowLayout(fields);
  second->addWidget(labelled(tr("T&ime"), time_));
  second->addWidget(labelled(tr("To the next &key frame"), easing_));
  second->addWidget(labelled(tr("&Turns"), turns_));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 6);
  layout->setSpacing(6);
  layout->addWidget(buttons);
  layout->addWidget(line_, 1);
  layout->addWidget(fields);
}

void MoviePanel::go(double seconds) {
  if (playing()) timer_.stop();
  line_->set_time(seconds);
  if (!controller_.scene().keys.empty()) {
    Scene shown = scene_at(controller_.scene(), seconds);
    shown.keys = controller_.scene().keys;
    controller_.preview(std::move(shown));
  }
  show_current();
}

void MoviePanel::add_key() {
  const auto& keys = controller_.scene().keys;
  double seconds = line_->time();
  if (keys.empty()) seconds = 0;
  if (line_->current()) seconds = std::min(longest_movie, keys.back().time + usual_step);
  add_key_at(seconds);
}

void MoviePanel::add_key_at(double seconds, std::optional<Easing> easing) {
  if (controller_.scene().molecules.empty()) return;
  if (playing()) timer_.stop();
  MovieKey key = key_of(controller_.scene(), seconds);
  const auto& keys = controller_.scene().keys;
  Scene with = controller_.scene();
  const std::size_t place = put_key(with, key);
  const bool there = with.keys.size() == keys.size();
  if (there) {
    key.time = keys[place].time;
    key.easing = keys[place].easing;
    key.turns = keys[place].turns;
  }
  if (easing) key.easing = *easing;
  line_->set_time(key.time);
  controller_.edit(there ? tr("Update key frame") : tr("Add key frame"), [&](Scene& scene) { put_key(scene, key); });
  show_scene(controller_.scene());
  if (!there) Q_EMIT added();
}

void MoviePanel::move(std::size_t key, double seconds) {
  if (key >= controller_.scene().keys.size()) return;
  std::size_t now = key;
  controller_.edit(
      tr("Move key frame"), [&](Scene& scene) { now = move_key(scene, key, seconds); }, true);
  line_->set_time(controller_.scene().keys[now].time);
  show_scene(controller_.scene());
}

void MoviePanel::remove() {
  const auto key = line_->current();
  if (!key) return;
  controller_.edit(tr("Remove key frame"), [place = static_cast<std::ptrdiff_t>(*key)](Scene& scene) {
    scene.keys.erase(scene.keys.begin() + place);
  });
}

void MoviePanel::edit_key(const QString& what, const std::function<void(MovieKey&)>& change) {
  const auto key = line_->current();
  if (key)
    controller_.edit(
        what, [&](Scene& scene) { change(scene.keys[*key]); }, true);
}

void MoviePanel::play() {
  const Scene& scene = controller_.scene();
  if (playing() || scene.keys.size() < 2) return;
  Q_EMIT plays();
  showed_ = controller_.previewing();
  began_ = line_->time();
  if (began_ >= movie_length(scene)) line_->set_time(0);
  clock_.start();
  timer_.setProperty("from", line_->time());
  timer_.start(10);
  show_current();
}

void MoviePanel::tick() {
  const Scene& scene = controller_.scene();
  const double seconds = timer_.property("from").toDouble() + static_cast<double>(clock_.elapsed()) / 1000;
  if (seconds >= movie_length(scene)) return stop();
  if (!ready_()) return;  // a picture that takes longer leaves some out
  line_->set_time(seconds);
  Scene shown = scene_at(scene, seconds);
  shown.keys = scene.keys;
  controller_.preview(std::move(shown));
}

void MoviePanel::stop() {
  if (!playing()) return;
  timer_.stop();
  line_->set_time(began_);
  if (showed_) return go(began_);
  controller_.end_preview();
  show_current();
}

void MoviePanel::show_scene(const Scene& scene) {
  line_->set_keys(scene.keys);
  if (scene.keys.empty() && line_->time() > 0) line_->set_time(0);
  show_current();
}

void MoviePanel::show_current() {
  const Scene& scene = controller_.scene();
  const auto key = line_->current();
  const bool some = !scene.molecules.empty();
  add_->setEnabled(some);
  for (QAction* action : {update_, remove_}) action->setEnabled(some && key);
  for (QAction* action : {previous_, next_}) action->setEnabled(!scene.keys.empty());
  for (QAction* action : {play_, export_}) action->setEnabled(scene.keys.size() > 1);
  play_->setIcon(icon(playing() ? QStringLiteral("pause") : QStringLiteral("play")));
  const bool leads = key && *key + 1 < scene.keys.size();
  easing_->setEnabled(leads);
  turns_->setEnabled(leads);
  time_->setEnabled(!scene.keys.empty());
  const QSignalBlocker no_time(time_), no_turns(turns_);
  time_->setValue(line_->time());
  easing_->setCurrentIndex(static_cast<int>(key ? scene.keys[*key].easing : Easing::ease));
  turns_->setValue(key ? scene.keys[*key].turns : 0);
  const QString length = tr("%1 s").arg(movie_length(scene), 0, 'f', 1);
  summary_->setText(scene.keys.empty() ? QString()
                    : key              ? tr("Key frame %1 of %2; %3").arg(*key + 1).arg(scene.keys.size()).arg(length)
                    : scene.keys.size() == 1 ? tr("One key frame")
                                             : tr("%1 key frames; %2").arg(scene.keys.size()).arg(length));
}

}  // namespace isolume
