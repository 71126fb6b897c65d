// Interacting pairs of residues: their frames and distances, as tables.
#include "app/cli/over_time/pair_history.h"

#include <fmt/format.h>

#include <algorithm>

#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr const char* lengths_word = "numbers of pairs";
constexpr const char* pairs_word = "pairs";
constexpr const char* distances_word = "shortest distances";
constexpr int residue_bits = 28;
constexpr std::uint64_t residue_mask = (std::uint64_t{1} << residue_bits) - 1;

std::uint64_t key_of(const ResiduePair& pair) {
  if (pair.first > residue_mask || pair.second > residue_mask)
    throw Error(fmt::format("parts of interactions take up to {} residues", residue_mask + 1), Error::Kind::usage);
  return (static_cast<std::uint64_t>(pair.kind) << 2 * residue_bits) |
         (static_cast<std::uint64_t>(pair.first) << residue_bits) | pair.second;
}

ResiduePair pair_of(std::uint64_t key) {
  const std::uint64_t kind = key >> 2 * residue_bits;
  if (kind >= interaction_kinds) throw Error("the part has an unknown kind of interaction", Error::Kind::input);
  return {static_cast<InteractionKind>(kind), static_cast<std::uint32_t>((key >> residue_bits) & residue_mask),
          static_cast<std::uint32_t>(key & residue_mask)};
}

}  // namespace

void PairHistory::add(const PairsOfFrame& found, std::size_t place) {
  for (const auto& [pair, distance] : found) {
    Occurrence& seen = all_[pair];
    seen.frames.push_back(place);
    seen.distances += distance;
  }
}

std::string PairHistory::occupancy_table(std::size_t frames, const ResidueTexts& texts) const {
  std::string text =
      "interaction,chain,residue,number,chain 2,residue 2,number 2,frames,occupancy,mean distance (angstrom)\n";
  for (const auto& [pair, seen] : all_) {
    const double n = static_cast<double>(seen.frames.size());
    text += fmt::format("{},{},{},{},{:.4f},{:.3f}\n", name(pair.kind), texts(pair.first), texts(pair.second),
                        seen.frames.size(), n / static_cast<double>(frames), seen.distances / n);
  }
  return text;
}

std::string PairHistory::timeline_table(std::span<const std::size_t> frames, const ResidueTexts& texts) const {
  std::string text = "interaction,chain,residue,number,chain 2,residue 2,number 2";
  for (const std::size_t frame : frames) text += fmt::format(",frame {}", frame);
  text += '\n';
  for (const auto& [pair, seen] : all_) {
    text += fmt::format("{},{},{}", name(pair.kind), texts(pair.first), texts(pair.second));
    std::vector<char> there(frames.size(), '0');
    for (const std::size_t place : seen.frames) there[place] = '1';
    for (const char c : there) text += std::string(",") + c;
    text += '\n';
  }
  return text;
}

void add_pairs(FramePart& part, const std::vector<PairsOfFrame>& frames, const ResidueTexts& texts) {
  using Rule = FrameArray::Rule;
  FrameArray lengths{lengths_word, Rule::rows, 1, {}, true}, pairs{pairs_word, Rule::lists, 1, lengths_word, true},
      distances{distances_word, Rule::lists, 1, lengths_word};
  for (const PairsOfFrame& found : frames) {
    lengths.counts.push_back(found.size());
    for (const auto& [pair, distance] : found) {
      pairs.counts.push_back(key_of(pair));
      distances.numbers.push_back(distance);
      for (const std::uint32_t residue : {pair.first, pair.second})
        if (!part.names.contains(residue)) part.names.emplace(residue, texts(residue));
    }
  }
  for (FrameArray* array : {&lengths, &pairs, &distances}) part.arrays.push_back(std::move(*array));
}

bool has_pairs(const FramePart& part) {
  return std::any_of(part.arrays.begin(), part.arrays.end(),
                     [](const FrameArray& array) { return array.name == distances_word; });
}

PairHistory pairs_of(const FramePart& part) {
  const std::vector<std::uint64_t>&lengths = part.array(lengths_word).counts, &pairs = part.array(pairs_word).counts;
  const std::vector<double>& distances = part.array(distances_word).numbers;
  if (lengths.size() != part.frames.size() || distances.size() != pairs.size())
    throw Error("the part has not what belongs to interactions", Error::Kind::input);
  PairHistory history;
  std::size_t at = 0;
  for (std::size_t place = 0; place < lengths.size(); ++place) {
    PairsOfFrame found;
    for (std::uint64_t k = 0; k < lengths[place] && at < pairs.size(); ++k, ++at)
      found.emplace(pair_of(pairs[at]), distances[at]);
    history.add(found, place);
  }
  return history;
}

ResidueTexts residue_texts_of(const FramePart& part) {
  return [&part](std::uint32_t residue) {
    const auto found = part.names.find(residue);
    return found == part.names.end() ? std::string("?,?,?") : found->second;
  };
}

}  // namespace isolume::cli
