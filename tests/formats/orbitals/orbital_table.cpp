// Every file of the collection of quantum-chemical files opens as the table files.md says, which this writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using test::shared_data;

struct Row {
  std::string name, format, frames, orbitals, electrons, reading;
  double residual = -1;

  std::string text() const {
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |", name, format, frames, orbitals, electrons,
                       residual < 0 ? "" : fmt::format("{:.1e}", residual), reading);
  }
};

std::string in_table(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

/// What is said of one file: how its orbitals were read, what else it holds, or why it was refused.
Row row_of(const std::string& name, const std::function<Molecule()>& open) {
  Row row;
  row.name = in_table(name);
  try {
    const Molecule molecule = open();
    row.format = molecule.format;
    std::size_t with = 0;
    for (const auto& orbitals : molecule.orbitals) {
      if (!orbitals) continue;
      ++with;
      row.orbitals = std::to_string(orbitals->count());
      row.electrons = fmt::format("{:.6g}", orbitals->electron_count());
      row.residual = std::max(row.residual, orbitals->norm_residual);
      row.reading = orbitals->convention == molecule.format ? "" : orbitals->convention;
      if (row.reading.starts_with(molecule.format + " with ")) row.reading.erase(0, molecule.format.size() + 6);
    }
    row.frames = fmt::format("{}{}", molecule.frame_count(),
                             with > 0 && with < molecule.frame_count() ? fmt::format(" ({} with orbitals)", with) : "");
    const auto add = [&](const std::string& text) { row.reading += (row.reading.empty() ? "" : "; ") + text; };
    if (!molecule.volumes.empty())
      add(fmt::format("{} volume{}", molecule.volumes.size(), molecule.volumes.size() > 1 ? "s" : ""));
    if (with == 0 && molecule.volumes.empty() && molecule.warnings.empty()) add("geometry only");
    for (const std::string& warning : molecule.warnings) {
      if (!warning.starts_with("Recognised ")) add(warning);
    }
  } catch (const Error& error) {
    const std::string what = error.what();
    row.format = "refused";
    const std::size_t list = what.find(" (PDB, ");
    const std::size_t begin = what.find(name);
    row.reading = what.substr(begin == std::string::npos ? 0 : begin + name.size() + 2);
    if (list != std::string::npos) row.reading = "neither content nor extension is of a known format";
  }
  row.reading = in_table(row.reading);
  return row;
}

/// The files of a tar archive that was decompressed: name and content.
std::vector<std::pair<std::string, std::string>> members(std::string_view tar) {
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t at = 0; at + 512 <= tar.size() && tar[at] != 0;) {
    const std::string name(tar.substr(at, std::min<std::size_t>(100, tar.substr(at, 100).find('\0'))));
    const std::size_t size = std::strtoul(std::string(tar.substr(at + 124, 12)).c_str(), nullptr, 8);
    if (tar[at + 156] == '0') out.emplace_back(name, std::string(tar.substr(at + 512, size)));
    at += 512 + (size + 511) / 512 * 512;
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Row> rows() {
  const std::string root = shared_data("qm");
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<Row> rows;
  for (const std::string& file : files) {
    const std::string name = fs::relative(file, root).string();
    rows.push_back(row_of(name, [&] { return read_file(file); }));
    if (!file.ends_with(".tar.gz")) continue;
    const auto archive = ByteSource::open(file);
    for (const auto& [member, bytes] : members(archive->text())) {
      rows.push_back(
          row_of(member, [&, content = bytes] { return read_source(ByteSource::from_bytes(content, member)); }));
    }
  }
  return rows;
}

/// The rows of the page as they stand there, by file.
std::map<std::string, std::vector<std::string>> page() {
  std::ifstream in(ISOLUME_ORBITAL_FILES);
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ") || line.starts_with("| file ")) continue;
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '|' && line[i - 1] != '\\') {
        const std::size_t first = cell.find_first_not_of(' ');
        const std::size_t last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
        cell.clear();
      } else {
        cell += line[i];
      }
    }
    if (cells.size() == 7) rows[cells[0]] = cells;
  }
  return rows;
}

