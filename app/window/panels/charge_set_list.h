// The list of the sets of charges that a molecule can have, with their totals; one is in use.
#pragma once

#include <QList>
#include <QTreeWidget>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/view/charge_sets.h"

class QAction;

namespace isolume {

class SceneController;

/// A row for each set: its title, its total charge, and how many residues have none. A click on a row gives the
/// molecule that set, as one step of the history; what is computed of its charges follows. Totals are found on a
/// thread, when the list is seen.
class ChargeSetList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ChargeSetList(SceneController& controller, QWidget* parent = nullptr);

  /// Shows molecule `row` of the scene; hidden where there is nothing to choose.
  void show_molecule(int row);
  const std::vector<ChargeSetChoice>& sets() const { return sets_; }
  bool busy() const { return busy_; }
  /// Gives the molecule these charges.
  void choose(const std::vector<std::string>& templates);
  /// Lists the charges of another file, and gives them to the molecule.
  void add_file(const QString& path);

  /// Named charges_file, charges_amber, charges_charmm, charges_parse, charges_estimated and charges_add: for the
  /// molecule of the list.
  QList<QAction*> actions_for_menu() const { return actions_; }

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void make_actions();
  void start();
  void fill();
  void ask();

  SceneController& controller_;
  QList<QAction*> actions_;
  int row_ = -1;
  bool pending_ = false, busy_ = false;
  std::shared_ptr<const Molecule> shown_;
  std::vector<ChargeSetChoice> sets_;
  std::vector<std::string> paths_;                                      ///< of the molecule
  std::map<std::vector<std::string>, std::vector<std::string>> added_;  ///< files that were added, by its paths
  struct Row {
    QString total, remark;
    bool odd = false;
  };
  std::map<std::vector<std::string>, Row> totals_;  ///< of sets of the molecule that is shown
};

}  // namespace isolume
