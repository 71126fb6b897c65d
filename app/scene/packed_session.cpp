// Sessions that carry the files of their scene: a tar archive (IEEE Std 1003.1, ustar interchange format).
#include "app/scene/packed_session.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "app/scene/built_in_tables.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "app/scene/unpacked_cache.h"
#include "formats/bytes/byte_source.h"
#include "formats/write/write.h"
#include "molecule/base/cache_folder.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t block = 512;
constexpr std::size_t longest_name = 80;  // of 100 in a header, with the folder
constexpr std::size_t most_files = 100'000;
constexpr const char* scene_name = "scene.isolume";

/// Where the fields of a header are: first byte and length.
struct Span {
  std::size_t at, size;
};
constexpr Span name_at{0, 100}, mode_at{100, 8}, uid_at{108, 8}, gid_at{116, 8}, size_at{124, 12}, time_at{136, 12},
    sum_at{148, 8}, type_at{156, 1}, magic_at{257, 8};

using Header = std::array<char, block>;

/// All bytes, with spaces in the place of the sum itself.
unsigned sum_of(const Header& header) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < block; ++i) {
    const bool own = i >= sum_at.at && i < sum_at.at + sum_at.size;
    sum += own ? ' ' : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

void put(Header& header, Span where, std::string_view text) {
  std::copy_n(text.begin(), std::min(text.size(), where.size), header.begin() + static_cast<std::ptrdiff_t>(where.at));
}

/// Octal digits, or from 8 GiB on bytes in base 256, as GNU tar writes and reads them.
void put_size(Header& header, std::uint64_t size) {
  if (size < (std::uint64_t{1} << 33)) return put(header, size_at, fmt::format("{:011o}", size));
  header[size_at.at] = static_cast<char>(0x80);
  for (std::size_t i = 0; i < 8; ++i)
    header[size_at.at + size_at.size - 1 - i] = static_cast<char>((size >> (8 * i)) & 0xff);
}

std::uint64_t octal(const Header& header, Span where, bool& fine) {
  std::uint64_t value = 0;
  for (std::size_t i = where.at; i < where.at + where.size; ++i) {
    const char c = header[i];
    if (c == ' ' || c == '\0') {
      if (value != 0 || i > where.at) break;
      continue;
    }
    fine = fine && c >= '0' && c <= '7';
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::uint64_t size_in(const Header& header, bool& fine) {
  if (static_cast<unsigned char>(header[size_at.at]) != 0x80) return octal(header, size_at, fine);
  std::uint64_t value = 0;
  for (std::size_t i = size_at.at + 1; i < size_at.at + size_at.size; ++i) {
    fine = fine && value >> 56 == 0;
    value = value << 8 | static_cast<unsigned char>(header[i]);
  }
  return value;
}

Header header_of(const std::string& name, std::uint64_t size) {
  Header header{};
  put(header, name_at, name);
  put(header, mode_at, "0000644");
  put(header, uid_at, "0000000");
  put(header, gid_at, "0000000");
  put_size(header, size);
  put(header, time_at, "00000000000");
  put(header, type_at, "0");
  put(header, magic_at, std::string_view("ustar\00000", 8));
  put(header, sum_at, fmt::format("{:06o}", sum_of(header)));
  header[sum_at.at + 6] = '\0';
  header[sum_at.at + 7] = ' ';
  return header;
}

void pad(std::ostream& out, std::uint64_t size) {
  static constexpr Header zeros{};
  out.write(zeros.data(), static_cast<std::streamsize>((block - size % block) % block));
}

/// scene.isolume or data/N/NAME, and nothing that leads elsewhere.
bool fits(const std::string& name) {
  if (name == scene_name) return true;
  const std::size_t number = name.find('/'), file = name.find('/', number + 1);
  if (number == std::string::npos || file == std::string::npos || name.substr(0, number) != "data") return false;
  const std::string digits = name.substr(number + 1, file - number - 1), last = name.substr(file + 1);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos && !last.empty() &&
         last != "." && last != ".." && last.find('/') == std::string::npos && last.find('\0') == std::string::npos;
}

/// The files of an archive, one after another.
void each_file(const ByteSource& source,
               const std::function<void(const std::string&, std::span<const std::byte>)>& use) {
  const std::span<const std::byte> bytes = source.bytes();
  std::size_t at = 0;
  for (std::size_t count = 0; at + block <= bytes.size(); ++count) {
    check_stop();
    Header header;
    std::memcpy(header.data(), bytes.data() + at, block);
    if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) return;
    bool fine = count < most_files;
    const std::uint64_t sum = octal(header, sum_at, fine), size = size_in(header, fine);
    const std::string name(header.data(), strnlen(header.data(), name_at.size));
    const char type = header[type_at.at];
    at += block;
    if (fine && sum == sum_of(header) && type == '5' && size == 0) continue;  // a folder
    if (!fine || sum != sum_of(header) || size > bytes.size() - at || (type != '0' && type != '\0') || !fits(name))
      throw Error(fmt::format("byte {}: expected a file of a session (scene.isolume or data/N/NAME)", at - block),
                  Error::Kind::input);
    use(name, bytes.subspan(at, size));
    at += size + (block - size % block) % block;
  }
  throw Error("ends before its end mark", Error::Kind::input);
}

fs::path cache_of_sessions() {
  const fs::path folder = cache_folder("sessions");
  if (folder.empty()) throw Error("sessions with their data are unpacked in the user's cache, and HOME is not set");
  return folder;
}

/// The name of a file in the archive, shortened at its beginning so that its extension stays.
std::string short_name(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.size() <= longest_name ? name : name.substr(name.size() - longest_name);
}

void check_alone(const std::string& path) {
  if (fs::path(path).extension() != ".top" && fs::path(path).extension() != ".itp") return;
  if (ByteSource::open(path)->text().find("#include") != std::string_view::npos)
    throw Error(path + ": a topology that includes other files cannot be packed; save the session without its data",
                Error::Kind::usage);
}

}  // namespace

bool is_packed_session(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Header header{};
  return file.read(header.data(), block) && std::memcmp(header.data() + magic_at.at, "ustar", 5) == 0;
}

std::string unpacked_folder(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) throw Error::in_file(path, 0, "cannot be read");
  const std::string state = fmt::format("{}\n{}\n{}.{:09}", fs::canonical(path).string(), found.st_size,
                                        found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : state) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return (cache_of_sessions() / fmt::format("{}-{:016x}", short_name(path), hash)).string();
}

