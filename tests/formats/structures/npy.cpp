// Particles as arrays of NumPy: every type and order that NumPy writes, and headers that promise what is not there.
#include <cmath>
#include <cstring>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;
using test::read_text;

/// A file of version 1 with this dictionary and these numbers.
std::string file(std::string header, const std::vector<float>& numbers, char version = 1) {
  header += '\n';
  std::string bytes("\x93NUMPY", 6);
  bytes += version;
  bytes += '\0';
  const std::size_t length = header.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(length >> (8 * i) & 255);
  bytes += header;
  const std::size_t at = bytes.size();
  bytes.resize(at + numbers.size() * sizeof(float));
  if (!numbers.empty()) std::memcpy(bytes.data() + at, numbers.data(), numbers.size() * sizeof(float));
  return bytes;
}

std::string of_shape(const std::string& shape, const std::vector<float>& numbers) {
  return file("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", numbers);
}

// What tests/data/formats/sample.npy and the files of tests/data/formats/npy hold, written by NumPy 2.4.6 in every
// form.
constexpr int places[6][4] = {{0, 0, 0, 0},  {10, 0, 0, 1},  {0, 10, 0, 1},
                              {0, 0, 10, 2}, {10, 10, 0, 7}, {10, 0, 10, 0}};

TEST(Npy, EveryFormThatNumPyWritesIsTheSame) {
  for (const char* name : {"sample.npy", "npy/fortran_f8.npy", "npy/big_endian_f4.npy", "npy/int16.npy",
                           "npy/uint8.npy", "npy/int64.npy", "npy/version2.npy", "npy/version3.npy"}) {
    SCOPED_TRACE(name);
    const Molecule molecule = read_file(test::data(std::string("formats/") + name));
    EXPECT_EQ(molecule.format, "NPY");
    ASSERT_EQ(molecule.atom_count(), 6u);
    ASSERT_EQ(molecule.frame_count(), 1u);
    const Topology& topology = *molecule.topology;
    topology.validate();
    EXPECT_EQ(topology.residues.size(), 1u);
    EXPECT_TRUE(topology.bonds.empty());
    EXPECT_TRUE(topology.has_kinds);
    const Frame frame = molecule.trajectory->frame(0);
    const Frame leading = molecule.trajectory->leading_frame(0, 2);
    ASSERT_EQ(leading.positions.size(), 2u);
    EXPECT_EQ(leading.positions[1], frame.positions[1]);
    EXPECT_THROW(molecule.trajectory->frame(1), Error);
    const bool radii = topology.notes.empty();
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(frame.positions[i], glm::vec3(places[i][0], places[i][1], places[i][2]));
      EXPECT_EQ(topology.atoms[i].name, "K" + std::to_string(places[i][3]));
      EXPECT_EQ(topology.atoms[i].b_factor, static_cast<float>(places[i][3]));
      // Without radii half of (10 * 10 * 10 / 6)^(1/3) angstrom.
      EXPECT_NEAR(topology.atoms[i].radius, radii ? 3.5 : 0.5 * std::cbrt(1000.0 / 6), 1e-5);
    }
  }
}

TEST(Npy, WithoutKindsAllAreOfKindZeroAndOnAFullLatticeTheRadiusIsHalfTheSpacing) {
  std::vector<float> numbers;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      for (int k = 0; k < 40; ++k)
        for (const int n : {i, j, k}) numbers.push_back(8.0F * static_cast<float>(n));
  const Molecule molecule = read_text(of_shape("(64000, 3)", numbers), "cell.npy");
  ASSERT_EQ(molecule.atom_count(), 64000u);
  EXPECT_EQ(molecule.topology->atoms[5].name, "K0");
  EXPECT_NEAR(molecule.topology->atoms[5].radius, 4, 4 * 1.0 / 39);  // the box ends at the outermost particles
  ASSERT_EQ(molecule.topology->notes.size(), 1u);
}

TEST(Npy, WhatFollowsTheArrayIsLeftOutAndSaid) {
  const Molecule molecule = read_text(of_shape("(1, 3)", {1, 2, 3}) + "more", "cell.npy");
  ASSERT_EQ(molecule.warnings.size(), 1u);
  EXPECT_NE(molecule.warnings[0].find("4 more bytes"), std::string::npos);
}

