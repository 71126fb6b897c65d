// Where the program under test and the examples of this checkout are.
#include "tests/app/cli/program.h"

#include <cstdlib>

namespace isolume::test {

std::string program() {
  const char* other = std::getenv("ISOLUME_PROGRAM");
  return other ? other : ISOLUME_PROGRAM;
}

std::string examples(const std::string& name) {
  const char* root = std::getenv("ISOLUME_EXAMPLES");
  return std::string(root ? root : ISOLUME_EXAMPLES) + "/" + name;
}

}  // namespace isolume::test