std::string unpack_session(const std::string& path) {
  const fs::path folder = unpacked_folder(path), scene = folder / scene_name;
  if (hold_unpacked(folder)) return scene.string();
  const auto source = ByteSource::open(path);
  fs::create_directories(folder.parent_path());
  std::string made = folder.string() + ".part-XXXXXX";
  if (mkdtemp(made.data()) == nullptr)
    throw Error(made + ": no folder can be made: " + std::strerror(errno), Error::Kind::failed);
  try {
    each_file(*source, [&](const std::string& name, std::span<const std::byte> bytes) {
      const fs::path file = fs::path(made) / name;
      fs::create_directories(file.parent_path());
      std::ofstream out(file, std::ios::binary);
      out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      if (!out.flush())
        throw Error(file.string() + ": cannot be written: " + std::strerror(errno), Error::Kind::failed);
    });
    source->check_whole();
    if (!fs::is_regular_file(fs::path(made) / scene_name))
      throw Error::in_file(path, 0, std::string("holds no ") + scene_name);
    std::error_code failed;
    fs::rename(made, folder, failed);  // another one may have been quicker
    if (failed && !fs::is_regular_file(scene)) throw Error(folder.string() + ": " + failed.message());
    if (failed) fs::remove_all(made);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(made, ignored);
    throw;
  }
  if (!hold_unpacked(folder)) throw Error(folder.string() + ": was removed while it was unpacked");
  tidy_unpacked();
  return scene.string();
}

bool shows_unpacked(const Scene& scene) {
  if (cache_folder("sessions").empty()) return false;
  const std::string folder = (cache_of_sessions() / "").string();
  const auto inside = [&](const std::string& path) { return path.starts_with(folder); };
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      if (std::any_of(paths->begin(), paths->end(), inside)) return true;
  return std::any_of(scene.representations.begin(), scene.representations.end(),
                     [&](const Representation& shown) { return inside(shown.file); });
}

void write_packed_session(const std::string& path, const Scene& scene) {
  Scene stored = scene;
  std::vector<std::string> files;
  std::map<std::string, std::string> names;  // in the archive, by where a file is
  const fs::path root = "/packed";
  const auto packed = [&](const std::string& file) {
    const std::string place = fs::absolute(file).lexically_normal().string();
    const auto [entry, added] = names.try_emplace(place, fmt::format("data/{}/{}", files.size(), short_name(place)));
    if (added) {
      check_alone(place);
      files.push_back(place);
    }
    return (root / entry->second).string();
  };
  for (SceneMolecule& molecule : stored.molecules)
    for (auto* paths : {&molecule.paths, &molecule.templates})
      for (std::string& file : *paths) {
        if (names_tables(file)) continue;
        PathPart part = path_part(file);
        part.file = packed(part.file);
        file = path_of(part);
      }
  for (Representation& shown : stored.representations)
    if (!shown.file.empty()) shown.file = packed(shown.file);
  const std::string text = scene_to_json(stored, root.string());
  write_atomically(path, [&](std::ostream& out) {
    const Header first = header_of(scene_name, text.size());
    out.write(first.data(), block);
    out << text;
    pad(out, text.size());
    for (const std::string& file : files) {
      std::error_code failed;
      if (!fs::is_regular_file(file, failed)) throw Error::in_file(file, 0, "is not there");
      std::ifstream in(file, std::ios::binary);
      const std::uint64_t size = fs::file_size(file);
      const Header header = header_of(names.at(file), size);
      out.write(header.data(), block);
      std::vector<char> piece(std::size_t{1} << 20);
      std::uint64_t done = 0;
      while (done < size && in) {
        check_stop();
        in.read(piece.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(piece.size(), size - done)));
        out.write(piece.data(), in.gcount());
        done += static_cast<std::uint64_t>(in.gcount());
      }
      if (done != size) throw Error::in_file(file, 0, "cannot be read to its end");
      pad(out, size);
    }
    static constexpr Header end{};
    for (int i = 0; i < 2; ++i) out.write(end.data(), block);
  });
}

}  // namespace isolume
