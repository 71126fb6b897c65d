// Writing: whole or not at all, and what is written is read back.
#include "formats/write/write.h"
#include "formats/write/write_glb.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using test::shared_data;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

class Write : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "isolume-write-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    chmod(folder_.c_str(), 0700);
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  std::string folder_;
};

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

TEST_F(Write, replaces_the_old_file_by_the_whole_new_one) {
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  chmod(path("a.txt").c_str(), 0640);
  write_atomically(path("a.txt"), [&](std::ostream& out) {
    out << "new";
    EXPECT_EQ(bytes_of(path("a.txt")), "old");
  });
  EXPECT_EQ(bytes_of(path("a.txt")), "new");
  EXPECT_EQ(files(), 1u);
  struct stat info {};
  stat(path("a.txt").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);  // its rights stay
}

TEST_F(Write, keeps_the_old_file_when_writing_fails) {
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  EXPECT_THROW(write_atomically(path("a.txt"),
                                [](std::ostream& out) {
                                  out << std::string(1'000'000, 'x');
                                  throw std::runtime_error("no");
                                }),
               std::runtime_error);
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Write, keeps_the_old_file_when_the_directory_is_closed_to_it) {
  EXPECT_THROW(write_atomically(path("nowhere/a.txt"), [](std::ostream& out) { out << "x"; }), Error);
  EXPECT_THROW(write_atomically(folder_, [](std::ostream& out) { out << "x"; }), Error);
  EXPECT_THROW(write_atomically("/dev/null", [](std::ostream& out) { out << "x"; }), Error);
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  chmod(folder_.c_str(), 0555);
  EXPECT_EXIT(
      {
        if (geteuid() == 0 && seteuid(65534) != 0) _exit(1);  // root may write anywhere
        try {
          write_atomically(path("a.txt"), [](std::ostream& out) { out << "x"; });
        } catch (const Error& error) {
          std::fputs(error.what(), stderr);
          _exit(7);
        }
        _exit(0);
      },
      testing::ExitedWithCode(7), "a.txt: cannot be written: Permission denied");
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
}

