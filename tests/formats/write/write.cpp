// What is written is read back.
#include "formats/write/write.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "tests/formats/write/fixture.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;

class Write : public test::WrittenFiles {};

TEST_F(Write, pqr_is_read_back_with_charges_radii_and_cell) {
  TopologyBuilder builder;
  const float charges[] = {-0.834f, 0.417f, 0.417f, 1.0f};
  const char* const names[] = {"O", "H1", "H2", "NA"};
  for (int i = 0; i < 4; ++i) {
    Atom atom;
    atom.name = names[i];
    atom.charge = charges[i];
    atom.radius = 1.0f + 0.25f * static_cast<float>(i);
    builder.add(atom, i < 3 ? "HOH" : "NA", i < 3 ? -7 : 1234, ' ', i < 3 ? "A" : "2");
  }
  builder.topology().has_charges = true;
  builder.topology().has_radii = true;
  Molecule molecule;
  molecule.topology = std::make_shared<Topology>(builder.finish());
  Frame frame;
  frame.positions = {{0, 0, 0}, {-1234.56789f, 0.5f, 0}, {99999.5f, 2, 3}, {1, 2, -3}};
  frame.cell = Cell::from_lengths_angles({10, 20, 30}, {90, 80, 70});
  const auto writer = create_writer(path("a.pqr"), molecule);
  writer->add(frame);
  EXPECT_THROW(writer->add(frame), Error) << "one frame";
  writer->finish();
  const Molecule read = read_file(path("a.pqr"));
  ASSERT_EQ(read.atom_count(), 4u);
  ASSERT_EQ(read.topology->residues.size(), 2u);
  EXPECT_EQ(read.topology->residues[0].number, -7);
  EXPECT_EQ(read.topology->residues[1].number, 1234);
  EXPECT_EQ(read.topology->chain_of(0).id, "A");
  const Frame back = read.trajectory->frame(0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read.topology->atoms[i].name, names[i]);
    EXPECT_FLOAT_EQ(read.topology->atoms[i].charge, charges[i]);
    EXPECT_FLOAT_EQ(read.topology->atoms[i].radius, 1.0f + 0.25f * static_cast<float>(i));
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(back.positions[i][axis], frame.positions[i][axis], 1e-4);
  }
  EXPECT_NEAR(back.cell.volume(), frame.cell.volume(), 0.5);
}

TEST_F(Write, an_mrc_map_is_named_by_its_first_label) {
  Volume volume;
  volume.grid.counts = {2, 2, 2};
  volume.values.assign(8, 1.0f);
  volume.name = "mean density, faded";
  const std::string comment = "mean density, faded to 0 within 2 standard errors";
  write_volume(path("m.mrc"), volume, nullptr, 0, comment);
  const std::string bytes = bytes_of(path("m.mrc"));
  std::int32_t labels = 0;
  std::memcpy(&labels, bytes.data() + 220, sizeof(labels));
  EXPECT_EQ(labels, 2);
  EXPECT_EQ(bytes.substr(224 + 80, comment.size()), comment);
  const Molecule read = read_file(path("m.mrc"));
  ASSERT_EQ(read.volumes.size(), 1u);
  EXPECT_EQ(read.volumes[0]->name, volume.name);
  EXPECT_EQ(read.volumes[0]->unit, "");
}

TEST_F(Write, an_mrc_map_keeps_its_unit) {
  Volume volume;
  volume.grid.counts = {2, 2, 2};
  volume.values.assign(8, 1.0f);
  volume.unit = "kcal/mol/A^3";
  // Behind a name and a comment, behind one of them, and alone.
  for (const char* const name : {"mean water-energy", ""})
    for (const char* const comment : {"over 61 frames, unit: of nobody", ""}) {
      volume.name = name;
      write_volume(path("u.mrc"), volume, nullptr, 0, comment);
      const Molecule read = read_file(path("u.mrc"));
      ASSERT_EQ(read.volumes.size(), 1u);
      EXPECT_EQ(read.volumes[0]->unit, volume.unit) << name << comment;
      EXPECT_EQ(read.volumes[0]->name, volume.name.empty() ? comment : volume.name);
    }
}

