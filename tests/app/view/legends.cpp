// Every map, orbital and scale has a legend with its unit, without being asked for.
#include "app/fields/legend.h"

#include <gtest/gtest.h>

#include <set>

#include "app/documents/documents.h"
#include "app/view/representation_colours.h"
#include "app/view/view_builder.h"
#include "formats/read.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;

/// The legends of a picture of these files with one field, as the command line and the window draw them.
std::vector<FieldLegend> legends_with(const std::vector<std::string>& files, const Field& field,
                                      const Representation* atoms = nullptr) {
  Documents documents;
  Scene scene;
  for (const SceneMolecule& molecule : documents.open(files)) scene.molecules.push_back(molecule);
  if (atoms) scene.representations.push_back(*atoms);
  scene.fields.push_back(field);
  FieldRequest request;
  request.field = field;
  request.molecule = documents.molecule(scene.molecules[0]);
  Job job;
  const std::vector<FieldResult> results{compute_field(request, nullptr, job)};
  ViewBuilder builder(documents);
  const SceneView view = builder.build(scene, results);
  return legends_of(scene, results, view);
}

Field field_of(Field::Kind kind) {
  Field field;
  field.kind = kind;
  field.spacing = 0.4;
  return field;
}

void expect_one(const std::vector<FieldLegend>& legends, const std::string& title, const std::string& unit) {
  ASSERT_EQ(legends.size(), 1u);
  EXPECT_CONTAINS(legends[0].title, title);
  EXPECT_EQ(legends[0].unit, unit);
  EXPECT_FALSE(legends[0].colours.empty());
}

const std::string water = test::data("H2O-631Gd-cart.molden");

TEST(Legends, OrbitalsHaveTheirIsovalueSignsAndUnit) {
  Field field = field_of(Field::Kind::orbital);
  field.isovalue = 0.08;
  const auto surfaces = legends_with({water}, field);
  expect_one(surfaces, "homo", "bohr^-3/2");
  EXPECT_CONTAINS(legend_title(surfaces[0]), "(bohr\u207b\u00b3\u2044\u00b2)");
  EXPECT_TRUE(surfaces[0].isosurfaces);
  EXPECT_DOUBLE_EQ(surfaces[0].lower, -0.08);
  EXPECT_DOUBLE_EQ(surfaces[0].upper, 0.08);
  ASSERT_EQ(surfaces[0].colours.size(), 2u) << "of the lobes' signs";
  EXPECT_EQ(surfaces[0].colours[1], glm::vec3(glm::u8vec3(field.colour)) / 255.0f);
  field.slice.kind = SlicePlane::Kind::z;
  expect_one(legends_with({water}, field), "HOMO", "bohr^-3/2");
  field.slice = {};
  field.show = Field::Show::cloud;
  expect_one(legends_with({water}, field), "homo", "bohr^-3/2");
}

TEST(Legends, AreOfThePictureWhileAnotherIsComputed) {
  Documents documents;
  Scene scene;
  scene.molecules = documents.open({water});
  Field homo = field_of(Field::Kind::orbital);
  homo.isovalue = 0.08;
  FieldRequest request;
  request.field = homo;
  request.molecule = documents.molecule(scene.molecules[0]);
  Job job;
  const std::vector<FieldResult> results{compute_field(request, nullptr, job)};
  // What is asked for now is not there yet; what needs no computing is.
  Field lumo = homo;
  lumo.orbital = "lumo";
  lumo.isovalue = 0.02;
  lumo.both_signs = false;
  lumo.colour = {1, 2, 3, 255};
  scene.fields = {lumo};
  ViewBuilder builder(documents);
  const auto legends = legends_of(scene, results, builder.build(scene, results));
  expect_one(legends, "homo", "bohr^-3/2");
  EXPECT_DOUBLE_EQ(legends[0].upper, 0.08);
  ASSERT_EQ(legends[0].colours.size(), 2u);
  EXPECT_EQ(legends[0].colours[1], glm::vec3(1, 2, 3) / 255.0f);
}

