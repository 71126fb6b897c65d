// The terms of a PSF.
#include "formats/topologies/psf_terms.h"

#include <algorithm>
#include <string>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {

template <class Take>
void PsfTerms::rows(const char* what, std::uint64_t count, std::size_t width, std::int64_t low, std::int64_t high,
                    Take take) {
  // Even where the numbers touch, one takes a column at least.
  check_count(scanner_.source(), scanner_.number(), count, width, scanner_.bytes_left() + 1, what);
  const std::string one = std::string("one of the ") + what;
  std::vector<std::string_view> fields;
  std::vector<std::int64_t> row;
  for (std::uint64_t read = 0; read < count;) {
    const std::string_view line = scanner_.require(one);
    split(line, fields);
    if (fields.empty() && read == 0 && row.empty()) continue;  // X-PLOR writes one before the ends of exclusions
    if (fields.empty() || line.find('!') != std::string_view::npos) {
      scanner_.fail("expected " + std::to_string(count) + " " + what + ", found " + std::to_string(read));
    }
    if (std::any_of(fields.begin(), fields.end(), [&](std::string_view f) { return f.size() > width_; })) {
      fields.clear();  // numbers that touch
      for (std::size_t at = 1; at <= line.size(); at += width_) fields.push_back(columns(line, at, at + width_ - 1));
    }
    for (const std::string_view text : fields) {
      if (read == count) break;
      row.push_back(scanner_.integer(text, what, low, high));
      if (row.size() < width) continue;
      take(row);
      row.clear();
      ++read;
    }
  }
}

template <std::size_t width>
void PsfTerms::atoms(const char* what, std::uint64_t count, std::size_t atoms,
                     std::vector<std::array<std::uint32_t, width>>& out) {
  if (!out.empty()) scanner_.fail(std::string("a second section of ") + what);
  rows(what, count, width, 1, static_cast<std::int64_t>(atoms), [&](const std::vector<std::int64_t>& row) {
    std::array<std::uint32_t, width> term;
    for (std::size_t k = 0; k < width; ++k) term[k] = static_cast<std::uint32_t>(row[k] - 1);
    if constexpr (width == 2) {
      if (term[0] == term[1]) scanner_.fail("a bond of atom " + std::to_string(row[0]) + " with itself");
    }
    out.push_back(term);
  });
}

/// Partners of all atoms one after another, then for each atom where its own end.
void PsfTerms::exclusions(std::uint64_t count, std::size_t atoms, CharmmTerms& terms) {
  if (count == 0) return;
  std::vector<std::uint32_t> partners;
  rows("excluded atoms", count, 1, 1, static_cast<std::int64_t>(atoms),
       [&](const auto& row) { partners.push_back(static_cast<std::uint32_t>(row[0] - 1)); });
  std::size_t begin = 0;
  std::uint32_t atom = 0;
  rows("ends of exclusions", atoms, 1, 0, static_cast<std::int64_t>(count), [&](const auto& row) {
    const auto end = static_cast<std::size_t>(row[0]);
    if (end < begin) scanner_.fail("ends of exclusions: " + std::to_string(end) + " after " + std::to_string(begin));
    for (; begin < end; ++begin) {
      const auto [a, b] = std::minmax(atom, partners[begin]);
      if (a == b) scanner_.fail("atom " + std::to_string(a + 1) + " excludes itself");
      terms.excluded.push_back({a, b});
    }
    ++atom;
  });
  if (begin != partners.size())
    scanner_.fail("ends of exclusions: the last is " + std::to_string(begin) + " of " + std::to_string(count));
}

void PsfTerms::read(std::string_view heading, std::uint64_t count, std::uint64_t second, std::size_t atoms,
                    CharmmTerms& terms) {
  if (heading.starts_with("!NBOND")) {
    this->atoms("bonds", count, atoms, terms.bonds);
  } else if (heading.starts_with("!NTHETA")) {
    this->atoms("angles", count, atoms, terms.angles);
  } else if (heading.starts_with("!NPHI")) {
    this->atoms("dihedrals", count, atoms, terms.dihedrals);
  } else if (heading.starts_with("!NIMPHI")) {
    this->atoms("impropers", count, atoms, terms.impropers);
  } else if (heading.starts_with("!NCRTERM")) {
    this->atoms("cross-terms", count, atoms, terms.cross_terms);
  } else if (heading.starts_with("!NNB")) {
    exclusions(count, atoms, terms);
  } else if (heading.starts_with("!NUMLP")) {
    if (count > 0) terms.unsupported = std::to_string(count) + " lone pairs";
    if (second > 0 && count == 0) terms.unsupported = "lone pairs";
  } else if (heading.starts_with("!NUMANISO")) {
    if (count > 0) terms.unsupported = "anisotropic polarisabilities";
  }
}

}  // namespace isolume
