// Hierarchical charge partitioning as a method of isolume compute energy.
#include "app/cli/energy_hcp.h"

#include <cmath>

#include "app/cli/potential_options.h"
#include "compute/device_array.h"
#include "molecule/error.h"

namespace isolume::cli {
namespace {

const char* const usual_thresholds = "15/66";

}  // namespace

void add_hcp_options(CLI::App& command, HcpChoice& choice) {
  command
      .add_option("--thresholds", choice.thresholds,
                  "hcp: distances beyond which groups, subunits and complexes act by their charges (15/66; published: "
                  "15, 15/66, 21/90, 15/48)")
      ->type_name("H1[/H2[/H3]]");
  command.add_option("--charges", choice.charges, "hcp: charges that stand for a component, 1 or 2 (1)")
      ->check(CLI::Range(1, 2));
  command.add_option("--dielectric", choice.dielectric, "hcp: constant:EPS (constant:1), or sigmoidal");
}

void check_hcp_choice(const HcpChoice& choice, const std::string& method) {
  const bool given = !choice.thresholds.empty() || choice.charges > 0 || !choice.dielectric.empty();
  if (given && method != "hcp")
    throw Error("--thresholds, --charges and --dielectric belong to --method hcp, not to " + method,
                Error::Kind::usage);
}

HcpOptions hcp_options(const HcpChoice& choice) {
  HcpOptions options;
  options.thresholds = HcpOptions::parse_thresholds(choice.thresholds.empty() ? usual_thresholds : choice.thresholds);
  if (choice.charges > 0) options.charges = choice.charges;
  options.dielectric = dielectric_of(choice.dielectric);
  return options;
}

void describe_hcp_method(nlohmann::ordered_json& json, const HcpChoice& choice, const HcpHierarchy& hierarchy) {
  json["thresholds"] = choice.thresholds.empty() ? usual_thresholds : choice.thresholds;
  json["charges"] = choice.charges > 0 ? choice.charges : 1;
  json["dielectric"] = choice.dielectric.empty() ? "constant:1" : choice.dielectric;
  json["groups"] = hierarchy.count(1);
  json["subunits"] = hierarchy.count(2);
  json["boundary"] = "not periodic";
}

ForceError hcp_force_error(const ElectrostaticProblem& problem, const HcpHierarchy& hierarchy,
                           const HcpOptions& options, const std::vector<glm::vec3>& positions,
                           const std::vector<glm::vec3>& forces, Device device, Job& job) {
  HcpOptions all_atoms = options;
  all_atoms.thresholds.fill(HcpOptions::never);
  const auto method = hcp_electrostatics(problem, hierarchy, all_atoms, device);
  const auto at = DeviceArray<glm::vec3>::from_host(positions, device, "positions");
  DeviceArray<glm::vec3> exact(positions.size(), device, "forces");
  method->evaluate(at.span(), {exact.span(), {}, false}, job);
  ForceError error;
  double squares = 0, scale = 0;
  const std::vector<glm::vec3> expected = exact.copy_to_host();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const glm::dvec3 d = glm::dvec3(forces[i]) - glm::dvec3(expected[i]);
    squares += glm::dot(d, d);
    scale += glm::dot(glm::dvec3(expected[i]), glm::dvec3(expected[i]));
    error.max = std::max(error.max, glm::length(d));
  }
  error.atoms = expected.size();
  error.rms = std::sqrt(squares / static_cast<double>(error.atoms));
  error.relative = scale > 0 ? std::sqrt(squares / scale) : 0;
  error.reference = "the sum over all atoms in the same dielectric, in single precision";
  return error;
}

}  // namespace isolume::cli
