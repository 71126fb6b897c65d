// Biological assemblies of PDB files: REMARK 350.
#include "formats/structures/pdb_assembly.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "formats/bytes/text.h"

namespace isolume::pdb {
namespace {

/// The four numbers of a BIOMT line: by their columns, or, where serial numbers have pushed them to the right, as the
/// last four fields.
std::optional<glm::dvec4> biomt_numbers(std::string_view line) {
  constexpr std::size_t first[] = {24, 34, 44, 54};
  constexpr std::size_t last[] = {33, 43, 53, 68};
  glm::dvec4 row;
  bool good = true;
  for (int i = 0; i < 4 && good; ++i) {
    const auto value = parse_real(field(line, first[i], last[i]));
    good = value && std::abs(*value) < 1e6;
    if (good) row[i] = *value;
  }
  if (good) return row;
  const std::vector<std::string_view> fields = split(line);
  if (fields.size() < 7) return std::nullopt;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = parse_real(fields[fields.size() - 4 + i]);
    if (!value || !(std::abs(*value) < 1e6)) return std::nullopt;
    row[static_cast<int>(i)] = *value;
  }
  return row;
}

/// Reads the lines one after another.
class AssemblyReader {
 public:
  explicit AssemblyReader(const Topology& topology) : topology_(topology) {
    for (std::uint32_t i = 0; i < topology.chains.size(); ++i) by_name_[topology.chains[i].id].push_back(i);
  }

  void take(std::string_view line) {
    const std::string_view text = trimmed(line.substr(std::min<std::size_t>(line.size(), 10)));
    if (text.starts_with("BIOMOLECULE:")) {
      end_part();
      // "BIOMOLECULE: 1, 2" of old files means that the lines are those of both; the first stands for them.
      const std::string_view ids = text.substr(12);
      assemblies.push_back({clean(trimmed(ids.substr(0, ids.find(','))), 20), {}, {}});
    } else if (text.starts_with("APPLY THE FOLLOWING TO CHAINS:")) {
      end_part();
      add_chains(text.substr(30));
    } else if (text.starts_with("AND CHAINS:")) {
      add_chains(text.substr(11));
    } else if (text.starts_with("BIOMT")) {
      take_row(line, text);
    }
  }

  void finish() {
    end_part();
    std::erase_if(assemblies, [](const Assembly& assembly) { return assembly.parts.empty(); });
  }

  std::vector<Assembly> assemblies;
  std::size_t bad_operators = 0;
  std::set<std::string> missing;  ///< chains

 private:
  void add_chains(std::string_view names) {
    chains_given_ = true;
    while (!names.empty()) {
      const std::size_t comma = std::min(names.find(','), names.size());
      std::string name = clean(trimmed(names.substr(0, comma)), 20);
      names = comma < names.size() ? names.substr(comma + 1) : std::string_view();
      if (name.empty()) continue;
      if (name == "NULL") name.clear();  // a blank chain
      const auto found = by_name_.find(name);
      if (found == by_name_.end()) {
        missing.insert(name);
      } else if (named_.insert(name).second) {  // once for each part, however often it is named
        part_.chains.insert(part_.chains.end(), found->second.begin(), found->second.end());
      }
    }
  }

  void take_row(std::string_view line, std::string_view text) {
    const int row = text.size() > 5 ? text[5] - '1' : -1;
    const auto numbers = biomt_numbers(line);
    if (row == 0) {
      if (rows_ != 0) ++bad_operators;
      rows_ = 0;
    }
    if (row < 0 || row > 2 || row != rows_ || !numbers) {
      if (rows_ == 0 && row == 0) ++bad_operators;
      if (rows_ > 0) ++bad_operators;
      rows_ = 0;
      return;
    }
    for (int column = 0; column < 4; ++column) operator_[column][row] = (*numbers)[column];
    if (++rows_ < 3) return;
    rows_ = 0;
    part_.operators.push_back(operator_);
    const std::vector<std::string_view> fields = split(line);  // REMARK 350 BIOMT3 7 ...
    part_.names.push_back(fields.size() == 8 ? clean(fields[3], 20) : std::to_string(part_.operators.size()));
  }

  void end_part() {
    if (rows_ != 0) ++bad_operators;
    rows_ = 0;
    if (!part_.operators.empty()) {
      if (assemblies.empty()) assemblies.push_back({"1", {}, {}});
      if (!chains_given_)
        for (std::uint32_t i = 0; i < topology_.chains.size(); ++i) part_.chains.push_back(i);
      std::sort(part_.chains.begin(), part_.chains.end());
      part_.chains.erase(std::unique(part_.chains.begin(), part_.chains.end()), part_.chains.end());
      if (!part_.chains.empty()) assemblies.back().parts.push_back(std::move(part_));
    }
    part_ = {};
    named_.clear();
    chains_given_ = false;
  }

  const Topology& topology_;
  std::map<std::string, std::vector<std::uint32_t>> by_name_;
  std::set<std::string> named_;  ///< chains of the part
  AssemblyPart part_;
  glm::dmat4 operator_{1.0};
  int rows_ = 0;
  bool chains_given_ = false;
};

}  // namespace

std::vector<std::shared_ptr<const Assembly>> read_assemblies(const std::vector<std::string_view>& lines,
                                                             const Topology& topology,
                                                             std::vector<std::string>& warnings) {
  AssemblyReader reader(topology);
  for (const std::string_view line : lines) reader.take(line);
  reader.finish();
  if (reader.bad_operators > 0)
    warnings.push_back(std::to_string(reader.bad_operators) +
                       " operators of REMARK 350 are not complete or have no numbers; they are left out.");
  if (!reader.missing.empty()) {
    std::string names;
    std::size_t shown = 0;
    for (const std::string& name : reader.missing)
      if (shown++ < 10) names += (names.empty() ? "" : ", ") + name;
    warnings.push_back("REMARK 350 names chains that are not in the file: " + names + ".");
  }
  std::vector<std::shared_ptr<const Assembly>> result;
  for (Assembly& assembly : reader.assemblies) result.push_back(std::make_shared<const Assembly>(std::move(assembly)));
  return result;
}

}  // namespace isolume::pdb
