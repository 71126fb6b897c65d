// The area that two sets of atoms bury against each other.
#include "compute/structure/interface_area.h"

#include <numeric>
#include <vector>

#include "compute/base/device_array.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

double area_of(const std::vector<SasaAtom>& atoms, const SasaOptions& options, Job& job) {
  DeviceArray<float> areas(atoms.size(), Device::cpu(), "interface area");
  solvent_accessible_area(atoms, options, areas.span(), job);
  const std::vector<float> values = areas.copy_to_host();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

InterfaceArea interface_area(const Topology& topology, const Frame& frame, std::span<const std::uint8_t> first,
                             std::span<const std::uint8_t> second, const SasaOptions& options, Job& job) {
  std::vector<SasaAtom> a, b;
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    if (!first[i] && !second[i]) continue;
    const Atom& atom = topology.atoms[i];
    const float radius = atom.radius > 0 ? atom.radius : element(atom.element).vdw_radius;
    if (radius > 0) (first[i] ? a : b).push_back({frame.positions[i], radius});
  }
  if (a.empty() || b.empty())
    throw Error("an interface needs two sets of atoms; one of them is empty", Error::Kind::usage);
  InterfaceArea result;
  result.first = area_of(a, options, job);
  result.second = area_of(b, options, job);
  for (const SasaAtom& atom : b) a.push_back(atom);  // GCC 13 warns of insert() in vain
  result.both = area_of(a, options, job);
  return result;
}

}  // namespace isolume
