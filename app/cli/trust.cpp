// Whether a session or a picture may open files outside its folder.
#include "app/cli/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/scene/foreign_paths.h"
#include "molecule/base/error.h"

namespace isolume::cli {

void add_trust_option(Verb command, bool& trust) {
  command.flag("--trust-paths", trust, "open files outside the folder of the session or picture that names them");
}

void require_trust(const Scene& scene, const std::string& file, bool trust) {
  if (trust) return;
  const std::vector<std::string> foreign = foreign_paths(scene, file);
  if (foreign.empty()) return;
  constexpr std::size_t most = 3;
  const std::vector<std::string> named(foreign.begin(),
                                       foreign.begin() + static_cast<std::ptrdiff_t>(std::min(most, foreign.size())));
  throw Error(fmt::format("{}: names files outside its folder: {}{}; --trust-paths opens them", file,
                          fmt::join(named, ", "), foreign.size() > most ? ", ..." : ""),
              Error::Kind::usage);
}

}  // namespace isolume::cli
