// What a command reports of itself.
#include "app/cli/report.h"

#include <algorithm>

#include "app/cli/fallback.h"
#include "app/cli/scene_input.h"
#include "app/export/sha256.h"
#include "compute/base/cpu_info.h"
#include "compute/base/host_memory.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

Report::Report(std::string command, std::vector<std::string> arguments)
    : command_(std::move(command)),
      arguments_(std::move(arguments)),
      time_{{"start", 0.0}, {"read", 0.0},     {"plan", 0.0}, {"compute", 0.0},
            {"check", 0.0}, {"transfer", 0.0}, {"write", 0.0}},
      kernels_(Json::array()),
      memory_{{"predicted", 0}, {"peak", 0}},
      begin_(Clock::now()),
      last_(begin_) {}

void Report::input(const std::string& path) {
  try {
    for (std::string& file : files_of_input(path)) inputs_.push_back(std::move(file));
  } catch (const Error&) {  // whoever reads it says what is wrong with a session
    inputs_.push_back(path);
  }
}

void Report::device(Device device) {
  device_ = {{"kind", device.is_cuda() ? "cuda" : "cpu"}, {"name", to_string(device)}, {"memory", 0}};
  on_cpu_ = !device.is_cuda();
  // The processor's facts need no CUDA driver to be started.
  for (const DeviceInfo& info : on_cpu_ ? std::vector<DeviceInfo>{cpu_info()} : list_devices()) {
    if (info.device != device) continue;
    device_["name"] = info.name;
    device_["memory"] = info.memory_total;
  }
}

void Report::workers(const std::vector<WorkerRecord>& workers) {
  for (const WorkerRecord& worker : workers) {
    auto known = std::find_if(workers_.begin(), workers_.end(),
                              [&](const WorkerRecord& other) { return other.name == worker.name; });
    if (known == workers_.end()) {
      workers_.push_back(worker);
      continue;
    }
    known->tiles += worker.tiles;
    known->retries += worker.retries;
    known->faults += worker.faults;
    known->seconds += worker.seconds;
    known->retired = known->retired || worker.retired;
    if (!worker.why.empty()) known->why = worker.why;
  }
}

void Report::grid(const Grid& grid) {
  const auto vector = [](glm::dvec3 v) { return Json::array({v.x, v.y, v.z}); };
  grid_ = {{"origin", vector(grid.origin)},
           {"step", Json::array({vector(grid.step[0]), vector(grid.step[1]), vector(grid.step[2])})},
           {"counts", Json::array({grid.counts.x, grid.counts.y, grid.counts.z})}};
}

void Report::phase(const char* phase) {
  const auto now = Clock::now();
  time_[phase] = time_.value(phase, 0.0) + std::chrono::duration<double>(now - last_).count();
  last_ = now;
}

void Report::seconds(const char* name, double seconds) {
  time_[name] = seconds;
}

void Report::kernels(const std::vector<LaunchEntry>& entries) {
  for (const LaunchEntry& entry : entries)
    kernels_.push_back({{"name", entry.name}, {"seconds", entry.seconds}, {"launches", entry.launches}});
}

void Report::memory(std::size_t predicted, std::size_t peak) {
  memory_ = {{"predicted", predicted}, {"peak", on_cpu_ ? std::max(peak, resident_peak()) : peak}};
}

Json Report::json() const {
  Json inputs = Json::array();
  for (const std::string& path : inputs_) {
    const FileHash hash = hash_file(path);
    inputs.push_back({{"path", hash.path}, {"bytes", hash.bytes}, {"sha256", hash.sha256}});
  }
  Json device = device_;
  for (const WorkerRecord& worker : workers_) {
    Json entry = {{"name", worker.name},     {"tiles", worker.tiles},     {"retries", worker.retries},
                  {"faults", worker.faults}, {"seconds", worker.seconds}, {"retired", worker.retired}};
    if (!worker.why.empty()) entry["why"] = worker.why;
    device["workers"].push_back(entry);
  }
  if (!fault_before().empty()) device["after_fault"] = fault_before();
  Json time = time_;
  time["total"] = std::chrono::duration<double>(last_ - begin_).count();
  return {{"version", ISOLUME_VERSION},
          {"command", command_},
          {"arguments", arguments_},
          {"inputs", inputs},
          {"device", device},
          {"grid", grid_},
          {"method", method},
          {"unit", unit},
          {"time", time},
          {"kernels", kernels_},
          {"memory", memory_},
          {"error", error},
          {"result", result}};
}

void Report::write(const std::string& path) const {
  const std::string text = json().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

}  // namespace isolume::cli
