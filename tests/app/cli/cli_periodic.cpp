// Molecules in periodic cells, as a user meets them: analyses, fields and pictures of runs that cross the faces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "formats/read.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const Cell oblique = Cell::from_lengths_angles({22, 24, 23}, {75, 100, 115});

/// A helix of 30 carbon atoms, its neighbours 1.5 angstrom apart, about its middle.
std::vector<glm::dvec3> helix() {
  std::vector<glm::dvec3> points;
  glm::dvec3 mean(0);
  for (int i = 0; i < 30; ++i) {
    points.emplace_back(2.3 * std::cos(0.6 * i), 2.3 * std::sin(0.6 * i), 0.6 * i);
    mean += points.back() / 30.0;
  }
  for (glm::dvec3& point : points) point -= mean;
  return points;
}

double scale_of(int frame) {
  return 1 + 0.01 * frame;
}

/// Frames of the helix, frame n scaled by scale_of(n) and moved by n times (3.1, 2.3, 1.7) angstrom, every atom put
/// into the cell; with `more` an atom of argon that moves with it, (6, 0, 1) angstrom from its middle.
std::string wandering_helix(int frames, bool more = false) {
  const glm::dmat3 inverse = glm::inverse(oblique.vectors);
  std::string text;
  for (int n = 0; n < frames; ++n) {
    const auto& v = oblique.vectors;
    text += fmt::format(
        "{}\nLattice=\"{:.9f} {:.9f} {:.9f} {:.9f} {:.9f} {:.9f} {:.9f} {:.9f} {:.9f}\" "
        "Properties=species:S:1:pos:R:3\n",
        more ? 31 : 30, v[0].x, v[0].y, v[0].z, v[1].x, v[1].y, v[1].z, v[2].x, v[2].y, v[2].z);
    const glm::dvec3 middle = double(n) * glm::dvec3(3.1, 2.3, 1.7);
    const auto put = [&](const char* element, glm::dvec3 point) {
      point = oblique.vectors * glm::fract(inverse * point);
      text += fmt::format("{} {:.6f} {:.6f} {:.6f}\n", element, point.x, point.y, point.z);
    };
    for (const glm::dvec3& point : helix()) put("C", middle + scale_of(n) * point);
    if (more) put("Ar", middle + glm::dvec3(6, 0, 1));
  }
  return text;
}

std::vector<double> last_column(const std::string& csv, int column = -1) {
  std::vector<double> values;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
    values.push_back(std::stod(column < 0 ? fields.back() : fields.at(static_cast<std::size_t>(column))));
  }
  return values;
}

TEST(Periodic, RmsdAndGyrationOfAHelixThatLeavesAnObliqueCellAreThoseOfTheWholeOne) {
  const Folder folder;
  test::write_text(folder / "run.xyz", wandering_helix(12));
  // Scaling by s about the middle: RMSD (s - 1) Rg, radius s Rg.
  double squares = 0;
  for (const glm::dvec3& point : helix()) squares += glm::dot(point, point) / 30;
  const double radius = std::sqrt(squares);
  const auto rmsd = run({"compute", "rmsd", folder / "run.xyz", "--select", "all"});
  ASSERT_EQ(rmsd.code, 0) << rmsd.err;
  const std::vector<double> distances = last_column(rmsd.out);
  const auto gyration = run({"compute", "gyration", folder / "run.xyz", "--no-mass"});
  ASSERT_EQ(gyration.code, 0) << gyration.err;
  const std::vector<double> radii = last_column(gyration.out, 1);
  ASSERT_EQ(distances.size(), 12u);
  ASSERT_EQ(radii.size(), 12u);
  for (int n = 0; n < 12; ++n) {
    EXPECT_NEAR(distances[static_cast<std::size_t>(n)], (scale_of(n) - 1) * radius, 2e-5) << n;
    EXPECT_NEAR(radii[static_cast<std::size_t>(n)], scale_of(n) * radius, 2e-5) << n;
  }
  // As the file has them most frames are broken.
  const auto broken = run({"compute", "gyration", folder / "run.xyz", "--no-mass", "--pbc", "as-is"});
  ASSERT_EQ(broken.code, 0) << broken.err;
  int far = 0;
  for (const double value : last_column(broken.out, 1)) far += value > 1.3 * radius;
  EXPECT_GT(far, 6);
}

