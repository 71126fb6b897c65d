// isolume devices: the CPU and the GPUs, which of them will be used, and why.
#include <fmt/format.h>

#include "app/cli/command.h"
#include "compute/base/memory.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_json(Device used) {
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
  }
  const Json json{
      {"used", to_string(used)}, {"cuda", cuda_status()}, {"threads", thread_count()}, {"devices", devices}};
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(const std::string& wish, Device used) {
  for (const DeviceInfo& info : list_devices()) {
    fmt::print("{}{:8} {}\n", info.device == used ? "* " : "  ", to_string(info.device), plain(info.name));
    fmt::print("           {} of {} free\n", bytes_in_words(info.memory_free), bytes_in_words(info.memory_total));
    if (!info.detail.empty()) fmt::print("           {}\n", plain(info.detail));
    if (!info.usable) fmt::print("           not usable: {}\n", plain(info.why_not));
  }
  fmt::print("CUDA: {}\n", cuda_status());
  const char* why = wish != "auto"   ? "asked for"
                    : used.is_cuda() ? "the first CUDA device that is usable"
                                     : "no usable CUDA device";
  fmt::print("Used: {} ({}), {} threads\n", to_string(used), why, thread_count());
}

}  // namespace

void add_devices(Commands& commands) {
  auto json = std::make_shared<bool>(false);
  const Verb command = commands.add(commands.app, "devices", "list the devices, and which of them is used",
                                    "isolume devices --json", [&commands, json] {
                                      Run run(commands.common);
                                      if (*json) {
                                        print_json(run.device);
                                      } else {
                                        print_text(commands.common.device, run.device);
                                      }
                                      run.finish();
                                    });
  command.flag("--json", *json, "as JSON");
}

}  // namespace isolume::cli
