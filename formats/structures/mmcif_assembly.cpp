// Biological assemblies of mmCIF files: pdbx_struct_assembly and its operators.
#include "formats/structures/mmcif_assembly.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "formats/bytes/text.h"

namespace isolume::mmcif {
namespace {

constexpr std::size_t most_operators = 100'000;
constexpr std::size_t most_assemblies = 10'000;
// Names and copied chains of all rows together: a capsid has some thousand, and a made-up file a row for every million.
constexpr std::size_t most_names = 1'000'000;

using Names = std::vector<std::string>;

/// Takes `count` off `left`; false, with nothing left, where that is not there.
bool take(std::size_t count, std::size_t& left) {
  const bool enough = count <= left;
  left = enough ? left - count : 0;
  return enough;
}

/// "1,2,6-9,P" without brackets. Empty where it makes no sense, or has more than `left` names.
Names names_of(std::string_view list, std::size_t& left) {
  Names names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trimmed(list.substr(0, comma));
    list = comma < list.size() ? list.substr(comma + 1) : std::string_view();
    if (item.empty()) continue;
    const std::size_t dash = item.find('-', 1);
    const auto low = dash == std::string_view::npos ? std::nullopt : parse_integer(item.substr(0, dash));
    const auto high = dash == std::string_view::npos ? std::nullopt : parse_integer(item.substr(dash + 1));
    if (!low || !high) {
      if (!take(1, left)) return {};
      names.push_back(clean(item, 40));
    } else {
      if (*low > *high || *low < 0 || *high - *low >= static_cast<std::int64_t>(most_operators)) return {};
      if (!take(static_cast<std::size_t>(*high - *low + 1), left)) return {};
      for (std::int64_t i = *low; i <= *high; ++i) names.push_back(std::to_string(i));
    }
    if (names.size() > most_operators) return {};
  }
  return names;
}

std::map<std::string, glm::dmat4> read_operators(const CifDocument& document, std::size_t block) {
  std::map<std::string, glm::dmat4> operators;
  const CifTable table = document.table(block, "_pdbx_struct_oper_list.", "id");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    glm::dmat4 place(1.0);
    bool good = true;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        const std::string number = std::to_string(i + 1);
        const auto value = parse_real(
            table.at(row, j < 3 ? "matrix[" + number + "][" + std::to_string(j + 1) + "]" : "vector[" + number + "]"));
        good = good && value && std::abs(*value) < 1e6;
        if (good) place[j][i] = *value;
      }
    }
    if (good) operators[std::string(table.at(row, "id"))] = place;
  }
  return operators;
}

/// Index of every label chain's chains.
std::multimap<std::string, std::uint32_t> chains_by_label(const Topology& topology) {
  std::multimap<std::string, std::uint32_t> map;
  for (std::uint32_t i = 0; i < topology.chains.size(); ++i) {
    const Chain& chain = topology.chains[i];
    map.emplace(chain.segment.empty() ? chain.id : chain.segment, i);
  }
  return map;
}

}  // namespace

std::vector<std::vector<std::string>> operator_sequences(std::string_view expression, std::size_t& left) {
  std::vector<Names> factors;
  std::string_view rest = trimmed(expression);
  while (!rest.empty()) {
    if (rest[0] == '(') {
      const std::size_t close = rest.find(')');
      if (close == std::string_view::npos) return {};
      factors.push_back(names_of(rest.substr(1, close - 1), left));
      rest = trimmed(rest.substr(close + 1));
    } else {
      const std::size_t open = std::min(rest.find('('), rest.size());
      factors.push_back(names_of(rest.substr(0, open), left));
      rest = trimmed(rest.substr(open));
    }
    if (factors.back().empty()) return {};
  }
  if (factors.empty()) return {};
  std::vector<Names> sequences{{}};
  for (const Names& factor : factors) {
    if (sequences.size() * factor.size() > most_operators) return {};
    if (!take(sequences.size() * factor.size(), left)) return {};
    std::vector<Names> longer;
    longer.reserve(sequences.size() * factor.size());
    for (const Names& sequence : sequences) {
      for (const std::string& name : factor) {
        longer.push_back(sequence);
        longer.back().push_back(name);
      }
    }
    sequences = std::move(longer);
  }
  return sequences;
}

std::vector<std::shared_ptr<const Assembly>> read_assemblies(const CifDocument& document, std::size_t block,
                                                             const Topology& topology,
                                                             std::vector<std::string>& warnings) {
  const CifTable rows = document.table(block, "_pdbx_struct_assembly_gen.", "assembly_id");
  if (rows.empty()) return {};
  const CifTable described = document.table(block, "_pdbx_struct_assembly.", "id");
  std::map<std::string, std::string> details;
  for (std::size_t row = 0; row < described.rows(); ++row)
    details[std::string(described.at(row, "id"))] = clean(described.at(row, "details"));
  const std::map<std::string, glm::dmat4> operators = read_operators(document, block);
  const auto chains = chains_by_label(topology);

  std::vector<Assembly> assemblies;
  std::map<std::string, std::size_t> places;  // of an assembly, by its id
  std::size_t wrong = 0, left = most_names;
  for (std::size_t row = 0; row < rows.rows() && assemblies.size() < most_assemblies && left > 0; ++row) {
    AssemblyPart part;
    Names named = names_of(rows.at(row, "asym_id_list"), left);
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    for (const std::string& name : named) {
      const auto [first, last] = chains.equal_range(name);
      if (!take(static_cast<std::size_t>(std::distance(first, last)), left)) break;
      for (auto at = first; at != last; ++at) part.chains.push_back(at->second);
    }
    std::sort(part.chains.begin(), part.chains.end());
    part.chains.erase(std::unique(part.chains.begin(), part.chains.end()), part.chains.end());
    const auto sequences = operator_sequences(rows.at(row, "oper_expression"), left);
    wrong += sequences.empty();
    for (const Names& sequence : sequences) {
      glm::dmat4 place(1.0);
      std::string name;
      bool good = true;
      for (const std::string& factor : sequence) {
        const auto found = operators.find(factor);
        good = good && found != operators.end();
        if (good) place = place * found->second;
        name += (name.empty() ? "" : "-") + factor;
      }
      wrong += !good;
      if (!good) continue;
      part.operators.push_back(place);
      part.names.push_back(std::move(name));
    }
    if (part.chains.empty() || part.operators.empty()) continue;
    const std::string id = clean(rows.at(row, "assembly_id"), 20);
    const auto [same, added] = places.insert({id, assemblies.size()});
    if (added) {
      const auto found = details.find(id);
      assemblies.push_back({id, found == details.end() ? std::string() : found->second, {std::move(part)}});
    } else {
      assemblies[same->second].parts.push_back(std::move(part));
    }
  }
  if (left == 0)
    warnings.push_back("pdbx_struct_assembly_gen makes more copies than are read; assemblies are left out.");
  if (wrong > 0)
    warnings.push_back(std::to_string(wrong) +
                       " expressions of pdbx_struct_assembly_gen name operators that are not there or make no sense.");
  std::vector<std::shared_ptr<const Assembly>> result;
  for (Assembly& assembly : assemblies) result.push_back(std::make_shared<const Assembly>(std::move(assembly)));
  return result;
}

}  // namespace isolume::mmcif
