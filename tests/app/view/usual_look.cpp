// Documents, the first look at them, and views that keep what did not change.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/view/scene_extent.h"
#include "app/view/usual_look.h"
#include "app/view/view_builder.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

Scene opened(Documents& documents, const std::string& path) {
  Scene scene;
  add_usual_look(scene, documents, documents.open({path}));
  return scene;
}

TEST(UsualLook, AProteinIsACartoon) {
  Documents documents;
  const Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  ASSERT_EQ(scene.molecules.size(), 1u);
  ASSERT_FALSE(scene.representations.empty());
  EXPECT_EQ(scene.representations[0].style, Style::cartoon);
  EXPECT_EQ(scene.representations[0].colouring, Colouring::structure) << "one chain";
  EXPECT_TRUE(scene.fields.empty());
  EXPECT_EQ(frame_count(scene, documents), 1u);
}

TEST(UsualLook, TheCameraSeesEverythingAlongItsShortestAxis) {
  Documents documents;
  const Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  const auto molecule = documents.molecule(scene.molecules[0]);
  const Frame frame = frame_at(*molecule, 0);
  const glm::dmat4 view = scene.camera.view();
  const Extent extent = scene_extent(scene, documents);
  const glm::dmat4 projection = scene.camera.projection_matrix(1.33, extent.centre, extent.radius);
  glm::dvec3 mean(0), squares(0);
  for (const glm::vec3& position : frame.positions) {
    const glm::dvec4 eye = view * glm::dvec4(position, 1);
    mean += glm::dvec3(eye) / static_cast<double>(frame.positions.size());
    const glm::dvec4 clip = projection * eye;
    for (int c = 0; c < 3; ++c) EXPECT_LE(std::abs(clip[c]), clip.w);
  }
  for (const glm::vec3& position : frame.positions) {
    const glm::dvec3 d = glm::dvec3(view * glm::dvec4(position, 1)) - mean;
    squares += d * d;
  }
  EXPECT_GE(squares.x, squares.y);
  EXPECT_GE(squares.y, squares.z);
}

/// `residues` of four backbone atoms, whose alpha carbons are `apart` angstrom from each other along x, and `more`.
std::string backbone_file(const std::string& name, int residues, double apart, const std::string& more = {}) {
  const std::string path = testing::TempDir() + "/isolume_" + std::to_string(getpid()) + name;
  std::ofstream out(path);
  const auto atom = [&](int serial, const char* atom_name, int residue, double x, double y) {
    char line[96];
    std::snprintf(line, sizeof line, "ATOM  %5d  %-3s ALA A%4d    %8.3f%8.3f   0.000  1.00  0.00           %c\n",
                  serial, atom_name, residue, x, y, atom_name[0]);
    out << line;
  };
  for (int i = 0; i < residues; ++i) {
    atom(4 * i + 1, "N", i + 1, apart * i - 1.2, 0.8);
    atom(4 * i + 2, "CA", i + 1, apart * i, 0);
    atom(4 * i + 3, "C", i + 1, apart * i + 1.2, 0.8);
    atom(4 * i + 4, "O", i + 1, apart * i + 1.2, 2.0);
  }
  out << more << "END\n";
  return path;
}

// A cartoon of residues that do not follow one another would be blank.
TEST(UsualLook, ParticlesWithoutElementsHaveTheColoursOfTheirKinds) {
  Documents documents;
  const Scene scene = opened(documents, test::data("formats/sample.npy"));
  ASSERT_EQ(scene.representations.size(), 1u);
  EXPECT_EQ(scene.representations[0].style, Style::spheres);
  EXPECT_EQ(scene.representations[0].colouring, Colouring::b_factor);
}

TEST(UsualLook, ResiduesApartAreDrawnAsAtoms) {
  Documents documents;
  const Scene apart = opened(documents, backbone_file("apart.pdb", 6, 12));
  ASSERT_EQ(apart.representations.size(), 1u);
  EXPECT_EQ(apart.representations[0].style, Style::ball_and_stick);
  EXPECT_EQ(apart.representations[0].selection, "all");
  const Scene linked = opened(documents, backbone_file("linked.pdb", 6, 3.7));
  ASSERT_FALSE(linked.representations.empty());
  EXPECT_EQ(linked.representations[0].style, Style::cartoon);
}

// OPM marks the faces of a membrane with dummy atoms, far beyond the protein.
TEST(UsualLook, DummyAtomsOfMembranesDoNotFillTheView) {
  Documents documents;
  const std::string dummies =
      "HETATM 9001  N   DUM  9001     -80.000 -80.000 -15.000\nHETATM 9002  O   DUM  9002      80.000  80.000  "
      "15.000\n";
  const Scene scene = opened(documents, backbone_file("opm.pdb", 8, 3.7, dummies));
  EXPECT_LT(scene_extent(scene, documents).radius, 20);
  const auto molecule = documents.molecule(scene.molecules[0]);
  EXPECT_EQ(molecule->atom_count(), 34u);
  for (const Representation& representation : scene.representations) {
    const auto atoms = Selection(representation.selection).atoms(*molecule->topology, frame_at(*molecule, 0));
    EXPECT_TRUE(atoms.empty() || atoms.back() < 32u);
  }
}

