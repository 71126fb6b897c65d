// Keeps the computed fields of the scene up to date.
#include "app/window/live/live_fields.h"

#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/fields/scene_request.h"
#include "app/fields/surface_paint.h"
#include "app/models/labels.h"
#include "app/scene/named_selections.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// How long a request may run when a newer one of its field waits.
constexpr std::chrono::milliseconds patience{700};

/// Shorter work is not reported: the status line would flicker.
constexpr std::chrono::milliseconds worth_saying{250};

/// Changes that follow one another sooner than this are a movement; without one for as long, it rests.
constexpr std::chrono::milliseconds movement{300};
constexpr double picture_seconds = 1.0 / 30;
constexpr double coarsest = 4;

/// The frame of a molecule at a frame of the scene: beyond its last it rests, and need not be computed again.
std::size_t frame_of(const Field& field, const Molecule& molecule, std::size_t scene_frame) {
  const std::size_t count = std::max(molecule.frame_count(), molecule.orbitals.size());
  if (field.kind == Field::Kind::volume || count == 0) return 0;
  return std::min(scene_frame, count - 1);
}

/// What a field is less of, as far as it is loaded; what cannot be had is said when the field is computed.
TakenOff minus_of(const Scene& scene, const Field& field, Documents& documents) {
  try {
    return taken_off(scene, field, documents, false);
  } catch (const Error& error) {
    TakenOff refused;
    refused.load = [text = std::string(error.what())]() -> std::shared_ptr<const Molecule> {
      throw Error(text, Error::Kind::usage);
    };
    return refused;
  }
}

}  // namespace

double coarsening_for(double seconds) {
  if (!(seconds > picture_seconds)) return 1;
  // Steps of a cube root of two halve the work and keep the grid from flickering between close values.
  const double steps = std::ceil(std::log2(seconds / picture_seconds) - 1e-9);
  return std::min(coarsest, std::exp2(steps / 3));
}

LiveFields::LiveFields(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  watch_.setInterval(100);
  connect(&watch_, &QTimer::timeout, this, &LiveFields::report);
  rest_.setSingleShot(true);
  rest_.setInterval(movement);
  connect(&rest_, &QTimer::timeout, this, &LiveFields::refine);
  controller_.listen(this, SceneParts::molecules | SceneParts::fields | SceneParts::frame, &LiveFields::update);
}

LiveFields::~LiveFields() {
  queue_.reset();
}

void LiveFields::start(std::unique_ptr<GlContext> context) {
  FieldQueue::Callbacks callbacks;
  callbacks.finished = [this](FieldResult result) {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(result));
    if (inbox_.size() == 1) QMetaObject::invokeMethod(this, &LiveFields::take_inbox, Qt::QueuedConnection);
  };
  callbacks.progress = [this](const std::string& what, double fraction) {
    const std::lock_guard lock(mutex_);
    if (!what.empty()) progress_what_ = to_qt(what);
    progress_fraction_ = fraction;
  };
  callbacks.device_failed = [this](const std::string& fault, bool lost, Device) {
    QMetaObject::invokeMethod(
        this, [this, text = to_qt(fault), lost] { Q_EMIT device_failed(text, lost); }, Qt::QueuedConnection);
  };
  queue_ = std::make_unique<FieldQueue>(std::move(callbacks), std::move(context));
  update(controller_.scene());
}

void LiveFields::stop() {
  queue_.reset();
  {
    const std::lock_guard lock(mutex_);
    inbox_.clear();
  }
  slots_.clear();
  rest_.stop();
  Q_EMIT progress({}, 0);
}

void LiveFields::set_device(Device device) {
  if (device == device_) return;
  device_ = device;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].wanted.visible) submit(i);
  }
}

std::vector<FieldResult> LiveFields::results() const {
  std::vector<FieldResult> results;
  results.reserve(slots_.size());
  for (const Slot& slot : slots_) results.push_back(slot.result);
  return results;
}

bool LiveFields::current() const {
  return std::all_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return (slot.running == 0 && !slot.dirty) || !slot.wanted.visible; });
}

bool LiveFields::settled() const {
  return current() && coarsening() == 1;
}

double LiveFields::coarsening() const {
  double most = 1;
  for (const Slot& slot : slots_) {
    if (slot.wanted.visible) most = std::max(most, slot.result.coarsening);
  }
  return most;
}

void LiveFields::refine() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].moving = false;
    // What runs may be coarse too.
    if (slots_[i].wanted.visible && (slots_[i].result.coarsening > 1 || slots_[i].running != 0)) submit(i);
  }
}

void LiveFields::cancel() {
  for (Slot& slot : slots_) {
    slot.running = 0;  // what still arrives of it is stale
    slot.dirty = false;
  }
  if (queue_) queue_->cancel_all();
  Q_EMIT progress({}, 0);
}