TEST_F(Write, lists_the_extensions_that_it_knows) {
  const auto message = [](auto&& write) {
    try {
      write();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  Volume volume;
  volume.grid.counts = {1, 1, 1};
  volume.values = {0};
  EXPECT_NE(message([&] { write_volume(path("a.png"), volume); }).find("cube, dx, mrc"), std::string::npos);
  EXPECT_NE(message([&] { write_mesh(path("a"), Mesh{}); }).find("ply, obj, stl, glb"), std::string::npos);
  EXPECT_NE(message([&] { create_writer(path("a.trr"), Molecule{}); }).find("pdb, pqr, gro, xyz"), std::string::npos);
  EXPECT_EQ(files(), 0u);
}

/// A molecule of three atoms in two residues, with a cell, and two frames.
Molecule sample() {
  TopologyBuilder builder;
  Atom atom;
  atom.name = "CA";
  atom.element = 6;
  atom.b_factor = 12.5f;
  builder.add(atom, "GLY", 7, 'B', "X");
  atom.name = "OD12";
  atom.element = 8;
  builder.add(atom, "GLY", 7, 'B', "X");
  atom.name = "ZN";
  atom.element = 30;
  atom.hetero = true;
  atom.formal_charge = 2;
  builder.add(atom, "ZN", -3, ' ', "Y");
  Molecule molecule;
  molecule.title = "a sample";
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  std::vector<Frame> frames(2);
  for (int i = 0; i < 2; ++i) {
    Frame& frame = frames[static_cast<std::size_t>(i)];
    frame.positions = {{1.125f, -2.5f, 3.0625f + static_cast<float>(i)}, {0, 0.015625f, 100.5f}, {-7, 8, -9.75f}};
    frame.cell = Cell::from_lengths_angles({30 + i, 40, 50}, {80, 95, 120});
    frame.time = 10 + 2.5 * i;
    frame.has_time = true;
  }
  molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::move(frames));
  return molecule;
}

void write_frames(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms = {}) {
  const auto writer = create_writer(path, molecule, std::move(atoms));
  for (std::size_t i = 0; i < molecule.frame_count(); ++i) writer->add(molecule.trajectory->frame(i));
  EXPECT_FALSE(fs::exists(path));
  writer->finish();
  EXPECT_TRUE(fs::exists(path));
}

void expect_frames(const Molecule& found, const Molecule& expected, double tolerance, double cell_tolerance) {
  ASSERT_EQ(found.frame_count(), expected.frame_count());
  for (std::size_t f = 0; f < found.frame_count(); ++f) {
    const Frame a = found.trajectory->frame(f), b = expected.trajectory->frame(f);
    ASSERT_EQ(a.positions.size(), b.positions.size());
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.positions[i][k], b.positions[i][k], tolerance);
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(glm::length(a.cell.vectors[k] - b.cell.vectors[k]), 0, cell_tolerance);
    }
  }
}

TEST_F(Write, reading_a_frame_of_a_dcd_can_be_cancelled) {
  write_frames(path("a.dcd"), sample());
  const Molecule found = read_file(path("a.dcd"));
  std::atomic<bool> stop = true;
  const StopScope scope(&stop);
  EXPECT_THROW(found.trajectory->frame(1), Error) << "the frame was not read before";
  stop = false;
  EXPECT_EQ(found.trajectory->frame(1).positions.size(), 3u);
}

TEST_F(Write, pdb_is_read_back) {
  const Molecule molecule = sample();
  for (const char* name : {"a.pdb", "a.pdb.gz"}) {
    write_frames(path(name), molecule);
    const Molecule again = read_file(path(name));
    expect_frames(again, molecule, 5.01e-4, 2e-2);  // three decimals; angles have two
    const Topology& t = *again.topology;
    EXPECT_EQ(t.atoms[0].name, "CA");
    EXPECT_EQ(t.atoms[0].element, 6);
    EXPECT_EQ(t.atoms[0].b_factor, 12.5f);
    EXPECT_EQ(t.atoms[1].name, "OD12");
    EXPECT_EQ(t.atoms[2].formal_charge, 2);
    EXPECT_EQ(t.atoms[2].element, 30);
    EXPECT_TRUE(t.atoms[2].hetero);
    EXPECT_EQ(t.residues[0].insertion, 'B');
    EXPECT_EQ(t.residues[1].number, -3);
    EXPECT_EQ(t.chains[1].id, "Y");
    EXPECT_EQ(again.title, "a sample");
  }
  // The columns of PDB 3.30.
  const std::string text = bytes_of(path("a.pdb"));
  EXPECT_NE(text.find("\nATOM      1  CA  GLY X   7B      1.125  -2.500   3.062  1.00 12.50           C  \n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nHETATM    3 ZN    ZN Y  -3      -7.000   8.000  -9.750  1.00 12.50          ZN2+\n"),
            std::string::npos)
      << text;
}

