// A command whose device fails runs again on another one.
#pragma once

#include <functional>
#include <string>

namespace isolume::cli {

/// Where a command computes.
struct Place {
  std::string device;      ///< instead of what the command line says; empty for the first try
  bool automatic = false;  ///< the command line names no device; the command says so before it computes
  bool quiet = false;      ///< likewise
};

/// Runs a command, and where a CUDA device fails that nobody named, again from its beginning on another device, at last
/// on the CPU, with a note on stderr. Nothing is left of the first try: what commands write is written whole at their
/// end. With --device cuda the fault is thrown: DeviceFault.
int run_on_some_device(const std::function<int(Place&)>& command);

/// The fault after which the command runs again; empty for the first try. Reports say it.
const std::string& fault_before();

}  // namespace isolume::cli