TEST(UsualLook, AProteinIsCentredInItsWater) {
  Documents documents;
  const Scene scene = opened(documents, test::examples("crambin_water/crambin_water.gro.gz"));
  EXPECT_EQ(scene.molecules[0].cell.mode, CellTreatment::Mode::centre);
  const auto molecule = documents.molecule(scene.molecules[0]);
  const Frame frame = frame_at(*molecule, 0);
  const Topology& topology = *molecule->topology;
  const glm::dmat3 inverse = glm::inverse(frame.cell.vectors);
  const auto middle_of = [&](const std::vector<std::uint32_t>& atoms) {
    glm::dvec3 sum(0);
    for (const std::uint32_t atom : atoms) sum += glm::dvec3(frame.positions[atom]);
    return inverse * (sum / static_cast<double>(atoms.size()));
  };
  const glm::dvec3 protein = middle_of(Selection("protein").atoms(topology, frame));
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(protein[c], 0.5, 1e-4);
  for (const Residue& residue : topology.residues) {
    if (residue.name != "SOL") continue;
    std::vector<std::uint32_t> atoms;
    for (std::uint32_t i = 0; i < residue.atom_count; ++i) atoms.push_back(residue.first_atom + i);
    const glm::dvec3 water = middle_of(atoms);
    for (int c = 0; c < 3; ++c) ASSERT_TRUE(water[c] > -1e-4 && water[c] < 1 + 1e-4) << water[c];
    // And whole: its atoms within 2 angstrom of the first.
    for (const std::uint32_t i : atoms)
      ASSERT_LT(glm::distance(frame.positions[i], frame.positions[residue.first_atom]), 2);
  }
  // A crystal with its ordered waters stays in the places of its file.
  EXPECT_EQ(opened(documents, test::examples("crambin.pdb.gz")).molecules[0].cell, CellTreatment{});
}

// Red, white and blue of elements would be read as a potential.
TEST(UsualLook, APlainSurfaceHasTheColoursOfItsCartoonOrOne) {
  Scene scene;
  Field field;
  field.kind = Field::Kind::solvent_excluded;
  field.colouring = Colouring::element;
  Representation cartoon;
  cartoon.style = Style::cartoon;
  for (const auto& [of_cartoon, of_surface] : {std::pair{Colouring::chain, Colouring::chain},
                                               {Colouring::molecule, Colouring::molecule},
                                               {Colouring::structure, Colouring::uniform},
                                               {Colouring::element, Colouring::uniform}}) {
    cartoon.colouring = of_cartoon;
    scene.representations = {cartoon};
    colour_plainly(scene, field);
    EXPECT_EQ(field.colouring, of_surface);
  }
  scene.representations[0].molecule = 1;
  scene.representations[0].colouring = Colouring::chain;
  colour_plainly(scene, field);
  EXPECT_EQ(field.colouring, Colouring::uniform) << "of another molecule";
  const auto [least, most] = std::minmax({field.colour.r, field.colour.g, field.colour.b});
  EXPECT_LT(most - least, 100) << "a quiet colour";
}

TEST(UsualLook, OrbitalsShowTheHomo) {
  Documents documents;
  const Scene scene = opened(documents, test::data("H2O-631Gd-cart.molden"));
  ASSERT_EQ(scene.fields.size(), 1u);
  EXPECT_EQ(scene.fields[0].kind, Field::Kind::orbital);
  EXPECT_EQ(scene.fields[0].orbital, "homo");
  ASSERT_EQ(scene.representations.size(), 1u);
  EXPECT_EQ(scene.representations[0].style, Style::ball_and_stick);
}

TEST(UsualLook, AnAtomDoesNotHideItsOrbital) {
  const test::Folder folder;
  test::write_text(folder / "atom.cube",
                   "an orbital\nof an atom\n1 -1 -1 -1\n2 2 0 0\n2 0 2 0\n2 0 0 2\n10 10 0 0 0\n"
                   "-0.1 0.1 -0.1 0.1 -0.1 0.1 -0.1 0.1\n");
  Documents documents;
  const Scene scene = opened(documents, folder / "atom.cube");
  ASSERT_EQ(scene.fields.size(), 1u);
  ASSERT_EQ(scene.representations.size(), 1u);
  EXPECT_EQ(scene.representations[0].style, Style::ball_and_stick) << "not a sphere of its full size";
}

