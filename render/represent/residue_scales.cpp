// How hydrophobic amino acids are, on three published scales.
#include "render/represent/residue_scales.h"

#include <array>
#include <utility>

namespace isolume {
namespace {

struct Values {
  std::string_view name;
  std::array<double, 3> values;  // in the order of HydrophobicityScale
};
constexpr std::array<Values, 20> table = {{
    {"ALA", {1.8, 0.62, 0.17}},   {"ARG", {-4.5, -2.53, 0.81}}, {"ASN", {-3.5, -0.78, 0.42}},
    {"ASP", {-3.5, -0.90, 1.23}}, {"CYS", {2.5, 0.29, -0.24}},  {"GLN", {-3.5, -0.85, 0.58}},
    {"GLU", {-3.5, -0.74, 2.02}}, {"GLY", {-0.4, 0.48, 0.01}},  {"HIS", {-3.2, -0.40, 0.17}},
    {"ILE", {4.5, 1.38, -0.31}},  {"LEU", {3.8, 1.06, -0.56}},  {"LYS", {-3.9, -1.50, 0.99}},
    {"MET", {1.9, 0.64, -0.23}},  {"PHE", {2.8, 1.19, -1.13}},  {"PRO", {-1.6, 0.12, 0.45}},
    {"SER", {-0.8, -0.18, 0.13}}, {"THR", {-0.7, -0.05, 0.14}}, {"TRP", {-0.9, 0.81, -1.85}},
    {"TYR", {-1.3, 0.26, -0.94}}, {"VAL", {4.2, 1.08, 0.07}},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> others = {{{"HID", "HIS"},
                                                                                   {"HIE", "HIS"},
                                                                                   {"HIP", "HIS"},
                                                                                   {"HSD", "HIS"},
                                                                                   {"HSE", "HIS"},
                                                                                   {"HSP", "HIS"},
                                                                                   {"CYX", "CYS"},
                                                                                   {"CYM", "CYS"},
                                                                                   {"ASH", "ASP"},
                                                                                   {"GLH", "GLU"},
                                                                                   {"LYN", "LYS"},
                                                                                   {"MSE", "MET"}}};

}  // namespace

std::optional<double> hydrophobicity(std::string_view residue_name, HydrophobicityScale scale) {
  for (const auto& [other, usual] : others)
    if (residue_name == other) residue_name = usual;
  for (const Values& known : table)
    if (residue_name == known.name) return known.values[static_cast<std::size_t>(scale)];
  return std::nullopt;
}

}  // namespace isolume