// ISOLUME_WRITE_TABLE names a file that the rows are written to.
TEST(OrbitalTable, every_file_opens_as_the_page_says) {
  ISOLUME_NEEDS(shared_data("qm"));
  const std::vector<Row> found = rows();
  if (const char* path = std::getenv("ISOLUME_WRITE_TABLE")) {
    std::ofstream out(path);
    for (const Row& row : found) out << row.text() << '\n';
  }
  const auto written = page();
  // The last digits of a residual are rounding, and in warnings it is repeated.
  const auto without_residual = [](std::string text) {
    for (std::size_t at = 0; (at = text.find("(residual", at)) != std::string::npos; ++at) {
      text.erase(at, text.find(')', at) - at);
    }
    return text;
  };
  for (const Row& row : found) {
    const auto expected = written.find(row.name);
    ASSERT_NE(expected, written.end()) << row.name << " is not in tests/formats/orbitals/files.md";
    const std::vector<std::string>& cells = expected->second;
    EXPECT_EQ(row.format, cells[1]) << row.name;
    EXPECT_EQ(row.frames, cells[2]) << row.name;
    EXPECT_EQ(row.orbitals, cells[3]) << row.name;
    EXPECT_EQ(row.electrons, cells[4]) << row.name;
    EXPECT_EQ(without_residual(row.reading), without_residual(cells[6])) << row.name;
    if (cells[5].empty()) {
      EXPECT_LT(row.residual, 0) << row.name;
    } else {
      EXPECT_GE(row.residual, 0) << row.name;
      EXPECT_LE(row.residual, std::max(2 * std::stod(cells[5]), 1e-12)) << row.name;
    }
  }
}

// Of the Molpro files of sodium chloride the orbitals belong to a bond longer by 0.01 bohr than that of the file.
TEST(OrbitalTable, says_that_orbitals_belong_to_another_geometry) {
  const std::string file = shared_data("qm/molden/NaCl_molden_files.tar.gz");
  ISOLUME_NEEDS(file);
  const auto archive = ByteSource::open(file);
  const auto files = members(archive->text());
  ASSERT_EQ(files.size(), 16u);
  for (const auto& [name, bytes] : files) {
    const Molecule molecule = read_source(ByteSource::from_bytes(bytes, name));
    ASSERT_FALSE(molecule.warnings.empty());
    EXPECT_NE(molecule.warnings[0].find("another geometry"), std::string::npos) << molecule.warnings[0];
    Orbitals moved = *molecule.orbitals_at(0);
    EXPECT_GT(orthonormality_residual(moved), 1e-2);
    moved.centres[1].z += 0.01;
    EXPECT_LT(orthonormality_residual(moved), 1e-6);  // ten decimals of positions and contractions
  }
}

// Unoccupied orbitals of this file are not orthonormal; the occupied ones say by which convention it was written.
TEST(OrbitalTable, occupied_orbitals_decide_where_others_are_inexact) {
  const std::string file = shared_data("qm/fchk/Porphyrin-Orb.FChk.gz");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  Orbitals occupied = *molecule.orbitals_at(0);
  EXPECT_NE(occupied.convention.find("the primitives' norms"), std::string::npos);
  EXPECT_GT(occupied.norm_residual, 1e-4);
  const std::size_t functions = occupied.basis->function_count();
  std::vector<Orbital> kept;
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < occupied.count(); ++i) {
    if (occupied.orbitals[i].occupation < 0.5) continue;
    kept.push_back(occupied.orbitals[i]);
    const auto row = occupied.row(i);
    coefficients.insert(coefficients.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(functions));
  }
  occupied.orbitals = kept;
  occupied.coefficients = coefficients;
  EXPECT_EQ(kept.size(), 162u);
  EXPECT_LT(orthonormality_residual(occupied), 1e-5);
}

}  // namespace
}  // namespace isolume
