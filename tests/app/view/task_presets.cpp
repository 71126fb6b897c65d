// Presets for tasks: what each of them shows, and what it refuses.
#include "app/view/task_presets.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/view/give_charges.h"
#include "app/view/usual_look.h"
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

std::string refusal(Scene scene, Documents& documents, const std::string& preset) {
  const Scene before = scene;
  try {
    apply_task_preset(scene, documents, preset, 1.5);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_EQ(scene, before) << "as it was";
    return error.what();
  }
  return {};
}

TEST(TaskPresets, WhatIsNotThereIsRefusedByItsName) {
  Documents documents;
  const Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  EXPECT_EQ(refusal(scene, documents, "pocket"), "preset pocket: no visible molecule has a ligand");
  EXPECT_EQ(refusal(scene, documents, "membrane"), "preset membrane: no visible molecule has lipids");
  EXPECT_EQ(refusal(scene, documents, "cryo-em"), "preset cryo-em: no visible molecule has a map");
  EXPECT_EQ(refusal(scene, documents, "orbital"), "preset orbital: no visible molecule has orbitals in this frame");
  const std::string unknown = refusal(scene, documents, "pockets");
  for (const TaskPreset& preset : task_presets()) EXPECT_NE(unknown.find(preset.name), std::string::npos) << unknown;
}

TEST(TaskPresets, TheOverviewIsWhatOpeningShows) {
  Documents documents;
  const Scene first = opened(documents, test::examples("crambin.pdb.gz"));
  Scene scene = first;
  scene.representations.resize(1);
  scene.representations[0].style = Style::spheres;
  scene.representations[0].selection = "all";
  Field surface;
  scene.fields.push_back(surface);
  apply_task_preset(scene, documents, "overview", 1.5);
  EXPECT_EQ(scene.representations, first.representations);
  EXPECT_TRUE(scene.fields.empty());
}

TEST(TaskPresets, ElectrostaticsNeedsNoChargesInTheFile) {
  Documents documents;
  Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  ASSERT_FALSE(documents.molecule(scene.molecules[0])->topology->has_charges);
  apply_task_preset(scene, documents, "electrostatics", 1.5);
  EXPECT_TRUE(documents.molecule(scene.molecules[0])->topology->has_charges);
  ASSERT_EQ(scene.fields.size(), 1u);
  EXPECT_EQ(scene.fields[0].kind, Field::Kind::solvent_excluded);
  EXPECT_EQ(scene.fields[0].paint, Field::Paint::potential);
  // Again it adds no second surface.
  apply_task_preset(scene, documents, "electrostatics", 1.5);
  EXPECT_EQ(scene.fields.size(), 1u);
}

TEST(TaskPresets, PublicationChangesTheLookAlone) {
  Documents documents;
  Scene scene = opened(documents, test::examples("crambin.pdb.gz"));
  scene.look.background = glm::vec3(0);
  Scene before = scene;
  apply_task_preset(scene, documents, "publication", 1.5);
  EXPECT_EQ(scene.look.background, glm::vec3(1));
  before.look = scene.look;
  EXPECT_EQ(scene, before);
}

TEST(TaskPresets, ThePocketIsTheLargestLigandWithWhatIsNear) {
  ISOLUME_NEEDS(test::shared_data("structures/1hpv.pdb"));
  Documents documents;
  Scene scene = opened(documents, test::shared_data("structures/1hpv.pdb"));
  apply_task_preset(scene, documents, "pocket", 1.5);
  const auto molecule = documents.molecule(scene.molecules[0]);
  const Frame frame = frame_at(*molecule, 0);
  const auto names_of = [&](const Representation& representation) {
    std::string names;
    for (const std::uint32_t i : Selection(representation.selection).atoms(*molecule->topology, frame)) {
      const std::string& name = molecule->topology->residue_of(i).name;
      if (names.find(name) == std::string::npos) names += name + " ";
    }
    return names;
  };
  ASSERT_GE(scene.representations.size(), 4u);
  const std::size_t count = scene.representations.size();
  EXPECT_EQ(names_of(scene.representations[count - 4]), "478 ") << "amprenavir";
  EXPECT_EQ(names_of(scene.representations[count - 3]).find("478"), std::string::npos);
  EXPECT_NE(names_of(scene.representations[count - 3]).find("ASP"), std::string::npos) << "the catalytic one";
  EXPECT_EQ(names_of(scene.representations[count - 2]), "HOH ");
  EXPECT_EQ(scene.representations[count - 1].style, Style::hydrogen_bonds);
  EXPECT_GT(scene.camera.slab_front, 0);
}

TEST(TaskPresets, ThePocketIsTheSameWithHydrogens) {
  ISOLUME_NEEDS(test::shared_data("structures/1hpv.pdb"));
  Documents documents;
  Scene scene = opened(documents, test::shared_data("structures/1hpv.pdb"));
  const auto residues = [&](std::size_t from_end) {
    const auto molecule = documents.molecule(scene.molecules[0]);
    std::set<std::pair<std::string, int>> found;
    const Selection words(scene.representations[scene.representations.size() - from_end].selection);
    for (const std::uint32_t i : words.atoms(*molecule->topology, frame_at(*molecule, 0)))
      found.emplace(molecule->topology->chain_of(i).id, molecule->topology->residue_of(i).number);
    return found;
  };
  apply_task_preset(scene, documents, "pocket", 1.5);
  EXPECT_EQ(scene.representations[scene.representations.size() - 4].selection, "resid 200 and resname 478")
      << "the file gives it no chain";
  const auto pocket = residues(3), water = residues(2);
  const std::size_t atoms = documents.molecule(scene.molecules[0])->topology->atoms.size();
  give_charges(scene, documents, 0);
  ASSERT_GT(documents.molecule(scene.molecules[0])->topology->atoms.size(), atoms + 1000) << "hydrogens";
  EXPECT_EQ(residues(3), pocket) << "what is shown stays";
  EXPECT_EQ(residues(2), water);
  apply_task_preset(scene, documents, "pocket", 1.5);
  EXPECT_EQ(residues(3), pocket) << "and is found again";
  EXPECT_EQ(residues(2), water);
}

}  // namespace
}  // namespace isolume
