// Where the test data of this checkout are.
#include "tests/support/data.h"

namespace isolume::test {

namespace {

std::string folder(const char* variable, const char* usual) {
  const char* root = std::getenv(variable);
  return root ? root : usual;
}

}  // namespace

std::string data(const std::string& name) {
  return folder("ISOLUME_TEST_DATA", ISOLUME_TEST_DATA) + "/" + name;
}

std::string shared_data(const std::string& name) {
  std::string path = folder("ISOLUME_SHARED_DATA", ISOLUME_SHARED_DATA) + "/" + name;
  if (std::filesystem::exists(path)) return path;
  const std::string excerpt = data("collection/" + name);
  return std::filesystem::exists(excerpt) ? excerpt : path;
}

}  // namespace isolume::test
