// The line in which atoms are selected by words.
#include "app/window/widgets/selection_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QInputMethodEvent>
#include <QRegularExpression>
#include <QStringListModel>
#include <QTextCharFormat>
#include <QVBoxLayout>

#include "app/models/labels.h"
#include "app/window/widgets/async.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

/// The word before the cursor: letters, or '@' and the name that follows it where a word may begin.
QString word_before(const QLineEdit& line) {
  static const QRegularExpression word(QStringLiteral("((?<![^\\s(!])@[A-Za-z0-9_]*|[A-Za-z_]*)$"));
  return word.match(line.text().left(line.cursorPosition())).captured(1);
}

}  // namespace

SelectionEdit::SelectionEdit(QWidget* parent)
    : QWidget(parent), line_(new QLineEdit(this)), note_(new QLabel(this)), completer_(new QCompleter(this)) {
  setAccessibleName(tr("Selection"));
  line_->setAccessibleName(tr("Selected atoms"));
  line_->setPlaceholderText(tr("all, protein, resname LIG, within 5 of ..."));
  line_->setToolTip(
      tr("Select atoms: protein, chain A, resid 10 to 20, name CA, element O, water,\nwithin 5 of resname LIG "
         "(angstrom), same residue as ..., and, or, not."));
  line_->setClearButtonEnabled(false);
  note_->setAccessibleName(tr("Number of selected atoms"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  setFocusProxy(line_);
  setFocusPolicy(Qt::StrongFocus);  // else the letter of its row does not reach it

  completer_->setModel(new QStringListModel(completer_));
  offer_words();
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  completer_->setWidget(line_);  // by word, not by line: QLineEdit's own completion replaces all of the text
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& word) {
    const int length = static_cast<int>(word_before(*line_).size());
    line_->setSelection(line_->cursorPosition() - length, length);
    line_->insert(word + QLatin1Char(' '));
  });

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(3);
  layout->addWidget(line_);
  layout->addWidget(note_);

  typed_.setSingleShot(true);
  typed_.setInterval(120);
  connect(line_, &QLineEdit::textEdited, this, [this] {
    complete();
    typed_.start();
  });
  connect(&typed_, &QTimer::timeout, this, &SelectionEdit::check);
  connect(line_, &QLineEdit::editingFinished, this, &SelectionEdit::check);
}

void SelectionEdit::set_molecule(std::shared_ptr<const Molecule> molecule, std::size_t frame, SelectionNames names) {
  if (molecule == molecule_ && frame == frame_ && names == names_) return;
  const bool other = molecule != molecule_ || names != names_;
  molecule_ = std::move(molecule);
  frame_ = frame;
  if (names != names_) {
    names_ = std::move(names);
    offer_words();
  }
  try {
    if (other || Selection(with_names(line_->text().toStdString(), names_)).depends_on_positions()) count();
  } catch (const Error&) {
    if (other && !line_->text().trimmed().isEmpty()) check();  // what nobody has typed yet is no fault
  }
}

void SelectionEdit::set_text(const QString& text) {
  const bool same = committed_ == text;
  committed_ = text;
  // What is being typed stays, also where it is no selection yet and the scene has changed elsewhere.
  if (line_->hasFocus() && line_->text() != text && line_->isModified() && (typed_.isActive() || same)) return;
  if (line_->text() == text) return;
  line_->setText(text);
  line_->setCursorPosition(0);  // the beginning of long ones says most
  count();
}

void SelectionEdit::set_optional(const QString& meaning) {
  optional_ = true;
  line_->setPlaceholderText(meaning);
  set_text({});
}

std::string SelectionEdit::words() const {
  const std::string text = line_->text().trimmed().toStdString();
  try {
    return with_names(text, names_);
  } catch (const Error&) {
    return text;  // the parser refuses it
  }
}

