// A command whose device fails runs again on another one.
#include "app/cli/fallback.h"

#include <fmt/format.h>

#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "compute/base/device_fault.h"

namespace isolume::cli {
namespace {

std::string before;

}  // namespace

const std::string& fault_before() {
  return before;
}

int run_on_some_device(const std::function<int(Place&)>& command) {
  Place place;
  before.clear();
  for (;;) {
    const std::size_t lost = lost_devices().size();
    try {
      return command(place);
    } catch (const DeviceFault& fault) {
      if (!place.automatic || place.device == "cpu" || Interrupt::requested()) throw;
      place.device = to_string(device_instead(fault));
      const auto known = lost_device(fault.device());
      before = known ? known->what : fault.what();
    } catch (const Error& error) {
      // What was made of a device's fault on its way here.
      const bool newly_lost = lost_devices().size() > lost;
      if (!newly_lost || error.kind() != Error::Kind::failed || !place.automatic || place.device == "cpu") throw;
      place.device = "cpu";
      before = lost_devices().back().what;
    }
    if (!place.quiet) complain(fmt::format("isolume: note: {}; computing again on {}", before, place.device));
  }
}

}  // namespace isolume::cli
