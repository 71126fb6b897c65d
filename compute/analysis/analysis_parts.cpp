// What the kinds of analyses share: atoms of selections, frames, columns of residues.
#include "compute/analysis/analysis_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::analysis {
namespace {

Frame frame_at(const AnalysisRequest& request, std::size_t index, std::size_t leading) {
  const std::size_t atoms = request.molecule->topology->atoms.size();
  const Trajectory& trajectory = *request.molecule->trajectory;
  const bool part = leading < atoms && trajectory.atom_count() == atoms;
  Frame frame = part ? trajectory.leading_frame(index, leading) : trajectory.frame(index);
  if (part ? frame.positions.size() < leading : frame.positions.size() != atoms)
    throw Error(fmt::format("frame {} has {} positions for {} atoms", index, frame.positions.size(), atoms),
                Error::Kind::usage);
  return frame;
}

}  // namespace

glm::dvec3 position(const Frame& frame, std::uint32_t atom) {
  return frame.precise_positions.empty() ? glm::dvec3(frame.positions[atom]) : frame.precise_positions[atom];
}

std::vector<glm::dvec3> positions(const Frame& frame, std::span<const std::uint32_t> atoms) {
  std::vector<glm::dvec3> result;
  result.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) result.push_back(position(frame, atom));
  return result;
}

std::vector<glm::vec3> near_positions(const Frame& frame, std::span<const std::uint32_t> atoms) {
  std::vector<glm::vec3> result;
  result.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) result.push_back(frame.positions[atom]);
  return result;
}

std::vector<double> masses(const Topology& topology, std::span<const std::uint32_t> atoms) {
  std::vector<double> result;
  result.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) {
    const auto mass = static_cast<double>(topology.atoms[atom].mass);
    result.push_back(mass > 0 ? mass : 1.0);  // a bead without a mass counts as 1 Da
  }
  return result;
}

Opening::Opening(const AnalysisRequest& request_)
    : request(request_),
      topology(*request.molecule->topology),
      first(frame_at(request, request.opening.value_or(request.frames.front()), all_atoms)) {
  table.selection = request.selection;
}

void Opening::reads_only(std::initializer_list<std::span<const std::uint32_t>> atoms) {
  leading = 0;
  for (const std::span<const std::uint32_t> some : atoms)
    for (const std::uint32_t atom : some) leading = std::max<std::size_t>(leading, atom + std::size_t{1});
}

std::vector<std::uint32_t> Opening::select() {
  return atoms_of(*request.molecule, first, request.kind, table.selection);
}

std::vector<std::uint32_t> Opening::select_other(const std::string& words, const std::vector<std::uint32_t>& atoms) {
  table.other = words.empty() ? table.selection : words;
  return table.other == table.selection ? atoms : atoms_of(*request.molecule, first, request.kind, table.other);
}

Frame frame_of(const AnalysisRequest& request, std::size_t row, std::size_t leading) {
  return frame_at(request, request.frames[row], leading);
}

std::vector<Device> devices_of(const AnalysisRequest& request) {
  return request.devices.empty() ? std::vector{request.device} : request.devices;
}

void for_frames(const AnalysisRequest& request, Job& job, const char* what,
                const std::function<void(std::size_t, const Frame&)>& body, std::size_t leading) {
  parallel_for(request.frames.size(), job, what, [&](std::size_t row) { body(row, frame_of(request, row, leading)); });
}

FrameStreamPlan stream_plan(const AnalysisRequest& request, std::vector<std::uint32_t> atoms, std::size_t leading,
                            const char* what) {
  FrameStreamPlan plan;
  plan.rows = request.frames.size();
  plan.atoms = std::move(atoms);
  plan.read = [&request, leading](std::size_t row) { return frame_of(request, row, leading); };
  plan.device = request.device;
  plan.what = what;
  plan.times = request.times;
  return plan;
}

void add_residue_texts(AnalysisTable& table, const Topology& topology, std::span<const std::uint32_t> atoms,
                       const std::string& prefix) {
  std::vector<std::string> chains, names, numbers;
  for (const std::uint32_t atom : atoms) {
    const Residue& residue = topology.residue_of(atom);
    const Chain& chain = topology.chain_of(atom);
    chains.push_back(chain.id.empty() ? chain.segment : chain.id);
    names.push_back(residue.name);
    numbers.push_back(std::to_string(residue.number) +
                      (residue.insertion == ' ' ? std::string() : std::string(1, residue.insertion)));
  }
  table.texts.emplace_back(prefix + "chain", std::move(chains));
  table.texts.emplace_back(prefix + "residue", std::move(names));
  table.texts.emplace_back(prefix + "number", std::move(numbers));
}

}  // namespace isolume::analysis
