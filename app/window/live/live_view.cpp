// Builds what the viewport draws, on a thread of its own.
#include "app/window/live/live_view.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "app/documents/thread_priority.h"
#include "app/view/view_builder.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

struct Request {
  std::uint64_t number = 0;
  Scene scene;
  std::vector<FieldResult> results;
  std::vector<PickedAtom> picked;
};

/// Frames of the molecules, decoded once per frame number.
class FrameCache {
 public:
  std::shared_ptr<const Frame> get(const std::shared_ptr<const Molecule>& molecule, std::size_t index,
                                   std::size_t scene_frame) {
    if (!molecule || molecule->frame_count() == 0) return nullptr;
    const std::size_t frame = std::min(scene_frame, molecule->frame_count() - 1);
    if (entries_.size() <= index) entries_.resize(index + 1);
    Entry& entry = entries_[index];
    if (entry.molecule != molecule || entry.number != frame || !entry.frame) {
      entry = {molecule, frame, std::make_shared<const Frame>(molecule->trajectory->frame(frame))};
    }
    return entry.frame;
  }

 private:
  struct Entry {
    std::shared_ptr<const Molecule> molecule;
    std::size_t number = 0;
    std::shared_ptr<const Frame> frame;
  };
  std::vector<Entry> entries_;
};

/// Puts halos around picked atoms into the view, and into the tiles of their molecules.
void add_halos(const std::vector<PickedAtom>& picked, BuiltView& built,
               const std::vector<std::shared_ptr<const Molecule>>& molecules) {
  for (const PickedAtom& pick : picked) {
    if (pick.molecule >= built.frames.size() || !built.frames[pick.molecule]) continue;
    const Frame& frame = *built.frames[pick.molecule];
    const Molecule& molecule = *molecules[pick.molecule];
    if (pick.atom >= frame.positions.size() || pick.atom >= molecule.atom_count()) continue;
    const float radius = element(molecule.topology->atoms[pick.atom].element).vdw_radius;
    const glm::vec4 halo(frame.positions[pick.atom], 0.5f * (radius > 0 ? radius : 1.7f));
    built.view.highlights.push_back(halo);
    for (SceneView& tile : built.view.tiles)
      if (tile.object == pick.molecule + 1) tile.highlights.push_back(halo);
  }
}

}  // namespace

struct LiveView::Worker {
  Documents& documents;
  LiveView& owner;
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Request> next;
  bool quit = false;
  std::thread thread;

  Worker(Documents& documents_, LiveView& owner_) : documents(documents_), owner(owner_), thread([this] { run(); }) {}

  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
    }
    wake.notify_one();
    thread.join();
  }

  void run() {
    lower_thread_priority();
    ViewBuilder builder(documents);
    FrameCache frames;
    for (;;) {
      std::optional<Request> request;
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return quit || next; });
        if (quit) return;
        request.swap(next);
      }
      auto built = std::make_shared<BuiltView>();
      try {
        built->view = builder.build(request->scene, request->results);
        std::vector<std::shared_ptr<const Molecule>> molecules;
        for (std::size_t i = 0; i < request->scene.molecules.size(); ++i) {
          molecules.push_back(documents.loaded(request->scene.molecules[i]));
          built->frames.push_back(frames.get(molecules.back(), i, request->scene.frame));
        }
        add_halos(request->picked, *built, molecules);
      } catch (const std::exception& error) {
        built->error = error.what();
      }
      built->scene = std::move(request->scene);
      const std::uint64_t number = request->number;
      request.reset();
      QMetaObject::invokeMethod(
          &owner,
          [this_ = &owner, built = std::shared_ptr<const BuiltView>(std::move(built)), number] {
            this_->answered_ = number;
            Q_EMIT this_->built(built);
          },
          Qt::QueuedConnection);
    }
  }
};

LiveView::LiveView(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {}

LiveView::~LiveView() = default;

void LiveView::request(Scene scene, std::vector<FieldResult> results, std::vector<PickedAtom> picked) {
  if (!worker_) worker_ = std::make_unique<Worker>(controller_.documents(), *this);
  {
    const std::lock_guard lock(worker_->mutex);
    worker_->next = Request{++asked_, std::move(scene), std::move(results), std::move(picked)};
  }
  worker_->wake.notify_one();
}

void LiveView::stop() {
  worker_.reset();
  answered_ = asked_;
}

}  // namespace isolume
