// The Select menu: which atoms are selected, and which classes of atoms are shown.
#pragma once

#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "app/window/live/live_picture.h"
#include "app/window/live/scene_controller.h"
#include "app/window/select/edit_queue.h"

class QWidget;

namespace isolume {

/// Fills the menu and does what its entries say, in all visible molecules; masks are made on a thread of the pool.
class SelectActions : public QObject {
  Q_OBJECT
 public:
  /// `viewport`: whose keys those of the actions are.
  SelectActions(QMenu& menu, QWidget& viewport, SceneController& controller, LivePicture& picture);

  /// All of them, each with an object name that stays.
  const QList<QAction*>& all() const { return all_; }
  /// The action of that object name; null where there is none.
  QAction* find(const QString& name) const;
  /// Selects the atoms that words name, in all visible molecules.
  void select(const QString& words);
  /// Selects what `words` say of the selected atoms, which stand for '%1' in them.
  void select_of_selected(const QString& words);
  void show_class(const QString& words, const QString& title);
  void hide_class(const QString& words, const QString& title);
  /// The same in one molecule of the scene.
  void select_in(std::uint32_t molecule, const QString& words);
  void show_in(std::uint32_t molecule, const QString& words, const QString& title, bool show);
  /// Edits of what is shown, which wait for one another.
  EditQueue& edits() { return edits_; }

 Q_SIGNALS:
  /// All edits() have ended, whether they changed the scene or not.
  void edited();
  void failed(const QString& message);
  void told(const QString& message);

 private:
  /// One byte per atom out of one byte per atom.
  using Mask = std::vector<std::uint8_t>;
  using Change = std::function<Mask(const Topology&, const Frame&, const Mask& selected, std::uint32_t molecule)>;
  QAction* add(QMenu& menu, const char* name, const QString& text, const QString& tip, const QKeySequence& key,
               std::function<void()> what);
  void add_classes(QMenu& menu);
  void add_growing(QMenu& menu);
  void ask_distance();
  void ask_words();
  /// What is selected becomes what `change` makes of it. `of_selected`: it depends on what is selected, so that it
  /// waits for a selection that is being computed.
  void change(Change change, bool of_selected = false);
  void change_class(const QString& words, const QString& what, bool show, std::optional<std::uint32_t> only = {});
  void compute_class(const QString& words, const QString& what, bool show, std::optional<std::uint32_t> only);
  void enable();

  QWidget& viewport_;
  SceneController& controller_;
  LivePicture& picture_;
  QList<QAction*> all_, of_selected_;
  EditQueue edits_;
  std::deque<Change> waiting_;  ///< changes of the selection that is being computed
  bool finding_ = false;        ///< one is, of the number newest_
  bool taking_ = false;         ///< its atoms are being selected
  std::uint64_t newest_ = 0;
};

}  // namespace isolume
