// Molecules that move along a normal mode, or have the orbitals of an excited state, and the paths that say so.
#include "app/documents/derived.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/documents/documents.h"
#include "app/documents/held_molecules.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "compute/electron_density/state_table.h"
#include "formats/orbitals/amplitudes.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/mode_frames.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

const std::string water = "qm-fields/vibrations/water_vib.molden";

TEST(PathParts, SayModesAndStates) {
  EXPECT_EQ(path_part("a/b.molden"), (PathPart{"a/b.molden"}));
  EXPECT_EQ(path_part("b.log#mode=2"), (PathPart{"b.log", PathPart::Kind::mode, 2}));
  EXPECT_EQ(path_part("b#1.log#mode=12,amplitude=0.25,frames=40"),
            (PathPart{"b#1.log", PathPart::Kind::mode, 12, 0.25, 40}));
  EXPECT_EQ(path_part("b.json#state=3"), (PathPart{"b.json", PathPart::Kind::state, 3}));
  // Names of files that look nearly so.
  for (const char* name : {"a#mode=0", "a#mode=x", "#mode=1", "a#state=1,frames=3", "a#mode=1,frames=1", "a#mode=1,",
                           "a#mode=1,amplitude=-1", "a#b", "a#mode"})
    EXPECT_EQ(path_part(name), PathPart{name}) << name;
  for (const char* path : {"x.molden", "x.molden#mode=3,amplitude=0.3,frames=24", "x.json#state=2", "x.gro#fit=2"}) {
    EXPECT_EQ(path_of(path_part(path)), path);
  }
  EXPECT_EQ(file_of("x.molden#mode=3"), "x.molden");
  EXPECT_FALSE(has_parts({"a", "b#c"}));
  EXPECT_TRUE(has_parts({"a", "b#state=1"}));
}

TEST(PathParts, SayWhatIsInNoFile) {
  EXPECT_EQ(path_part("a.gro#stream=localhost:8888").peer, "localhost:8888");
  EXPECT_EQ(path_part("a.gro#average=2"), (PathPart{"a.gro", PathPart::Kind::average, 2}));
  for (const char* path : {"a.gro#stream=[::1]:8888", "a.gro#average=1"}) EXPECT_EQ(path_of(path_part(path)), path);
  for (const char* name : {"a#stream=", "a#average=0", "a#average=1,frames=3"})
    EXPECT_EQ(path_part(name), PathPart{name}) << name;
}

TEST(HeldMolecules, AreReadInThePlaceOfTheirPath) {
  const std::string file = test::data("formats/sample.xyz"), path = file + "#stream=localhost:1";
  ASSERT_TRUE(std::filesystem::exists(file));
  // Nothing is held: the file as it is, and nobody is asked.
  const std::vector<Molecule> without = read_with_parts({file, path});
  ASSERT_EQ(without.size(), 1u);
  EXPECT_NE(without[0].warnings.back().find("not connected"), std::string::npos);
  auto molecule = std::make_shared<Molecule>();
  molecule->title = "held";
  hold_molecule(path, molecule);
  EXPECT_EQ(read_with_parts({file, path}).at(0).title, "held");
  Documents documents;
  EXPECT_EQ(documents.molecule(SceneMolecule{{file, path}})->title, "held");
  molecule = std::make_shared<Molecule>();
  molecule->title = "later";
  hold_molecule(path, molecule);
  documents.reload(SceneMolecule{{file, path}});
  release_molecule(path);
  EXPECT_FALSE(held_molecule(path));
  EXPECT_EQ(documents.molecule(SceneMolecule{{file, path}})->title, "later") << "a scene keeps it";
}

TEST(PathParts, AreKeptInSessions) {
  Scene scene;
  scene.molecules = {{{"/data/x/w.molden", "/data/x/w.molden#mode=2,amplitude=0.3,frames=24"}}};
  const std::string json = scene_to_json(scene, "/data/x");
  EXPECT_NE(json.find("\"w.molden#mode=2,amplitude=0.3,frames=24\""), std::string::npos) << json;
  EXPECT_EQ(scene_from_json(json, "/data/x").molecules, scene.molecules);
}

