// The lists of a tile of atoms under hierarchical charge partitioning on the CPU.
#include <algorithm>

#include "compute/electrostatics/hcp/hcp_field_tile_cpu.h"

namespace isolume {

void HcpFarCharges::reserve(std::size_t more) {
  const std::size_t needed = size + more + 2 * hcp_charge_padding;
  if (charges.size() < needed) charges.resize(needed + needed / 2);
}

void HcpFieldLists::reserve_groups(std::size_t more) {
  const std::size_t needed = group_count + more + 2 * hcp_charge_padding;
  if (centres.size() >= needed) return;
  const std::size_t size = needed + needed / 2;
  groups.resize(size), masks.resize(size), centres.resize(size);
  clear2.resize(size), near.resize(size), close.resize(size);
  for (HcpChargeColumns& c : charges) c.resize(size);
}

void HcpFieldLists::reserve_own(const HcpFieldSystem& system) {
  std::size_t needed = group_count * system.charges_each + 2 * hcp_charge_padding;
  for (std::size_t g = 0; system.first_vector.empty() && g < group_count; ++g)
    needed += system.first_atom[groups[g] + 1] - system.first_atom[groups[g]];
  if (own.size() < needed) own.resize(needed + needed / 2);
}

void HcpFarCharges::close_segment(std::size_t begin, std::uint32_t mask) {
  if (size == begin) return;
  // A charge that is far anyway, without its charge.
  while (size % hcp_charge_padding != 0) {
    charges.set(size, {charges.x[begin], charges.y[begin], charges.z[begin], 0});
    ++size;
  }
  segments.push_back({begin, size, mask});
}

void HcpFieldLists::clear() {
  far.clear(), larger.clear(), remote.clear(), group_count = 0;
  for (auto& part : series) std::fill(std::begin(part), std::end(part), 0.0f);
}

}  // namespace isolume
