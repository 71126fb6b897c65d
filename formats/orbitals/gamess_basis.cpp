// The basis that a GAMESS log prints, and the labels of its functions.
#include "formats/orbitals/gamess_basis.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "molecule/quantum/solid_harmonics.h"

namespace isolume {

glm::ivec3 gamess_powers(int l, int n) {
  return cartesian_powers(l)[static_cast<std::size_t>(n)];
}

/// "3   S       1            71.6168373    0.154328967295": shell, type, primitive, exponent, one or two coefficients.
bool GamessBasis::primitive(const LineScanner& lines, std::vector<FileShell>& shells,
                            std::int64_t& shell_number) const {
  std::string text(lines.line());
  // PC GAMESS adds the coefficients of normalised primitives in brackets, which are the ones that are wanted.
  const bool bracketed = text.find('(') != std::string::npos;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
  std::vector<std::string_view> fields = split(text);
  if (fields.size() < 5) return false;
  const auto number = parse_integer(fields[0]);
  static constexpr std::string_view letters = "SPDFGHI";
  const bool sp = fields[1] == "L";
  const std::size_t l = fields[1].size() == 1 ? letters.find(fields[1][0]) : std::string_view::npos;
  if (!number || (!sp && l == std::string_view::npos)) return false;
  const double exponent = lines.real(fields[3], "exponent");
  if (!(exponent > 1e-100 && exponent < 1e100)) lines.fail("an exponent must be positive");
  const std::size_t step = bracketed ? 2 : 1, first = bracketed ? 5 : 4;
  if (fields.size() <= first + (sp ? step : 0)) lines.fail("a primitive needs its exponent and coefficients");
  if (*number != shell_number) {
    shell_number = *number;
    shells.emplace_back();
    shells.back().l = sp ? 0 : static_cast<int>(l);
    if (sp) {
      shells.emplace_back();
      shells.back().l = 1;
    }
  }
  if (shells.empty() || (sp && shells.size() < 2)) lines.fail("a shell without its first line");
  FileShell& last = shells.back();
  FileShell& target = sp ? shells[shells.size() - 2] : last;
  target.exponents.push_back(exponent);
  target.coefficients.push_back(lines.real(fields[first], "contraction coefficient"));
  if (sp) {
    last.exponents.push_back(exponent);
    last.coefficients.push_back(lines.real(fields[first + step], "contraction coefficient"));
  }
  return true;
}

void GamessBasis::read(LineScanner& lines, std::size_t atoms) {
  by_atom_.clear();
  std::int64_t shell_number = 0, before = 0, counted = 0;
  const auto finish = [&] {
    if (by_atom_.empty() || counted == 0) return;
    // Only one of several equivalent atoms is listed; the numbers of the shells go on over all of them.
    by_atom_.back().copies = static_cast<std::size_t>(std::max<std::int64_t>(1, (shell_number - before) / counted));
    before = shell_number;
    counted = 0;
  };
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.starts_with("---") || line.starts_with("THE CONTRACTED") || line.starts_with("SHELL")) {
      continue;
    }
    if (line.starts_with("TOTAL NUMBER")) break;
    if (split(line).size() <= 2) {
      finish();
      if (by_atom_.empty() || !by_atom_.back().shells.empty()) by_atom_.emplace_back();
      continue;
    }
    if (by_atom_.empty()) by_atom_.emplace_back();
    const std::int64_t last = shell_number;
    if (!primitive(lines, by_atom_.back().shells, shell_number)) lines.fail("a shell or the name of an atom expected");
    if (shell_number != last) ++counted;
  }
  finish();
  expand(lines, atoms);
}

/// The shells of all atoms, and which rows of the print are theirs.
void GamessBasis::expand(const LineScanner& lines, std::size_t atoms) {
  shells_.clear();
  row_shell_.clear();
  first_.clear();
  std::size_t atom = 0;
  for (const AtomBasis& basis : by_atom_) {
    for (std::size_t copy = 0; copy < basis.copies; ++copy, ++atom) {
      if (atom >= atoms) lines.fail(fmt::format("the basis is for more than the {} atoms", atoms));
      for (FileShell shell : basis.shells) {
        shell.centre = static_cast<std::uint32_t>(atom);
        first_.push_back(static_cast<std::uint32_t>(row_shell_.size()));
        const int count = (shell.l + 1) * (shell.l + 2) / 2;
        row_shell_.insert(row_shell_.end(), static_cast<std::size_t>(count),
                          static_cast<std::uint32_t>(shells_.size()));
        shells_.push_back(std::move(shell));
      }
    }
  }
}

/// The function that a label as "C  1XXYZ" names in our order.
std::size_t GamessBasis::function_of_row(const LineScanner& lines, std::string_view label, std::size_t row) const {
  if (row >= row_shell_.size()) {
    lines.fail(fmt::format("function {}: the basis has {}", row + 1, row_shell_.size()));
  }
  const std::uint32_t shell = row_shell_[row];
  glm::ivec3 powers(0);
  label = trimmed(label);
  for (std::size_t i = label.size(); i > 0 && label[i - 1] >= 'X' && label[i - 1] <= 'Z'; --i) {
    ++powers[label[i - 1] - 'X'];
  }
  if (powers.x + powers.y + powers.z != shells_[shell].l) {
    lines.fail(fmt::format("function {} is \"{}\" where the basis has a shell of l = {}", row + 1, clean(label, 20),
                           shells_[shell].l));
  }
  return first_[shell] + cartesian_index(powers);
}

}  // namespace isolume
