// Damaged files: every sample cut at every byte, with flipped bits, with lines and numbers changed. A reader gives a
// whole molecule or an Error, never anything else.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// What reading comes to: the error, or every atom, residue and frame.
std::string outcome_of(const std::string& bytes, const std::string& name, std::size_t piece) {
  std::ostringstream out;
  try {
    ReadLimits limits;
    limits.piece = piece;
    const Molecule molecule = read_source(ByteSource::from_bytes(bytes, name, limits));
    const Topology& t = *molecule.topology;
    for (const Atom& a : t.atoms) {
      out << a.name << ' ' << a.serial << ' ' << a.residue << ' ' << int{a.element} << ' ' << a.charge << ' '
          << a.radius << ' ' << a.b_factor << a.altloc << '\n';
    }
    for (const Residue& r : t.residues)
      out << r.name << r.number << r.insertion << r.chain << ' ' << r.first_atom << '\n';
    for (const Chain& c : t.chains) out << c.id << ' ' << c.segment << ' ' << c.first_residue << '\n';
    for (const Bond& b : t.bonds) out << b.a << ' ' << b.b << ' ' << int{b.order} << '\n';
    for (const std::string& text : t.notes) out << text << '\n';
    for (const std::string& text : molecule.warnings) out << text << '\n';
    for (std::size_t i = 0; i < molecule.frame_count(); ++i) {
      const Frame frame = molecule.trajectory->frame(i);
      for (const glm::vec3& p : frame.positions) out << p.x << ' ' << p.y << ' ' << p.z << '\n';
      out << frame.cell.volume() << ' ' << frame.time << ' ' << frame.velocities.size() << '\n';
    }
  } catch (const Error& error) {
    out << error.what();
  }
  return out.str();
}

/// Whether large files of this format are read in pieces.
bool in_pieces(const std::string& name) {
  for (const char* end : {".pdb", ".cif", ".pqr", ".gro", ".xyz"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

/// Reads and looks at everything; counts what came out. Anything but success or an Error (input) fails the test.
struct Outcomes {
  std::size_t read = 0;
  std::size_t refused = 0;

  void try_read(const std::string& bytes, const std::string& name) {
    try {
      const Molecule molecule = test::read_text(bytes, name);
      if (molecule.topology) molecule.topology->validate();
      for (std::size_t i = 0; i < molecule.frame_count(); ++i) {
        const Frame frame = molecule.trajectory->frame(i);
        if (molecule.topology) {
          ASSERT_EQ(frame.positions.size(), molecule.atom_count());
        }
        for (const glm::vec3& p : frame.positions) ASSERT_TRUE(p.x == p.x && p.y == p.y && p.z == p.z);
      }
      ++read;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), Error::Kind::input) << error.what();
      ++refused;
    }
    // Of every tenth: in pieces of a line or two the same comes out, errors to the letter.
    if (in_pieces(name) && (read + refused) % 10 == 0) {
      ASSERT_EQ(outcome_of(bytes, name, 90), outcome_of(bytes, name, std::size_t{1} << 30));
    }
  }
};

class Damage : public ::testing::TestWithParam<const char*> {
 protected:
  std::string name() const { return GetParam(); }
  std::string sample() const { return content(test::data("formats/" + name())); }
};

TEST_P(Damage, the_sample_itself_is_read) {
  Outcomes outcomes;
  outcomes.try_read(sample(), name());
  EXPECT_EQ(outcomes.read, 1u);
}

TEST_P(Damage, cut_at_every_byte) {
  const std::string whole = sample();
  Outcomes outcomes;
  for (std::size_t length = 0; length < whole.size(); ++length) outcomes.try_read(whole.substr(0, length), name());
  EXPECT_EQ(outcomes.read + outcomes.refused, whole.size());
  EXPECT_GT(outcomes.refused, 0u);
}

TEST_P(Damage, flipped_bits) {
  const std::string whole = sample();
  std::mt19937 random(20260101);
  Outcomes outcomes;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int k = 0; k < flips; ++k) {
      char& byte = bytes[random() % bytes.size()];
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << (random() % 8)));
    }
    outcomes.try_read(bytes, name());
  }
  EXPECT_EQ(outcomes.read + outcomes.refused, 2000u);
}

