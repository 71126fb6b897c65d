// Field lines of files: against the formula for two charges, as drawn, and on the command line.
#include "app/fields/line_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "render/image/image.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

std::string dipole_file(const Folder& folder) {
  const std::string path = folder / "dipole.pqr";
  std::ofstream(path) << test::pqr({{0, 0, 2.5, 1}, {0, 0, -2.5, -1}});
  return path;
}

FieldRequest request_of(const std::string& path) {
  FieldRequest request;
  request.field.kind = Field::Kind::potential;
  request.field.show = Field::Show::lines;
  request.molecule = std::make_shared<const Molecule>(read_file(path));
  return request;
}

TEST(LineField, OfTwoIonsFollowsTheFormula) {
  const Folder folder;
  FieldRequest request = request_of(dipole_file(folder));
  request.field.lines = 80;
  request.field.potential.unit = PotentialSettings::Unit::kcal;
  Job job;
  const ComputedLines computed = compute_lines(request, job);
  // Those of the 80 seeds that lie on the negative ion meet lines of the positive one.
  EXPECT_GE(computed.lines.size(), 35u);
  EXPECT_LE(computed.lines.size(), 80u);
  EXPECT_EQ(computed.legend.unit, "kcal/mol/e");
  EXPECT_EQ(computed.legend.lower, -computed.legend.upper);
  constexpr double kcal = 332.0637;  // kcal/mol angstrom, of two elementary charges
  for (const FieldLine& line : computed.lines) {
    const auto constant = [](glm::dvec3 p) {
      const glm::dvec3 a = p - glm::dvec3(0, 0, 2.5), b = p + glm::dvec3(0, 0, 2.5);
      return a.z / glm::length(a) - b.z / glm::length(b);
    };
    for (std::size_t i = 0; i < line.points.size(); i += 10) {
      const glm::dvec3 p(line.points[i]);
      EXPECT_NEAR(constant(p), constant(glm::dvec3(line.points.front())), 0.03);
      const double exact =
          kcal * (1 / glm::distance(p, glm::dvec3(0, 0, 2.5)) - 1 / glm::distance(p, glm::dvec3(0, 0, -2.5)));
      EXPECT_NEAR(double(line.values[i]), exact, 0.01 * kcal / 2) << "a hundredth of what is at the surface";
    }
  }
}

TEST(LineField, OfAVolumeBeginsAndEndsAtTheAtomsOfItsFile) {
  const Folder folder;
  auto molecule = std::make_shared<Molecule>(read_file(dipole_file(folder)));
  auto volume = std::make_shared<Volume>();
  volume->grid = Grid::covering(glm::dvec3(-8), glm::dvec3(8), 0.25);
  for (std::size_t i = 0; i < volume->grid.size(); ++i) {
    const auto nx = static_cast<std::size_t>(volume->grid.counts.x),
               ny = static_cast<std::size_t>(volume->grid.counts.y);
    const glm::dvec3 p =
        volume->grid.point(static_cast<int>(i % nx), static_cast<int>(i / nx % ny), static_cast<int>(i / nx / ny));
    const auto from = [&](double z) { return std::max(0.5, glm::distance(p, glm::dvec3(0, 0, z))); };
    volume->values.push_back(static_cast<float>(1 / from(2.5) - 1 / from(-2.5)));
  }
  molecule->volumes.push_back(volume);
  FieldRequest request;
  request.field.kind = Field::Kind::volume;
  request.field.show = Field::Show::lines;
  request.field.lines = 60;
  request.molecule = molecule;
  Job job;
  const ComputedLines computed = compute_lines(request, job);
  ASSERT_GE(computed.lines.size(), 20u);
  const auto above = [](glm::vec3 p, float z) {  // of the sphere about an ion: 1.5, and half an angstrom
    return glm::distance(p, glm::vec3(0, 0, z)) - 2.0f;
  };
  for (const FieldLine& line : computed.lines) {
    const glm::vec3 first = line.points.front(), last = line.points.back();
    EXPECT_TRUE(std::abs(above(first, 2.5f)) < 0.05f || std::abs(above(last, -2.5f)) < 0.05f)
        << "neither end is on the surface of an atom";
    for (std::size_t i = 1; i < line.values.size(); ++i) EXPECT_LE(line.values[i], line.values[i - 1] + 1e-6f);
  }
}

TEST(LineField, GoesThroughAPlane) {
  const Folder folder;
  FieldRequest request = request_of(dipole_file(folder));
  request.field.lines = 40;
  request.field.seeds.kind = LineSeeds::Kind::plane;
  request.field.seeds.plane = {SlicePlane::Kind::z, "all", 1.0};  // an angstrom above the middle
  Job job;
  const ComputedLines computed = compute_lines(request, job);
  ASSERT_GE(computed.lines.size(), 20u);
  for (const FieldLine& line : computed.lines) {
    bool below = false, above = false;
    for (const glm::vec3 p : line.points) (p.z < 1.0f ? below : above) = true;
    EXPECT_TRUE(below && above) << "does not cross the plane";
  }
  request.field.seeds.plane.offset = 1000;
  EXPECT_THROW(compute_lines(request, job), Error) << "outside the grid";
}

