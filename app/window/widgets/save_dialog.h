// Asks where to save a file, and proposes a folder and a name.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QFileDialog;
class QWidget;

namespace isolume {

struct Scene;

struct SaveQuestion {
  QString title;
  QString filter;  ///< "Images (*.png)"
  QString suffix;  ///< "png": added where the user gives none; with several filters that of the one chosen
  QString stem;    ///< the name proposed, without the suffix; none where empty
  QString folder;  ///< where to begin; that of the last file saved where empty
};

/// The folder of the last file that was saved, or else opened.
QString last_save_folder();
/// The first of "stem.extension", "stem-2.extension" ... that the folder does not have and that is not `taken`.
QString new_file(const QString& folder, const QString& stem, const QString& extension, const QStringList& taken = {});
/// What a file about a scene is called: "1hpv" where its first molecule is of 1hpv.pdb.gz, "isolume" where it has none.
QString stem_of(const Scene& scene);

/// Opens the dialog, which asks before a file is replaced, and calls `save` with the path. Returns at once; the dialog
/// belongs to `parent`, is deleted when it closes, and keeps the folder for the next.
QFileDialog* ask_where_to_save(QWidget* parent, const SaveQuestion& question, std::function<void(const QString&)> save);

}  // namespace isolume
