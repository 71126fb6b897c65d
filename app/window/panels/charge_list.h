// The list of a molecule's charges: totals, and residues with missing or estimated charges.
#pragma once

#include <QTreeWidget>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace isolume {

class SceneController;
struct Molecule;
struct ChargeTotals;

/// Total charges of the molecule, its chains and its ligands, those near no integer or estimated marked, and the
/// remarks of the built-in tables: residues left out, incomplete, estimated, built or decided in one way of several. Of
/// a plain structure they are those that it would get. Charges are found on a thread, when the list is seen.
class ChargeList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ChargeList(SceneController& controller, QWidget* parent = nullptr);

  /// Shows molecule `row` of the scene; hidden where it has no charges and can get none.
  void show_molecule(int row);
  /// How many side chains of the molecule could be built and are not; 0 until that is known.
  std::size_t missing_side_chains() const { return missing_side_chains_; }

 Q_SIGNALS:
  /// missing_side_chains() is known.
  void side_chains_found();
  /// The entry of a remark was clicked: the atoms of its residues, by their places in the molecule that is shown.
  void atoms_asked(int molecule, const std::vector<std::uint32_t>& atoms);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void start();
  void fill(const ChargeTotals& charges);
  void ask(QTreeWidgetItem* item);

  SceneController& controller_;
  int row_ = -1;
  bool pending_ = false;
  std::size_t missing_side_chains_ = 0;
  std::shared_ptr<const Molecule> shown_;
  std::vector<std::string> templates_;
  std::vector<std::vector<std::uint32_t>> atoms_;  ///< of each remark
};

}  // namespace isolume