TEST(LineField, GoesAroundAnAtom) {
  const Folder folder;
  FieldRequest request = request_of(dipole_file(folder));
  request.field.lines = 30;
  request.field.seeds.kind = LineSeeds::Kind::atoms;
  request.field.seeds.selection = "index 1";
  request.field.seeds.radius = 1.25;
  Job job;
  const ComputedLines computed = compute_lines(request, job);
  ASSERT_GE(computed.lines.size(), 15u);
  glm::dvec3 sum(0);
  for (const FieldLine& line : computed.lines) {
    float nearest = 1e9f;
    for (const glm::vec3 p : line.points) nearest = std::min(nearest, glm::distance(p, glm::vec3(0, 0, -2.5f)));
    EXPECT_LE(nearest, 1.25f + 0.15f) << "a step of half the spacing beyond the sphere";
    glm::dvec3 at(0);
    for (const glm::vec3 p : line.points)
      if (glm::distance(p, glm::vec3(0, 0, -2.5f)) < 1.3f) at = glm::dvec3(p) - glm::dvec3(0, 0, -2.5);
    sum += glm::normalize(at);
  }
  EXPECT_LT(glm::length(sum) / static_cast<double>(computed.lines.size()), 0.4) << "on all sides of it";
  request.field.seeds.selection = "index 9";
  EXPECT_THROW(compute_lines(request, job), Error);
  request.field.seeds.selection = "index 1";
  request.field.seeds.radius = 0.5;
  EXPECT_THROW(compute_lines(request, job), Error) << "all of the sphere is within the atom";
}

TEST(LineField, IsDrawnAsTubesWithArrows) {
  const Folder folder;
  FieldRequest request = request_of(dipole_file(folder));
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_EQ(result.items.size(), 2u);
  const auto& tubes = std::get<Cylinders>(result.items[0]->shape);
  ASSERT_GT(tubes.cylinders.size(), 100u);
  ASSERT_EQ(tubes.colours_a.size(), tubes.cylinders.size());
  // By the usual colours of a field: bluish next to the positive ion, reddish next to the negative one.
  for (std::size_t i = 0; i < tubes.cylinders.size(); ++i) {
    const glm::ivec4 c(tubes.colours_a[i]);
    const bool plus = glm::distance(tubes.cylinders[i].a, glm::vec3(0, 0, 2.5f)) < 2.1f;
    const bool minus = glm::distance(tubes.cylinders[i].a, glm::vec3(0, 0, -2.5f)) < 2.1f;
    EXPECT_TRUE(!plus || c.b > c.r + 50) << i;
    EXPECT_TRUE(!minus || c.r > c.b + 50) << i;
  }
  const auto& heads = *std::get<Surface>(result.items[1]->shape).mesh;
  EXPECT_GT(heads.triangles.size(), 16u * 20u);
  ASSERT_TRUE(result.legend);
  EXPECT_FALSE(result.legend->isosurfaces);
  EXPECT_EQ(result.legend->unit, "V");
  EXPECT_CONTAINS(result.summary, "field lines");
  request.field.slice.kind = SlicePlane::Kind::x;
  EXPECT_FALSE(shows_lines(request.field)) << "a slice goes before lines";
  request.field.slice.kind = SlicePlane::Kind::none;
  request.field.kind = Field::Kind::orbital;
  EXPECT_FALSE(shows_lines(request.field));
}

TEST(LineField, IsDrawnByTheCommandLineAndReplayed) {
  const Folder folder;
  const auto drawn =
      run({"render", dipole_file(folder), "--surface", "potential", "--field-lines=60", "--size", "200x150",
           "--samples", "1", "--quiet", "--out", folder / "a.png", "--report", folder / "r.json"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_CONTAINS(report["result"]["fields"][0]["summary"].get<std::string>(), "field lines");
  EXPECT_EQ(report["method"]["scene"]["fields"][0]["show"], "lines");
  EXPECT_EQ(report["method"]["scene"]["fields"][0]["lines"], 60);
  ASSERT_EQ(run({"replay", folder / "a.png", "--out", folder / "b.png", "--quiet", "--trust-paths"}).code, 0);
  EXPECT_EQ(read_png(folder / "a.png").rgba, read_png(folder / "b.png").rgba);
  const auto from = [&](const std::string& place) {
    return run({"render", dipole_file(folder), "--surface", "potential", "--field-lines=20", "--field-lines-from",
                place, "--size", "100x80", "--samples", "1", "--quiet", "--out", folder / "p.png", "--report",
                folder / "p.json"});
  };
  ASSERT_EQ(from("plane:z:0.5").code, 0);
  const auto plane = test::read_json(folder / "p.json")["method"]["scene"]["fields"][0]["seeds"];
  EXPECT_EQ(plane["from"], "plane");
  EXPECT_EQ(plane["plane"]["offset"], 0.5);
  ASSERT_EQ(from("around:index 0:3").code, 0);
  const auto around = test::read_json(folder / "p.json")["method"]["scene"]["fields"][0]["seeds"];
  EXPECT_EQ(around["from"], "atoms");
  EXPECT_EQ(around["selection"], "index 0");
  EXPECT_EQ(around["radius"], 3);
  for (const char* wrong : {"sphere", "plane:", "plane:z:far", "around:", "around:all:0"})
    EXPECT_EQ(from(wrong).code, 2);
  EXPECT_EQ(run({"render", dipole_file(folder), "--field-lines-from", "surface", "--out", folder / "c.png"}).code, 2);
  EXPECT_EQ(
      run({"render", dipole_file(folder), "--surface", "potential", "--field-lines=0", "--out", folder / "c.png"}).code,
      2);
}

}  // namespace
}  // namespace isolume
