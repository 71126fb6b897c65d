// Contacts over the frames, and the map of residues that touch.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "compute/analysis/analysis_parts.h"
#include "compute/analysis/contacts.h"
#include "compute/base/job_part.h"
#include "compute/frames/frame_pairs.h"
#include "molecule/base/error.h"

namespace isolume::analysis {
namespace {

/// The two sets, and which pairs of their residues count.
class ContactSets {
 public:
  explicit ContactSets(Opening& opening)
      : a(opening.select()),
        b(opening.select_other(opening.request.other, a)),
        topology_(opening.topology),
        within_(opening.table.other == opening.table.selection),
        apart_(opening.request.apart),
        cutoff_(opening.request.cutoff) {}

  std::vector<Contact> find(const Frame& frame, Job& job) const {
    return find(near_positions(frame, a), near_positions(frame, b), frame.cell, job);
  }
  std::vector<Contact> find(std::span<const glm::vec3> of_a, std::span<const glm::vec3> of_b, const Cell& cell,
                            Job& job) const {
    std::vector<Contact> found = find_contacts(of_a, of_b, cell, cutoff_, job);
    std::erase_if(found, [&](const Contact& contact) { return !counts(a[contact.a], b[contact.b]); });
    return found;
  }

  bool within() const { return within_; }
  ContactRule rule() const { return {cutoff_, within_, apart_}; }
  /// What the rule asks of each atom.
  std::vector<ContactPoint> points(std::span<const std::uint32_t> atoms) const {
    std::vector<ContactPoint> result;
    for (const std::uint32_t atom : atoms) {
      const std::uint32_t residue = topology_.atoms[atom].residue;
      result.push_back({atom, residue, topology_.residues[residue].chain});
    }
    return result;
  }

  std::vector<std::uint32_t> a, b;

 private:
  bool counts(std::uint32_t i, std::uint32_t j) const {
    if (i == j || (within_ && i > j)) return false;
    const std::uint32_t p = topology_.atoms[i].residue, q = topology_.atoms[j].residue;
    if (p == q) return false;
    if (topology_.residues[p].chain != topology_.residues[q].chain) return true;
    return std::abs(static_cast<std::int64_t>(p) - static_cast<std::int64_t>(q)) >= apart_;
  }

  const Topology& topology_;
  bool within_;
  std::int64_t apart_;
  double cutoff_;
};

}  // namespace

GroupWork contacts(Opening& opening, Job& job) {
  const AnalysisRequest& request = opening.request;
  if (request.reference_frame >= request.molecule->frame_count())
    throw Error(
        fmt::format("reference frame {}: there are {}", request.reference_frame, request.molecule->frame_count()),
        Error::Kind::usage);
  const auto sets = std::make_shared<const ContactSets>(opening);
  opening.reads_only({sets->a, sets->b});
  std::vector<Contact> native = sets->find(request.molecule->trajectory->frame(request.reference_frame), job);
  opening.table.facts = {{"cutoff", fmt::format("{:g}", request.cutoff)},
                         {"native_contacts", std::to_string(native.size())},
                         {"reference_frame", std::to_string(request.reference_frame)},
                         {"residues_apart", std::to_string(request.apart)}};
  if (native.empty())
    opening.table.notes.push_back(
        fmt::format("there are no contacts in the reference frame {}, so none can be native", request.reference_frame));
  GroupWork work;
  work.single = true;
  work.atoms = sets->a;
  const PointRange a{0, sets->a.size()}, b = sets->within() ? a : PointRange{a.count, sets->b.size()};
  if (!sets->within()) work.atoms.insert(work.atoms.end(), sets->b.begin(), sets->b.end());
  std::shared_ptr<const FrameContacts> on_device;
  if (request.device.is_cuda()) {
    std::vector<NativePair> pairs;
    for (const Contact& contact : native) pairs.push_back({contact.a, contact.b, contact.distance});
    on_device = std::make_shared<const FrameContacts>(sets->points(sets->a), sets->points(sets->b), pairs, sets->rule(),
                                                      request.device);
  }
  work.values = [cutoff = request.cutoff, a, b, sets, on_device, native = std::move(native)](
                    const FrameGroup& group, Job& part, std::span<double> values) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto put = [&](std::size_t f, double count, double hard, double soft) {
      values[3 * f] = count;
      values[3 * f + 1] = native.empty() ? none : hard;
      values[3 * f + 2] = native.empty() ? none : soft;
    };
    if (on_device) {
      for (const Cell& cell : group.cells) check_contact_cutoff(cell, cutoff);
      const std::vector<FrameContacts::Counts> counts = on_device->of(group, a, b, part);
      for (std::size_t f = 0; f < group.frames; ++f)
        put(f, static_cast<double>(counts[f].contacts), counts[f].hard, counts[f].soft);
      return;
    }
    for (std::size_t f = 0; f < group.frames; ++f) {
      const glm::vec3* points = group.positions.data + f * group.points;
      const std::span<const glm::vec3> of_a(points + a.first, a.count), of_b(points + b.first, b.count);
      const Cell cell = group.cells.empty() ? Cell{} : group.cells[f];
      const NativeContacts left = native_contacts(native, of_a, of_b, cell, cutoff);
      put(f, static_cast<double>(sets->find(of_a, of_b, cell, part).size()), left.hard, left.soft);
    }
  };
  return work;
}

