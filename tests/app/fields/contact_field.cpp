// Noncovalent contacts as a field: the values of two waters against the formula, their surface, and bad choices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/fields/fields.h"
#include "app/view/usual_contacts.h"
#include "compute/electron_density/promolecule.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

// A hydrogen bond: the oxygens 2.9 angstrom apart, a hydrogen between them. The third water is 9 angstrom away.
constexpr glm::dvec3 places[] = {{0, 0, 0},   {0.96, 0, 0},      {-0.24, 0.93, 0},
                                 {2.9, 0, 0}, {3.2, 0.75, 0.52}, {3.2, -0.75, 0.52},
                                 {0, 0, -9},  {0.96, 0, -9},     {-0.24, 0.93, -9}};
constexpr int elements[] = {8, 1, 1, 8, 1, 1, 8, 1, 1};

std::string waters(const Folder& folder) {
  std::string text = "9\n\n";
  for (std::size_t i = 0; i < std::size(places); ++i)
    text += fmt::format("{} {} {} {}\n", elements[i] == 8 ? "O" : "H", places[i].x, places[i].y, places[i].z);
  const std::string path = folder / "waters.xyz";
  test::write_text(path, text);
  return path;
}

FieldRequest contacts_of(const std::string& path, const std::string& selection, const std::string& partners,
                         Device device = Device::cpu()) {
  FieldRequest request;
  request.device = device;
  request.molecule = std::make_shared<const Molecule>(read_file(path));
  request.field = usual_contacts(*request.molecule, 0);
  request.field.selection = selection;
  request.field.partners = partners;
  return request;
}

using ContactsOnDevice = test::OnDevice;
ISOLUME_ON_EVERY_DEVICE(ContactsOnDevice);

TEST_P(ContactsOnDevice, HaveTheValuesOfTheFormulaBetweenTwoGroups) {
  const Folder folder;
  const FieldRequest request = contacts_of(waters(folder), "index 0 to 2", "", GetParam());
  Job job;
  const ComputedVolume volume = compute_volume(request, job);
  std::vector<glm::dvec3> bohr;
  for (const glm::dvec3& place : places) bohr.push_back(units::angstrom_in_bohr * place);
  const std::vector<std::uint8_t> parts{1, 1, 1, 2, 2, 2, 2, 2, 2};
  const Promolecule all(bohr, elements, parts);
  const Grid& grid = volume.grid;
  double largest = 0;
  for (const float value : volume.values) largest = std::max(largest, static_cast<double>(value));
  EXPECT_GT(largest, 0.02);
  for (int k = 0; k < grid.counts.z; k += 5)
    for (int j = 0; j < grid.counts.y; j += 5)
      for (int i = 0; i < grid.counts.x; i += 5) {
        const PromoleculePoint point = all.reference(units::angstrom_in_bohr * grid.point(i, j, k));
        EXPECT_NEAR(static_cast<double>(volume.values[grid.index(i, j, k)]), point.delta_g_inter,
                    2e-5 * largest + 1e-6);
      }
}

TEST_P(ContactsOnDevice, AreASurfaceBetweenHydrogenAndOxygenThatIsBlueThere) {
  const Folder folder;
  const FieldRequest request = contacts_of(waters(folder), "index 0 to 2", "", GetParam());
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_EQ(result.items.size(), 1u);
  const auto* surface = std::get_if<Surface>(&result.items[0]->shape);
  ASSERT_TRUE(surface && surface->mesh && surface->mesh->vertex_count() > 50);
  glm::dvec3 middle(0);
  for (const glm::vec3& p : surface->mesh->positions)
    middle += glm::dvec3(p) / static_cast<double>(surface->mesh->vertex_count());
  EXPECT_LT(glm::distance(middle, glm::dvec3(1.7, 0, 0)), 0.7) << "between the hydrogen and the other oxygen";
  // Along the hydrogen bond sign(lambda2) rho is about -0.03: nearer to the blue end than to green.
  std::size_t blue = 0;
  for (const auto& colour : surface->mesh->colours) blue += colour.b > colour.g && colour.b > colour.r;
  EXPECT_GT(blue, surface->mesh->vertex_count() / 3);
  ASSERT_TRUE(result.legend);
  EXPECT_EQ(result.legend->upper, 0.05);
  EXPECT_GT(result.legend->error_points, 20u);
  EXPECT_LT(result.legend->relative_error, 1e-3);
  EXPECT_CONTAINS(result.summary, "-0.05 bohr^-3 (blue) to 0.05 bohr^-3 (red)");
}

