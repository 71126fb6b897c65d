// What leaves a scene as files: read back, it is what the scene has.
#include "app/export/data_export.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/export/export_command.h"
#include "app/export/made_record.h"
#include "app/export/recorded_export.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/mesh.h"

namespace isolume {
namespace {

class DataExportTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const std::string path = file("water.pqr");
    std::ofstream(path) << "ATOM      1  O   HOH A   1       0.000   0.000   0.117 -0.8340 1.5200\n"
                           "ATOM      2  H1  HOH A   1       0.000   0.757  -0.469  0.4170 1.2000\n"
                           "ATOM      3  H2  HOH A   1       0.000  -0.757  -0.469  0.4170 1.2000\n";
    scene_.molecules = documents_.open({path});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }
  std::string write(DataSource::Kind kind, const char* name) {
    for (const DataSource& source : data_sources(scene_, documents_)) {
      if (source.kind != kind) continue;
      DataExport what;
      what.source = source;
      what.path = file(name);
      said_ = export_data(scene_, documents_, what, Device::cpu(), job_);
      return what.path;
    }
    ADD_FAILURE() << "no such thing";
    return {};
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("data_export_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  Scene scene_;
  Documents documents_;
  Job job_;
  std::string said_;
};

TEST_F(DataExportTest, AtomsComeBack) {
  const Molecule back = read_file(write(DataSource::Kind::molecule, "out.pqr"));
  EXPECT_EQ(said_, "3 atoms, 1 frame");
  ASSERT_EQ(back.atom_count(), 3u);
  EXPECT_FLOAT_EQ(back.topology->atoms[0].charge, -0.834f);
  EXPECT_NEAR(back.trajectory->frame(0).positions[2].y, -0.757f, 1e-3f);
}

TEST_F(DataExportTest, ThePotentialComesBackInVolts) {
  Field field;
  field.kind = Field::Kind::potential;
  field.potential.method = PotentialMethod::direct;
  field.spacing = 0.5;
  scene_.fields = {field};
  const Molecule back = read_file(write(DataSource::Kind::field, "out.dx"));
  ASSERT_EQ(back.volumes.size(), 1u);
  const Volume& volume = *back.volumes[0];
  // Coulomb's law at the point that is farthest from all charges.
  const glm::dvec3 at = volume.grid.origin;
  const auto& atoms = documents_.loaded(scene_.molecules[0])->topology->atoms;
  const Frame frame = documents_.loaded(scene_.molecules[0])->trajectory->frame(0);
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i)
    expected += 14.3996 * static_cast<double>(atoms[i].charge) / glm::distance(at, glm::dvec3(frame.positions[i]));
  EXPECT_NEAR(static_cast<double>(volume.values[0]), expected, 1e-3 * std::abs(expected) + 1e-5);
}

TEST_F(DataExportTest, SurfacesOfBothSignsAreOneFileWithTheirColours) {
  Field field;
  field.kind = Field::Kind::potential;
  field.potential.method = PotentialMethod::direct;
  field.isovalue = 0.5;
  field.colour = {10, 20, 200, 255};
  field.negative_colour = {200, 20, 10, 255};
  scene_.fields = {field};
  const std::string path = write(DataSource::Kind::field, "out.ply");
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find(std::string("\x0a\x14\xc8", 3)), std::string::npos);
  EXPECT_NE(text.find(std::string("\xc8\x14\x0a", 3)), std::string::npos);
  EXPECT_NE(said_.find("triangles"), std::string::npos);
}

TEST_F(DataExportTest, WhatCannotBeIsSaidAndNothingIsWritten) {
  EXPECT_THROW(write(DataSource::Kind::molecule, "out.glb"), Error);
  EXPECT_FALSE(std::filesystem::exists(file("out.glb")));
  EXPECT_THROW(write(DataSource::Kind::molecule, "water.pqr"), Error) << "it is a file of the scene";
  Field field;
  field.kind = Field::Kind::potential;
  field.potential.method = PotentialMethod::direct;
  field.isovalue = 1e6;
  scene_.fields = {field};
  EXPECT_THROW(write(DataSource::Kind::field, "none.ply"), Error) << "no surface at this level";
  EXPECT_FALSE(std::filesystem::exists(file("none.ply")));
  scene_.fields[0].show = Field::Show::cloud;
  EXPECT_FALSE(data_sources(scene_, documents_).back().takes("glb")) << "a cloud has no surface";
}

