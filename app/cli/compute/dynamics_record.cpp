// The trajectory and the table of energies of a run of dynamics.
#include "app/cli/compute/dynamics_record.h"

#include <fmt/format.h>

#include <cmath>

namespace isolume::cli {
namespace {

/// "step,time (ps),total (kcal/mol),...".
std::string energy_heading() {
  std::string text = "step,time (ps)";
  for (const char* name : {"total", "potential", "kinetic"}) text += fmt::format(",{} (kcal/mol)", name);
  text += ",temperature (K)";
  for (const char* name : {"bonds", "angles", "dihedrals", "impropers", "corrections", "Lennard-Jones",
                           "Lennard-Jones 1-4", "electrostatics", "map"})
    text += fmt::format(",{} (kcal/mol)", name);
  return text + ",correlation\n";
}

}  // namespace

DynamicsRecord::DynamicsRecord(const std::string& out, const std::string& energies, const Molecule& molecule)
    : path_(energies) {
  if (!out.empty()) writer_ = create_growing_dcd(out, molecule);
}

void DynamicsRecord::add(const DynamicsSample& sample, const Dynamics& dynamics, Job& job) {
  samples.push_back(sample);
  if (!writer_ && !measures()) return;
  const Frame frame = dynamics.frame();
  correlations.push_back(measures() ? measure->correlation(frame.positions, job) : NAN);
  if (writer_) writer_->add(frame);
}

void DynamicsRecord::finish() {
  if (writer_ && !samples.empty()) writer_->finish();
  if (path_.empty()) return;
  write_atomically(path_, [&](std::ostream& out) {
    out << energy_heading();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const DynamicsSample& s = samples[i];
      const MolecularEnergies& e = s.energies;
      out << fmt::format(
          "{},{:.6f},{:.6f},{:.6f},{:.6f},{:.3f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{}\n",
          s.step, s.time, s.total(), e.potential(), s.kinetic, s.temperature, e.bonds, e.angles, e.dihedrals,
          e.impropers, e.corrections, e.lennard_jones, e.lennard_jones_14, e.electrostatics, e.map,
          measures() ? fmt::format("{:.6f}", correlations[i]) : std::string());
    }
  });
}

std::vector<DynamicsSample> samples;
std::vector<double> correlations;  ///< with the map, where there is one and a resolution

nlohmann::ordered_json energies_of(const DynamicsSample& s) {
  const MolecularEnergies& e = s.energies;
  return {{"time", s.time},
          {"total", s.total()},
          {"potential", e.potential()},
          {"kinetic", s.kinetic},
          {"temperature", s.temperature},
          {"bonds", e.bonds},
          {"angles", e.angles},
          {"dihedrals", e.dihedrals},
          {"impropers", e.impropers},
          {"corrections", e.corrections},
          {"lennard_jones", e.lennard_jones},
          {"lennard_jones_14", e.lennard_jones_14},
          {"electrostatics", e.electrostatics},
          {"map", e.map}};
}

}  // namespace isolume::cli
