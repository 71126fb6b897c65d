// Keeps the computed fields of the scene up to date.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <mutex>
#include <vector>

#include "app/fields/field_queue.h"
#include "app/window/live/scene_controller.h"

namespace isolume {

/// Watches the scene, asks the worker for every field whose numbers changed, and keeps the newest result of each. A
/// field that is computed again shows its old result until the new one is there. Of one field at most one request runs
/// and one waits, so that a slider that moves shows every value that there is time for.
///
/// Orbitals keep up with what moves: while frames or isovalues follow one another sooner than the field can be
/// computed, its grid is made coarser, as far as 30 pictures a second need and no more than four times; when it rests,
/// the field is computed again on its own grid.
class LiveFields : public QObject {
  Q_OBJECT
 public:
  explicit LiveFields(SceneController& controller, QObject* parent = nullptr);
  ~LiveFields() override;

  /// Begins to compute, with a context for the worker (null: results are host meshes).
  void start(std::unique_ptr<GlContext> context);
  /// Cancels, waits for the worker and forgets all results; the window's context is current.
  void stop();
  void set_device(Device device);
  Device device() const { return device_; }

  /// One per field of the scene, with no items where nothing is computed yet.
  std::vector<FieldResult> results() const;
  /// True where every result is that of the scene, perhaps on a coarser grid.
  bool current() const;
  /// True where nothing is to be computed, running or to be refined.
  bool settled() const;
  /// How much coarser than their own grids fields are drawn now: the largest factor, 1 for none.
  double coarsening() const;
  /// True where the worker itself runs or has something to run.
  bool worker_busy() const { return queue_ && queue_->busy(); }
  /// Cancels what runs and what waits; the old results stay.
  void cancel();

 Q_SIGNALS:
  void results_changed();
  void field_finished(int field, const QString& summary, const QString& path);
  void field_failed(int field, const QString& message);
  /// A device failed, and another one computed the field; `lost`: it computes nothing more.
  void device_failed(const QString& message, bool lost);
  /// Something runs (`what` is empty when nothing does).
  void progress(const QString& what, double fraction);

 private:
  struct Slot {
    std::size_t id = 0;  ///< names it to the queue, whatever its place
    Field wanted;        ///< as last seen in the scene
    Field asked;         ///< of the newest request
    std::size_t molecule_frame = 0;
    std::shared_ptr<const Molecule> molecule;
    std::shared_ptr<const Molecule> zone_molecule;
    std::shared_ptr<const Molecule> map_molecule;  ///< whose volume colours the surface (Paint::map)
    TakenOff minus;                                ///< what its difference is to
    std::uint64_t running = 0;                     ///< number of the request that runs, 0 for none
    bool dirty = false;                            ///< another request is to follow
    QElapsedTimer since;                           ///< since the request that runs was made
    QElapsedTimer changed;                         ///< since the numbers that are wanted last changed
    bool moving = false;                           ///< they changed twice within a short time
    double full_seconds = 0;                       ///< what the field takes on its own grid, by what it last took
    FieldResult result;
  };
  void update(const Scene& scene);
  void submit(std::size_t index, bool replace = false);
  void replace_slow();
  void refine();
  void report();
  void take_inbox();

  SceneController& controller_;
  std::unique_ptr<FieldQueue> queue_;
  Device device_;
  std::vector<Slot> slots_;
  std::uint64_t number_ = 0;
  std::size_t last_id_ = 0;
  QTimer watch_;  ///< while something runs
  QTimer rest_;   ///< until what has stopped moving is refined

  // Written by the worker, emptied on the window's thread.
  std::mutex mutex_;
  std::vector<FieldResult> inbox_;
  QString progress_what_;
  double progress_fraction_ = 0;
};

/// By how much the grid of a field that takes `seconds` is made coarser, so that it keeps up with 30 pictures a second.
double coarsening_for(double seconds);

/// True where the numbers of two fields differ, so that it is to be computed again; colours and visibility do not
/// count.
bool computes_differently(const Field& a, const Field& b);

}  // namespace isolume
