// The panel of interactions: hydrogen bonds, salt bridges, stacking, clashes, contacts of the frame that is shown.
#pragma once

#include <QCheckBox>
#include <QList>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "app/window/live/live_view.h"
#include "app/window/live/scene_controller.h"
#include "compute/structure/interactions.h"

class QAction;
class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;
class QTreeWidget;

namespace isolume {

class SelectionEdit;

/// A form for one of the scene's sets of interactions, and the list of what it finds in the frame that is shown. A row
/// selects the atoms of both partners and centres on them. Lists are made on a thread of the pool, and only while the
/// panel is visible.
class InteractionPanel : public QWidget {
  Q_OBJECT
 public:
  explicit InteractionPanel(SceneController& controller, QWidget* parent = nullptr);

  /// Adds interactions to the scene: of the selected atoms with all others, else of the ligands, else of all.
  QAction* add_action() const { return add_; }
  QAction* remove_action() const { return remove_; }
  QTreeWidget* list() const { return list_; }
  QComboBox* sets() const { return sets_; }
  /// By kind: hydrogen bonds, salt bridges, stacking, cation-pi, clashes, contacts.
  const QList<QCheckBox*>& kinds() const { return kinds_; }
  QLabel* note() const { return note_; }
  bool busy() const { return busy_; }
  QSize sizeHint() const override;
  /// The picture is another one.
  void show_picture(std::shared_ptr<const BuiltView> built);

 Q_SIGNALS:
  void failed(const QString& message);
  /// The selected atoms are to be brought to the middle.
  void centre_asked();
  /// Interactions were added: the panel wants to be seen.
  void added();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build_form(QWidget* owner);
  void add();
  int current() const;
  void change(const QString& what, const std::function<void(InteractionSet&)>& change);
  void show_scene(const Scene& scene);
  void find();
  void show_found();
  void choose_row(int row);
  void copy() const;

  SceneController& controller_;
  QAction *add_, *remove_;
  QComboBox *sets_, *molecule_;
  QGridLayout* form_;
  SelectionEdit *atoms_, *others_;
  QCheckBox *two_, *visible_;
  QList<QCheckBox*> kinds_;
  QTreeWidget* list_;
  QLabel *note_, *empty_;
  QToolButton* copy_;
  std::shared_ptr<const BuiltView> built_;
  std::vector<Interaction> found_;
  std::shared_ptr<const Molecule> found_in_;
  std::uint32_t found_of_ = 0;
  bool busy_ = false, again_ = false;
  bool gone_ = false;  ///< the set that is looked for was removed, or its molecule
};

}  // namespace isolume
