// Builds the viewport's draw items on a thread of its own.
#include "app/window/live/live_view.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "app/documents/thread_priority.h"
#include "app/models/labels.h"
#include "app/view/view_builder.h"
#include "app/window/widgets/post.h"
#include "molecule/base/stop.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

/// Milliseconds; shorter work is not reported.
constexpr qint64 worth_saying = 300;

struct Request {
  std::uint64_t number = 0;
  Scene scene;
  std::vector<FieldResult> results;
  std::vector<PickedAtom> picked;
};

/// Puts halos around picked atoms into the view, and into the tiles of their molecules.
void add_halos(const std::vector<PickedAtom>& picked, BuiltView& built,
               const std::vector<std::shared_ptr<const Molecule>>& molecules) {
  for (const PickedAtom& pick : picked) {
    if (pick.molecule >= built.drawn.size() || !built.drawn[pick.molecule]) continue;
    const Frame& frame = *built.drawn[pick.molecule];
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
  Job* running = nullptr;                // of the request that is built
  std::atomic<bool> stop = false;        // what it does is to stop, wherever it is
  std::vector<SceneMolecule> molecules;  // of it
  std::string what;                      // is built, and how far
  double fraction = 0;
  std::thread thread;

  Worker(Documents& documents_, LiveView& owner_) : documents(documents_), owner(owner_), thread([this] { run(); }) {}

  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
      cancel();
    }
    wake.notify_one();
    thread.join();
  }

  /// Under the mutex.
  void cancel() {
    if (!running) return;
    running->cancel();
    stop = true;
  }

  void run() {
    lower_thread_priority();
    const StopScope scope(&stop);
    ViewBuilder builder(documents);
    for (;;) {
      std::optional<Request> request;
      Job job([this](double done, const std::string& now) {
        const std::lock_guard lock(mutex);
        what = now;
        fraction = done;
      });
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return quit || next; });
        if (quit) return;
        request.swap(next);
        running = &job;
        stop = false;
        molecules = request->scene.molecules;
        what.clear();
        fraction = 0;
      }
      auto built = std::make_shared<BuiltView>();
      try {
        built->view = builder.build(request->scene, request->results, &job);
        std::vector<std::shared_ptr<const Molecule>> molecules;
        for (std::size_t i = 0; i < request->scene.molecules.size(); ++i) {
          molecules.push_back(documents.loaded(request->scene.molecules[i]));
          built->frames.push_back(builder.frames().get(i, molecules.back(), request->scene.frame));
          const auto shown = documents.loaded_as_shown(request->scene.molecules[i]);
          built->drawn.push_back(shown == molecules.back()
                                     ? built->frames.back()
                                     : builder.drawn_frames().get(i, shown, request->scene.frame));
        }
        add_halos(request->picked, *built, molecules);
      } catch (const std::exception& error) {
        built->error = error.what();
      }
      {
        const std::lock_guard lock(mutex);
        running = nullptr;
      }
      const bool cancelled = job.cancelled();
      built->scene = std::move(request->scene);
      built->results = std::move(request->results);
      const std::uint64_t number = request->number;
      request.reset();
      post(&owner, [this_ = &owner, built = std::shared_ptr<const BuiltView>(std::move(built)), number, cancelled] {
        if (number <= this_->answered_) return;  // stopped meanwhile: nobody waits for it
        this_->answered_ = number;
        if (!cancelled) Q_EMIT this_->built(built);
      });
    }
  }
};

LiveView::LiveView(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  watch_.setInterval(100);
  connect(&watch_, &QTimer::timeout, this, &LiveView::report);
}

LiveView::~LiveView() = default;

void LiveView::request(Scene scene, std::vector<FieldResult> results, std::vector<PickedAtom> picked) {
  if (!worker_) worker_ = std::make_unique<Worker>(controller_.documents(), *this);
  {
    const std::lock_guard lock(worker_->mutex);
    // Of other molecules nothing is wanted any more; a film goes on as fast as it can be built.
    if (worker_->molecules != scene.molecules) worker_->cancel();
    worker_->next = Request{++asked_, std::move(scene), std::move(results), std::move(picked)};
  }
  worker_->wake.notify_one();
  if (!watch_.isActive()) {
    since_.start();
    watch_.start();
  }
}

void LiveView::cancel() {
  if (!worker_) return;
  const std::lock_guard lock(worker_->mutex);
  if (worker_->next) {
    answered_ = worker_->next->number;
    worker_->next.reset();
  }
  worker_->cancel();
}

void LiveView::report() {
  if (!busy() || !worker_) {
    watch_.stop();
    Q_EMIT progress({}, 0);
    return;
  }
  if (!since_.hasExpired(worth_saying)) return;
  std::string what;
  double fraction = 0;
  {
    const std::lock_guard lock(worker_->mutex);
    what = worker_->what;
    fraction = worker_->fraction;
  }
  Q_EMIT progress(what.empty() ? tr("Building the picture") : to_qt(what), fraction);
}

void LiveView::stop() {
  worker_.reset();
  answered_ = asked_;
}

}  // namespace isolume
