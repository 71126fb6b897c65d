// What this program runs on, as text for a report of a fault.
#include "app/window/help/system_report.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QRegularExpression>
#include <QSysInfo>
#include <QThread>
#include <algorithm>

#include "app/models/labels.h"
#include "compute/base/memory.h"
#include "formats/read.h"

namespace isolume {

QString system_report(const GlInfo& gl, const QString& drawing, Device device, const QString& screen) {
  QString text;
  const auto line = [&text](const char* what, const QString& value) {
    text += QStringLiteral("%1 %2\n").arg(QLatin1String(what), -14).arg(value.isEmpty() ? QStringLiteral("-") : value);
  };
  line("Isolume", QStringLiteral(ISOLUME_VERSION));
  line("System",
       QStringLiteral("%1, Linux %2, %3")
           .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture()));
  line("Threads", QString::number(QThread::idealThreadCount()));
  line("Memory", to_qt(bytes_in_words(available_memory(Device{}))) + QStringLiteral(" available"));
  line("Qt", QStringLiteral("%1, %2").arg(QLatin1String(qVersion()), QGuiApplication::platformName()));
  line("Screen", screen);
  line("OpenGL",
       QStringLiteral("%1, %2%3")
           .arg(to_qt(gl.renderer), to_qt(gl.version), gl.software ? QStringLiteral(" (software)") : QString()));
  line("Vendor", to_qt(gl.vendor));
  line("Pictures", drawing);
  line("Computes on", to_qt(to_string(device)));
  line("CUDA", to_qt(cuda_status()));
  for (const DeviceInfo& info : list_devices()) {
    line("Device",
         QStringLiteral("%1: %2, %3")
             .arg(to_qt(to_string(info.device)), to_qt(info.name), to_qt(info.usable ? info.detail : info.why_not)));
  }
  return text;
}

QString without_names(QString text, QStringList paths) {
  paths.removeDuplicates();
  QList<QPair<QString, QString>> known;  // name of a library, and its symbol
  for (int i = 0; i < paths.size(); ++i) {
    const QFileInfo file(paths[i]);
    if (file.fileName().isEmpty()) continue;
    const QString suffix = file.completeSuffix().isEmpty() ? QString() : QLatin1Char('.') + file.completeSuffix();
    const QString name = QStringLiteral("file%1%2").arg(i + 1).arg(suffix);
    known.append({paths[i], name});
    known.append({file.absoluteFilePath(), name});
    known.append({file.fileName(), name});
  }
  // Longer ones first: a name may be a part of another's.
  std::stable_sort(known.begin(), known.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  for (const auto& [there, instead] : known) text.replace(there, instead);

  QStringList endings;
  for (const Format& format : formats()) endings += to_qt(std::string(format.extensions)).split(QLatin1Char(' '));
  endings += QStringLiteral("isolume");
  endings += QStringLiteral("png");
  const QRegularExpression path(QStringLiteral("(?<![\\w.~\\]])~?/(?:[^\\s/:;,'\"()]+/)+[^\\s/:;,'\"()]*"));
  text.replace(path, QStringLiteral("[path]"));
  const QRegularExpression file(QStringLiteral("(?!file[0-9]+\\.)(?<![\\w.-])[\\w.+-]+\\.(%1)(\\.gz)?(?![\\w])")
                                    .arg(endings.join(QLatin1Char('|'))),
                                QRegularExpression::UseUnicodePropertiesOption);
  text.replace(file, QStringLiteral("[file].\\1"));
  const auto word = [&text](const QString& name, const QString& instead) {
    if (name.size() < 2) return;
    text.replace(QRegularExpression(QStringLiteral("(?<!\\w)%1(?!\\w)").arg(QRegularExpression::escape(name))),
                 instead);
  };
  text.replace(QDir::homePath(), QStringLiteral("~"));
  word(qEnvironmentVariable("USER"), QStringLiteral("[user]"));
  word(qEnvironmentVariable("LOGNAME"), QStringLiteral("[user]"));
  word(QDir::home().dirName(), QStringLiteral("[user]"));
  word(QSysInfo::machineHostName(), QStringLiteral("[host]"));
  return text;
}

}  // namespace isolume
