// isolume devices: the CPU and the GPUs, which of them will be used, and why.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>

#include "app/cli/command.h"
#include "app/fields/interop/interop_probe.h"
#include "compute/base/device_probe.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Tests those devices that may be used: the way to OpenGL, or what failed. Of a device that was named a fault is
/// thrown.
std::map<std::string, std::string> test_all(const std::string& wish) {
  std::map<std::string, std::string> found;
  for (const DeviceInfo& info : list_devices()) {
    const std::string name = to_string(info.device);
    const bool named = wish == name || (wish == "cuda" && info.device == Device::cuda());
    if (!info.usable || (wish != "auto" && !named)) continue;
    try {
      probe_device(info.device);
      found[name] = "memory and kernels work; surfaces go to OpenGL by " + probe_interop(info.device);
    } catch (const Error& error) {
      if (named) throw;
      found[name] = std::string("failed: ") + error.what();
    }
  }
  return found;
}

void print_json(Device used, const std::map<std::string, std::string>& tested) {
  Json devices = Json::array();
  for (const DeviceInfo& info : list_devices()) {
    devices.push_back({{"name", to_string(info.device)},
                       {"kind", info.device.is_cuda() ? "cuda" : "cpu"},
                       {"model", info.name},
                       {"detail", info.detail},
                       {"memory_total", info.memory_total},
                       {"memory_free", info.memory_free},
                       {"usable", info.usable},
                       {"why_not", info.why_not},
                       {"used", info.device == used}});
    if (const auto test = tested.find(to_string(info.device)); test != tested.end())
      devices.back()["test"] = test->second;
  }
  const Json json{
      {"used", to_string(used)}, {"cuda", cuda_status()}, {"threads", thread_count()}, {"devices", devices}};
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(const std::string& wish, Device used, const std::map<std::string, std::string>& tested) {
  for (const DeviceInfo& info : list_devices()) {
    fmt::print("{}{:8} {}\n", info.device == used ? "* " : "  ", to_string(info.device), plain(info.name));
    fmt::print("           {} of {} free\n", bytes_in_words(info.memory_free), bytes_in_words(info.memory_total));
    if (!info.detail.empty()) fmt::print("           {}\n", plain(info.detail));
    if (!info.usable) fmt::print("           not usable: {}\n", plain(info.why_not));
    if (const auto test = tested.find(to_string(info.device)); test != tested.end())
      fmt::print("           test: {}\n", plain(test->second));
  }
  fmt::print("CUDA: {}\n", cuda_status());
  const char* why = wish != "auto"   ? "asked for"
                    : used.is_cuda() ? "the first CUDA device that is usable"
                                     : "no usable CUDA device";
  fmt::print("Used: {} ({}), {} threads\n", to_string(used), why, thread_count());
}

}  // namespace

void add_devices(Commands& commands) {
  struct Options {
    bool json = false, test = false;
  };
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(commands.app, "devices", "list the devices, and which of them is used",
                                    "isolume devices --json", [&commands, options] {
                                      Run run(commands.common);
                                      std::map<std::string, std::string> tested;
                                      if (options->test) tested = test_all(commands.common.device);
                                      if (options->json) {
                                        print_json(run.device, tested);
                                      } else {
                                        print_text(commands.common.device, run.device, tested);
                                      }
                                      run.finish();
                                    });
  command.flag("--json", options->json, "as JSON");
  command.flag("--test", options->test,
               "test memory, kernels and the way to OpenGL of each device, or of the one that --device names");
}

}  // namespace isolume::cli