TEST_F(Write, says_that_the_disk_is_full) {
  // A limit on the size of files stands for a full disk: write() fails half-way.
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  EXPECT_EXIT(
      {
        struct rlimit limit {};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 300'000;
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_IGN);
        try {
          write_atomically(path("a.txt"), [](std::ostream& out) { out << std::string(1'000'000, 'x'); });
        } catch (const Error& error) {
          std::fputs(error.what(), stderr);
          _exit(7);
        }
        _exit(0);
      },
      testing::ExitedWithCode(7), "cannot be written: File too large");
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Write, follows_links_to_the_file) {
  write_atomically(path("a.txt"), [](std::ostream& out) { out << "old"; });
  fs::create_symlink(path("a.txt"), path("link.txt"));
  write_atomically(path("link.txt"), [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(bytes_of(path("a.txt")), "new");
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

/// A square of two triangles with normals and colours.
Mesh sample_mesh() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0.5f}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.colours = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 128}, {188, 188, 188, 255}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

TEST_F(Write, ply_has_its_vertices_and_faces) {
  write_mesh(path("a.ply"), sample_mesh(), "by a test");
  const std::string bytes = bytes_of(path("a.ply"));
  const std::size_t start = bytes.find("end_header\n") + 11;
  EXPECT_NE(bytes.find("element vertex 4\n"), std::string::npos);
  EXPECT_NE(bytes.find("comment by a test\n"), std::string::npos);
  ASSERT_EQ(bytes.size(), start + 4 * (24 + 4) + 2 * 13);
  EXPECT_EQ(at<float>(bytes, start + 3 * 28 + 8), 0.5f);
  EXPECT_EQ(at<std::uint8_t>(bytes, start + 2 * 28 + 27), 128);
  EXPECT_EQ(at<std::uint8_t>(bytes, start + 4 * 28), 3);
  EXPECT_EQ(at<std::int32_t>(bytes, start + 4 * 28 + 13 + 9), 3);
}

TEST_F(Write, ply_names_its_scalars) {
  Mesh mesh = sample_mesh();
  mesh.scalars = {{"mean curvature", "1/angstrom", {0, 1, 2, 3}}, {"potential", "V", {4, 5, 6, -7}}};
  write_mesh(path("a.ply"), mesh, "by a test", R"({"command": "isolume"})");
  const std::string bytes = bytes_of(path("a.ply"));
  const std::size_t start = bytes.find("end_header\n") + 11;
  EXPECT_NE(bytes.find("property float mean_curvature\nproperty float potential\nelement face"), std::string::npos);
  EXPECT_NE(bytes.find("comment potential is in V\n"), std::string::npos);
  EXPECT_NE(bytes.find("comment made {\"command\": \"isolume\"}\n"), std::string::npos);
  ASSERT_EQ(bytes.size(), start + 4 * 36 + 2 * 13);
  EXPECT_EQ(at<float>(bytes, start + 3 * 36 + 32), -7.0f);
  mesh.scalars[1].values.pop_back();
  EXPECT_THROW(write_mesh(path("b.ply"), mesh), Error);
}

TEST_F(Write, obj_has_its_colours_in_materials) {
  Mesh mesh = sample_mesh();
  mesh.colours = {{255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}, {0, 0, 255, 255}};
  write_mesh(path("a.obj"), mesh);
  const std::string obj = bytes_of(path("a.obj")), mtl = bytes_of(path("a.mtl"));
  EXPECT_NE(obj.find("mtllib a.mtl\n"), std::string::npos);
  // The first triangle is red; the second two thirds red and a third blue: levels 10 and 5 of 15.
  EXPECT_NE(obj.find("usemtl colour_f00\nf 1//1 2//2 3//3\n"), std::string::npos);
  EXPECT_NE(obj.find("usemtl colour_a05\nf 1//1 3//3 4//4\n"), std::string::npos);
  EXPECT_NE(mtl.find("newmtl colour_f00\nKd 1.0000 0.0000 0.0000\n"), std::string::npos);
  EXPECT_NE(mtl.find("newmtl colour_a05\nKd 0.6667 0.0000 0.3333\n"), std::string::npos);
}

TEST_F(Write, stl_and_obj_have_their_faces) {
  write_mesh(path("a.stl"), sample_mesh());
  const std::string stl = bytes_of(path("a.stl"));
  ASSERT_EQ(stl.size(), 84u + 2 * 50);
  EXPECT_EQ(at<std::uint32_t>(stl, 80), 2u);
  EXPECT_EQ(at<float>(stl, 84 + 8), 1.0f);  // normal of the first triangle
  EXPECT_NE(stl.substr(0, 5), "solid");
  write_mesh(path("a.obj"), sample_mesh());
  const std::string obj = bytes_of(path("a.obj"));
  EXPECT_NE(obj.find("v 0 3 0.5 0.7373 0.7373 0.7373\n"), std::string::npos);
  EXPECT_NE(obj.find("f 1//1 3//3 4//4\n"), std::string::npos);
}

TEST_F(Write, glb_follows_the_specification) {
  write_mesh(path("a.glb"), sample_mesh(), "a \"quoted\" comment");
  const std::string bytes = bytes_of(path("a.glb"));
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(at<std::uint32_t>(bytes, 8), bytes.size());
  const std::size_t length = at<std::uint32_t>(bytes, 12);
  EXPECT_EQ(length % 4, 0u);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  EXPECT_EQ(json["asset"]["version"], "2.0");
  EXPECT_EQ(json["materials"][0]["alphaMode"], "BLEND");
  const auto& primitive = json["meshes"][0]["primitives"][0];
  const std::size_t start = 20 + length + 8;
  ASSERT_EQ(json["buffers"][0]["byteLength"], bytes.size() - start);
  const auto& position = json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
  EXPECT_EQ(position["max"], (std::vector<float>{2, 3, 0.5f}));
  EXPECT_EQ(position["count"], 4);
  const auto& colour = json["bufferViews"][primitive["attributes"]["COLOR_0"].get<std::size_t>()];
  const std::size_t offset = start + colour["byteOffset"].get<std::size_t>();
  EXPECT_EQ(at<std::uint16_t>(bytes, offset), 65535);
  // sRGB 188 is 0.5028865 of full light.
  EXPECT_NEAR(at<std::uint16_t>(bytes, offset + 3 * 8) / 65535.0, 0.5028865, 2e-5);
  const auto& indices = json["accessors"][primitive["indices"].get<std::size_t>()];
  EXPECT_EQ(indices["count"], 6);
  const auto& view = json["bufferViews"][indices["bufferView"].get<std::size_t>()];
  EXPECT_EQ(at<std::uint32_t>(bytes, start + view["byteOffset"].get<std::size_t>() + 20), 3u);
}

TEST_F(Write, glb_has_scalars_as_attributes_and_its_axes) {
  Mesh mesh = sample_mesh();
  mesh.scalars = {{"potential", "V", {0.25f, 1, 2, 3}}};
  write_mesh(path("a.glb"), mesh, "by a test", R"({"command":"isolume"})");
  const std::string bytes = bytes_of(path("a.glb"));
  const std::size_t length = at<std::uint32_t>(bytes, 12);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  EXPECT_EQ(json["asset"]["extras"]["made"]["command"], "isolume");
  EXPECT_EQ(json["meshes"][0]["extras"]["_POTENTIAL"]["unit"], "V");
  const std::size_t which = json["meshes"][0]["primitives"][0]["attributes"]["_POTENTIAL"];
  EXPECT_EQ(json["accessors"][which]["type"], "SCALAR");
  const std::size_t offset = 20 + length + 8 + json["bufferViews"][which]["byteOffset"].get<std::size_t>();
  EXPECT_EQ(at<float>(bytes, offset), 0.25f);
  // Up in the file, z, is up in glTF, y, and an angstrom is a tenth of a metre: q v q* with q = (x, y, z, w).
  const auto q = json["nodes"][0]["rotation"].get<std::vector<double>>();
  const glm::dquat turn(q[3], q[0], q[1], q[2]);
  const glm::dvec3 up = turn * glm::dvec3(0, 0, 1);
  EXPECT_NEAR(glm::length(up - glm::dvec3(0, 1, 0)), 0, 1e-6);
  EXPECT_EQ(json["nodes"][0]["scale"], (std::vector<double>{0.1, 0.1, 0.1}));
}

TEST_F(Write, glb_shows_frames_in_turn) {
  GlbBuilder builder;
  for (const double time : {0.0, 0.5, 1.5}) {
    Mesh mesh = sample_mesh();
    mesh.positions[0].z = static_cast<float>(time);
    builder.add(mesh, time);
  }
  std::ostringstream out;
  builder.write(out, "by a test", {});
  const std::string bytes = out.str();
  const std::size_t length = at<std::uint32_t>(bytes, 12);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  ASSERT_EQ(json["meshes"].size(), 3u);
  ASSERT_EQ(json["nodes"].size(), 4u);
  EXPECT_EQ(json["nodes"][0]["children"], (std::vector<int>{1, 2, 3}));
  const auto& animation = json["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 3u);
  const auto numbers = [&](std::size_t accessor, std::size_t count) {
    const std::size_t offset = 20 + length + 8 + json["bufferViews"][accessor]["byteOffset"].get<std::size_t>();
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(at<float>(bytes, offset + 4 * i));
    return values;
  };
  // The second: hidden from 0, shown from 0.5, hidden from 1.5.
  const auto& sampler = animation["samplers"][1];
  EXPECT_EQ(sampler["interpolation"], "STEP");
  EXPECT_EQ(animation["channels"][1]["target"]["node"], 2);
  EXPECT_EQ(numbers(sampler["input"], 3), (std::vector<float>{0, 0.5f, 1.5f}));
  EXPECT_EQ(numbers(sampler["output"], 9), (std::vector<float>{0, 0, 0, 1, 1, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace isolume
