// What the mouse does to atoms and surfaces in the 3D view: hover, select, measure, turn an isovalue.
#pragma once

#include <QObject>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/scene/scene.h"
#include "render/view/scene_view.h"

namespace isolume {

class LivePicture;
struct MainActions;
class MainWindow;
class SceneController;
class Viewport;

class PickActions : public QObject {
  Q_OBJECT
 public:
  explicit PickActions(MainWindow& window);

  /// "A/ALA 12/CA (x y z)" of what was picked, empty for nothing.
  QString describe(PickId id) const;
  /// What was picked in the picture that is seen, by the numbers that molecules have now; of one that is gone the
  /// background.
  PickId as_now(PickId id) const;
  /// A measurement of so many atoms begins, or is made of those that are picked; again, it ends.
  void measure_atoms(int count, bool ruler = false);
  /// Measures so many atoms, of which the first is this one.
  void measure_from(std::uint32_t molecule, std::uint32_t atom, int count);
  bool measuring() const { return measuring_ > 0; }
  void end_measuring();
  /// Selects the atoms of a molecule that words say, or of all visible ones, which a thread of the pool finds. `done`
  /// gets their number, `failed` the error in the words.
  void select_words(std::optional<std::uint32_t> molecule, const QString& words, std::function<void(std::size_t)> done,
                    std::function<void(const QString&)> failed);

 private:
  void pick(PickId id, Qt::KeyboardModifiers modifiers);
  void pick_box(QRectF box, bool adds);
  void show_hover(PickId id);
  void show_picked();
  void add_measurement();
  /// An end of a ruler: the atom, or with Shift, on a surface, a map or the background the point that is seen there.
  void add_ruler_end(PickId id, bool on_atom);
  /// Ends that the measurement under way has.
  int ends() const;
  void show_measuring();
  void turn_isovalue(double steps);

  MainWindow& window_;
  SceneController& controller_;
  Viewport& viewport_;
  LivePicture& picture_;
  MainActions& actions_;
  int measuring_ = 0;               ///< atoms that the measurement under way has, 0 for none
  bool ruler_ = false;              ///< it is a ruler,
  std::vector<ScenePoint> points_;  ///< whose ends that are no atoms are these
  QString atom_text_;               ///< of the picked atom, shown while nothing is under the pointer
};

}  // namespace isolume