TEST(Legends, PotentialsKeepTheirUnitUntilTheNewOneIsThere) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{0, 0, 0, 1}, {4, 0, 0, -1}}));
  Documents documents;
  Scene scene;
  scene.molecules = documents.open({folder / "ions.pqr"});
  Field volts = field_of(Field::Kind::potential);
  volts.potential.method = PotentialSettings::Method::direct;
  volts.isovalue = 0.5;
  FieldRequest request;
  request.field = volts;
  request.molecule = documents.molecule(scene.molecules[0]);
  Job job;
  const std::vector<FieldResult> results{compute_field(request, nullptr, job)};
  Field thermal = volts;
  thermal.potential.unit = PotentialSettings::Unit::thermal;
  thermal.isovalue = 1;
  thermal.both_signs = false;
  scene.fields = {thermal};
  const auto legends = legends_of(scene, results, SceneView{});
  expect_one(legends, "potential", "V");
  EXPECT_DOUBLE_EQ(legends[0].upper, 0.5);
  EXPECT_DOUBLE_EQ(legends[0].lower, -0.5);
}

TEST(Legends, NameOrbitalsInCapitals) {
  FieldLegend legend;
  legend.title = "orbital homo-1";
  legend.unit = "V";
  EXPECT_EQ(legend_title(legend), "orbital HOMO-1 (V)");
  legend.title = "orbital 12";
  EXPECT_EQ(legend_title(legend), "orbital 12 (V)");
  legend.title = "homologue.cube";
  legend.unit.clear();
  EXPECT_EQ(legend_title(legend), "homologue.cube");
  legend.unit = "1";  // of an ELF
  EXPECT_EQ(legend_title(legend), "homologue.cube");
}

TEST(Legends, HaveTheMeasuredErrorAndBreakLongTitles) {
  FieldLegend legend;
  legend.title = "mean, faded where it is within twice its standard error";
  legend.unit = "V";
  legend.lower = -1;
  legend.upper = 1;
  legend.colours = {glm::vec3(1, 0, 0), glm::vec3(0, 0, 1)};
  EXPECT_EQ(legend_error(legend), "") << "none was measured";
  legend.error = 0.0123;
  legend.relative_error = 0.0016;
  legend.error_points = 500;
  EXPECT_EQ(legend_error(legend), "error 0.16 % at 500 points");
  legend.at_surface = true;
  EXPECT_EQ(legend_error(legend), "error 0.16 % at 500 points of the surface");
  legend.error_estimated = true;
  EXPECT_EQ(legend_error(legend), "estimated error 0.16 % at 500 points of the surface");
  EXPECT_TRUE(error_text(legend).starts_with("estimated error at the surface 1.2e-02 V rms at 500 points"));
  legend.error_estimated = false;
  legend.note = "the error is of the arithmetic, not of the model";
  EXPECT_EQ(legend_error(legend), "arithmetic error 0.16 % at 500 points of the surface") << "not of the model";
  legend.note.clear();
  legend.relative_error = 0;  // of a difference that is 0
  EXPECT_EQ(legend_error(legend), "error 1.2e-02 V at 500 points of the surface");
  legend.note = "faded within its standard error: significant at 13.1 % of the points; no difference";
  EXPECT_EQ(legend_error(legend), "error 1.2e-02 V at 500 points of the surface; significant at 13.1 % of the points");
  legend.error_points = 0;
  EXPECT_EQ(legend_error(legend), "significant at 13.1 % of the points") << "of maps, whose methods are not known";
  Image page{240, 300, {}};
  page.rgba.assign(std::size_t{4} * 240 * 300, 255);
  Overlay::Part part{0, 0, 240, 300, {}};
  VectorCanvas canvas(page, part);
  draw_legends(canvas, {legend}, 12);
  std::string written;
  for (const auto& mark : part.marks)
    if (const auto* text = std::get_if<Mark::Text>(&mark)) {
      EXPECT_LE(text->x + text_width(text->text, text->size), 240) << text->text;
      EXPECT_GE(text->y, 0) << text->text;
      written += text->text + " ";
    }
  EXPECT_CONTAINS(written, legend_title(legend));
  EXPECT_CONTAINS(written, legend_error(legend));
}

