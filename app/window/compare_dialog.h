// The dialog that puts two methods of the potential side by side.
#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "app/session/potential_comparison.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QTableWidget;

namespace isolume {

class LayerView;

/// Method and accuracy of each side, all else as the field has it; computed on a thread of the pool, on one grid. Shows
/// a layer of both maps and of their difference, with times, measured errors, and the RMS and largest difference.
class CompareDialog : public QDialog {
  Q_OBJECT
 public:
  /// `request`: charges, frame, device, spacing; its field's settings are those of the first side at the beginning.
  explicit CompareDialog(FieldRequest request, QWidget* parent = nullptr);
  ~CompareDialog() override;

  QComboBox* method_box(int side) const { return methods_[side]; }
  QComboBox* accuracy_box(int side) const { return accuracies_[side]; }
  QComboBox* axis_box() const { return axis_; }
  QSlider* layer_slider() const { return layer_; }
  QPushButton* compute_button() const { return compute_; }
  QPushButton* cancel_button() const { return cancel_; }
  QTableWidget* table() const { return table_; }
  QLabel* message() const { return message_; }
  LayerView* view(int which) const { return views_[which]; }  ///< first, second, difference
  bool running() const { return job_ != nullptr; }
  const std::optional<PotentialComparison>& result() const { return result_; }

 private:
  void build_settings(QGridLayout* grid);
  void start();
  void stop();
  void show_running();
  void show_result();
  void show_layer();
  PotentialSettings settings(int side) const;

  FieldRequest request_;
  QComboBox* methods_[2];
  QComboBox* accuracies_[2];
  QComboBox* axis_;
  QSlider* layer_;
  QLabel* place_;
  QPushButton* compute_;
  QPushButton* cancel_;
  QProgressBar* progress_;
  QLabel* message_;
  QTableWidget* table_;
  LayerView* views_[3];
  std::shared_ptr<Job> job_;
  std::optional<PotentialComparison> result_;
};

}  // namespace isolume
