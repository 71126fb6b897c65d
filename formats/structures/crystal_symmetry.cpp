// The space group of a structure file: its operators as an assembly.
#include "formats/structures/crystal_symmetry.h"

#include <utility>

#include "formats/bytes/text.h"

namespace isolume {

std::vector<std::string> remark_triplets(const std::vector<std::string_view>& lines) {
  std::vector<std::string> triplets;
  for (const std::string_view line : lines) {
    std::string_view rest = line.substr(std::min<std::size_t>(line.size(), 10));
    const std::string_view number = next_token(rest);
    const std::string_view triplet = trimmed(rest);
    if (!number.ends_with("555") || number.size() < 4 || triplet.find(',') == std::string_view::npos) continue;
    const auto counted = parse_integer(number.substr(0, number.size() - 3));
    if (!counted || *counted != static_cast<std::int64_t>(triplets.size()) + 1 || !symmetry_operator(triplet))
      return {};
    triplets.emplace_back(triplet);
  }
  return triplets;
}

void add_unit_cell(Molecule& molecule, const Cell& cell, std::vector<std::string> triplets, const std::string& group,
                   int z) {
  if (!molecule.topology || !cell.exists()) return;
  if (triplets.empty()) {
    const glm::dvec3 angles = cell.angles();
    triplets = space_group_triplets(group, angles.x, angles.z);
    if (triplets.size() < 2) return;
  }
  if (auto made = unit_cell(*molecule.topology, cell, triplets, clean(group, 40), z))
    molecule.assemblies.push_back(std::move(made));
}

namespace mmcif {

void add_unit_cell(Molecule& molecule, const Cell& cell, const CifDocument& document, std::size_t block) {
  std::string group = document.value(block, "_symmetry.space_group_name_h-m");
  if (group.empty()) group = document.value(block, "_space_group.name_h-m_alt");
  std::vector<std::string> triplets;
  for (const auto& [prefix, item] :
       {std::pair("_symmetry_equiv.", "pos_as_xyz"), std::pair("_space_group_symop.", "operation_xyz")}) {
    const CifTable table = document.table(block, prefix, item);
    for (std::size_t row = 0; row < table.rows() && triplets.size() <= 512 && triplets.size() == row; ++row)
      triplets.emplace_back(table.at(row, item));
    if (!triplets.empty()) break;
  }
  const auto z = parse_integer(document.value(block, "_cell.z_pdb"));
  isolume::add_unit_cell(molecule, cell, std::move(triplets), group, z && *z > 0 && *z < 10'000 ? int(*z) : 0);
}

}  // namespace mmcif
}  // namespace isolume
