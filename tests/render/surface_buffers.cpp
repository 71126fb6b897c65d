// Tests of surfaces in OpenGL buffers: filled by another context, drawn like a mesh.
#include "render/draw/surface_buffers.h"

#include <epoxy/gl.h>

#include <thread>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

void fill(SurfaceBuffers& buffers, const Mesh& mesh) {
  buffers.resize(mesh.positions.size(), mesh.triangles.size(), !mesh.colours.empty());
  const auto put = [](unsigned name, const auto& values) {
    glNamedBufferSubData(name, 0, static_cast<GLsizeiptr>(values.size() * sizeof values[0]), values.data());
  };
  put(buffers.positions(), mesh.positions);
  put(buffers.normals(), mesh.normals);
  put(buffers.indices(), mesh.triangles);
  if (!mesh.colours.empty()) put(buffers.colours(), mesh.colours);
}

TEST(SurfaceBuffers, LookLikeTheMeshTheyWereFilledFrom) {
  auto mesh = ball({0, 0, 0}, 6);
  for (std::size_t i = 0; i < mesh->positions.size(); ++i)
    mesh->colours.emplace_back(static_cast<std::uint8_t>(i % 256), 90, 160, 255);
  GlContext& main = context();
  auto buffers = std::make_shared<SurfaceBuffers>();
  // A worker with a context of its own fills them.
  auto shared = main.create_shared();
  ASSERT_NE(shared, nullptr);
  std::thread worker([&] {
    shared->make_current();
    fill(*buffers, *mesh);
    glFinish();
    shared->done_current();
  });
  worker.join();
  EXPECT_EQ(glGetError(), static_cast<unsigned>(GL_NO_ERROR));
  Surface from_buffers;
  from_buffers.buffers = buffers;
  for (const auto style : {Surface::Style::solid, Surface::Style::wireframe, Surface::Style::points}) {
    Surface from_mesh = surface(mesh, {0, 0, 0, 255});
    from_mesh.style = from_buffers.style = style;
    SceneView view = scene({item(from_mesh)});
    const PictureOptions options{.width = 120, .height = 90, .samples = 1};
    const Image expected = renderer().picture(view, options);
    view.items = {item(from_buffers)};
    EXPECT_EQ(renderer().picture(view, options).rgba, expected.rgba);
    EXPECT_GT(compare(expected, renderer().picture(scene({}), options)).mean, 1);
  }
}

TEST(SurfaceBuffers, GrowAndCountWhatWasReplaced) {
  context();
  SurfaceBuffers buffers;
  buffers.resize(1000, 2000, false);
  const auto first = buffers.generation();
  EXPECT_GT(first, 0u);
  buffers.resize(500, 100, false);
  EXPECT_EQ(buffers.generation(), first) << "never shrinks";
  EXPECT_EQ(buffers.vertex_count(), 500u);
  EXPECT_TRUE(buffers.fits(1000, 2000, false)) << "what it once held";
  EXPECT_FALSE(buffers.fits(1000, 2000, true)) << "no colours yet";
  EXPECT_FALSE(buffers.fits(100000, 2000, false));
  EXPECT_FALSE(buffers.fits(1000, 100000, false));
  EXPECT_FALSE(SurfaceBuffers().fits(0, 0, false)) << "nothing was made";
  buffers.resize(500, 100, true);
  EXPECT_GT(buffers.generation(), first);
  buffers.resize(5000, 100, true);
  EXPECT_EQ(buffers.vertex_count(), 5000u);
  EXPECT_NE(buffers.colours(), 0u);
  int bytes = 0;
  glGetNamedBufferParameteriv(buffers.normals(), GL_BUFFER_SIZE, &bytes);
  EXPECT_GE(bytes, 5000 * 12);
}

}  // namespace
}  // namespace isolume::test