TEST(Legends, VolumesAreCalledByTheirFileAndHaveItsUnit) {
  const Folder folder;
  const std::string numbers = " 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8\n";
  const std::string grid =
      "object 1 class gridpositions counts 2 2 2\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n"
      "object 2 class gridconnections counts 2 2 2\nobject 3 class array type double rank 0 items 8 data follows\n";
  test::write_text(folder / "told.dx", "# unit: V\n" + grid + numbers);
  test::write_text(folder / "plain.dx", grid + numbers);
  Field field = field_of(Field::Kind::volume);
  field.isovalue = 0.4;
  field.both_signs = false;
  for (const auto& [file, unit] : {std::pair("told.dx", "V"), std::pair("plain.dx", "")}) {
    Field shown = field;
    const auto surface = legends_with({folder / file}, shown);
    expect_one(surface, file, unit);
    EXPECT_DOUBLE_EQ(surface[0].lower, 0.4);
    shown.show = Field::Show::cloud;
    expect_one(legends_with({folder / file}, shown), "", unit);
    shown.show = Field::Show::lines;
    for (const FieldLegend& legend : legends_with({folder / file}, shown)) EXPECT_EQ(legend.unit, unit);
    shown.show = Field::Show::surfaces;
    shown.slice.kind = SlicePlane::Kind::z;
    expect_one(legends_with({folder / file}, shown), "", unit);
  }
}

TEST(Legends, PotentialsAndSurfacesPaintedByNumbersHaveUnits) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{0, 0, 0, 1}, {4, 0, 0, -1}}));
  const std::string ions = folder / "ions.pqr";
  Field potential = field_of(Field::Kind::potential);
  potential.potential.method = PotentialSettings::Method::direct;
  expect_one(legends_with({ions}, potential), "potential", "V");
  potential.potential.unit = PotentialSettings::Unit::thermal;
  for (const auto show : {Field::Show::surfaces, Field::Show::cloud, Field::Show::lines}) {
    potential.show = show;
    expect_one(legends_with({ions}, potential), "potential", "kT/e");
  }
  Field surface = field_of(Field::Kind::gaussian);
  EXPECT_TRUE(legends_with({ions}, surface).empty()) << "a shape has no values";
  surface.colouring = Colouring::charge;
  expect_one(legends_with({ions}, surface), "Charge", "e");
  surface.colouring = Colouring::b_factor;
  expect_one(legends_with({ions}, surface), "B-factor", "\u00c5\u00b2");
  surface.paint = Field::Paint::curvature;
  expect_one(legends_with({ions}, surface), "curvature", "1/angstrom");
  surface.paint = Field::Paint::potential;
  expect_one(legends_with({ions}, surface), "potential", "V");
}

TEST(Legends, ScalesOfAtomsHaveUnits) {
  Representation atoms;
  atoms.style = Style::spheres;
  Field hidden = field_of(Field::Kind::orbital);
  hidden.visible = false;
  atoms.colouring = Colouring::b_factor;
  expect_one(legends_with({water}, hidden, &atoms), "B-factor", "\u00c5\u00b2");
  Field shape = field_of(Field::Kind::gaussian);
  shape.visible = false;
  expect_one(legends_with({test::data("formats/sample.npy")}, shape, &atoms), "Kind", "");
  atoms.colouring = Colouring::charge;
  expect_one(legends_with({water}, hidden, &atoms), "charge", "e");
  atoms.colouring = Colouring::value;
  atoms.value = "abs(z)";
  expect_one(legends_with({water}, hidden, &atoms), "abs(z)", "angstrom");
}

}  // namespace
}  // namespace isolume
