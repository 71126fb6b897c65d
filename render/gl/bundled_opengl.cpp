// The software OpenGL of a bundle.
#include "render/gl/bundled_opengl.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace isolume {
namespace {

namespace fs = std::filesystem;

constexpr const char* starter_name = "isolume-software";

bool names_a_driver(const fs::path& folder) {
  std::error_code fault;
  const fs::directory_iterator entries(folder, fault);
  if (fault) return false;
  return std::any_of(begin(entries), end(entries),
                     [](const fs::directory_entry& entry) { return entry.path().extension() == ".json"; });
}

fs::path starter_of(const fs::path& program) {
  std::error_code fault;
  const fs::path starter = program.parent_path() / starter_name;
  return fs::is_regular_file(starter, fault) ? starter : fs::path();
}

fs::path this_program() {
  std::error_code fault;
  return fs::read_symlink("/proc/self/exe", fault);
}

}  // namespace

std::vector<fs::path> system_driver_folders() {
  return {"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"};
}

fs::path software_starter(const fs::path& program, const std::vector<fs::path>& driver_folders) {
  return std::any_of(driver_folders.begin(), driver_folders.end(), names_a_driver) ? fs::path() : starter_of(program);
}

void start_with_bundled_opengl(char** words) {
  // The starter sets the first of these, so that it is not started twice.
  for (const char* chosen : {"__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES"})
    if (std::getenv(chosen)) return;
  const fs::path starter = software_starter(this_program(), system_driver_folders());
  if (!starter.empty())
    execv(starter.c_str(), words);  // where that fails the program goes on, and says what is missing
}

std::string bundled_opengl_hint() {
  const fs::path starter = starter_of(this_program());
  return starter.empty() ? std::string() : "; " + starter.string() + " draws by software, without a driver";
}

}  // namespace isolume