TEST(Documents, AreLoadedOnce) {
  Documents documents;
  const SceneMolecule entry{{test::data("H2O-631Gd-cart.molden")}};
  EXPECT_EQ(documents.loaded(entry), nullptr);
  const auto molecule = documents.molecule(entry);
  EXPECT_EQ(documents.loaded(entry), molecule);
  EXPECT_EQ(documents.molecule(entry), molecule);
  EXPECT_THROW(documents.molecule({{"/nowhere/absent.pdb"}}), Error);
  EXPECT_THROW(documents.molecule({}), Error);
}

TEST(ViewBuilder, KeepsTheItemsOfWhatDidNotChange) {
  Documents documents;
  Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  scene.representations.resize(1);
  scene.representations.push_back(scene.representations[0]);
  scene.representations[1].style = Style::lines;
  ViewBuilder builder(documents);
  const SceneView first = builder.build(scene, {});
  ASSERT_GE(first.items.size(), 2u);
  const SceneView again = builder.build(scene, {});
  EXPECT_EQ(again.items, first.items) << "the same objects";
  scene.camera.height *= 2;
  EXPECT_EQ(builder.build(scene, {}).items, first.items);
  scene.representations[1].style = Style::spheres;
  const SceneView changed = builder.build(scene, {});
  EXPECT_EQ(changed.items.front(), first.items.front());
  EXPECT_NE(changed.items.back(), first.items.back());
  scene.representations[0].visible = false;
  const SceneView hidden = builder.build(scene, {});
  EXPECT_EQ(hidden.items.front(), changed.items.back());
  scene.molecules[0].visible = false;
  EXPECT_TRUE(builder.build(scene, {}).items.empty());
  for (const auto& item : first.items) EXPECT_EQ(item->object, 1u);
  EXPECT_GT(first.radius, 10);
}

TEST(ViewBuilder, ANewColourKeepsTheSurface) {
  Documents documents;
  Scene scene = opened(documents, test::data("H2O-631Gd-cart.molden"));
  FieldRequest request;
  request.field = scene.fields[0];
  request.molecule = documents.molecule(scene.molecules[0]);
  Job job;
  const std::vector<FieldResult> results{compute_field(request, nullptr, job)};
  ViewBuilder builder(documents);
  const SceneView before = builder.build(scene, results);
  EXPECT_EQ(std::get<Surface>(before.items.back()->shape).mesh, std::get<Surface>(results[0].items[1]->shape).mesh);
  scene.fields[0].opacity = 0.3f;
  scene.fields[0].negative_colour = {1, 2, 3, 255};
  const SceneView after = builder.build(scene, results);
  const auto& surface = std::get<Surface>(after.items.back()->shape);
  EXPECT_EQ(surface.mesh, std::get<Surface>(results[0].items[1]->shape).mesh);
  EXPECT_EQ(surface.colour, glm::u8vec4(1, 2, 3, 255));
  EXPECT_EQ(after.items.back()->opacity, 0.3f);
  EXPECT_EQ(builder.build(scene, results).items, after.items);
  scene.fields[0].visible = false;
  EXPECT_LT(builder.build(scene, results).items.size(), before.items.size());
}

TEST(ViewBuilder, NamesTheRepresentationThatIsWrong) {
  Documents documents;
  Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  scene.representations[0].selection = "nonsense";
  ViewBuilder builder(documents);
  try {
    builder.build(scene, {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("representation 0: ", 0), 0u) << error.what();
  }
}

TEST(UsualLook, AnOrbitalFillsThePicture) {
  Documents documents;
  const Scene scene = opened(documents, test::data("H2O-631Gd-cart.molden"));
  ASSERT_FALSE(scene.fields.empty());
  ASSERT_EQ(scene.fields[0].kind, Field::Kind::orbital);
  const Extent extent = scene_extent(scene, documents);
  const Frame frame = frame_at(*documents.molecule(scene.molecules[0]), 0);
  double atoms = 0;
  for (const glm::vec3& p : frame.positions) atoms = std::max(atoms, glm::distance(glm::dvec3(p), extent.centre));
  // The lobes of the lone pair at 0.05 end 1.4 angstrom from oxygen, and those of the bonds 0.7 behind hydrogen.
  EXPECT_LT(extent.radius, atoms + 1.75);
  EXPECT_GT(extent.radius, 1.6);
}

TEST(UsualLook, IonsOfASolutionDoNotMakeTheProteinSmall) {
  Documents documents;
  const Scene scene = opened(documents, test::examples("crambin_water/crambin_water.gro.gz"));
  const auto molecule = documents.molecule(scene.molecules[0]);
  const Frame frame = frame_at(*molecule, 0);
  const Extent extent = scene_extent(scene, documents);
  double protein = 0;
  for (const std::uint32_t i : Selection("protein").atoms(*molecule->topology, frame))
    protein = std::max(protein, glm::distance(glm::dvec3(frame.positions[i]), extent.centre));
  EXPECT_LT(extent.radius, protein + 2);
}

}  // namespace
}  // namespace isolume
