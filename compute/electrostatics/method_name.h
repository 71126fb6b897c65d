// The methods of electrostatics and their names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isolume {

/// How potentials, energies and forces of charges are computed. automatic: the direct sum where that is quick, else
/// (and in a periodic cell) multilevel summation; it is settled before anything is computed.
enum class PotentialMethod : std::uint8_t { automatic, direct, cutoff, msm, debye_hueckel, spme, hcp, pb, gb };

/// A method as it is named by options and reports, and in words; in the order in which they are listed.
struct MethodName {
  PotentialMethod method;
  const char* name;
  const char* title;
};
inline constexpr std::array<MethodName, 9> method_names{{
    {PotentialMethod::automatic, "automatic", "Automatic"},
    {PotentialMethod::direct, "direct", "Direct sum"},
    {PotentialMethod::cutoff, "cutoff", "Cutoff sum"},
    {PotentialMethod::msm, "msm", "Multilevel summation"},
    {PotentialMethod::spme, "spme", "Particle-mesh Ewald"},
    {PotentialMethod::debye_hueckel, "debye-hueckel", "Debye-Hückel"},
    {PotentialMethod::hcp, "hcp", "Hierarchical partitioning"},
    {PotentialMethod::pb, "pb", "Poisson-Boltzmann"},
    {PotentialMethod::gb, "gb", "Generalised Born"},
}};

inline constexpr const char* name(PotentialMethod method) {
  for (const MethodName& entry : method_names)
    if (entry.method == method) return entry.name;
  return "";
}

/// "Multilevel summation": what lists of methods show.
inline constexpr const char* title(PotentialMethod method) {
  for (const MethodName& entry : method_names)
    if (entry.method == method) return entry.title;
  return "";
}

/// The method of that name, or none.
inline constexpr std::optional<PotentialMethod> method_from_name(std::string_view name) {
  for (const MethodName& entry : method_names)
    if (name == entry.name) return entry.method;
  return {};
}

/// "direct, cutoff, msm, spme, debye-hueckel, hcp and pb", without those that `leave_out` is true for.
template <class LeaveOut>
std::string list_of_methods(const LeaveOut& leave_out) {
  std::string list;
  std::string last;
  for (const MethodName& entry : method_names) {
    if (entry.method == PotentialMethod::automatic || leave_out(entry.method)) continue;
    if (!last.empty()) list += (list.empty() ? "" : ", ") + last;
    last = entry.name;
  }
  return list.empty() ? last : list + " and " + last;
}
inline std::string list_of_methods() {
  return list_of_methods([](PotentialMethod) { return false; });
}

/// Generalised Born has energies alone; it is the last of the methods.
inline constexpr bool makes_maps(PotentialMethod method) {
  return method != PotentialMethod::gb;
}

/// The field of the ions is part of the potential, which is shown in kT/e.
inline constexpr bool is_screened(PotentialMethod method) {
  return method == PotentialMethod::debye_hueckel || method == PotentialMethod::pb;
}

}  // namespace isolume
