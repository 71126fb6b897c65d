// The host's memory: what can be had, and what this program takes.
#include "compute/base/host_memory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::atomic<std::size_t> resident_before{0};
std::atomic<std::size_t> highest_before_part{0};  ///< the most that was taken until the part began
std::atomic<std::size_t> resident_at_part{0};

constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

std::optional<std::size_t> number_in(std::string_view text) {
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  std::size_t value = 0;
  const auto [end, fault] = std::from_chars(text.data() + digit, text.data() + text.size(), value);
  if (fault != std::errc()) return std::nullopt;
  return value;
}

/// The number behind the first line of a file that begins with `key`; of an empty key, of its first line. The kernel's
/// files are small, and every command reads some of them: without a stream, whose start takes longer than that.
std::optional<std::size_t> number_of(const std::string& path, std::string_view key) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 16384> block;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills what is looked at
  std::size_t size = 0;
  while (size < block.size()) {
    const ssize_t got = ::read(file, block.data() + size, block.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  ::close(file);
  std::string_view rest(block.data(), size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (line.starts_with(key)) return number_in(line.substr(key.size()));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return std::nullopt;
}

std::size_t left_by(const std::string& folder, const char* limit_name, const char* usage_name, const char* cache_key) {
  const auto limit = number_of(folder + limit_name, "");  // "max" has no number
  // Most groups have none, or one that no machine has; the rest is not read then: this is asked for every command.
  constexpr std::size_t any_machine = std::size_t{1} << 60;
  if (!limit || *limit >= any_machine) return unbounded;
  const auto usage = number_of(folder + usage_name, "");
  if (!usage) return unbounded;
  const std::size_t cache = number_of(folder + "/memory.stat", cache_key).value_or(0);
  const std::size_t used = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, used);
}

/// The folder of this program's group and those above it, of both versions.
std::vector<std::string> own_groups() {
  std::vector<std::string> folders;
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string root;
    if (controllers.empty()) root = "/sys/fs/cgroup";
    if (("," + controllers + ",").find(",memory,") != std::string::npos) root = "/sys/fs/cgroup/memory";
    if (root.empty()) continue;
    for (std::string path = line.substr(second + 1); path.size() > 1; path.erase(path.rfind('/')))
      folders.push_back(root + path);
    folders.push_back(root);
  }
  return folders;
}

std::size_t left_of_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unbounded;
  const std::size_t used = number_of("/proc/self/status", "VmSize:").value_or(0) * 1024;
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, used);
}

}  // namespace

std::size_t control_group_memory(const std::vector<std::string>& folders) {
  std::size_t left = unbounded;
  for (const std::string& folder : folders) {
    left = std::min(left, left_by(folder, "/memory.max", "/memory.current", "inactive_file "));
    left = std::min(left, left_by(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file "));
  }
  return left;
}

HostMemory host_memory() {
  static const std::vector<std::string> groups = own_groups();
  HostMemory memory{unbounded, ""};
  if (const auto kib = number_of("/proc/meminfo", "MemAvailable:")) memory.available = *kib * 1024;
  if (const std::size_t left = control_group_memory(groups); left < memory.available)
    memory = {left, "the container's limit"};
  if (const std::size_t left = left_of_addresses(); left < memory.available)
    memory = {left, "the limit of addresses (ulimit -v)"};
  return memory;
}

std::size_t resident_memory() {
  return number_of("/proc/self/status", "VmRSS:").value_or(0) * 1024;
}

namespace {

/// The most since the kernel last forgot it.
std::size_t high_water() {
  return number_of("/proc/self/status", "VmHWM:").value_or(0) * 1024;
}

std::size_t beyond(std::size_t bytes, std::size_t first) {
  return bytes - std::min(bytes, first);
}

}  // namespace

void reset_resident_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
  resident_before = resident_memory();
  highest_before_part = 0;
}

std::size_t resident_growth() {
  return beyond(resident_memory(), resident_before);
}

std::size_t resident_peak() {
  return beyond(std::max<std::size_t>(high_water(), highest_before_part), resident_before);
}

void begin_resident_part() {
  highest_before_part = std::max<std::size_t>(high_water(), highest_before_part);
  std::ofstream("/proc/self/clear_refs") << "5";
  resident_at_part = resident_memory();
}

std::size_t resident_part_peak() {
  return beyond(high_water(), resident_at_part);
}

std::string memory_in_words() {
  const HostMemory host = host_memory();
  std::string text = fmt::format("the program takes {}, and {} more can be had", bytes_in_words(resident_memory()),
                                 bytes_in_words(host.available));
  if (*host.bound) text += fmt::format(" ({})", host.bound);
  return text;
}

void check_memory_taken(const std::string& what) {
  constexpr std::size_t drawing = std::size_t{256} << 20;  // for libraries and the graphics driver
  constexpr std::size_t least = std::size_t{128} << 20;    // left for everything else
  const std::size_t limit = memory_limit(), taken = resident_growth();
  if (limit != 0 && taken > limit + drawing)
    throw Error(fmt::format("{}: {} are taken, more than the memory limit of {}", what, bytes_in_words(taken),
                            bytes_in_words(limit)));
  if (limit == 0 && host_memory().available < least) throw Error(what + ": out of memory: " + memory_in_words());
}

}  // namespace isolume
