// The bundled examples.
#include "app/window/help/examples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace isolume {
namespace {

/// Files of a folder that are data, by name.
QStringList data_files(const QDir& folder) {
  QStringList result;
  const QStringList others{QStringLiteral("md"), QStringLiteral("txt"), QStringLiteral("json"), QStringLiteral("svg"),
                           QStringLiteral("png")};
  for (const QFileInfo& file : folder.entryInfoList(QDir::Files | QDir::Readable, QDir::Name)) {
    if (!others.contains(file.suffix().toLower())) result += file.absoluteFilePath();
  }
  return result;
}

/// "ethylene_torsion" to "Ethylene torsion", those that need more words to theirs.
QString title_of(QString name) {
  const struct {
    const char *name, *title;
  } titles[] = {
      {"crambin_charges", QT_TRANSLATE_NOOP("Examples", "Crambin with partial charges")},
      {"crambin_water", QT_TRANSLATE_NOOP("Examples", "Crambin in water")},
      {"ethylene_torsion", QT_TRANSLATE_NOOP("Examples", "Ethylene: orbitals along a torsion")},
      {"threonine_chi1", QT_TRANSLATE_NOOP("Examples", "Threonine: orbitals along a torsion")},
  };
  for (const auto& known : titles)
    if (name == QLatin1String(known.name)) return QCoreApplication::translate("Examples", known.title);
  name = name.section(QLatin1Char('.'), 0, 0).replace(QLatin1Char('_'), QLatin1Char(' '));
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

bool any_ends(const QStringList& paths, std::initializer_list<const char*> ends) {
  for (QString path : paths) {
    if (path.endsWith(QLatin1String(".gz"))) path.chop(3);
    for (const char* end : ends) {
      if (path.endsWith(QLatin1String(end))) return true;
    }
  }
  return false;
}

Example make(const QString& name, const QStringList& paths) {
  Example example;
  example.title = title_of(name);
  example.paths = paths;
  if (any_ends(paths, {".molden"})) {
    example.what = paths.size() > 1
                       ? QCoreApplication::translate("Examples", "Orbitals over %1 frames").arg(paths.size())
                       : QCoreApplication::translate("Examples", "Molecular orbitals");
    example.picture = QStringLiteral("orbital");
  } else if (any_ends(paths, {".xtc", ".dcd", ".trr"})) {
    example.what = QCoreApplication::translate("Examples", "Trajectory of a solvated protein");
    example.picture = QStringLiteral("trajectory");
  } else if (any_ends(paths, {".cube", ".mrc", ".map", ".ccp4", ".dx"})) {
    example.what = QCoreApplication::translate("Examples", "Map");
    example.picture = QStringLiteral("field");
  } else if (any_ends(paths, {".pqr"})) {
    example.what = QCoreApplication::translate("Examples", "Structure with partial charges");
    example.picture = QStringLiteral("potential");
  } else {
    example.what = QCoreApplication::translate("Examples", "Structure");
    example.picture = QStringLiteral("molecule");
  }
  return example;
}

}  // namespace

QString examples_folder() {
  const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/isolume/examples");
  if (QFileInfo(beside).isDir()) return QDir::cleanPath(beside);
#ifdef ISOLUME_SOURCE_EXAMPLES
  QString source = QStringLiteral(ISOLUME_SOURCE_EXAMPLES);
  if (QFileInfo(source).isDir()) return source;
#endif
  return {};
}

std::vector<Example> examples() {
  std::vector<Example> result;
  const QString root = examples_folder();
  if (root.isEmpty()) return result;
  const QDir folder(root);
  const auto add = [&](const QString& name, const QStringList& paths) {
    result.push_back(make(name, paths));
    const QString picture =
        folder.filePath(QStringLiteral("thumbnails/%1.png").arg(name.section(QLatin1Char('.'), 0, 0)));
    if (QFileInfo::exists(picture)) result.back().thumbnail = picture;
  };
  for (const QString& path : data_files(folder)) add(QFileInfo(path).fileName(), {path});
  for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    const QStringList paths = data_files(QDir(folder.filePath(name)));
    if (!paths.isEmpty()) add(name, paths);
  }
  return result;
}

}  // namespace isolume
