// Molecules that are in no file.
#include "app/documents/held_molecules.h"

#include <map>
#include <mutex>
#include <utility>

namespace isolume {
namespace {

std::mutex mutex;

std::map<std::string, std::shared_ptr<const Molecule>>& held() {
  static std::map<std::string, std::shared_ptr<const Molecule>> all;
  return all;
}

}  // namespace

void hold_molecule(const std::string& path, std::shared_ptr<const Molecule> molecule) {
  const std::lock_guard lock(mutex);
  std::swap(held()[path], molecule);  // the one before goes when the lock is open again
}

std::shared_ptr<const Molecule> held_molecule(const std::string& path) {
  const std::lock_guard lock(mutex);
  const auto found = held().find(path);
  return found == held().end() ? nullptr : found->second;
}

void release_molecule(const std::string& path) {
  const std::lock_guard lock(mutex);
  held().erase(path);
}

}  // namespace isolume
