// What the subcommands share.
#include "app/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <future>

#include "app/cli/made.h"
#include "app/cli/scene_input.h"
#include "app/documents/frames.h"
#include "app/fields/fields.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "formats/bytes/input_files.h"
#include "formats/read.h"
#include "formats/write/unfinished_file.h"
#include "molecule/base/error.h"
#include "molecule/base/nearest.h"

namespace isolume::cli {
namespace {

bool among(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_picture(const std::string& extension) {
  return among(extension,
               {"png", "jpg", "jpeg", "bmp", "gif", "apng", "tif", "tiff", "svg", "webp", "mp4", "avi", "mov", "webm"});
}

bool is_of_atoms(const std::string& extension) {
  return among(extension,
               {"pdb", "ent", "cif", "mmcif", "bcif", "pqr", "gro", "mol2", "xyz", "xtc", "dcd", "cube", "dx", "mrc"});
}

// "cuda:0,1,cpu" names three.
std::vector<Device> choose_devices(const std::string& wish) {
  if (wish.find(',') == std::string::npos) return {choose_device(wish)};
  // The first question starts a GPU, which takes some tenths of a second: all that are named at the same time.
  std::vector<std::future<Device>> asked;
  for (std::size_t at = 0; at <= wish.size();) {
    const std::size_t end = std::min(wish.find(',', at), wish.size());
    const std::string word = wish.substr(at, end - at);
    at = end + 1;
    const bool number =
        !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number && word != "cpu" && !word.starts_with("cuda"))
      throw Error(fmt::format("--device {}: '{}' is no device; expected a list such as cuda:0,1,cpu", wish, word),
                  Error::Kind::usage);
    asked.push_back(std::async(std::launch::async, choose_device, number ? "cuda:" + word : word));
  }
  std::vector<Device> devices;
  for (std::future<Device>& one : asked) {
    const Device more = one.get();
    if (std::find(devices.begin(), devices.end(), more) != devices.end())
      throw Error(fmt::format("--device {}: {} is named twice; expected different devices, such as cuda:0,1,cpu", wish,
                              to_string(more)),
                  Error::Kind::usage);
    devices.push_back(more);
  }
  return devices;
}

// The other GPUs of the same name and memory as the first.
std::vector<Device> equal_devices(Device first) {
  std::vector<Device> equal;
  const std::vector<DeviceInfo> all = list_devices();
  const auto own = std::find_if(all.begin(), all.end(), [&](const DeviceInfo& info) { return info.device == first; });
  for (const DeviceInfo& info : all)
    if (own != all.end() && info.usable && info.device != first && info.device.is_cuda() && info.name == own->name &&
        info.memory_total == own->memory_total)
      equal.push_back(info.device);
  return equal;
}

// The first bytes on each, at the same time. Of several, one that fails says so by its first tile.
void start_devices(const std::vector<Device>& devices) {
  std::vector<std::future<void>> others;
  const auto start = [](Device device) {
    if (!device.is_cuda()) return;
    const DeviceArray<float> first(1, device, "the first bytes on the device");
  };
  for (std::size_t i = 1; i < devices.size(); ++i) others.push_back(std::async(std::launch::async, start, devices[i]));
  if (!devices.empty()) start(devices.front());
  for (const std::future<void>& other : others) other.wait();
}

}  // namespace

Run::Run(const Common& common, bool computes)
    : report(common.command, common.arguments), progress(common.quiet), common_(common) {
  if (!common.report.empty()) check_output(common.report, "json");
  set_thread_count(common.threads);
  set_memory_limit(static_cast<std::size_t>(common.memory_limit * 1024 * 1024 * 1024));
  set_content_limit(available_memory(Device::cpu()));
  if (!computes && common.device != "auto" && common.device != "cpu")
    throw Error(fmt::format("--device {}: this command works on the processor alone", common.device),
                Error::Kind::usage);
  if (computes) devices = choose_devices(common.device);
  if (!devices.empty()) device = devices.front();
  if (computes && common.device == "auto" && device.is_cuda()) equal_ = equal_devices(device);
  report.device(device);
  // The driver is started now, so that its time does not count as that of the computation.
  start_devices(devices);
  report.phase("start");
  reset_peak_memory();
}

std::vector<Device> Run::devices_for(double seconds) const {
  constexpr double worth = 1;  // second; starting a GPU takes some tenths of one
  std::vector<Device> all = devices;
  if (seconds > worth) all.insert(all.end(), equal_.begin(), equal_.end());
  return all;
}

void Run::worked(const std::vector<WorkerRecord>& workers) {
  report.workers(workers);
  for (const WorkerRecord& worker : workers)
    if (worker.retired)
      say(fmt::format("note: {} was retired ({}); the other devices did its work", worker.name, worker.why));
}

void Run::say(const std::string& text) {
  progress.clear();
  if (!common_.quiet) complain(text);
}

void Run::finish() {
  progress.clear();
  try {
    write_made(common_.arguments, common_.report, device, report);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::cancelled) throw;
    say(std::string("note: there is no record of how it was made: ") + error.what());
  }
  if (!common_.report.empty()) report.write(common_.report);
}

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::shared_ptr<const Molecule> read_molecule(const std::vector<std::string>& paths, const std::string& assembly,
                                              const CellTreatment& cell) {
  if (const auto input = scene_input(paths)) {
    SceneMolecule entry = input->scene.molecules[input->molecule];
    if (cell != CellTreatment{}) entry.cell = cell;
    if (!assembly.empty()) entry.assembly = assembly;
    return scene_molecule(std::move(entry));
  }
  std::vector<Molecule> molecules = read_files(paths);
  if (molecules.size() != 1)
    throw Error(fmt::format("{} files make {} molecules; this command takes one", paths.size(), molecules.size()),
                Error::Kind::usage);
  if (molecules.front().paths.empty()) molecules.front().paths = paths;
  auto molecule = treated(std::make_shared<const Molecule>(std::move(molecules.front())), cell);
  if (!assembly.empty()) molecule = std::make_shared<const Molecule>(built_assembly(*molecule, assembly));
  return molecule;
}

