// The panel of a molecule's orbitals.
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>
#include <functional>

#include "app/models/orbital_model.h"
#include "app/window/scene_controller.h"

class QLabel;
class QPushButton;
class QTableView;

namespace isolume {

class ColourButton;
class ValueSlider;

/// Table of the orbitals; a click shows one as the scene's orbital field, whose isovalue, colours and opacity are
/// below.
class OrbitalPanel : public QWidget {
  Q_OBJECT
 public:
  explicit OrbitalPanel(SceneController& controller, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QPushButton* homo_button() const { return homo_; }
  QPushButton* lumo_button() const { return lumo_; }
  ValueSlider* isovalue() const { return isovalue_; }
  OrbitalModel& model() { return model_; }

 private:
  void build();
  void show_scene(const Scene& scene);
  /// Index of the scene's orbital field that the panel edits: the first of its molecule; -1 for none.
  int field() const;
  void show_orbital(const std::string& name, Spin spin, const QString& what);
  void show_row(const QModelIndex& index);
  void edit(const QString& what, const std::function<void(Field&)>& change, bool merge = false);

  SceneController& controller_;
  OrbitalModel model_;
  QSortFilterProxyModel sorted_;
  int molecule_ = -1;
  bool following_ = false;  ///< the table follows the scene: not the user's click
  QTableView* table_;
  QPushButton* homo_;
  QPushButton* lumo_;
  QLabel* about_;
  QWidget* form_;
  ValueSlider* isovalue_;
  ColourButton* colour_;
  ColourButton* negative_colour_;
  ValueSlider* opacity_;
};

}  // namespace isolume
