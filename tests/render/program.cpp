// Tests of shader programs: includes, and messages that name file and line.
#include "render/gl/program.h"

#include <algorithm>

#include "molecule/base/error.h"
#include "render/gl/shader_texts.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

TEST(Programs, IncludesAreReplacedOnceEach) {
  std::vector<std::string> files;
  const std::string text = gl::assemble_shader("spheres.frag", {"PASS_GEOMETRY"}, files);
  EXPECT_EQ(files.front(), "spheres.frag");
  EXPECT_NE(std::find(files.begin(), files.end(), "common/frame.glsl"), files.end());
  EXPECT_EQ(text.find("#include"), std::string::npos);
  EXPECT_LT(text.find("#version"), text.find("#define PASS_GEOMETRY"));
  const std::size_t first = text.find("uniform Frame");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("uniform Frame", first + 1), std::string::npos);
}

TEST(Programs, LogsNameFileAndLine) {
  const std::vector<std::string> files = {"a.frag", "common/b.glsl"};
  EXPECT_EQ(gl::readable_log("1:12(3): error: x\n", files), "common/b.glsl:12: error: x\n");
  EXPECT_EQ(gl::readable_log("0(7) : error C0000: y", files), "a.frag:7: : error C0000: y\n");
  EXPECT_EQ(gl::readable_log("ERROR: 0:5: z", files), "a.frag:5: z\n");
  EXPECT_EQ(gl::readable_log("something else", files), "something else\n");
}

TEST(Programs, ACompileErrorNamesTheShader) {
  context();
  try {
    // A define that breaks the first line that uses it.
    gl::Program program("fullscreen.vert", "resolve.frag", {"to_srgb 1 +"});
    FAIL() << "compiled";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.find("common/colour.glsl:") != std::string::npos ||
                text.find("resolve.frag:") != std::string::npos)
        << text;
  }
  EXPECT_THROW(gl::Program("none.vert", "resolve.frag"), Error);
}

TEST(Programs, EveryVariantCompiles) {
  context();
  for (const char* pass : {"PASS_GEOMETRY", "PASS_LAYER", "PASS_OVERLAY", "PASS_SHADOW", "PASS_MASK"}) {
    for (const char* name : {"spheres", "cylinders", "lines", "surface"})
      EXPECT_NO_THROW(gl::Program(std::string(name) + ".vert", std::string(name) + ".frag", {pass}));
    for (const char* style : {"WIREFRAME", "POINTS"})
      EXPECT_NO_THROW(gl::Program("surface.vert", "surface.frag", {pass, style}));
  }
  for (const auto& [name, text] : shader_texts())
    EXPECT_TRUE(text.starts_with("// ") || text.starts_with("#version 450 core\n// ")) << name << " says what it is";
}

}  // namespace
}  // namespace isolume::test