Touching touching_residues(Opening& opening, Job& job) {
  const Topology& topology = opening.topology;
  const ContactSets sets(opening);
  opening.reads_only({sets.a, sets.b});
  Touching touching;
  std::mutex mutex;
  for_frames(
      opening.request, job, "contacts",
      [&](std::size_t, const Frame& frame) {
        JobPart part(job);
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const Contact& contact : sets.find(frame, part))
          pairs.emplace(topology.atoms[sets.a[contact.a]].residue, topology.atoms[sets.b[contact.b]].residue);
        const std::lock_guard lock(mutex);
        for (const auto& pair : pairs) ++touching[pair];
      },
      opening.leading);
  opening.table.facts = {{"cutoff", fmt::format("{:g}", opening.request.cutoff)},
                         {"residues_apart", std::to_string(opening.request.apart)}};
  return touching;
}

namespace {

constexpr const char* pairs_word = "pairs of residues";

}  // namespace

AnalysisTable contact_map(const AnalysisRequest& request, Job& job) {
  Opening opening(request);
  AnalysisTable& table = opening.table;
  const Topology& topology = opening.topology;
  std::vector<std::uint32_t> one, other;
  AnalysisColumn part{"part of frames", "", {}, 4};
  for (const auto& [pair, frames] : touching_residues(opening, job)) {
    one.push_back(topology.residues[pair.first].first_atom);
    other.push_back(topology.residues[pair.second].first_atom);
    part.values.push_back(static_cast<double>(frames) / static_cast<double>(request.frames.size()));
  }
  add_residue_texts(table, topology, one);
  add_residue_texts(table, topology, other, "other ");
  table.atoms = one;
  table.columns = {part};
  return std::move(table);
}

FramePart contact_map_part(const AnalysisRequest& request, Job& job) {
  Opening opening(request);
  const Topology& topology = opening.topology;
  FrameArray counts{pairs_word, FrameArray::Rule::keyed, 1, {}, true};
  std::set<std::uint32_t> residues;
  for (const auto& [pair, frames] : touching_residues(opening, job)) {
    counts.counts.push_back((std::uint64_t{pair.first} << 32) | pair.second);
    counts.counts.push_back(frames);
    residues.insert({pair.first, pair.second});
  }
  FramePart part = begin_part(request, opening.table);
  for (const std::uint32_t residue : residues) {
    AnalysisTable words;
    add_residue_texts(words, topology, std::vector<std::uint32_t>{topology.residues[residue].first_atom});
    std::vector<std::string> texts;
    for (const auto& [heading, values] : words.texts) texts.push_back(values.front());
    part.names.emplace(residue, joined_texts(texts));
  }
  part.arrays = {std::move(counts)};
  return part;
}

AnalysisTable contact_map_table(const FramePart& part, Job&) {
  AnalysisTable table = begin_table(part);
  const std::vector<std::uint64_t>& counts = part.array(pairs_word).counts;
  AnalysisColumn share{"part of frames", "", {}, 4};
  for (const char* heading : {"chain", "residue", "number", "other chain", "other residue", "other number"})
    table.texts.emplace_back(heading, std::vector<std::string>());
  for (std::size_t i = 0; i + 1 < counts.size(); i += 2) {
    std::size_t column = 0;
    for (const std::uint64_t residue : {counts[i] >> 32, counts[i] & 0xffffffffU}) {
      const auto name = part.names.find(residue);
      std::vector<std::string> texts =
          name == part.names.end() ? std::vector<std::string>() : split_texts(name->second);
      texts.resize(3);
      for (std::string& text : texts) table.texts[column++].second.push_back(std::move(text));
    }
    table.atoms.push_back(static_cast<std::uint32_t>(counts[i] >> 32));
    share.values.push_back(static_cast<double>(counts[i + 1]) / static_cast<double>(part.frames.size()));
  }
  table.columns = {std::move(share)};
  return table;
}

}  // namespace isolume::analysis
