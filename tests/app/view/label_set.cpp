// Labels of residues, chains and atoms: their texts and places, in pictures and on the command line.
#include "app/view/label_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/scene_commands.h"
#include "app/scene/scene_json.h"
#include "app/view/labels.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Atom named(const char* name, std::uint8_t element, float charge) {
  Atom atom;
  atom.name = name;
  atom.element = element;
  atom.charge = charge;
  return atom;
}

/// An aspartate and a glycine of chain A, and a water of chain B.
struct Three {
  Topology topology;
  Frame frame;
  Three() {
    TopologyBuilder builder;
    builder.add(named("N", 7, -0.5f), "ASP", 25, ' ', "A");
    builder.add(named("CA", 6, 0.25f), "ASP", 25, ' ', "A");
    builder.add(named("CG", 6, 0.8f), "ASP", 25, ' ', "A");
    builder.add(named("CA", 6, 0.1f), "GLY", 27, 'B', "A");
    builder.add(named("O", 8, -0.834f), "HOH", 301, ' ', "B");
    topology = builder.finish();
    topology.has_charges = true;
    frame.positions = {{0, 0, 0}, {1, 0, 0}, {5, 0, 0}, {9, 3, 0}, {0, 0, 7}};
  }
  std::vector<Label> labels(LabelSet::Text text, const char* words, const char* own = "") const {
    LabelSet set;
    set.text = text;
    set.own = own;
    return labels_of(set, topology, frame, Selection(words).mask(topology, frame));
  }
};

std::vector<std::string> texts(const std::vector<Label>& labels) {
  std::vector<std::string> result;
  for (const Label& label : labels) result.push_back(label.text);
  return result;
}

TEST(LabelSets, SayWhatTheAtomsAre) {
  const Three m;
  using enum LabelSet::Text;
  EXPECT_THAT(texts(m.labels(residue, "chain A")), ElementsAre("ASP 25", "GLY 27B"));
  EXPECT_THAT(texts(m.labels(residue, "all")), ElementsAre("A/ASP 25", "A/GLY 27B", "B/HOH 301"));
  EXPECT_THAT(texts(m.labels(chain, "all")), ElementsAre("A", "B"));
  EXPECT_THAT(texts(m.labels(atom, "resname ASP")), ElementsAre("N", "CA", "CG"));
  EXPECT_THAT(texts(m.labels(element, "chain B or name CA")), ElementsAre("C", "C", "O"));
  EXPECT_THAT(texts(m.labels(charge, "name N O")), ElementsAre("-0.50", "-0.83"));
  EXPECT_THAT(texts(m.labels(own, "chain A", "active site")), ElementsAre("active site"));
  EXPECT_TRUE(m.labels(own, "none", "active site").empty());
}

TEST(LabelSets, NameTheChainOfResiduesOfSeveral) {
  TopologyBuilder builder;
  for (const char* chain : {"A", "B"}) builder.add(named("CA", 6, 0), "GLY", 27, ' ', chain);
  builder.add(named("C1", 6, 0), "478", 200, ' ', "");  // of no chain
  const Topology dimer = builder.finish();
  Frame frame;
  frame.positions = {{0, 0, 0}, {9, 0, 0}, {5, 0, 0}};
  using Mask = std::vector<std::uint8_t>;
  const auto written = [&](const Mask& mask, const Mask& labelled = {}) {
    return texts(labels_of(LabelSet{}, dimer, frame, mask, labelled));
  };
  EXPECT_THAT(written({1, 1, 1}), ElementsAre("A/GLY 27", "B/GLY 27", "478 200"));
  EXPECT_THAT(written({1, 0, 1}), ElementsAre("GLY 27", "478 200"));
  EXPECT_THAT(written({0, 1, 0}, {1, 1, 0}), ElementsAre("B/GLY 27")) << "another set labels the same residue of A";
}

TEST(LabelSets, AreAtTheGuideAtomOrInTheMiddle) {
  const Three m;
  const auto place = [&](const char* words) { return m.labels(LabelSet::Text::residue, words).front().position; };
  EXPECT_EQ(place("resname ASP"), glm::vec3(1, 0, 0));
  EXPECT_EQ(place("resname ASP and name N CG"), glm::vec3(2.5, 0, 0));
  EXPECT_EQ(m.labels(LabelSet::Text::own, "resname ASP", "x").front().position, glm::vec3(2, 0, 0));
}

TEST(LabelSets, OfMoleculesWithoutChargesAreRefused) {
  Three m;
  m.topology.has_charges = false;
  EXPECT_THROW(m.labels(LabelSet::Text::charge, "all"), Error);
}