// What is chosen in the plot of both values stays: the parts with colours below a value, and those above it.
TEST_P(ContactsOnDevice, AreShownInParts) {
  const Folder folder;
  FieldRequest request = contacts_of(waters(folder), "index 0 to 2", "", GetParam());
  Job job;
  const auto triangles = [&] {
    const FieldResult result = compute_field(request, nullptr, job);
    return std::get_if<Surface>(&result.items.at(0)->shape)->mesh->triangles.size();
  };
  const FieldResult all = compute_field(request, nullptr, job);
  ASSERT_GT(all.scatter.size(), 100u);
  EXPECT_TRUE(std::is_sorted(all.scatter.begin(), all.scatter.end(), [](auto a, auto b) { return a.x < b.x; }));
  std::vector<glm::dvec3> bohr;
  for (const glm::dvec3& place : places) bohr.push_back(units::angstrom_in_bohr * place);
  const Promolecule model(bohr, elements, std::vector<std::uint8_t>{1, 1, 1, 2, 2, 2, 2, 2, 2});
  const std::size_t whole = triangles();
  request.field.shown_lower = -1;
  request.field.shown_upper = -0.02;
  const FieldResult part = compute_field(request, nullptr, job);
  const Mesh& mesh = *std::get_if<Surface>(&part.items.at(0)->shape)->mesh;
  ASSERT_GT(mesh.triangles.size(), 10u);
  for (std::size_t i = 0; i < mesh.vertex_count(); i += 7) {
    const PromoleculePoint point = model.reference(units::angstrom_in_bohr * glm::dvec3(mesh.positions[i]));
    EXPECT_LT(field_value(PromoleculeField::sign_lambda2, point), -0.019);
  }
  const std::size_t below = mesh.triangles.size();
  request.field.shown_lower = -0.02;
  request.field.shown_upper = 1;
  const std::size_t above = triangles();
  EXPECT_GT(above, 0u);
  EXPECT_LE(below + above, whole);
  EXPECT_GT(below + above, whole * 7 / 10) << "triangles across the border belong to neither";
}

TEST(ContactField, OfGroupsThatDoNotTouchIsEmptyAndOfOneGroupAnError) {
  const Folder folder;
  const std::string path = waters(folder);
  Job job;
  const FieldResult apart = compute_field(contacts_of(path, "index 0 to 2", "index 6 to 8"), nullptr, job);
  EXPECT_CONTAINS(apart.summary, "no surface at 0.01 bohr^-4");
  for (const auto& [selection, partners] : {std::pair("all", ""), std::pair("index 0 to 2", "index 1")}) {
    try {
      compute_field(contacts_of(path, selection, partners), nullptr, job);
      FAIL() << selection;
    } catch (const Error& error) {
      EXPECT_CONTAINS(std::string(error.what()), "contacts are between two groups of atoms");
      EXPECT_EQ(error.kind(), Error::Kind::usage);
    }
  }
}

TEST(ContactField, IsDrawnByTheCommandLineAndReplayed) {
  const Folder folder;
  const auto drawn =
      run({"render", waters(folder), "--contacts", "index 0 to 2", "--contacts-with", "index 3 to 5", "--size",
           "200x150", "--samples", "1", "--quiet", "--out", folder / "a.png", "--report", folder / "r.json"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto field = test::read_json(folder / "r.json")["method"]["scene"]["fields"].back();
  EXPECT_EQ(field["kind"], "contacts");
  EXPECT_EQ(field["partners"], "index 3 to 5");
  ASSERT_EQ(run({"replay", folder / "a.png", "--out", folder / "b.png", "--quiet", "--trust-paths"}).code, 0);
  EXPECT_EQ(read_png(folder / "a.png").rgba, read_png(folder / "b.png").rgba);
  EXPECT_EQ(run({"render", waters(folder), "--contacts-with", "all", "--out", folder / "c.png"}).code, 2);
}

}  // namespace
}  // namespace isolume