TEST(Periodic, ConvertWritesWhatPbcAsksFor) {
  const Folder folder;
  test::write_text(folder / "run.xyz", wandering_helix(8, true));
  const auto points = helix();
  const auto positions = [&](const std::vector<std::string>& how, std::size_t frame) {
    std::vector<std::string> words{"convert", folder / "run.xyz", folder / "out.xyz"};
    words.insert(words.end(), how.begin(), how.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(folder / "out.xyz").trajectory->frame(frame).positions;
  };
  const auto expect_at = [](const glm::vec3& found, glm::dvec3 expected, const char* what) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(found[c], expected[c], 1e-3) << what;
  };
  const auto source = read_file(folder / "run.xyz");
  for (const std::size_t frame : {0u, 3u, 7u}) {
    const double scale = scale_of(static_cast<int>(frame));
    const auto original = source.trajectory->frame(frame).positions;
    const auto as_is = positions({}, frame);
    for (std::size_t i = 0; i < 31; ++i) expect_at(as_is[i], original[i], "without --pbc");
    const auto whole = positions({"--pbc", "whole"}, frame);
    for (std::size_t i = 0; i < 30; ++i)
      expect_at(whole[i], glm::dvec3(original[0]) + scale * (points[i] - points[0]), "whole");
    const glm::dvec3 middle = oblique.vectors * glm::dvec3(0.5);
    for (const char* how : {"centre:element C", "center:element C", "centre"}) {
      const auto centred = positions({"--pbc", how}, frame);
      for (std::size_t i = 0; i < 30; ++i) expect_at(centred[i], middle + scale * points[i], how);
      expect_at(centred[30], middle + glm::dvec3(6, 0, 1), how);
    }
    const auto wrapped = positions({"--pbc", "wrap"}, frame);
    glm::dvec3 mean(0);
    for (std::size_t i = 0; i < 30; ++i) mean += glm::dvec3(wrapped[i]) / 30.0;
    const glm::dvec3 place = glm::inverse(oblique.vectors) * mean;
    for (int c = 0; c < 3; ++c) EXPECT_TRUE(place[c] > -1e-3 && place[c] < 1 + 1e-3) << place[c];
  }
}

TEST(Periodic, SurfaceOfABrokenMoleculeIsThatOfTheWholeOne) {
  const Folder folder;
  test::write_text(folder / "run.xyz", wandering_helix(8));
  const auto area = [&](const char* frame, const char* how) {
    const auto outcome = run({"compute", "sasa", folder / "run.xyz", "--select", "all", "--frame", frame, "--pbc", how,
                              "--report", folder / "r.json", "--device", "cpu"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::read_json(folder / "r.json")["result"]["area"].get<double>();
  };
  // Moved by the cell: points on spheres do not turn with it.
  EXPECT_NEAR(area("5", "whole"), area("5", "centre"), 1e-3 * area("5", "whole"));
  EXPECT_GT(area("5", "as-is"), area("5", "whole") + 5) << "the broken ends are bare";
}

TEST(Periodic, SaysWhatPbcCanBe) {
  const Folder folder;
  test::write_text(folder / "run.xyz", wandering_helix(2));
  for (const char* wrong : {"hole", "wrap:all", "centre:element", "Centre of"}) {
    const auto outcome = run({"compute", "gyration", folder / "run.xyz", "--pbc", wrong});
    EXPECT_EQ(outcome.code, 2) << wrong << outcome.err;
  }
  const auto nothing = run({"compute", "gyration", folder / "run.xyz", "--pbc", "centre:element O"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.err.find("holds no atoms"), std::string::npos) << nothing.err;
}

// Adenylate kinase in water, GROMACS, without a topology: the protein crosses the box in the first frame. RMSD of the
// CA atoms unwrapped along the chain by nearest images and superposed, by
// tests/data/analysis/unwrapped_rmsd.py.
TEST(Periodic, RmsdOfAdenylateKinaseThatCrossesItsBoxIsThatOfTheUnwrappedChain) {
  const std::string gro = test::shared_data("trajectories/adk/adk_oplsaa.gro.gz"),
                    xtc = test::shared_data("trajectories/adk/adk_oplsaa.xtc");
  ISOLUME_NEEDS(gro);
  ISOLUME_NEEDS(xtc);
  const auto outcome = run({"compute", "rmsd", gro, xtc, "--select", "name CA"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<double> values = last_column(outcome.out);
  const double expected[] = {0, 1.1245, 1.6680, 1.9716, 1.9488, 1.5983, 1.5893, 1.7835, 1.8408, 1.6211};
  ASSERT_EQ(values.size(), std::size(expected));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 2e-4) << i;
}

}  // namespace
}  // namespace isolume
