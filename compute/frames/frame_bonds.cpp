// Frame bonds: checks, the CPU's body, and what a device keeps.
#include "compute/frames/frame_bonds.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "compute/base/parallel_for.h"
#include "compute/frames/frame_bonds_bodies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<FrameBondSite> sites_of(std::span<const HydrogenBondSites::Site> sites) {
  std::vector<FrameBondSite> result;
  result.reserve(sites.size());
  for (const HydrogenBondSites::Site& s : sites)
    result.push_back({s.atom, s.point, s.around_begin, s.around_end, s.barred_begin, s.barred_end, s.carbon, s.element,
                      s.sets, static_cast<std::uint32_t>(static_cast<unsigned char>(s.altloc)), s.both ? 1U : 0U});
  return result;
}

}  // namespace

FrameBonds::FrameBonds(HydrogenBondSites sites, const HydrogenBondRule& rule, Device device)
    : sites_(std::move(sites)), rule_(rule), device_(device), atoms_(sites_.gather()) {
  if (atoms_.empty()) atoms_.push_back(0);  // a group has points
  if (!device.is_cuda()) return;
  const char* what = "sites of hydrogen bonds";
  donors_ = DeviceArray<FrameBondSite>::from_host(sites_of(sites_.donors()), device, what);
  acceptors_ = DeviceArray<FrameBondSite>::from_host(sites_of(sites_.acceptors()), device, what);
  around_ = DeviceArray<std::uint32_t>::from_host(sites_.around(), device, what);
  around_atoms_ = DeviceArray<std::uint32_t>::from_host(sites_.around_atoms(), device, what);
  barred_ = DeviceArray<std::uint32_t>::from_host(sites_.barred(), device, what);
}

void FrameBonds::check(const FrameGroup& group) const {
  if (group.points != atoms_.size() || group.positions.size != group.frames * group.points || group.device() != device_)
    throw Error(fmt::format("hydrogen bonds of frames: {} points a frame for {} atoms", group.points, atoms_.size()),
                Error::Kind::usage);
}

std::vector<std::vector<HydrogenBond>> FrameBonds::of(const FrameGroup& group, Job& job) const {
  check(group);
  std::vector<std::vector<HydrogenBond>> result(group.frames);
  if (!(rule_.distance > 0) || sites_.donors().empty() || sites_.acceptors().empty()) return result;
  if (!device_.is_cuda()) {
    const auto one = [&](std::size_t f) {
      result[f] = sites_.find({group.positions.data + f * group.points, group.points}, rule_);
    };
    if (group.frames == 1) {
      one(0);
    } else {
      parallel_for(group.frames, job, "hydrogen bonds", one);
    }
    return result;
  }
  const FrameBondsTask task{donors_.span(),     acceptors_.span(), around_.span(), around_atoms_.span(), barred_.span(),
                            sites_.hydrogens(), sites_.between(),  rule_,          sites_.most()};
  const std::vector<std::size_t> counts = count_frame_bonds_cuda(group, task, job);
  if (*std::max_element(counts.begin(), counts.end()) > sites_.most()) sites_.throw_too_many(rule_);
  result = frame_bonds_cuda(group, task, counts, job);
  parallel_for(group.frames, job, "hydrogen bonds", [&](std::size_t f) {
    std::sort(result[f].begin(), result[f].end(), [](const HydrogenBond& a, const HydrogenBond& b) {
      return std::pair(a.donor, a.acceptor) < std::pair(b.donor, b.acceptor);
    });
  });
  return result;
}

std::vector<std::size_t> FrameBonds::count(const FrameGroup& group, Job& job) const {
  std::vector<std::size_t> counts(group.frames, 0);
  if (!device_.is_cuda()) {
    const auto bonds = of(group, job);
    for (std::size_t f = 0; f < group.frames; ++f) counts[f] = bonds[f].size();
    return counts;
  }
  check(group);
  if (!(rule_.distance > 0) || sites_.donors().empty() || sites_.acceptors().empty()) return counts;
  counts = count_frame_bonds_cuda(group,
                                  {donors_.span(), acceptors_.span(), around_.span(), around_atoms_.span(),
                                   barred_.span(), sites_.hydrogens(), sites_.between(), rule_, sites_.most()},
                                  job);
  for (const std::size_t count : counts)
    if (count > sites_.most()) sites_.throw_too_many(rule_);
  return counts;
}

}  // namespace isolume
