// The scene as a tree: molecules with their parts, measurements and labels.
#pragma once

#include <QList>
#include <QSet>
#include <QWidget>
#include <memory>
#include <optional>

#include "app/window/live/live_picture.h"
#include "app/window/tree/tree_rows.h"

class QAction;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace isolume {

class SelectActions;

/// One tree of all that the scene has, each row with a check box for its visibility and its colour where one can be
/// set. A click selects: atoms of a chain or a ligand in the picture, anything else in the panel of its details.
class SceneTree : public QWidget {
  Q_OBJECT
 public:
  SceneTree(SceneController& controller, SelectActions& select, QWidget* parent = nullptr);

  QTreeWidget* list() const { return list_; }
  /// The row that is current; null for none.
  const TreeRow* current() const;
  /// Makes the row of that kind and number in its list of the scene current, without what a click on it does.
  void choose(TreeRow::Kind kind, std::size_t index);
  /// The chains and ligands of the drawing, and which of them are shown. A drawing that is older than the scene does
  /// not know what was asked for since, and changes nothing.
  void show_picture(const std::shared_ptr<const BuiltView>& built);
  /// What can be done with the current row here: show or hide, colour, rename, remove.
  QList<QAction*> entries() const { return {show_, colour_, rename_, remove_}; }

 Q_SIGNALS:
  /// The user selected a row, or asked for its details.
  void row_chosen(const isolume::TreeRow& row, bool opens);
  void menu_asked(const isolume::TreeRow& row, QPoint global);
  void failed(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_list();
  void build_actions();
  void show_scene(const Scene& scene);
  /// Looks up the parts of the picture, where they are not known.
  void find_parts();
  /// True where the picture shows what the scene does, and no edit of that is being computed.
  bool up_to_date(const BuiltView& built) const;
  /// The row of now that is of the same thing; null where it is gone.
  const TreeRow* same_row(const TreeRow& row) const;
  void fill(QTreeWidgetItem& item, const TreeRow& row);
  void rebuild();
  void enable();
  const TreeRow* row_of(const QTreeWidgetItem* item) const;
  void pick_row(bool opens);
  void change_visible(const TreeRow& row, bool visible);
  void toggle();
  void ask_colour();
  void rename(const TreeRow& row, const QString& name);
  void remove();

  SceneController& controller_;
  SelectActions& select_;
  QTreeWidget* list_;
  QLabel* empty_;
  QAction *show_, *colour_, *rename_, *remove_;
  std::vector<TreeRow> rows_;
  std::vector<QTreeWidgetItem*> items_;  ///< one per row
  QSet<QString> folded_, opened_;        ///< keys of the rows that were closed, and of the groups that were opened
  std::vector<std::vector<MoleculePart>> parts_;
  std::vector<SceneMolecule> molecules_;  ///< of parts_
  std::weak_ptr<const BuiltView> built_;  ///< the newest
  std::optional<Scene> known_;            ///< whose parts these are, or are looked up; none once others were asked for
  std::uint64_t asked_ = 0;
  bool checked_ = false;  ///< the click under way was on a check box
};

}  // namespace isolume
