// What the last word of a command may become.
#include "app/window/shell/command_completion.h"

#include <QDir>
#include <QFileInfo>

#include "app/cli/subcommands.h"
#include "app/models/labels.h"
#include "app/scene/scene_commands.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

QStringList files_that_begin(const QString& word) {
  const qsizetype slash = word.lastIndexOf(QLatin1Char('/'));
  const QString folder = word.left(slash + 1);
  QStringList result;
  const QDir dir(folder.isEmpty() ? QStringLiteral(".") : folder);
  for (const QFileInfo& entry : dir.entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name)) {
    if (result.size() >= 500) break;
    result += folder + entry.fileName() + (entry.isDir() ? QStringLiteral("/") : QString());
  }
  return result;
}

/// "fields[0]", "fields[1]", ... of every list of the scene.
QStringList entries_of(const Scene& scene) {
  const std::pair<const char*, std::size_t> lists[] = {
      {"molecules", scene.molecules.size()}, {"representations", scene.representations.size()},
      {"fields", scene.fields.size()},       {"measurements", scene.measurements.size()},
      {"labels", scene.labels.size()},       {"probes", scene.probes.size()}};
  QStringList result;
  for (const auto& [name, count] : lists) {
    for (std::size_t i = 0; i < count; ++i) result += QStringLiteral("%1[%2]").arg(QLatin1String(name)).arg(i);
  }
  return result;
}

QStringList words_of_selections(const Scene& scene) {
  QStringList result;
  for (const std::string& word : selection_keywords()) result += to_qt(word);
  for (const NamedSelection& named : scene.selections)
    if (const QString name = QLatin1Char('@') + to_qt(named.name); !result.contains(name)) result += name;
  return result;
}

}  // namespace

QStringList program_subcommands(const QString& of) {
  QStringList names;
  for (const std::string& name : cli::subcommands(of.toStdString())) names += to_qt(name);
  return names;
}

QStringList command_completions(const QString& line, const Scene& scene, const QStringList& actions) {
  const QStringList words = line.split(QLatin1Char(' '));
  const QString verb = words.first();
  const bool second = words.size() == 2;
  if (verb == QLatin1String("set") && second) {
    QStringList result;
    for (const std::string& path : scene_paths(scene)) result += to_qt(path);
    return result;
  }
  if (verb == QLatin1String("add") && second)
    return {QStringLiteral("representations"), QStringLiteral("fields"), QStringLiteral("measurements"),
            QStringLiteral("labels"), QStringLiteral("probes")};
  if (verb == QLatin1String("remove") && second) return entries_of(scene);
  if (verb == QLatin1String("action") || verb == QLatin1String("do")) return actions;
  if (verb == QLatin1String("select") || verb == QLatin1String("pick"))
    return words_of_selections(scene) + (second ? QStringList{QStringLiteral("molecule")} : QStringList());
  if (const QStringList own = second ? program_subcommands(verb) : QStringList(); !own.isEmpty()) return own;
  return files_that_begin(words.last());
}

}  // namespace isolume
