// What drawing takes, held against what it was predicted to take.
#include "render/drawing_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/documents/documents.h"
#include "app/view/usual_look.h"
#include "app/view/view_builder.h"
#include "compute/base/memory.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

class Limit {
 public:
  explicit Limit(std::size_t bytes) { set_memory_limit(bytes); }
  ~Limit() { set_memory_limit(0); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
};

/// A lattice of carbon atoms in which each has six neighbours.
std::string lattice(int side) {
  std::string text = fmt::format("{}\n\n", side * side * side);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) text += fmt::format("C {:.2f} {:.2f} {:.2f}\n", 1.5 * i, 1.5 * j, 1.5 * k);
  return text;
}

TEST(DrawingMemory, OfEveryStyleIsPredictedWithinAQuarter) {
  const Molecule crambin = read_file(test::examples("crambin.pdb.gz"));
  const Topology& topology = *crambin.topology;
  const Frame frame = crambin.trajectory->frame(0);
  const std::vector<std::uint8_t> mask(topology.atoms.size(), 1);
  const std::vector<glm::u8vec4> colours(mask.size(), glm::u8vec4(255));
  std::vector<SecondaryStructure> structure;
  for (const Residue& residue : topology.residues) structure.push_back(residue.structure);
  for (const Style style : {Style::lines, Style::sticks, Style::ball_and_stick, Style::spheres, Style::cartoon,
                            Style::tube, Style::trace, Style::points, Style::ellipsoids}) {
    DrawnBytes made;
    for (const auto& item : represent(topology, frame, mask, style, {}, colours, structure, 1, 1))
      made += bytes_of(*item);
    const DrawnBytes predicted = predict_items(topology, mask, style, {});
    ASSERT_GT(made.own, 0u) << name(style);
    const double own = static_cast<double>(predicted.own) / static_cast<double>(made.own);
    const double driver = static_cast<double>(predicted.driver) / static_cast<double>(made.driver);
    EXPECT_NEAR(own, 1, 0.25) << name(style);
    EXPECT_NEAR(driver, 1, 0.25) << name(style);
  }
}

TEST(DrawingMemory, RepresentationsBeyondTheLimitAreRefusedBeforeTheyAreMade) {
  const test::Folder folder;
  test::write_text(folder / "lattice.xyz", lattice(20));
  Documents documents;
  Scene scene;
  add_usual_look(scene, documents, documents.open({folder / "lattice.xyz"}));
  scene.representations.resize(1);
  scene.representations[0].style = Style::sticks;
  ViewBuilder builder(documents);
  // 22 800 bonds of 44 bytes, and 40 more of the driver.
  const std::size_t bonds = 3 * 20 * 20 * 19;
  builder.build(scene, {});
  EXPECT_EQ(builder.predicted(), bonds * 44) << "without the driver's copy where a graphics card draws";
  builder.expect({}, true);
  builder.build(scene, {});
  EXPECT_EQ(builder.predicted(), bonds * 84);
  const Limit limit(bonds * 84 - 1);
  ViewBuilder fresh(documents);
  fresh.expect({}, true);
  try {
    fresh.build(scene, {});
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_CONTAINS(std::string(error.what()), "as sticks needs 1.8 MiB, more than the memory limit of 1.8 MiB");
    EXPECT_CONTAINS(std::string(error.what()), "draw fewer atoms");
  }
  scene.representations[0].style = Style::points;
  EXPECT_NO_THROW(fresh.build(scene, {}));
  fresh.expect({1 << 20, 1 << 20}, true);
  EXPECT_THROW(fresh.build(scene, {}), Error) << "with a picture of 2 MiB";
}

// Measured with software OpenGL, where all is in the host's memory.
TEST(DrawingMemory, OfAPictureIsPredictedAndTaken) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps more than is asked for";
#endif
  const test::Folder folder;
  test::write_text(folder / "lattice.xyz", lattice(50));
  for (const char* style : {"points", "sticks"}) {
    const auto outcome = test::run({"render", folder / "lattice.xyz", "--style", style, "--size", "1600x1200",
                                    "--samples", "1", "--out", folder / "a.png", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    const auto& drawing = report["result"]["drawing_memory"];
    const double predicted = drawing["predicted"], peak = drawing["peak"];
    if (!report["result"]["software"].get<bool>()) GTEST_SKIP() << "a graphics card draws";
    EXPECT_GE(peak, 1600.0 * 1200 * 91) << "the layers of the picture alone";
    EXPECT_GT(predicted / peak, 0.7) << style << ": " << predicted << " of " << peak;
    EXPECT_LT(predicted / peak, 1.3) << style << ": " << predicted << " of " << peak;
    EXPECT_GE(report["memory"]["peak"], drawing["peak"]);
  }
}

TEST(DrawingMemory, APictureBeyondTheLimitIsRefused) {
  const test::Folder folder;
  const std::vector<std::string> words{"render", test::examples("crambin.pdb.gz"), "--surface", "--out",
                                       folder / "a.png"};
  auto few = words;
  few.insert(few.end(), {"--size", "64x48", "--report", folder / "r.json"});
  ASSERT_EQ(test::run(few).code, 0);
  if (!test::read_json(folder / "r.json")["result"]["software"].get<bool>()) GTEST_SKIP() << "a graphics card draws";
  std::filesystem::remove(folder / "a.png");
  few = words;
  few.insert(few.end(), {"--memory-limit", "0.0625"});
  const auto refused = test::run(few);
  EXPECT_EQ(refused.code, 1);
  // A pixel has 91 bytes in the layers, and 12 on its way into the file.
  EXPECT_CONTAINS(refused.err, "a picture of 1600 x 1200 pixels: needs 188.6 MiB while it is drawn, more than the");
  EXPECT_CONTAINS(refused.err, "limit of 64.0 MiB: raise the limit, or make it smaller (--size)");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
  few.insert(few.end(), {"--size", "400x300"});
  const auto drawn = test::run(few);
  EXPECT_EQ(drawn.code, 0) << drawn.err;
}

}  // namespace
}  // namespace isolume