TEST(Npy, HeadersAreTakenInAnyOrderOfKeysAndSpaces) {
  const std::string header = "{\"shape\":(2,3),'fortran_order' : False , 'descr':'=f4'}   ";
  const Molecule molecule = read_text(file(header, {0, 1, 2, 3, 4, 5}, 2), "cell.npy");
  EXPECT_EQ(molecule.trajectory->frame(0).positions[1], glm::vec3(3, 4, 5));
}

TEST(Npy, DamagedAndHostileHeadersAreRefusedByName) {
  using namespace std::string_literals;
  const std::string name = "cell.npy"s, magic = "\x93NUMPY"s;
  expect_error(magic, name, 0, "version");
  expect_error(magic + "\x04\x00"s, name, 0, "1 to 3 are read");
  expect_error(magic + "\x01\x00\xff\xff{'descr'"s, name, 0, "65535 bytes sought");
  expect_error(magic + "\x02\x00\xff\xff\xff\xff{"s, name, 0, "a header of 4294967295 bytes");
  expect_error(file("", {}), name, 0, "expected \"{\"");
  expect_error(file("{", {}), name, 0, "in quotes");
  expect_error(file("{'descr", {}), name, 0, "in quotes");
  expect_error(file("{'descr': '<f4', 'shape': (1, 3)}", {1, 2, 3}), name, 0, "are needed");
  expect_error(file("{'descr': '<f4', 'descr': '<f4'}", {}), name, 0, "each once");
  expect_error(file("{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 3)}", {1, 2, 3}), name, 0, "True or False");
  expect_error(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3)} import os", {1, 2, 3}), name, 0,
               "follows the dictionary");
  for (const char* type : {"<f2", "<f16", "<c8", "|O", "|b1", "|S3", "<M8", "f4", "<i3", "<f8f", ""})
    expect_error(file(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (1, 3)}", {1, 2, 3}),
                 name, 0, "numbers of the type");
  for (const char* shape : {"()", "(3,)", "(1, 2)", "(1, 6)", "(2, 1, 3)", "(3, 9223372036854775807)"})
    expect_error(of_shape(shape, {1, 2, 3}), name, 0, "its shape is");
  for (const char* shape : {"(-1, 3)", "(x, 3)", "(18446744073709551616, 3)"})
    expect_error(of_shape(shape, {1, 2, 3}), name, 0, "something else than counts");
  expect_error(of_shape("(1.5, 3)", {1, 2, 3}), name, 0, "expected \")\"");
  expect_error(of_shape("(1,1,1,1,1,1,1,1,1)", {}), name, 0, "more than 8 dimensions");
  expect_error(of_shape("(0, 3)", {}), name, 0, "0 particles");
  expect_error(of_shape("(9223372036854775807, 3)", {1, 2, 3}), name, 0, "at most 500000000");
  expect_error(of_shape("(300000000, 4)", {1, 2, 3}), name, 0, "4800000000 bytes, 12 are left");
  expect_error(of_shape("(2, 3)", {1, 2, 3, 4, 5}), name, 0, "the file ends inside the array");
  for (const char* other : {"npy/named_fields.npy", "npy/objects.npy", "npy/line.npy"})
    EXPECT_THROW(read_file(test::data(std::string("formats/") + other)), Error) << other;
}

TEST(Npy, NumbersThatMakeNoSenseNameTheParticle) {
  const float nan = std::nanf(""), far = 1.1e6F;
  for (const float wrong : {nan, HUGE_VALF, -far})
    expect_error(of_shape("(2, 3)", {1, 2, 3, 4, wrong, 6}), "cell.npy", 0, "particle 2: a coordinate");
  for (const float wrong : {nan, -1.0F, 0.5F, 65536.0F})
    expect_error(of_shape("(2, 4)", {1, 2, 3, 4, 5, 6, 7, wrong}), "cell.npy", 0, "particle 2: its kind");
  for (const float wrong : {nan, 0.0F, -1.0F, 1e6F})
    expect_error(of_shape("(1, 5)", {1, 2, 3, 4, wrong}), "cell.npy", 0, "particle 1: its radius");
}

}  // namespace
}  // namespace isolume
