// Files of a few ions for tests of isolume compute potential.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace isolume::test {

inline constexpr double volt_angstrom = 14.399645;  // e / (4 pi eps0), CODATA 2018

inline std::string pqr(const std::vector<std::array<double, 4>>& charges, const std::string& head = {}) {
  std::string text = head;
  for (std::size_t i = 0; i < charges.size(); ++i)
    text += fmt::format("ATOM  {:5} {:<4} ION A{:4}    {:8.3f}{:8.3f}{:8.3f} {:7.4f} {:6.4f}\n", i + 1, "NA", i + 1,
                        charges[i][0], charges[i][1], charges[i][2], charges[i][3], 1.5);
  return text + "END\n";
}

}  // namespace isolume::test
