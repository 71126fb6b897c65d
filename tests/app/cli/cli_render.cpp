// isolume render and replay as a process: pictures, what they carry, and what is left when they fail.
#include <gtest/gtest.h>

#include <fstream>

#include "app/scene/scene_json.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

const std::vector<std::string> small = {"--size", "160x120", "--samples", "1", "--quiet"};

std::vector<std::string> words(std::vector<std::string> first, const std::vector<std::string>& second = small) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// How many pixels are not the white background.
std::size_t drawn(const Image& image) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    count += image.rgba[i] < 250 || image.rgba[i + 1] < 250 || image.rgba[i + 2] < 250;
  return count;
}

TEST(Render, DrawsAnOrbitalTheSameTwice) {
  const Folder folder;
  const std::string file = test::data("H2O-631Gd-cart.molden");
  const auto first = run(words({"render", file, "--out", folder / "a.png", "--report", folder / "r.json"}));
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out + first.err, "");
  const Image image = read_png(folder / "a.png");
  EXPECT_EQ(image.width, 160);
  EXPECT_EQ(image.height, 120);
  EXPECT_GT(drawn(image), 1000u);
  EXPECT_LT(drawn(image), 15000u);
  std::size_t blue = 0, orange = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    blue += image.rgba[i + 2] > image.rgba[i] + 50;
    orange += image.rgba[i] > image.rgba[i + 2] + 50;
  }
  EXPECT_GT(blue, 300u) << "the positive lobe";
  EXPECT_GT(orange, 300u) << "the negative lobe";
  const auto report = test::read_json(folder / "r.json");
  EXPECT_FALSE(report["result"]["handover"].get<std::string>().empty());
  EXPECT_FALSE(report["result"]["renderer"].get<std::string>().empty());
  EXPECT_CONTAINS(report["result"]["fields"][0]["summary"].get<std::string>(), "HOMO (5 of 19)");
  ASSERT_EQ(run(words({"render", file, "--out", folder / "b.png"})).code, 0);
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));
}

TEST(Render, APictureCarriesItsSceneAndIsReplayed) {
  const Folder folder;
  std::filesystem::copy_file(test::data("H2O-631Gd-cart.molden"), folder / "water.molden");
  ASSERT_EQ(run(words({"render", folder / "water.molden", "--orbital", "lumo", "--set", "camera.height=9", "--out",
                       folder / "a.png"}))
                .code,
            0);
  std::map<std::string, std::string> texts;
  const Image first = read_png(folder / "a.png", &texts);
  ASSERT_TRUE(texts.count("isolume-scene"));
  const Scene scene = scene_from_json(texts["isolume-scene"], folder.path());
  EXPECT_EQ(scene.fields.at(0).orbital, "lumo");
  EXPECT_EQ(scene.camera.height, 9);
  EXPECT_EQ(scene.molecules.at(0).paths.at(0), folder / "water.molden");
  EXPECT_EQ(texts["isolume-scene"].find(folder.path()), std::string::npos) << "paths beside the picture are relative";

  ASSERT_EQ(run({"replay", folder / "a.png", "--out", folder / "b.png", "--trust-paths"}).code, 0);
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));

  std::string changed = test::read_text(folder / "water.molden");
  test::write_text(folder / "water.molden", changed + "\n");
  const auto refused = run({"replay", folder / "a.png", "--out", folder / "c.png", "--trust-paths"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_CONTAINS(refused.err, "is not the file that the picture was made from");
  EXPECT_FALSE(std::filesystem::exists(folder / "c.png"));
  EXPECT_EQ(run({"replay", folder / "a.png", "--out", folder / "c.png", "--force", "--trust-paths"}).code, 0);
  EXPECT_EQ(read_png(folder / "c.png").rgba, first.rgba);

  test::write_text(folder / "bare.png", encode_png(first));
  const auto bare = run({"replay", folder / "bare.png", "--out", folder / "d.png"});
  EXPECT_EQ(bare.code, 3);
  EXPECT_CONTAINS(bare.err, "carries no scene");
}

TEST(Render, AProteinWithOptions) {
  const Folder folder;
  const std::string file = test::examples("crambin.pdb.gz");
  ASSERT_EQ(run(words({"render", file, "--out", folder / "cartoon.png"})).code, 0);
  ASSERT_EQ(run(words({"render", file, "--style", "spheres", "--colour", "red", "--out", folder / "red.png"})).code, 0);
  ASSERT_EQ(run(words({"render", file, "--surface", "--out", folder / "surface.png"})).code, 0);
  ASSERT_EQ(run(words({"render", file, "--transparent", "--out", folder / "clear.png"})).code, 0);
  ASSERT_EQ(run(words({"render", file, "--background", "black", "--out", folder / "black.png"})).code, 0);
  const Image cartoon = read_png(folder / "cartoon.png"), red = read_png(folder / "red.png");
  EXPECT_GT(drawn(cartoon), 1000u);
  EXPECT_GT(drawn(red), drawn(cartoon));
  EXPECT_GT(drawn(read_png(folder / "surface.png")), drawn(cartoon));
  std::size_t strong = 0;
  for (std::size_t i = 0; i < red.rgba.size(); i += 4) strong += red.rgba[i] > 100 && red.rgba[i + 1] < 80;
  EXPECT_GT(strong, 2000u);
  EXPECT_EQ(read_png(folder / "clear.png").rgba[3], 0);
  EXPECT_EQ(cartoon.rgba[3], 255);
  EXPECT_EQ(read_png(folder / "black.png").rgba[0], 0);
}

TEST(Render, WrongOptionsLeaveTheOldPicture) {
  const Folder folder;
  const std::string file = test::examples("crambin.pdb.gz");
  test::write_text(folder / "old.png", "precious");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--style", "balls"}, "lines, sticks"},
      {{"--colour", "funny"}, "element, chain"},
      {{"--select", "resnam ALA"}, "resnam"},
      {{"--set", "camera.hight=4"}, "height"},
      {{"--set", "camera.height"}, "path=value"},
      {{"--orbital", "homo"}, "orbitals"},
      {{"--frame", "7"}, "frames"},
      {{"--samples", "3"}, "--samples"},
      {{"--report", folder / "report.txt"}, "must be one of json"},
      {{"--device", "cuda:77"}, "cuda:77"}};
  for (const auto& [options, part] : cases) {
    const auto outcome = run(words(words({"render", file, "--out", folder / "old.png"}), options));
    EXPECT_EQ(outcome.code, 2) << options[1];
    EXPECT_CONTAINS(outcome.err, part);
    EXPECT_EQ(test::read_text(folder / "old.png"), "precious");
  }
}