void SelectionEdit::offer_words() {
  QStringList words;
  for (const auto& [name, meaning] : names_) words += QLatin1Char('@') + to_qt(name);
  for (const std::string& word : selection_keywords()) words += to_qt(word);
  static_cast<QStringListModel*>(completer_->model())->setStringList(words);
}

void SelectionEdit::complete() {
  const QString word = word_before(*line_);
  completer_->setCompletionPrefix(word);
  const int fewest = word.startsWith(QLatin1Char('@')) ? 1 : 2;
  if (word.size() < fewest || completer_->completionCount() == 0 || completer_->currentCompletion() == word) {
    completer_->popup()->hide();
    return;
  }
  completer_->popup()->setAccessibleName(tr("Selection words"));
  completer_->complete();
}

void SelectionEdit::check() {
  typed_.stop();
  const QString text = line_->text().trimmed();
  bool as_written = true;
  try {
    const std::string words = with_names(text.toStdString(), names_);
    as_written = words == text.toStdString();
    if (!optional_ || !text.isEmpty()) static_cast<void>(Selection(words));
    show_fault(0, 0);
  } catch (const SelectionError& error) {
    // The first line of the message says it; where it is shows under the word itself.
    show_note(to_qt(error.what()).section(QLatin1Char('\n'), 0, 0), true);
    if (as_written) show_fault(static_cast<int>(error.column), static_cast<int>(error.length));
    return;
  } catch (const Error& error) {
    show_note(to_qt(error.what()), true);
    return;
  }
  count();
  if (text != committed_) {
    committed_ = text;
    Q_EMIT entered(text);
  }
}

void SelectionEdit::count() {
  const std::uint64_t number = ++asked_;
  if (!molecule_ || !molecule_->topology || (optional_ && line_->text().trimmed().isEmpty())) {
    show_note({}, false);
    return;
  }
  const auto molecule = molecule_;
  const std::size_t frame = frame_;
  const std::string text = line_->text().trimmed().toStdString();
  run_async(
      this,
      [molecule, frame, text, names = names_] {
        const Selection selection(with_names(text, names));
        Frame positions;
        if (selection.depends_on_positions() && molecule->frame_count() > 0) {
          positions = molecule->trajectory->frame(std::min(frame, molecule->frame_count() - 1));
        }
        return selection.atoms(*molecule->topology, positions).size();
      },
      [this, number, molecule](std::size_t atoms) {
        if (number != asked_) return;
        show_note(tr("%1 of %2").arg(count_label(atoms), atom_count_label(molecule->atom_count())), false);
      },
      [this, number](const QString& message) {
        if (number == asked_) show_note(message.section(QLatin1Char('\n'), 0, 0), true);
      });
}

void SelectionEdit::show_note(const QString& text, bool fault) {
  note_->setText(fault ? QStringLiteral("\u26a0 ") + text : text);
  fault_ = fault;
  colour_note();
}

void SelectionEdit::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour_note();
}

void SelectionEdit::colour_note() {
  QPalette colours = palette();
  if (fault_) {
    const bool dark = colours.color(QPalette::Window).lightness() < 128;
    colours.setColor(QPalette::WindowText, dark ? QColor(0xff9d8a) : QColor(0xa3260f));
  } else {
    colours.setColor(QPalette::WindowText, colours.color(QPalette::PlaceholderText));
  }
  note_->setPalette(colours);
}

void SelectionEdit::show_fault(int column, int length) {
  // A wavy line under the word, by the means that input methods use to mark text: QLineEdit has no other.
  QList<QInputMethodEvent::Attribute> marks;
  if (length > 0) {
    QTextCharFormat format;
    format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    format.setUnderlineColor(QColor(0xd0402a));
    format.setFontUnderline(true);
    marks.append({QInputMethodEvent::TextFormat, column - line_->cursorPosition(), length, format});
  }
  QInputMethodEvent event({}, marks);
  QCoreApplication::sendEvent(line_, &event);
}

}  // namespace isolume
