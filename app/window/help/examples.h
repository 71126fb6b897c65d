// The bundled examples.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace isolume {

/// One example: what it is, and the files to open.
struct Example {
  QString title;
  QString what;
  QString picture;    ///< name of an icon
  QString thumbnail;  ///< path of a small picture, empty where there is none
  QStringList paths;
};

/// The folder of the examples: next to the program in ../share/isolume/examples, else in the sources; empty for none.
QString examples_folder();

/// The examples that are there.
std::vector<Example> examples();

}  // namespace isolume
