// Dialogs for the files that tables of states and modes come from and are written to.
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace isolume {

/// Asks for a file to open, of any name, and calls `open` with it. Returns at once.
void ask_file(QWidget* parent, const QString& title, const QString& kind,
              const std::function<void(const QString&)>& open);

/// Asks for a CSV file to write, proposed to be `stem`.csv, and calls `write` with it. Returns at once.
void ask_table(QWidget* parent, const QString& title, const QString& stem,
               const std::function<void(const QString&)>& write);

}  // namespace isolume