// x(t) = x0 + A sin(w t) e and v(t) = A w cos(w t) e, with the longest e of length 1; w = 2 pi c wavenumber.
TEST(ModeFrames, AreThoseOfAnHarmonicMotion) {
  VibrationalMode mode;
  mode.frequency = -1000;
  mode.displacement = {{0, 0, 2}, {0, -1, 0}};
  Frame rest;
  rest.positions = {{1, 0, 0}, {0, 0, 3}};
  const std::vector<Frame> frames = mode_frames(mode, rest, 0.5, 8);
  ASSERT_EQ(frames.size(), 8u);
  const double rate = 2 * units::pi * 2.99792458e10 * 1000 * 1e-12;  // 1/ps
  EXPECT_NEAR(largest_speed(mode, 0.5), 0.5 * rate, 1e-9);
  for (std::size_t n = 0; n < 8; ++n) {
    const double phase = 2 * units::pi * static_cast<double>(n) / 8;
    EXPECT_NEAR(frames[n].positions[0].z, 0.5 * std::sin(phase), 1e-6);
    EXPECT_NEAR(frames[n].positions[1].y, -0.25 * std::sin(phase), 1e-6);
    EXPECT_NEAR(frames[n].velocities[0].z, 0.5 * rate * std::cos(phase), 1e-4);
    EXPECT_NEAR(frames[n].time, phase / rate, 1e-9);
  }
  mode.displacement.pop_back();
  EXPECT_THROW(mode_frames(mode, rest, 0.5, 8), Error);
  mode.displacement = {glm::dvec3(0), glm::dvec3(0)};
  EXPECT_THROW(mode_frames(mode, rest, 0.5, 8), Error);
}

TEST(Derived, AMoleculeMovesAlongAModeOfItsFile) {
  const std::string file = test::shared_data(water);
  ISOLUME_NEEDS(file);
  const Molecule rest = read_file(file);
  Documents documents;
  const SceneMolecule entry{{file, file + "#mode=2,amplitude=0.2,frames=12"}};
  const auto moving = documents.molecule(entry);
  ASSERT_EQ(moving->frame_count(), 12u);
  EXPECT_EQ(moving->atom_count(), 3u);
  EXPECT_EQ(moving->orbitals.size(), 1u) << "those of the rest positions";
  EXPECT_EQ(moving->paths, (std::vector<std::string>{file}));
  const Frame first = moving->trajectory->frame(0), third = moving->trajectory->frame(3);
  // The symmetric stretch of PySCF: both hydrogens move equally, along x with opposite signs.
  const glm::dvec3 left = third.precise_positions[2] - first.precise_positions[2],
                   right = third.precise_positions[1] - first.precise_positions[1];
  EXPECT_NEAR(glm::length(right), 0.2, 1e-6) << "a quarter of a period: the amplitude";
  EXPECT_NEAR(left.x, -right.x, 1e-6);
  EXPECT_NEAR(left.z, right.z, 1e-6);
  EXPECT_NEAR(right.x / right.z, 0.5833955278 / 0.3979849051, 1e-5);
  EXPECT_NEAR(first.precise_positions[1].x, rest.trajectory->frame(0).precise_positions[1].x, 1e-12);
  // Opening does the same, and keeps both paths.
  const auto opened = documents.open(entry.paths);
  ASSERT_EQ(opened.size(), 1u);
  EXPECT_EQ(opened[0], entry);
  EXPECT_THROW(documents.molecule(SceneMolecule{{file, file + "#mode=4"}}), Error);
  EXPECT_THROW(documents.molecule(SceneMolecule{{file + "#mode=1"}}), Error) << "no molecule";
}

