// Energies and forces by hierarchical charge partitioning: the choice of the body, that of the CPU, the reference.
#include "compute/electrostatics/hcp/hcp_energy.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/hcp/hcp_bodies.h"
#include "compute/electrostatics/hcp/hcp_pair.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

std::string describe_hcp(const HcpHierarchy& hierarchy, const HcpOptions& options) {
  std::string text = fmt::format("{} charge{} each for", options.charges, options.charges == 1 ? "" : "s");
  const char* names[] = {"groups", "subunits", "complexes"};
  const char* gap = " ";
  for (int level = 1; level <= 3; ++level) {
    const double threshold = options.thresholds[static_cast<std::size_t>(level - 1)];
    if (!std::isfinite(threshold)) continue;
    text += fmt::format("{}{} {} beyond {} angstrom", gap, hierarchy.count(level), names[level - 1], threshold);
    gap = ", ";
  }
  if (gap[0] == ' ') text = "all atoms";
  const Dielectric& d = options.dielectric;
  return d.kind == Dielectric::Kind::constant
             ? fmt::format("{}; dielectric {}", text, d.bulk)
             : fmt::format("{}; sigmoidal dielectric, D = {}, S = {}", text, d.bulk, d.slope);
}

namespace {

/// What the excluded and scaled partners of an atom have added to (E, V), e and angstrom.
glm::dvec4 excluded(const ElectrostaticProblem& problem, std::size_t i, const DielectricPair& pair,
                    const auto& position) {
  const PairExclusions& x = problem.exclusions;
  glm::dvec4 sum(0);
  if (x.empty()) return sum;
  for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) {
    const glm::dvec3 d = position(i) - position(x.partners[k]);
    const double r = glm::length(d);
    if (r < coincidence) continue;
    double along = 0;
    const double q = (1 - static_cast<double>(x.kept[k])) * static_cast<double>(problem.charges[x.partners[k]]);
    const double value = pair.value(r, &along);
    sum += q * glm::dvec4(along * d, value);
  }
  return sum;
}

class HcpCpu final : public Electrostatics {
 public:
  HcpCpu(ElectrostaticProblem problem, HcpHierarchy hierarchy, const HcpOptions& options)
      : Electrostatics(std::move(problem), Device::cpu(), "hcp"),
        hierarchy_(std::move(hierarchy)),
        options_(options),
        levels_(hcp_levels(hierarchy_, options_)),
        pair_(options.dielectric) {
    charges_.resize(problem_.atoms());
    values_.resize(problem_.atoms());
  }
  std::string name() const override { return "hcp"; }
  std::string describe() const override { return describe_hcp(hierarchy_, options_); }
  std::size_t memory() const override {
    return hcp_memory(hierarchy_, options_) + problem_.atoms() * (sizeof(PointCharge) + sizeof(glm::vec4));
  }
  ElectrostaticSums sums() override { return sums_; }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) override {
    const std::size_t atoms = problem_.atoms();
    for (std::size_t i = 0; i < atoms; ++i) charges_[i] = {positions.data[i], problem_.charges[i]};
    hcp_cpu(charges_, levels_, {}, options_, out.sums || !out.energies.empty(), Span<glm::vec4>(values_), job);
    const double unit = units::coulomb_kcal_angstrom / units::coulomb_volt_angstrom;
    constexpr std::size_t part = 4096;
    std::vector<ElectrostaticSums> sums((atoms + part - 1) / part);
    parallel_for(sums.size(), job, "hierarchical partitioning", [&](std::size_t p) {
      for (std::size_t i = p * part; i < std::min(atoms, (p + 1) * part); ++i) {
        const double q = static_cast<double>(problem_.charges[i]);
        const glm::dvec4 all = unit * q * glm::dvec4(values_[i]);
        const glm::dvec4 off = units::coulomb_kcal_angstrom * q * excluded(problem_, i, pair_, [&](std::size_t j) {
                                 return glm::dvec3(positions.data[j]);
                               });
        sums[p].pairs += 0.5 * all.w;
        sums[p].exclusions -= 0.5 * off.w;
        if (!out.forces.empty()) out.forces.data[i] = glm::vec3(all - off);
        if (!out.energies.empty()) out.energies.data[i] = static_cast<float>(0.5 * (all.w - off.w));
      }
    });
    if (!out.sums) return;
    sums_ = {};
    for (const ElectrostaticSums& s : sums) sums_.pairs += s.pairs, sums_.exclusions += s.exclusions;
  }

 private:
  HcpHierarchy hierarchy_;
  HcpOptions options_;
  std::vector<HcpLevel> levels_;
  DielectricPair pair_;
  std::vector<PointCharge> charges_;
  std::vector<glm::vec4> values_;
  ElectrostaticSums sums_;
};

}  // namespace

std::unique_ptr<Electrostatics> hcp_electrostatics(ElectrostaticProblem problem, HcpHierarchy hierarchy,
                                                   const HcpOptions& options, Device device) {
  options.check();
  hierarchy.check(problem.atoms());
  require_memory(hcp_memory(hierarchy, options) + problem.atoms() * 160, device, "hcp");
  if (device.is_cuda()) return hcp_electrostatics_cuda(std::move(problem), std::move(hierarchy), options, device);
  return std::make_unique<HcpCpu>(std::move(problem), std::move(hierarchy), options);
}

ElectrostaticReference hcp_energy_reference(const ElectrostaticProblem& problem, const HcpHierarchy& hierarchy,
                                            const HcpOptions& options, std::span<const glm::dvec3> positions) {
  std::vector<PointCharge> charges;
  for (std::size_t i = 0; i < positions.size(); ++i) charges.push_back({glm::vec3(positions[i]), problem.charges[i]});
  std::vector<glm::dvec4> values(positions.size());
  hcp_reference(charges, hierarchy, positions, options, values);
  ElectrostaticReference result;
  const DielectricPair pair(options.dielectric);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double q = static_cast<double>(problem.charges[i]);
    const glm::dvec4 all = q * units::coulomb_kcal_angstrom / units::coulomb_volt_angstrom * values[i];
    const glm::dvec4 off =
        q * units::coulomb_kcal_angstrom * excluded(problem, i, pair, [&](std::size_t j) { return positions[j]; });
    result.forces.emplace_back(all - off);
    result.energies.push_back(0.5 * (all.w - off.w));
    result.sums.pairs += 0.5 * all.w;
    result.sums.exclusions -= 0.5 * off.w;
  }
  return result;
}

}  // namespace isolume