TEST_P(Damage, numbers_become_absurd) {
  const std::string whole = sample();
  Outcomes outcomes;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t start = whole.find_first_of("0123456789", at);
    if (start == std::string::npos) break;
    const std::size_t end = std::min(whole.find_first_not_of("0123456789.", start), whole.size());
    for (const char* number :
         {"0", "-1", "2147483647", "2147483648", "9223372036854775808", "1e308", "nan", "inf", "", "*", "-"}) {
      std::string bytes = whole;
      bytes.replace(start, end - start, number);
      outcomes.try_read(bytes, name());
      // In the same columns, so that formats with fixed ones see it too.
      const std::size_t room = std::min(end - start, std::string(number).size());
      bytes = whole;
      bytes.replace(start, room, number, room);
      outcomes.try_read(bytes, name());
      tried += 2;
    }
    at = end;
  }
  EXPECT_EQ(outcomes.read + outcomes.refused, tried);
}

TEST_P(Damage, lines_are_lost_doubled_and_swapped) {
  std::vector<std::string> lines;
  std::istringstream text(sample());
  for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
  };
  Outcomes outcomes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> lost = lines;
    lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(i));
    outcomes.try_read(joined(lost), name());
    std::vector<std::string> doubled = lines;
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    outcomes.try_read(joined(doubled), name());
    std::vector<std::string> swapped = lines;
    std::swap(swapped[i], swapped[lines.size() - 1 - i]);
    outcomes.try_read(joined(swapped), name());
  }
  EXPECT_EQ(outcomes.read + outcomes.refused, 3 * lines.size());
}

TEST_P(Damage, line_ends_of_other_systems_give_the_same_molecule) {
  if (name().ends_with(".bcif") || name().ends_with(".npy")) return;  // no text, which has line ends
  const std::string unix_text = sample();
  const Molecule expected = test::read_text(unix_text, name());
  for (const std::string end : {"\r\n", "\r"}) {
    std::string text = "\xEF\xBB\xBF";
    if (end == "\r" && name().ends_with(".cif")) continue;  // CIF 1.1 has no lines that end in CR alone
    for (const char c : unix_text) text += c == '\n' ? end : std::string(1, c);
    const Molecule molecule = test::read_text(text, name());
    ASSERT_EQ(molecule.atom_count(), expected.atom_count());
    ASSERT_EQ(molecule.frame_count(), expected.frame_count());
    EXPECT_EQ(molecule.topology->bonds, expected.topology->bonds);
    for (std::size_t i = 0; i < expected.frame_count(); ++i) {
      EXPECT_EQ(molecule.trajectory->frame(i).positions, expected.trajectory->frame(i).positions);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Damage,
                         ::testing::Values("sample.pdb", "sample.cif", "small.cif", "sample.pqr", "sample.gro",
                                           "sample.xyz", "extended.xyz", "sample.psf", "terms.psf", "sample.crd",
                                           "extended.crd", "sample.prmtop", "sample.top", "sample.mol2", "sample.sdf",
                                           "v3000.sdf", "sample.bcif", "sample.npy"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(Regress, past_failures_and_odd_files_are_read_or_refused) {
  Outcomes outcomes;
  std::size_t files = 0;
  const std::filesystem::path root = test::data("../fuzz/regress");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
    SCOPED_TRACE(entry.path().string());
    outcomes.try_read(content(entry.path()), entry.path().filename().string());
    ++files;
  }
  EXPECT_EQ(outcomes.read + outcomes.refused, files);
  EXPECT_GT(files, 0u);
}

TEST(Regress, shared_malformed_files_are_read_or_refused) {
  const std::filesystem::path root = test::shared_data("malformed");
  ISOLUME_NEEDS(root.string());
  Outcomes outcomes;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path().string());
    outcomes.try_read(content(entry.path()), entry.path().filename().string());
    ++files;
  }
  EXPECT_EQ(outcomes.read + outcomes.refused, files);
}

}  // namespace
}  // namespace isolume