TEST(LabelSets, TooManyAreRefused) {
  TopologyBuilder builder;
  Frame frame;
  for (int i = 0; i <= static_cast<int>(most_labels); ++i) {
    builder.add(named("O", 8, 0), "HOH", i, ' ', "W");
    frame.positions.emplace_back(float(i));
  }
  const Topology water = builder.finish();
  LabelSet set;
  EXPECT_THROW(labels_of(set, water, frame, std::vector<std::uint8_t>(water.atoms.size(), 1)), Error);
  std::vector<std::uint8_t> fewer(water.atoms.size(), 1);
  fewer[0] = 0;
  EXPECT_EQ(labels_of(set, water, frame, fewer).size(), most_labels);
}

TEST(LabelSets, UsuallyNameResiduesOfPolymersAndAtomsOfSmallMolecules) {
  const Three m;
  EXPECT_EQ(usual_labels(m.topology).text, LabelSet::Text::residue);
  TopologyBuilder builder;
  builder.add(named("C", 6, 0), "UNL", 1, ' ', "");
  builder.add(named("H1", 1, 0), "UNL", 1, ' ', "");
  const Topology small = builder.finish();
  const LabelSet usual = usual_labels(small);
  EXPECT_EQ(usual.text, LabelSet::Text::atom);
  EXPECT_EQ(Selection(usual.selection).atoms(small, {}).size(), 1u);
}

TEST(LabelSets, UsuallyNameTheResiduesWhoseAtomsAreDrawn) {
  const Three m;  // two residues with a CA
  Scene scene;
  scene.molecules = {{{"other.pdb"}}, {{"a.pdb"}}};
  const auto draw = [&](std::uint32_t molecule, const char* words, Style style) -> Representation& {
    Representation shown;
    shown.molecule = molecule;
    shown.selection = words;
    shown.style = style;
    scene.representations.push_back(shown);
    return scene.representations.back();
  };
  const auto named_residues = [&] {
    const LabelSet set = usual_labels(scene, 1, m.topology, m.frame);
    EXPECT_EQ(set.molecule, 1u);
    EXPECT_EQ(set.text, LabelSet::Text::residue);
    return texts(labels_of(set, m.topology, m.frame, Selection(set.selection).mask(m.topology, m.frame)));
  };
  draw(1, "protein", Style::cartoon);
  draw(0, "resname GLY", Style::sticks);
  draw(1, "water", Style::spheres);
  EXPECT_THAT(named_residues(), ElementsAre("ASP 25", "GLY 27B")) << "no residue of the protein is drawn by its atoms";
  draw(1, "within 4 of resname ASP and not water", Style::sticks);
  EXPECT_THAT(named_residues(), ElementsAre("ASP 25"));
  scene.representations.back().visible = false;
  EXPECT_THAT(named_residues(), ElementsAre("ASP 25", "GLY 27B"));
  draw(1, "resname GLY", Style::sticks);
  EXPECT_THAT(named_residues(), ElementsAre("GLY 27B"));
  draw(1, "@nothing", Style::sticks);
  EXPECT_THAT(named_residues(), ElementsAre("GLY 27B"));
  draw(1, "all", Style::lines);
  EXPECT_THAT(named_residues(), ElementsAre("ASP 25", "GLY 27B"));
}

TEST(LabelSets, AreInScenesAndCommands) {
  Scene before;
  before.molecules = {{{"a.pdb"}}, {{"b.pdb"}}};
  Scene after = before;
  after.labels.push_back({1, "resname ASP", LabelSet::Text::own, "site", true});
  EXPECT_EQ(scene_from_json(scene_to_json(after)), after);
  const auto lines = scene_changes(before, after);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("add labels"));
  Scene again = before;
  for (const std::string& line : lines) apply_command(again, line);
  EXPECT_EQ(again, after);
  remove_molecule(again, 0);
  ASSERT_EQ(again.labels.size(), 1u);
  EXPECT_EQ(again.labels[0].molecule, 0u);
  remove_molecule(again, 0);
  EXPECT_TRUE(again.labels.empty());
}

TEST(LabelPlaces, WithoutRoomAreLeftOut) {
  std::vector<TextPlace> places(40, {10, 10, 60, 12});
  keep_apart(places);
  std::size_t shown = 0;
  for (const TextPlace& place : places) {
    if (!place.shown) continue;
    ++shown;
    EXPECT_LE(std::abs(place.y - 10), 96) << "not further than eight heights";
    for (const TextPlace& other : places)
      EXPECT_TRUE(&other == &place || !other.shown || std::abs(other.y - place.y) >= 12);
  }
  EXPECT_EQ(shown, 17u) << "eight above, eight below and the first";
}

}  // namespace
}  // namespace isolume