void warn_of_cold(Run& run, double temperature) {
  if (temperature >= 100) return;
  run.say(fmt::format("warning: --temperature is in kelvin: {:g} K is {:g} degrees Celsius", temperature,
                      temperature - 273.15));
}

void check_frame(const Molecule& molecule, std::size_t frame) {
  const std::size_t last = std::max<std::size_t>(1, molecule.frame_count()) - 1;
  if (frame > last) throw Error(fmt::format("frame {}: there are 0 to {}", frame, last), Error::Kind::usage);
}

void check_output(const std::string& path, const std::string& extensions) {
  const std::filesystem::path file(path);
  std::string extension = file.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  std::vector<std::string> known;
  for (std::size_t at = 0; at < extensions.size();) {
    const std::size_t end = std::min(extensions.find(' ', at), extensions.size());
    known.push_back(extensions.substr(at, end - at));
    at = end + 1;
  }
  if (std::find(known.begin(), known.end(), extension) == known.end()) {
    const bool packed = std::erase(known, "gz") > 0;  // no format of its own
    const bool draws = std::find(known.begin(), known.end(), "png") != known.end();
    // A picture's extension is no misspelt one of atoms, nor the other way round.
    std::string hint;
    if (is_picture(extension)) {
      hint = draws ? "" : "; isolume render draws pictures";
    } else if (draws && is_of_atoms(extension)) {
      hint = "; isolume convert writes atoms and maps";
    } else if (const std::string near = nearest(extension, known); !near.empty()) {
      hint = fmt::format(" (did you mean {}?)", near);
    }
    throw Error(fmt::format("{}: the extension of what is written must be one of {}{}{}", path, fmt::join(known, ", "),
                            packed ? "; those of text may end in .gz" : "", hint),
                Error::Kind::usage);
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder)) throw Error(fmt::format("{}: no such folder", folder.string()));
  if (std::filesystem::is_directory(file)) throw Error(fmt::format("{}: is a folder", path));
  const UnfinishedFile writable(path);
}

std::vector<std::size_t> parse_frames(const std::string& text, std::size_t count) {
  const auto wrong = [&](const std::string& why) {
    return Error(fmt::format("--frames {}: {}; expected A:B:STEP (B excluded) or one frame", text, why),
                 Error::Kind::usage);
  };
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() > 3) throw wrong("too many parts");
  const auto n = static_cast<std::int64_t>(count);
  const auto number = [&](std::size_t i, std::int64_t otherwise) {
    if (i >= parts.size() || parts[i].empty()) return otherwise;
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), value);
    if (fault != std::errc() || end != parts[i].data() + parts[i].size())
      throw wrong(fmt::format("'{}' is not a whole number", parts[i]));
    return value;
  };
  const auto from_end = [&](std::int64_t value) { return value < 0 ? value + n : value; };
  if (parts.size() == 1) {
    const std::int64_t frame = from_end(number(0, -n - 1));
    if (frame < 0 || frame >= n)
      throw Error(count == 1 ? fmt::format("--frames {}: there is 1 frame, number 0", text)
                             : fmt::format("--frames {}: there are {} frames, from 0", text, count),
                  Error::Kind::usage);
    return {static_cast<std::size_t>(frame)};
  }
  const std::int64_t step = number(2, 1);
  if (step <= 0) throw wrong("the step must be above 0");
  const std::int64_t begin = std::max<std::int64_t>(0, from_end(number(0, 0)));
  const std::int64_t end = std::min(n, from_end(number(1, n)));
  std::vector<std::size_t> frames;
  for (std::int64_t frame = begin; frame < end; frame += std::min(step, n)) {
    frames.push_back(static_cast<std::size_t>(frame));
  }
  if (frames.empty())
    throw Error(fmt::format("--frames {}: selects none of {}", text, counted(count, "frame")), Error::Kind::usage);
  return frames;
}

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  return nearest_of(word, words);
}

}  // namespace isolume::cli
