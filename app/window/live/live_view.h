// Builds the viewport's draw items on a thread of its own.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "app/documents/documents.h"
#include "app/fields/fields.h"
#include "app/window/live/scene_controller.h"
#include "molecule/frame.h"
#include "render/view/scene_view.h"

namespace isolume {

/// A scene view, and what belongs to it.
struct BuiltView {
  SceneView view;
  Scene scene;                                       ///< that it shows
  std::vector<FieldResult> results;                  ///< of its fields, as they are in the view
  std::vector<std::shared_ptr<const Frame>> frames;  ///< one per molecule, null where a molecule has none
  std::vector<std::shared_ptr<const Frame>>
      drawn;          ///< the same where atoms are drawn: smoothed where that is asked for
  std::string error;  ///< not empty: it could not be built, and why
};

/// The thread with the ViewBuilder. Of the requests the newest wins; results are announced on the window's
/// thread.
class LiveView : public QObject {
  Q_OBJECT
 public:
  explicit LiveView(SceneController& controller, QObject* parent = nullptr);
  ~LiveView() override;

  void request(Scene scene, std::vector<FieldResult> results, std::vector<PickedAtom> picked);
  /// Stops building; the old view stays.
  void cancel();
  /// Waits for the thread and drops its cache, so that no item is held here any more.
  void stop();
  /// True where a request waits or runs, or a result is on its way.
  bool busy() const { return asked_ != answered_; }

 Q_SIGNALS:
  void built(const std::shared_ptr<const isolume::BuiltView>& built);
  /// Something takes long (`what` is empty when nothing does).
  void progress(const QString& what, double fraction);

 private:
  struct Worker;
  void report();

  SceneController& controller_;
  std::unique_ptr<Worker> worker_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  QTimer watch_;  ///< while something is built
  QElapsedTimer since_;
};

}  // namespace isolume