// Modes of a file in another orientation: turned with it, and refused where the molecule has another shape.
TEST(Derived, ModesAreTurnedOntoTheMolecule) {
  const std::string file = test::shared_data(water);
  ISOLUME_NEEDS(file);
  const Frame rest = read_file(file).trajectory->frame(0);
  const std::string path = testing::TempDir() + "/isolume_turned_water.xyz";
  const auto write = [&](double stretch) {
    std::ofstream out(path);
    out << "3\n\n";
    for (int a = 0; a < 3; ++a) {
      const glm::dvec3 p = rest.precise_positions[static_cast<std::size_t>(a)];
      // About the x axis by 90 degrees, and shifted.
      out << (a == 0 ? "O " : "H ") << stretch * p.x + 3 << ' ' << -p.z << ' ' << p.y - 1 << '\n';
    }
  };
  write(1);
  Documents documents;
  const auto moving = documents.molecule(SceneMolecule{{path, file + "#mode=1,amplitude=0.3,frames=4"}});
  const Frame first = moving->trajectory->frame(0), second = moving->trajectory->frame(1);
  const glm::vec3 moved = second.positions[1] - first.positions[1];
  EXPECT_NEAR(glm::length(moved), 0.3, 1e-5);
  EXPECT_NEAR(moved.x / moved.y, 0.4296800440 / 0.5593662639, 1e-4) << "z has become -y";
  EXPECT_NEAR(moved.z, 0, 1e-5);
  write(1.3);
  EXPECT_THROW(read_with_parts({path, file + "#mode=1"}), Error);
}

// PySCF: PBE0/def2-SVP, Tamm-Dancoff; weights and energies as it has them (tests/data/orbitals).
TEST(Derived, AMoleculeHasTheOrbitalsOfAState) {
  const std::string file = test::data("orbitals/formaldehyde.molden.gz");
  const std::string amplitudes = test::data("orbitals/formaldehyde_tda.json.gz");
  Documents documents;
  const auto excited = documents.molecule(SceneMolecule{{file, amplitudes + "#state=4"}});
  ASSERT_EQ(excited->orbitals.size(), 1u);
  const Orbitals& pairs = *excited->orbitals[0];
  ASSERT_EQ(pairs.count(), 16u) << "eight pairs";
  const auto hole = pairs.find("homo"), particle = pairs.find("lumo");
  EXPECT_EQ(pairs.orbitals[hole].symmetry, "hole 0.627");
  EXPECT_EQ(pairs.orbitals[particle].symmetry, "particle 0.627");
  EXPECT_EQ(pairs.orbitals[pairs.find("homo-1")].symmetry, "hole 0.357");
  EXPECT_EQ(pairs.orbitals[pairs.find("lumo+1")].symmetry, "particle 0.357");
  EXPECT_LT(pairs.norm_residual, 1e-6);
  EXPECT_NEAR(pairs.electron_count(), 16, 1e-12);
  EXPECT_EQ(excited->title, "state 4, 9.8984 eV");
  EXPECT_THROW(documents.molecule(SceneMolecule{{file, amplitudes + "#state=6"}}), Error);
  EXPECT_THROW(documents.molecule(SceneMolecule{{test::shared_data(water), amplitudes + "#state=1"}}), Error);
}

TEST(StateTable, HasEnergiesStrengthsAndTransitions) {
  const Molecule molecule = read_file(test::data("orbitals/formaldehyde.molden.gz"));
  Excitations all = read_amplitudes(test::data("orbitals/formaldehyde_tda.json.gz"));
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  std::vector<int> elements;
  for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  all.states[1].strength.reset();
  Job job;
  const auto rows = state_rows(orbitals, all, elements, job);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_NEAR(rows[0].energy, 4.0196957, 1e-6);
  EXPECT_NEAR(rows[0].wavelength, 1239.8419843 / 4.0196957, 1e-3);
  EXPECT_FALSE(rows[0].computed);
  EXPECT_TRUE(rows[1].computed);
  EXPECT_NEAR(rows[1].strength, 0.1715685265, 1e-4) << "by integration over atomic grids";
  EXPECT_EQ(transitions_text(orbitals, rows[0].transitions), "HOMO -> LUMO 100 %");
  EXPECT_EQ(transitions_text(orbitals, rows[3].transitions), "HOMO -> LUMO+2 61 %, HOMO-1 -> LUMO 36 %");
}

}  // namespace
}  // namespace isolume
