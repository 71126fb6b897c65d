// What a run of dynamics writes: a trajectory, and a table of energies.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/compute/map_pull.h"
#include "compute/dynamics/dynamics.h"
#include "formats/write/write.h"

namespace isolume::cli {

/// What a run writes while it goes.
class DynamicsRecord {
 public:
  /// `out`: a DCD file, `energies`: a table; empty for none.
  DynamicsRecord(const std::string& out, const std::string& energies, const Molecule& molecule);

  void add(const DynamicsSample& sample, const Dynamics& dynamics, Job& job);
  /// The trajectory's last bytes and the table; also of a run that was stopped.
  void finish();

  std::vector<DynamicsSample> samples;
  std::vector<double> correlations;  ///< with the map, where there is one and a resolution
  const MapPull* measure = nullptr;  ///< what correlations are computed by, where it measures()
  bool measures() const { return measure != nullptr && measure->measures(); }

 private:
  std::string path_;
  std::unique_ptr<TrajectoryWriter> writer_;
};

nlohmann::ordered_json energies_of(const DynamicsSample& s);

}  // namespace isolume::cli
