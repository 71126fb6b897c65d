// Shader programs, from the texts that are built in.
#pragma once

#include <glm/glm.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isolume::gl {

/// The text of a shader with its #include "name" lines replaced, `defines` after the #version line, and #line
/// directives whose file numbers index `files`. Throws Error that names file and line of a missing include.
std::string assemble_shader(const std::string& name, const std::vector<std::string>& defines,
                            std::vector<std::string>& files);
/// A driver's compile log with the file numbers of assemble_shader replaced by names: "spheres.frag:12: ...".
std::string readable_log(const std::string& log, const std::vector<std::string>& files);

/// Move-only. Uniforms are set by name; one that the compiler has left out is ignored.
class Program {
 public:
  Program() = default;
  /// Compiles shaders/`vertex` and shaders/`fragment`. Throws Error with file and line where they do not compile.
  Program(const std::string& vertex, const std::string& fragment, const std::vector<std::string>& defines = {});
  /// Compiles the compute shader shaders/`name`.
  static Program of_compute(const std::string& name, const std::vector<std::string>& defines = {});
  ~Program() { release(); }
  Program(Program&& other) noexcept : name_(std::exchange(other.name_, 0)), locations_(std::move(other.locations_)) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(locations_, other.locations_);
    return *this;
  }

  void use() const;
  void set(const char* uniform, float value);
  void set(const char* uniform, int value);
  void set(const char* uniform, unsigned value);
  void set(const char* uniform, glm::vec2 value);
  void set(const char* uniform, glm::vec3 value);
  void set(const char* uniform, glm::vec4 value);
  void set(const char* uniform, const glm::mat4& value);

 private:
  /// Links what is compiled, which goes with it; `names` are for the message.
  void link(const std::vector<unsigned>& shaders, const std::string& names);
  int location(const char* uniform);
  void release();
  unsigned name_ = 0;
  std::map<std::string, int, std::less<>> locations_;
};

/// Programs by their shaders and defines, each compiled once.
class ProgramCache {
 public:
  Program& get(const std::string& vertex, const std::string& fragment, const std::vector<std::string>& defines = {});
  Program& get_compute(const std::string& name, const std::vector<std::string>& defines = {});

 private:
  std::map<std::vector<std::string>, Program> programs_;
};

}  // namespace isolume::gl