void LiveFields::update(const Scene& given) {
  if (!queue_) return;
  const Scene scene = with_names(given);
  // A result follows its field when fields are added, removed or reordered: first by place, then by equal numbers.
  std::vector<Slot> old = std::move(slots_);
  std::vector<bool> taken(old.size(), false);
  slots_.assign(scene.fields.size(), {});
  std::vector<bool> found(slots_.size(), false);
  const auto take = [&](std::size_t to, std::size_t from) {
    slots_[to] = std::move(old[from]);
    taken[from] = true;
    found[to] = true;
  };
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (i < old.size() && !computes_differently(old[i].wanted, scene.fields[i])) take(i, i);
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    for (std::size_t j = 0; j < old.size() && !found[i]; ++j) {
      if (!taken[j] && !computes_differently(old[j].wanted, scene.fields[i])) take(i, j);
    }
  }
  const bool same_count = old.size() == slots_.size();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    // The same field with new numbers keeps showing what it has; a result of another kind would mislead.
    if (!found[i] && same_count && !taken[i] && old[i].wanted.kind == scene.fields[i].kind) take(i, i);
  }
  for (std::size_t j = 0; j < old.size(); ++j) {
    if (!taken[j] && old[j].running != 0) queue_->cancel(old[j].id);
  }
  const bool changed = !same_count || std::find(found.begin(), found.end(), false) != found.end();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.id == 0) slot.id = ++last_id_;
    slot.wanted = scene.fields[i];
    slot.result.field_index = i;
    if (slot.wanted.molecule >= scene.molecules.size()) continue;
    const auto molecule = controller_.documents().loaded_as_shown(scene.molecules[slot.wanted.molecule]);
    if (!molecule || !slot.wanted.visible) continue;
    const std::size_t frame = frame_of(slot.wanted, *molecule, scene.frame);
    const auto map_molecule = painted_by_map(slot.wanted) ? controller_.molecule(slot.wanted.map_molecule)
                                                          : std::shared_ptr<const Molecule>();
    const auto zone = slot.wanted.zone > 0 ? controller_.molecule(slot.wanted.zone_molecule) : nullptr;
    TakenOff minus = minus_of(scene, slot.wanted, controller_.documents());
    if (slot.molecule == molecule && slot.map_molecule == map_molecule && slot.molecule_frame == frame &&
        slot.zone_molecule == zone && slot.minus.same(minus) && !computes_differently(slot.asked, slot.wanted)) {
      continue;
    }
    // The first request of a field and another kind of field are no movement.
    const bool again = slot.molecule == molecule && slot.asked.kind == slot.wanted.kind;
    slot.moving = again && slot.changed.isValid() && !slot.changed.hasExpired(movement.count());
    slot.changed.start();
    slot.molecule = molecule;
    slot.map_molecule = map_molecule;
    slot.molecule_frame = frame;
    slot.zone_molecule = zone;
    slot.minus = std::move(minus);
    slot.asked = slot.wanted;
    if (slot.moving || slot.result.coarsening > 1) rest_.start();
    submit(i);
  }
  if (changed) Q_EMIT results_changed();
}

void LiveFields::submit(std::size_t index, bool replace) {
  Slot& slot = slots_[index];
  if (!queue_ || !slot.molecule) return;
  if (slot.running != 0 && !replace) {
    // What runs is let finish, so that a moving slider shows values on its way; but not for long.
    if (!slot.dirty) QTimer::singleShot(patience, this, &LiveFields::replace_slow);
    slot.dirty = true;
    return;
  }
  slot.dirty = false;
  slot.since.start();
  if (!watch_.isActive()) watch_.start();
  {
    const std::lock_guard lock(mutex_);
    progress_what_.clear();
    progress_fraction_ = 0;
  }
  slot.running = ++number_;
  FieldRequest request;
  request.number = slot.running;
  request.field_index = slot.id;
  request.field = slot.asked;
  request.molecule = slot.molecule;
  request.frame = slot.molecule_frame;
  request.device = device_;
  if (painted_by_map(request.field) && slot.map_molecule &&
      request.field.map_volume < slot.map_molecule->volumes.size()) {
    request.map.volume = slot.map_molecule->volumes[request.field.map_volume];
    request.map.title = map_title(*request.map.volume, *slot.map_molecule);
  }
  request.zone_molecule = slot.zone_molecule;
  request.minus = slot.minus;
  if (slot.moving && request.field.kind == Field::Kind::orbital) {
    request.coarsening = coarsening_for(slot.full_seconds);
    if (request.coarsening > 1) rest_.start();
  }
  queue_->submit(std::move(request));
}

void LiveFields::report() {
  const Slot* longest = nullptr;
  for (const Slot& slot : slots_) {
    if (slot.running != 0 && (longest == nullptr || slot.since.elapsed() > longest->since.elapsed())) longest = &slot;
  }
  if (longest == nullptr) {
    watch_.stop();
    Q_EMIT progress({}, 0);
  } else if (longest->since.hasExpired(worth_saying.count())) {
    QString what;
    double fraction = 0;
    {
      const std::lock_guard lock(mutex_);
      what = progress_what_;
      fraction = progress_fraction_;
    }
    Q_EMIT progress(what.isEmpty() ? label(longest->asked.kind) : what, fraction);
  }
}

void LiveFields::replace_slow() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].dirty && slots_[i].running != 0 && slots_[i].since.hasExpired(patience.count())) submit(i, true);
  }
}

void LiveFields::take_inbox() {
  std::vector<FieldResult> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(inbox_);
  }
  bool changed = false;
  for (FieldResult& result : arrived) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                   [&](const Slot& s) { return s.running != 0 && s.running == result.number; });
    if (slot == slots_.end()) continue;  // stale
    const std::size_t index = static_cast<std::size_t>(slot - slots_.begin());
    slot->running = 0;
    changed = true;
    if (result.error.empty()) {
      result.field_index = index;
      slot->full_seconds = result.seconds * std::pow(result.coarsening, 3);
      slot->result = std::move(result);
      Q_EMIT field_finished(static_cast<int>(index), to_qt(slot->result.summary), to_qt(slot->result.path));
    } else if (!slot->dirty) {
      Q_EMIT field_failed(static_cast<int>(index), to_qt(result.error));
    }
    if (slot->dirty) submit(index);
  }
  if (changed) Q_EMIT results_changed();
}

}  // namespace isolume