TEST_F(DataExportTest, WordsOfTheConsoleNameWhatIsWritten) {
  const std::string frames = file("two.xyz");
  std::ofstream(frames) << "1\n\nHe 0 0 0\n1\n\nHe 0 0 1\n";
  scene_.molecules.push_back(documents_.open({frames}).front());
  documents_.molecule(scene_.molecules.back());
  scene_.fields.resize(2);
  scene_.fields[0].kind = Field::Kind::solvent_excluded;
  scene_.fields[1].kind = Field::Kind::potential;
  const auto asked = [&](std::vector<std::string> words) { return export_of_words(scene_, documents_, words); };
  // Without a name what the extension is first of: a molecule, a surface, values.
  EXPECT_EQ(asked({"a.pdb"}).source.kind, DataSource::Kind::molecule);
  EXPECT_EQ(asked({"a.glb"}).source.index, 0u);
  EXPECT_EQ(asked({"a.dx"}).source.index, 1u);
  EXPECT_EQ(asked({"a.dx"}).path, "a.dx");
  const DataExport second = asked({"a.dcd", "molecule", "1"});
  EXPECT_EQ(second.source.molecule, 1u);
  EXPECT_EQ(second.last, 1u) << "of a trajectory all frames";
  EXPECT_EQ(asked({"a.pdb", "molecule"}).source.molecule, 0u);
  EXPECT_EQ(asked({"a.glb", "field", "1"}).source.index, 1u);
  scene_.representations.resize(2);
  EXPECT_EQ(asked({"a.glb", "representation", "1"}).source.kind, DataSource::Kind::representation);
  EXPECT_EQ(asked({"a.glb", "representation", "1"}).source.index, 1u);
  const auto refused = [&](std::vector<std::string> words) {
    try {
      asked(words);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  const std::string expected = "export: expected molecule N, volume N, field N or representation N behind the file";
  EXPECT_EQ(refused({"a.pdb", "residue", "1"}), expected);
  EXPECT_EQ(refused({"a.pdb", "molecule", "1x"}), expected);
  EXPECT_EQ(refused({"a.pdb", "molecule", "-1"}), expected);
  EXPECT_EQ(refused({"a.pdb", "molecule", "2"}), "export: the scene has no molecule 2 that can be written");
  EXPECT_EQ(refused({"a.dx", "volume", "0"}), "export: the scene has no volume 0 that can be written");
  EXPECT_EQ(refused({"a.png"}), "export: nothing of the scene can be written as \"png\"");
}

/// Triangles of a binary STL.
std::uint32_t triangles_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::uint32_t count = 0;
  in.seekg(80);
  in.read(reinterpret_cast<char*>(&count), 4);
  return count;
}

TEST_F(DataExportTest, RepresentationsAreTrianglesOrAtoms) {
  Representation balls, lines;
  balls.style = Style::spheres;
  balls.selection = "element H";
  lines.style = Style::lines;
  scene_.representations = {balls, lines};
  const auto sources = data_sources(scene_, documents_);
  ASSERT_EQ(sources.back().kind, DataSource::Kind::representation);
  EXPECT_FALSE(sources.back().takes("glb")) << "lines have no surface";
  EXPECT_TRUE(sources.back().takes("pqr"));
  // Two hydrogens of 1 280 triangles each, whatever is visible.
  scene_.representations[0].visible = false;
  for (const char* name : {"out.stl", "out.glb", "out.ply", "out.obj", "out.x3d"}) {
    const std::string path = write(DataSource::Kind::representation, name);
    EXPECT_EQ(said_, "2560 triangles") << name;
    EXPECT_GT(std::filesystem::file_size(path), 10'000u);
  }
  EXPECT_EQ(triangles_in(file("out.stl")), 2560u);
  const Molecule back = read_file(write(DataSource::Kind::representation, "out.pdb"));
  EXPECT_EQ(back.atom_count(), 2u) << "its own atoms";
  // What would be nothing is said.
  scene_.representations[0].selection = "element N";
  EXPECT_THROW(write(DataSource::Kind::representation, "none.glb"), Error);
  EXPECT_FALSE(std::filesystem::exists(file("none.glb")));
}

TEST_F(DataExportTest, ARecordMakesItAgain) {
  Representation balls;
  balls.style = Style::spheres;
  scene_.representations = {balls};
  const std::string path = write(DataSource::Kind::representation, "out.ply");
  DataExport what;
  what.source = data_sources(scene_, documents_).back();
  what.path = path;
  write_export_record(scene_, what, Device::cpu(), said_);
  const MadeRecord record = read_record(record_of(path));
  ASSERT_NE(record.exported, nullptr);
  ASSERT_EQ(record.inputs.size(), 1u);
  EXPECT_EQ(record.inputs[0].path, file("water.pqr"));
  EXPECT_EQ(record.inputs[0].sha256.size(), 64u);
  EXPECT_TRUE(foreign_inputs(record, record_of(path)).empty());
  EXPECT_EQ(record.exported->scene, scene_);
  EXPECT_EQ(export_again(*record.exported, file("again.ply"), Device::cpu(), job_), said_);
  EXPECT_EQ(made_file(file("again.ply")), record.outputs.at(0));
  // Frames of a running simulation are nowhere: no record.
  std::filesystem::remove(record_of(path));
  scene_.molecules[0].paths.push_back(file("water.pqr") + "#stream=localhost:8888");
  write_export_record(scene_, what, Device::cpu(), said_);
  EXPECT_FALSE(std::filesystem::exists(record_of(path)));
}

TEST_F(DataExportTest, AnEndedJobWritesNothing) {
  job_.cancel();
  EXPECT_THROW(write(DataSource::Kind::molecule, "out.pdb"), Error);
  EXPECT_FALSE(std::filesystem::exists(file("out.pdb")));
  scene_.representations.resize(1);
  scene_.representations[0].style = Style::spheres;
  EXPECT_THROW(write(DataSource::Kind::representation, "out.glb"), Error);
  EXPECT_FALSE(std::filesystem::exists(file("out.glb")));
}

}  // namespace
}  // namespace isolume
