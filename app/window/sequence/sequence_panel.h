// The panel of the sequences, linked with the picture.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/window/live/live_view.h"
#include "app/window/live/scene_controller.h"
#include "app/window/sequence/sequence_rows.h"

class QCheckBox;
class QLabel;
class QToolButton;

namespace isolume {

class SequenceView;

/// The chains of all visible molecules. What is selected here is selected in the picture, and the other way round.
/// Rows, alignments and colours are made on a thread of the pool, and only while the panel is visible.
class SequencePanel : public QWidget {
  Q_OBJECT
 public:
  explicit SequencePanel(SceneController& controller, QWidget* parent = nullptr);

  /// The picture is another one: its colours are shown.
  void show_picture(std::shared_ptr<const BuiltView> built);
  /// The selected residues as FASTA, or all where none is selected.
  QString fasta() const;
  void copy();
  /// Aligns all chains with the current one, or shows each by itself again.
  void set_aligned(bool aligned);

  SequenceView* view() const { return view_; }
  QCheckBox* align_box() const { return align_; }
  QToolButton* copy_button() const { return copy_; }
  QLabel* note() const { return note_; }
  bool busy() const { return busy_ > 0; }

 Q_SIGNALS:
  void failed(const QString& message);
  void told(const QString& message);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void refresh();
  void make_rows();
  void show_colours();
  void show_picked();
  void select(const ResidueMask& selected);
  void show_note();

  SceneController& controller_;
  SequenceView* view_;
  QCheckBox* align_;
  QToolButton* copy_;
  QLabel* note_;
  /// What the rows are of: visible molecules, null for others.
  std::vector<std::shared_ptr<const Molecule>> shown_;
  std::shared_ptr<const BuiltView> built_;
  std::vector<SceneMolecule> coloured_molecules_;
  std::vector<Representation> coloured_;
  std::size_t aligned_with_ = 0;
  std::shared_ptr<Job> job_;
  std::uint64_t asked_ = 0, asked_colours_ = 0;
  int busy_ = 0;
  bool selecting_ = false;
};

}  // namespace isolume
