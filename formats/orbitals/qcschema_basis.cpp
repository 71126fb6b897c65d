// Basis sets of QCSchema.
#include "formats/orbitals/qcschema_basis.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

namespace isolume {

using Json = nlohmann::json;

std::size_t functions_of(const FileShell& shell) {
  return static_cast<std::size_t>(shell.spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2);
}

namespace {

std::vector<FileShell> shells_of_centre(const JsonFile& file, const Json& centre, const std::string& name) {
  std::vector<FileShell> out;
  for (const Json& shell : file.need(centre, "electron_shells")) {
    const std::vector<double> exponents = file.numbers(file.need(shell, "exponents"), name + ".exponents");
    const Json& rows = file.need(shell, "coefficients");
    const std::vector<double> momenta = file.numbers(file.need(shell, "angular_momentum"), name + ".angular_momentum");
    const Json* harmonic = JsonFile::find(shell, "harmonic_type");
    if (!rows.is_array() || rows.empty() || momenta.empty() || (momenta.size() > 1 && momenta.size() != rows.size())) {
      file.fail(fmt::format("{}: {} rows of coefficients for {} angular momenta", name, rows.size(), momenta.size()));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      FileShell out_shell;
      const double l = momenta.size() > 1 ? momenta[i] : momenta[0];
      if (!(l >= 0 && l <= 6)) file.fail(fmt::format("{}: angular momentum {}; 0 to 6 are known", name, l));
      out_shell.l = static_cast<int>(l);
      out_shell.spherical = harmonic == nullptr || *harmonic == "spherical";
      out_shell.exponents = exponents;
      out_shell.coefficients = file.numbers(rows[i], name + ".coefficients");
      if (out_shell.coefficients.size() != exponents.size() || exponents.empty()) {
        file.fail(
            fmt::format("{}: {} coefficients for {} exponents", name, out_shell.coefficients.size(), exponents.size()));
      }
      for (const double exponent : exponents) {
        if (!(exponent > 1e-100 && exponent < 1e100)) file.fail("an exponent must be positive");
      }
      out.push_back(std::move(out_shell));
    }
  }
  return out;
}

}  // namespace

std::vector<FileShell> qcschema_shells(const JsonFile& file, const Json& basis, const QcschemaLimits& limits) {
  const Json& centres = file.need(basis, "center_data");
  const Json& map = file.need(basis, "atom_map");
  if (!map.is_array() || map.size() != limits.atoms) {
    file.fail(fmt::format("basis.atom_map: {} entries for {} atoms", map.size(), limits.atoms));
  }
  std::map<std::string, std::vector<FileShell>> known;
  std::vector<FileShell> out;
  std::size_t functions = 0, primitives = 0;
  for (std::size_t atom = 0; atom < map.size(); ++atom) {
    const std::string name = file.text(map[atom], "basis.atom_map");
    if (!known.contains(name)) known[name] = shells_of_centre(file, file.need(centres, name), name);
    for (const FileShell& shell : known[name]) {
      functions += functions_of(shell);
      primitives += shell.exponents.size();
      if (functions > limits.functions || primitives > limits.primitives) {
        file.fail(
            fmt::format("basis: the shells of {} of {} atoms already have {} functions of {} primitives, more than the "
                        "{} orbital coefficients can belong to",
                        atom + 1, map.size(), functions, primitives, limits.functions));
      }
      out.push_back(shell);
      out.back().centre = static_cast<std::uint32_t>(atom);
    }
  }
  return out;
}

}  // namespace isolume
