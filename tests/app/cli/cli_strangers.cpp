// The program as a process: pictures and sessions from strangers.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>

#include "app/export/picture_file.h"
#include "app/scene/scene_json.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const std::string two_ions = test::pqr({{0, 0, 0, 1}, {4, 0, 0, -1}});

/// The bytes of a PNG chunk. CRC as in annex D of the PNG specification.
std::string chunk(const std::string& type, const std::string& data) {
  const auto number = [](std::uint32_t n) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(n >> shift & 255);
    return text;
  };
  std::uint32_t crc = 0xffffffffu;
  for (const char c : type + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return number(static_cast<std::uint32_t>(data.size())) + type + data + number(~crc);
}

TEST(CliStrangers, ReplayTakesNoMemoryThatAFileOnlyClaims) {
  const Folder folder;
  // 2^20 x 2047 pixels of 32 bits.
  const std::string header("\x00\x10\x00\x00\x00\x00\x07\xff\x08\x06\x00\x00\x00", 13);
  test::write_text(folder / "p.png",
                   "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", "") + chunk("IEND", ""));
  const auto outcome = run({"replay", folder / "p.png", "--out", folder / "o.png"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "claims 1048576 x 2047 pixels, more than its");
}

PictureOrigin origin_of(const std::string& molecule, int width, int height) {
  PictureOrigin origin;
  origin.scene.molecules.emplace_back();
  origin.scene.molecules.back().paths = {molecule};
  origin.options.width = width;
  origin.options.height = height;
  origin.files.push_back({molecule, 1, std::string(64, '0')});
  return origin;
}

TEST(CliStrangers, ReplayDrawsThePictureThatItRead) {
  const Folder folder;
  const Image image{2, 2, std::vector<std::uint8_t>(16, 255)};
  write_picture(folder / "p.png", image, origin_of(folder / "a.pdb", 30000, 30000));
  const auto outcome = run({"replay", folder / "p.png", "--out", folder / "o.png"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "names a picture of 30000 x 30000 pixels, and it has 2 x 2");
}

TEST(CliStrangers, ReplayOpensRegularFilesAlone) {
  const Folder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.png").c_str(), 0600), 0);
  const auto pipe = run({"replay", folder / "pipe.png", "--out", folder / "o.png"});
  EXPECT_EQ(pipe.code, 3);
  EXPECT_CONTAINS(pipe.err, "is not a regular file");
  const Image image{2, 2, std::vector<std::uint8_t>(16, 255)};
  for (const std::string& named : {folder / "pipe.png", std::string("/dev/zero")}) {
    write_picture(folder / "p.png", image, origin_of(named, 2, 2));
    const auto outcome = run({"replay", folder / "p.png", "--out", folder / "o.png", "--trust-paths"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_CONTAINS(outcome.err, "is not a regular file");
  }
}

TEST(CliStrangers, FilesOfEveryVerbAreRegularOnes) {
  const Folder folder;
  test::write_text(folder / "there.pqr", two_ions);
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"compute", "potential", "--apbs", pipe},
                                             {"compute", "potential", "--apbs", "/dev/zero"},
                                             {"compute", "potential", folder / "there.pqr", "--at", pipe},
                                             {"merge", pipe, "--out", folder / "o.dx"}}) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 3) << words[2];
    EXPECT_CONTAINS(outcome.err, "is not a regular file");
  }
}

TEST(CliStrangers, SessionsOpenFilesElsewhereOnlyWhereTheyAreTrusted) {
  const Folder folder;
  std::filesystem::create_directories(folder / "here/below");
  test::write_text(folder / "there.pqr", two_ions);
  test::write_text(folder / "here/below/own.pqr", two_ions);
  std::filesystem::create_symlink("../there.pqr", folder / "here/link.pqr");
  const std::string session = folder / "here/s.isolume", out = folder / "p.png";
  const auto code_for = [&](const std::string& file, const std::vector<std::string>& more) {
    Scene scene;
    scene.molecules.emplace_back();
    scene.molecules.back().paths = {file};
    write_scene(session, scene);
    std::vector<std::string> words{"render", session, "--out", out, "--size", "16x16"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  for (const char* file : {"there.pqr", "here/link.pqr"}) {
    const auto refused = code_for(folder / file, {});
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_CONTAINS(refused.err, "names files outside its folder: ");
    EXPECT_CONTAINS(refused.err, "--trust-paths opens them");
    EXPECT_EQ(code_for(folder / file, {"--trust-paths"}).code, 0);
  }
  EXPECT_EQ(code_for(folder / "here/below/own.pqr", {}).code, 0);
  // What gives a molecule its charges is a file like any other.
  Scene scene;
  scene.molecules.emplace_back();
  scene.molecules.back().paths = {folder / "here/below/own.pqr"};
  scene.molecules.back().templates = {folder / "there.pqr"};
  write_scene(session, scene);
  EXPECT_EQ(run({"render", session, "--out", out}).code, 2);
}

}  // namespace
}  // namespace isolume