TEST(Render, SaysWhenThereIsNothingToDraw) {
  const Folder folder;
  test::write_text(folder / "bare.psf",
                   "PSF\n\n       1 !NTITLE\n REMARKS one atom\n\n       1 !NATOM\n"
                   "       1 A    1    SOD  SOD  SOD    1.000000       22.9898           0\n\n       0 !NBOND\n\n");
  const auto outcome = run(words({"render", folder / "bare.psf", "--out", folder / "x.png"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "nothing to draw");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
}

TEST(Render, FramesMakeNumberedPictures) {
  const Folder folder;
  std::string frames;
  for (int i = 0; i < 4; ++i) frames += "2\n\nC 0 0 0\nC " + std::to_string(i) + ".4 0 0\n";
  test::write_text(folder / "c.xyz", frames);
  ASSERT_EQ(run(words({"render", folder / "c.xyz", "--frames", "0:4:2", "--out", folder / "p.png"})).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "p_0000.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "p_0002.png"));
  EXPECT_FALSE(std::filesystem::exists(folder / "p.png"));
  EXPECT_NE(read_png(folder / "p_0000.png").rgba, read_png(folder / "p_0002.png").rgba);
  ASSERT_EQ(run(words({"render", folder / "c.xyz", "--frame", "3", "--out", folder / "q_%02d.png"})).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "q_03.png"));
  ASSERT_EQ(run(words({"render", folder / "c.xyz", "--frame", "3", "--out", folder / "100% done.png"})).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "100% done.png"));
}

TEST(Render, AFilmGoesThroughFfmpeg) {
  ISOLUME_NEEDS("/usr/bin/ffmpeg");
  const Folder folder;
  std::string frames;
  for (int i = 0; i < 3; ++i) frames += "2\n\nC 0 0 0\nC " + std::to_string(i) + ".4 0 0\n";
  test::write_text(folder / "c.xyz", frames);
  const auto outcome = run(words({"render", folder / "c.xyz", "--out", folder / "film.mp4"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(test::read_text(folder / "film.mp4").substr(4, 4), "ftyp");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 3u) << "nothing is left but the movie and its record";
}

TEST(Render, ResumesNumberedPicturesAndFilms) {
  const Folder folder;
  std::string frames;
  for (int i = 0; i < 4; ++i) frames += "2\n\nC 0 0 0\nC " + std::to_string(i) + ".4 0 0\n";
  test::write_text(folder / "c.xyz", frames);
  const auto pictures = [&](const std::vector<std::string>& more, const std::string& which = ":") {
    std::vector<std::string> all{"render", folder / "c.xyz", "--size", "80x60", "--frames", which};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  ASSERT_EQ(pictures({"--out", folder / "p.png"}).code, 0);
  const auto first = std::filesystem::last_write_time(folder / "p_0001.png");
  const Image second = read_png(folder / "p_0002.png");
  std::filesystem::remove(folder / "p_0003.png");
  test::write_text(folder / "p_0002.png", test::read_text(folder / "p_0002.png").substr(0, 300));  // cut short
  const auto again = pictures({"--out", folder / "p.png", "--resume"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("2 of 4 pictures were there already"), std::string::npos) << again.err;
  EXPECT_EQ(std::filesystem::last_write_time(folder / "p_0001.png"), first) << "not drawn again";
  EXPECT_EQ(read_png(folder / "p_0002.png").rgba, second.rgba);
  EXPECT_TRUE(std::filesystem::exists(folder / "p_0003.png"));
  // Of another scene none is kept.
  const auto other = pictures({"--out", folder / "p.png", "--resume", "--set", "camera.height=30"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_EQ(other.err.find("there already"), std::string::npos) << other.err;

  ISOLUME_NEEDS("/usr/bin/ffmpeg");
  const std::string film = folder / "film.mp4";
  std::filesystem::create_directories(film + ".pictures");
  ASSERT_EQ(pictures({"--out", film + ".pictures/%06d.png"}, ":3").code, 0);
  const auto whole = pictures({"--out", film, "--resume"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.err.find("3 of 4 pictures were there already"), std::string::npos) << whole.err;
  EXPECT_TRUE(std::filesystem::exists(film));
  EXPECT_FALSE(std::filesystem::exists(film + ".pictures")) << "nothing is left beside the film";
}

TEST(Render, AScene) {
  const Folder folder;
  std::filesystem::copy_file(test::data("H2O-631Gd-cart.molden"), folder / "water.molden");
  Scene scene;
  scene.molecules.push_back({{folder / "water.molden"}});
  scene.representations.emplace_back().style = Style::spheres;
  scene.camera.fit({0, 0, 0}, 3);
  write_scene(folder / "s.isolume", scene);
  const auto outcome = run(words({"render", folder / "s.isolume", "--out", folder / "s.png"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(drawn(read_png(folder / "s.png")), 1000u);
  std::filesystem::remove(folder / "water.molden");
  EXPECT_EQ(run(words({"render", folder / "s.isolume", "--out", folder / "t.png"})).code, 3);
}

TEST(Render, WritesLabels) {
  const Folder folder;
  const std::string pdb = folder / "labels.pdb";
  std::ofstream(pdb) << "ATOM      1  CA  ASP A  25       0.000   0.000   0.000  1.00  0.00           C\n"
                        "ATOM      2  CA  GLY A  27      12.000   0.000   0.000  1.00  0.00           C\nEND\n";
  const auto picture = [&](const std::vector<std::string>& more) {
    const std::string out = folder / "labels.png";
    std::vector<std::string> words{"render",  pdb,         "--style", "spheres", "--size",
                                   "320x240", "--samples", "1",       "--out",   out};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_png(out);
  };
  const Image none = picture({}), residues = picture({"--label", "all"});
  const Image one = picture({"--label", "resname ASP"}), own = picture({"--label", "all", "--label-text", "site"});
  EXPECT_NE(one.rgba, none.rgba);
  EXPECT_NE(residues.rgba, one.rgba) << "the second residue has a label too";
  EXPECT_NE(own.rgba, residues.rgba);
  const auto fault = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"render", pdb, "--out", folder / "labels.png"});
    const auto outcome = run(more);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_CONTAINS(fault({"--label", "resname ZZZ"}), "--label");
  EXPECT_CONTAINS(fault({"--label-text", "atom"}), "--label SELECTION is missing");
  EXPECT_CONTAINS(fault({"--label", "all", "--label-text", "atom", "--label-text", "chain"}), "one for each");
}

TEST(Render, SmoothsTheMotion) {
  const Folder folder;
  // C stays, O goes from 2 to 3 and to 10 angstrom: smoothed it is at 5 in the middle frame.
  const auto write = [&](const std::string& name, const std::vector<int>& places) {
    std::ofstream file(folder / name);
    for (const int x : places) file << "2\n\nC 0 0 0\nO " << x << " 0 0\n";
    return folder / name;
  };
  const std::string moving = write("moving.xyz", {2, 3, 10}), smooth = write("smooth.xyz", {2, 5, 10});
  const auto picture = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"render",    file,
                                   "--style",   "spheres",
                                   "--size",    "160x120",
                                   "--samples", "1",
                                   "--set",     "frame=1",
                                   "--set",     "camera.centre=[5,0,0]",
                                   "--set",     "camera.height=14",
                                   "--out",     folder / "a.png"};
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_png(folder / "a.png");
  };
  const Image mean = picture(smooth, {});
  EXPECT_EQ(picture(moving, {"--smooth", "1"}).rgba, mean.rgba);
  EXPECT_NE(picture(moving, {}).rgba, mean.rgba);
  auto refused = run({"render", write("one.xyz", {2}), "--smooth", "1", "--out", folder / "b.png"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_CONTAINS(refused.err, "there is no trajectory with three frames or more");
  EXPECT_EQ(run({"render", moving, "--smooth", "101", "--out", folder / "b.png"}).code, 2);
}

}  // namespace
}  // namespace isolume
