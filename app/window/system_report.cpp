// What this program runs on, as text for a report of a fault.
#include "app/window/system_report.h"

#include <QGuiApplication>
#include <QLibraryInfo>
#include <QSysInfo>
#include <QThread>

#include "app/models/labels.h"
#include "compute/memory.h"

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
  line("Memory", to_qt(bytes_in_words(available_memory(Device{}))) + QStringLiteral(" can be had"));
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

}  // namespace isolume
