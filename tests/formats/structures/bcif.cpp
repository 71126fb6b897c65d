// BinaryCIF files: the encodings, files of other programs, what is written, and files that lie.
#include <nlohmann/json.hpp>

#include "formats/write/frame_writer.h"
#include "formats/write/write.h"
#include "tests/formats/structures/structures.h"
#include "tests/formats/write/fixture.h"

namespace isolume {
namespace {

using Json = nlohmann::ordered_json;
using test::expect_error;
using test::read_text;
using test::shared_data;

Json bytes(std::vector<std::uint8_t> values) {
  return Json::binary(std::move(values));
}
const Json int8_array = {{"kind", "ByteArray"}, {"type", 1}};
const Json uint8_array = {{"kind", "ByteArray"}, {"type", 4}};

/// An array of texts: where each begins and ends in `text`, and which of them the rows have.
Json texts(const std::string& text, std::vector<std::uint8_t> offsets, std::vector<std::uint8_t> rows) {
  return {{"data", bytes(std::move(rows))},
          {"encoding",
           {{{"kind", "StringArray"},
             {"dataEncoding", {uint8_array}},
             {"stringData", text},
             {"offsetEncoding", {uint8_array}},
             {"offsets", bytes(std::move(offsets))}}}}};
}
Json numbers(std::vector<std::uint8_t> data, Json encodings) {
  return {{"data", bytes(std::move(data))}, {"encoding", std::move(encodings)}};
}
Json column(const std::string& name, Json data, Json mask = nullptr) {
  return {{"name", name}, {"data", std::move(data)}, {"mask", std::move(mask)}};
}

/// Two atoms, CA and CB of ALA 1 of chain A, at x of 1.5 and 2.5 (in steps of a tenth), y 0.1 and 0.1, z 3 and 1.
Json columns() {
  const Json fixed = {{"kind", "FixedPoint"}, {"factor", 10}, {"srcType", 33}};
  Json all = Json::array();
  all.push_back(column("type_symbol", texts("C", {0, 1}, {0, 0})));
  all.push_back(column("label_atom_id", texts("CACB", {0, 2, 4}, {0, 1})));
  all.push_back(column("label_comp_id", texts("ALA", {0, 3}, {0, 0})));
  all.push_back(column("label_asym_id", texts("A", {0, 1}, {0, 0})));
  all.push_back(column("label_seq_id", numbers({1, 1}, {int8_array})));
  all.push_back(
      column("Cartn_x", numbers({15, 10}, {fixed, {{"kind", "Delta"}, {"origin", 0}, {"srcType", 3}}, int8_array})));
  all.push_back(
      column("Cartn_y", numbers({1, 2}, {fixed, {{"kind", "RunLength"}, {"srcType", 3}, {"srcSize", 2}}, int8_array})));
  // 3 and 1 as steps of an interval from -1 to 3 in five of them.
  const Json interval = {
      {"kind", "IntervalQuantization"}, {"min", -1.0}, {"max", 3.0}, {"numSteps", 5}, {"srcType", 32}};
  all.push_back(column("Cartn_z", numbers({4, 2}, {interval, uint8_array})));
  return all;
}
std::string file_of(Json columns, std::int64_t rows = 2) {
  const Json category = {{"name", "_atom_site"}, {"rowCount", rows}, {"columns", std::move(columns)}};
  Json categories = Json::array(), blocks = Json::array();
  categories.push_back(category);
  blocks.push_back({{"header", "TEST"}, {"categories", categories}});
  const std::vector<std::uint8_t> out =
      Json::to_msgpack({{"version", "0.3.0"}, {"encoder", "test"}, {"dataBlocks", blocks}});
  return {out.begin(), out.end()};
}
/// The file with another column of that name.
std::string with(const Json& changed, std::int64_t rows = 2) {
  Json all = columns();
  for (Json& entry : all)
    if (entry["name"] == changed["name"]) entry = changed;
  return file_of(all, rows);
}

TEST(Bcif, EncodingsAreUndoneAsTheDocumentDefinesThem) {
  const Molecule molecule = read_text(file_of(columns()), "a.bcif");
  EXPECT_EQ(molecule.format, "BinaryCIF");
  ASSERT_EQ(molecule.atom_count(), 2u);
  EXPECT_EQ(molecule.topology->atoms[1].name, "CB");
  EXPECT_EQ(molecule.topology->residues[0].number, 1);
  const Frame frame = molecule.trajectory->frame(0);
  EXPECT_EQ(frame.positions[0], glm::vec3(1.5f, 0.1f, 3));
  EXPECT_EQ(frame.positions[1], glm::vec3(2.5f, 0.1f, 1));
}

TEST(Bcif, PackedIntegersGoOnAfterTheEndOfTheirRange) {
  // 300 is 127 + 127 + 46, -128 is -128 + 0; unsigned, 300 is 255 + 45.
  const Json packing = {{"kind", "IntegerPacking"}, {"byteCount", 1}, {"isUnsigned", false}, {"srcSize", 2}};
  const Molecule molecule =
      read_text(with(column("Cartn_x", numbers({127, 127, 46, 128, 0}, {packing, int8_array}))), "a.bcif");
  EXPECT_EQ(molecule.trajectory->frame(0).positions[0].x, 300);
  EXPECT_EQ(molecule.trajectory->frame(0).positions[1].x, -128);
  Json positive = packing;
  positive["isUnsigned"] = true;
  const Molecule other =
      read_text(with(column("Cartn_x", numbers({255, 45, 255, 0}, {positive, uint8_array}))), "a.bcif");
  EXPECT_EQ(other.trajectory->frame(0).positions[0].x, 300);
  EXPECT_EQ(other.trajectory->frame(0).positions[1].x, 255);
}

TEST(Bcif, MaskedValuesAreEmpty) {
  Json all = columns();
  all.push_back(column("label_alt_id", texts("B", {0, 1}, {0, 0}), numbers({1, 0}, {uint8_array})));
  const Molecule molecule = read_text(file_of(all), "a.bcif");
  EXPECT_EQ(molecule.topology->atoms[0].altloc, ' ');
  EXPECT_EQ(molecule.topology->atoms[1].altloc, 'B');
}

TEST(Bcif, FilesThatLieAreRefused) {
  const std::string good = file_of(columns());
  const auto x = [](std::vector<std::uint8_t> data, Json encodings) {
    return with(column("Cartn_x", numbers(std::move(data), std::move(encodings))));
  };
  const Json runs = {{"kind", "RunLength"}, {"srcType", 3}, {"srcSize", 2'000'000'000}};
  const Json packing = {{"kind", "IntegerPacking"}, {"byteCount", 1}, {"isUnsigned", false}, {"srcSize", 2}};
  const struct {
    std::string text;
    const char* words;
  } files[] = {
      {file_of(columns(), 2'000'000'000), "more than a file of this size may hold"},
      {file_of(columns(), 3), "and its category has 3 rows"},
      {x({1, 127, 1, 127}, {runs, int8_array}), "run lengths of more values than its category has rows"},
      {x({1, 2}, {runs, int8_array}), "do not sum up to srcSize"},
      {x({1, 255}, {runs, int8_array}), "run lengths of more values"},
      {x({1, 127}, {packing, int8_array}), "not as many as srcSize"},
      {x({1, 2, 3}, {{{"kind", "ByteArray"}, {"type", 3}}}), "no whole number of values"},
      {x({1, 2, 3, 4}, {{{"kind", "ByteArray"}, {"type", 7}}}), "a type of numbers that BinaryCIF does not have: 7"},
      {x({1, 2}, {{{"kind", "Zip"}}, int8_array}), "an encoding that BinaryCIF does not have: \"Zip\""},
      {x({1, 2}, {{{"kind", "FixedPoint"}, {"factor", 0}, {"srcType", 33}}, int8_array}), "a factor of 0"},
      {x({1, 2}, Json::array()), "there is no encoding"},
      {x({1, 2}, {packing}), "last encoding is not ByteArray"},
      {with(column("label_atom_id", texts("CACB", {0, 2, 4}, {0, 2}))), "a text that is not there"},
      {with(column("label_atom_id", texts("CACB", {0, 2, 9}, {0, 1}))), "not one behind the other"},
      {with(column("label_atom_id", texts("CACB", {0, 3, 2}, {0, 1}))), "not one behind the other"},
      {good.substr(0, good.size() - 3), "the file ends inside a value"},
      {good.substr(0, good.find("dataBlocks") + 10) + std::string("\xdd\xff\xff\xff\xff", 5),
       "more values than there are bytes left"},
      {"\x82\xa7"
       "encoder\xa1x\xaa"
       "dataBlocks" +
           std::string(5000, '\x91'),
       "nested too deeply"},
      {"\x82\xa7"
       "encoder\xa1x\xaa"
       "dataBlocks\x01",
       "no dataBlocks"},
  };
  for (const auto& file : files) {
    SCOPED_TRACE(file.words);
    expect_error(file.text, "a.bcif", 0, file.words);
  }
}

/// What of a molecule a file of CIF keeps.
void expect_same(const Molecule& a, const Molecule& b) {
  ASSERT_EQ(a.atom_count(), b.atom_count());
  ASSERT_EQ(a.frame_count(), b.frame_count());
  const Topology &s = *a.topology, &t = *b.topology;
  for (std::size_t i = 0; i < s.atoms.size(); ++i) {
    ASSERT_EQ(s.atoms[i].name, t.atoms[i].name) << i;
    ASSERT_EQ(s.atoms[i].serial, t.atoms[i].serial) << i;
    ASSERT_EQ(s.atoms[i].element, t.atoms[i].element) << i;
    ASSERT_EQ(s.atoms[i].altloc, t.atoms[i].altloc) << i;
    ASSERT_EQ(s.atoms[i].hetero, t.atoms[i].hetero) << i;
    ASSERT_EQ(s.atoms[i].formal_charge, t.atoms[i].formal_charge) << i;
    ASSERT_EQ(s.atoms[i].occupancy, t.atoms[i].occupancy) << i;
    ASSERT_NEAR(static_cast<double>(s.atoms[i].b_factor), static_cast<double>(t.atoms[i].b_factor), 1e-5) << i;
  }
  ASSERT_EQ(s.residues.size(), t.residues.size());
  for (std::size_t i = 0; i < s.residues.size(); ++i) {
    ASSERT_EQ(s.residues[i].name, t.residues[i].name) << i;
    ASSERT_EQ(s.residues[i].number, t.residues[i].number) << i;
    ASSERT_EQ(s.residues[i].insertion, t.residues[i].insertion) << i;
  }
  ASSERT_EQ(s.chains.size(), t.chains.size());
  for (std::size_t i = 0; i < s.chains.size(); ++i) {
    ASSERT_EQ(s.chains[i].id, t.chains[i].id);
    ASSERT_EQ(s.chains[i].segment, t.chains[i].segment);
  }
  EXPECT_EQ(s.bonds, t.bonds);
  EXPECT_EQ(a.title, b.title);
  for (std::size_t i = 0; i < a.frame_count(); ++i) {
    const Frame f = a.trajectory->frame(i), g = b.trajectory->frame(i);
    EXPECT_EQ(f.positions, g.positions) << "frame " << i;
    EXPECT_TRUE(f.cell == g.cell);
  }
}

// sample.bcif was made of sample.cif by biotite 1.6.0 (biotite.structure.io.pdbx), with every encoding of the document.
TEST(Bcif, AFileOfAnotherProgramIsWhatItWasMadeOf) {
  expect_same(read_file(test::data("formats/sample.bcif")), read_file(test::data("formats/sample.cif")));
}

TEST(Bcif, FilesOfTheArchiveAreAsTheirMmcif) {
  for (const char* const name : {"1aki", "1f2n"}) {
    const std::string binary = shared_data(std::string("structures/") + name + ".bcif");
    const std::string text = shared_data(std::string("structures/") + name + ".cif");
    ISOLUME_NEEDS(binary);
    ISOLUME_NEEDS(text);
    SCOPED_TRACE(name);
    expect_same(read_file(binary), read_file(text));
  }
  test::expect_counts("BinaryCIF", {{"structures/115d.bcif.gz", 407, 1}});
}

class WriteBcif : public test::WrittenFiles {
 protected:
  void expect_kept(const std::string& file) {
    const Molecule molecule = read_file(file);
    for (const char* const name : {"a.cif", "a.bcif", "a.bcif.gz"}) {
      const auto writer = create_writer(path(name), molecule);
      for (std::size_t i = 0; i < molecule.frame_count(); ++i) writer->add(molecule.trajectory->frame(i));
      writer->finish();
    }
    const Molecule text = read_file(path("a.cif"));
    for (const char* const name : {"a.bcif", "a.bcif.gz"}) {
      SCOPED_TRACE(name);
      const Molecule binary = read_file(path(name));
      EXPECT_EQ(binary.format, "BinaryCIF");
      expect_same(binary, text);
    }
    EXPECT_LT(std::filesystem::file_size(path("a.bcif.gz")), std::filesystem::file_size(path("a.bcif")));
  }
};

TEST_F(WriteBcif, WhatIsWrittenIsWhatMmcifHas) {
  expect_kept(test::data("formats/sample.cif"));
  expect_kept(test::data("formats/sample.pdb"));
}

TEST_F(WriteBcif, APdbEntryComesBackToTheDecimalsOfTheFile) {
  const std::string file = shared_data("structures/1aki.cif");
  ISOLUME_NEEDS(file);
  expect_kept(file);
  EXPECT_EQ(read_file(path("a.bcif")).trajectory->frame(0).positions, read_file(file).trajectory->frame(0).positions);
  EXPECT_LT(3 * std::filesystem::file_size(path("a.bcif")), 2 * std::filesystem::file_size(path("a.cif")));
}

TEST_F(WriteBcif, LossesAreSaid) {
  const Molecule molecule = read_file(test::data("formats/sample.pqr"));
  EXPECT_EQ(not_kept("a.bcif", molecule, molecule.trajectory->frame(0)),
            "BinaryCIF has no place for charges and radii.");
}

}  // namespace
}  // namespace isolume
