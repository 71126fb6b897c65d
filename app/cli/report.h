// What a command reports of itself: inputs, device, times, memory, error and result.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/timing.h"
#include "compute/schedule/tile_book.h"
#include "molecule/grid.h"

namespace isolume::cli {

/// Collects the content of --report. Keys without a value for a command are null.
class Report {
 public:
  Report(std::string command, std::vector<std::string> arguments);

  void input(const std::string& path);  ///< read and hashed when the report is written
  void device(Device device);
  /// What each device did: device.workers; of several computations the sums.
  void workers(const std::vector<WorkerRecord>& workers);
  void grid(const Grid& grid);
  /// Seconds since the last call (or the start) count for `phase`: start (of the device), read, plan, compute, check
  /// (measuring the error), transfer, write.
  void phase(const char* phase);
  /// Seconds of a part of a phase, as time.NAME.
  void seconds(const char* name, double seconds);
  void kernels(const std::vector<LaunchEntry>& entries);
  /// Of what computes on the CPU the peak is at least that of the program, beyond what it had at first.
  void memory(std::size_t predicted, std::size_t peak);

  nlohmann::ordered_json method, unit, error;
  nlohmann::ordered_json result = nlohmann::ordered_json::object();

  nlohmann::ordered_json json() const;
  /// Whole or not at all.
  void write(const std::string& path) const;

 private:
  std::string command_;
  std::vector<std::string> arguments_;
  bool on_cpu_ = true;
  std::vector<std::string> inputs_;
  std::vector<WorkerRecord> workers_;
  nlohmann::ordered_json device_, grid_, time_, kernels_, memory_;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace isolume::cli
