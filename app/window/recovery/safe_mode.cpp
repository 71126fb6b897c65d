// Safe mode: the window without what most often ends it, the drivers of the graphics card.
#include "app/window/recovery/safe_mode.h"

#include <QFile>

#include "compute/base/device_fault.h"

namespace isolume {
namespace {

SafeMode current = SafeMode::off;

QProcessEnvironment& before() {
  static QProcessEnvironment environment;
  return environment;
}

/// Sets a variable that nobody has set.
void prefer(const char* name, const QByteArray& value) {
  if (qEnvironmentVariableIsEmpty(name)) qputenv(name, value);
}

}  // namespace

SafeMode choose_safe_mode(const QStringList& arguments, int crashes) {
  if (arguments.contains(QStringLiteral("--no-safe-mode"))) return SafeMode::off;
  if (arguments.contains(QStringLiteral("--safe-mode"))) return SafeMode::asked;
  const QString wish = qEnvironmentVariable("ISOLUME_SAFE_MODE");
  if (wish == QLatin1String("0")) return SafeMode::off;
  if (!wish.isEmpty()) return SafeMode::asked;
  return crashes >= crash_budget ? SafeMode::crashed : SafeMode::off;
}

void enter_safe_mode(SafeMode mode) {
  current = mode;
  if (mode == SafeMode::off) return;
  before() = QProcessEnvironment::systemEnvironment();
  switch_cuda_off("CUDA is off in safe mode");
  qputenv("ISOLUME_DRAWING", "image");  // the window system's OpenGL is not asked
  qputenv("LIBGL_ALWAYS_SOFTWARE", "1");
  // Where several vendors' libraries are installed, Mesa's; a bundle has chosen its own already.
  const QString mesa = QStringLiteral("/usr/share/glvnd/egl_vendor.d/50_mesa.json");
  if (qEnvironmentVariableIsEmpty("__EGL_VENDOR_LIBRARY_DIRS") && QFile::exists(mesa))
    prefer("__EGL_VENDOR_LIBRARY_FILENAMES", QFile::encodeName(mesa));
  prefer("__GLX_VENDOR_LIBRARY_NAME", "mesa");
}

SafeMode safe_mode() {
  return current;
}

QProcessEnvironment normal_environment() {
  QProcessEnvironment environment = current == SafeMode::off ? QProcessEnvironment::systemEnvironment() : before();
  environment.remove(QStringLiteral("ISOLUME_SAFE_MODE"));
  return environment;
}

}  // namespace isolume
