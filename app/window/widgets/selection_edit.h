// The line in which atoms are selected by words.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QWidget>
#include <memory>

#include "molecule/molecule.h"
#include "molecule/selection/selection_names.h"

class QCompleter;

namespace isolume {

/// A selection text with completion of its keywords and named selections, and below it how many atoms it names, or what
/// is wrong and where. Counting is done on a thread of the pool; the newest text wins. Only texts without fault are
/// announced.
class SelectionEdit : public QWidget {
  Q_OBJECT
 public:
  explicit SelectionEdit(QWidget* parent = nullptr);

  /// The molecule and frame that the count is for, null for none, and the named selections of the molecule.
  void set_molecule(std::shared_ptr<const Molecule> molecule, std::size_t frame, SelectionNames names = {});
  /// Shows a text without announcing it; what the user is typing stays.
  void set_text(const QString& text);
  /// No text is right as well; `meaning` is shown in its place.
  void set_optional(const QString& meaning);
  QString text() const { return line_->text(); }
  /// The text with the molecule's named selections written out, for what has no scene; as it is where one is wrong.
  std::string words() const;
  QLineEdit* line() const { return line_; }
  QLabel* note() const { return note_; }
  QCompleter* completer() const { return completer_; }

 Q_SIGNALS:
  void entered(const QString& text);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void check();
  void count();
  void offer_words();
  void complete();
  void show_note(const QString& text, bool fault);
  void colour_note();
  void show_fault(int column, int length);

  QLineEdit* line_;
  QLabel* note_;
  QCompleter* completer_;
  QTimer typed_;
  std::shared_ptr<const Molecule> molecule_;
  std::size_t frame_ = 0;
  SelectionNames names_;
  QString committed_;
  std::uint64_t asked_ = 0;
  bool fault_ = false;  ///< the note is one
  bool optional_ = false;
};

}  // namespace isolume