TEST_F(Write, pdb_refuses_what_it_cannot_hold) {
  Molecule molecule = sample();
  Frame frame = molecule.trajectory->frame(0);
  frame.positions[1].x = -1000;
  const auto writer = create_writer(path("a.pdb"), molecule);
  writer->add(frame);
  EXPECT_THROW(writer->finish(), Error);
  EXPECT_FALSE(fs::exists(path("a.pdb")));
}

TEST_F(Write, xyz_is_read_back) {
  const Molecule molecule = sample();
  write_frames(path("a.xyz"), molecule);
  expect_frames(read_file(path("a.xyz")), molecule, 1e-8, 1e-6);
  write_frames(path("b.xyz"), molecule, {2, 0});
  const Molecule part = read_file(path("b.xyz"));
  ASSERT_EQ(part.atom_count(), 2u);
  EXPECT_EQ(part.topology->atoms[0].element, 30);
  EXPECT_EQ(part.trajectory->frame(1).positions[1], molecule.trajectory->frame(1).positions[0]);
}

TEST_F(Write, dcd_is_read_back) {
  const Molecule molecule = sample();
  write_frames(path("a.dcd"), molecule);
  const Molecule again = read_file(path("a.dcd"));
  EXPECT_TRUE(again.warnings.empty());
  expect_frames(again, molecule, 0, 1e-10);
  EXPECT_NEAR(again.trajectory->frame(0).time, 10, 1e-4);
  EXPECT_NEAR(again.trajectory->frame(1).time, 12.5, 1e-4);
}

/// A volume on a grid that every format holds.
Volume sample_volume(bool oblique) {
  Volume volume;
  volume.name = "potential";
  volume.unit = "V";
  volume.grid.counts = {3, 4, 7};
  volume.grid.origin = {-1.25, 2.5, 1e-3};
  volume.grid.step = glm::dmat3(0.25);
  volume.grid.step[1] = {0.125, 0.5, 0};
  if (oblique) volume.grid.step[0] = {0.25, 0.03, -0.02};
  for (std::size_t i = 0; i < volume.grid.size(); ++i) {
    volume.values.push_back(static_cast<float>(std::sin(1.0 + static_cast<double>(i)) * std::pow(10.0, i % 9) * 1e-6));
  }
  return volume;
}

TEST_F(Write, volumes_are_read_back) {
  for (const bool oblique : {false, true}) {
    const Volume volume = sample_volume(oblique);
    for (const char* name : {"a.cube", "a.dx", "a.dx.gz", "a.cub"}) {
      write_volume(path(name), volume, nullptr, 0, "made by a test");
      const Molecule again = read_file(path(name));
      ASSERT_EQ(again.volumes.size(), 1u);
      EXPECT_EQ(again.volumes[0]->values, volume.values) << name;  // nine digits: every float
      EXPECT_EQ(again.volumes[0]->grid.counts, volume.grid.counts);
      EXPECT_EQ(again.volumes[0]->name, "potential");
      EXPECT_EQ(again.volumes[0]->unit, "V");
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(glm::length(again.volumes[0]->grid.step[i] - volume.grid.step[i]), 0, 1e-8);
      }
      EXPECT_NEAR(glm::length(again.volumes[0]->grid.origin - volume.grid.origin), 0, 1e-8);
    }
  }
  const Molecule molecule = sample();
  write_volume(path("atoms.cube"), sample_volume(false), &molecule, 1);
  const Molecule again = read_file(path("atoms.cube"));
  ASSERT_EQ(again.atom_count(), 3u);
  EXPECT_EQ(again.topology->atoms[2].element, 30);
  EXPECT_NEAR(again.trajectory->frame(0).positions[0].z, 4.0625, 1e-6);
}

}  // namespace
}  // namespace isolume
