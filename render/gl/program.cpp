// Shader programs, from the texts that are built in.
#include "render/gl/program.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "molecule/base/error.h"
#include "render/gl/shader_texts.h"

namespace isolume::gl {
namespace {

void append(const std::string& name, const std::string& asked_by, const std::vector<std::string>& defines,
            std::vector<std::string>& files, std::string& out) {
  const auto found = shader_texts().find(name);
  if (found == shader_texts().end()) throw Error(fmt::format("{}: there is no shader \"{}\"", asked_by, name));
  if (std::find(files.begin(), files.end(), name) != files.end()) return;  // each file once
  const std::size_t number = files.size();
  files.push_back(name);

  std::string_view text = found->second;
  if (number > 0) out += fmt::format("#line 1 {}\n", number);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.starts_with("#version")) {
      out += std::string(row) + "\n";
      for (const std::string& define : defines) out += "#define " + define + "\n";
      out += fmt::format("#line {} {}\n", line + 1, number);
    } else if (row.starts_with("#include")) {
      const std::size_t open = row.find('"');
      const std::size_t close = row.rfind('"');
      if (open == std::string_view::npos || close <= open)
        throw Error(fmt::format("{}:{}: #include needs a name in quotes", name, line));
      append(std::string(row.substr(open + 1, close - open - 1)), fmt::format("{}:{}", name, line), defines, files,
             out);
      out += fmt::format("#line {} {}\n", line + 1, number);
    } else {
      out += std::string(row) + "\n";
    }
  }
}

unsigned compile(unsigned kind, const std::string& name, const std::vector<std::string>& defines) {
  std::vector<std::string> files;
  const std::string text = assemble_shader(name, defines, files);
  const unsigned shader = glCreateShader(kind);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  int compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (!compiled) {
    std::string log(16384, '\0');
    int length = 0;
    glGetShaderInfoLog(shader, static_cast<int>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    glDeleteShader(shader);
    throw Error("a shader does not compile: " + readable_log(log, files));
  }
  return shader;
}

}  // namespace

std::string assemble_shader(const std::string& name, const std::vector<std::string>& defines,
                            std::vector<std::string>& files) {
  std::string out;
  files.clear();
  append(name, "renderer", defines, files, out);
  return out;
}

std::string readable_log(const std::string& log, const std::vector<std::string>& files) {
  // Mesa writes "0:12(3): error", NVIDIA "0(12) : error", others "ERROR: 0:12: ".
  std::string out;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    std::string row = log.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t start = row.starts_with("ERROR: ") ? 7 : 0;
    const char* last = row.data() + row.size();
    std::size_t file = 0, line = 0;
    const auto first = std::from_chars(row.data() + start, last, file);
    if (first.ec == std::errc() && first.ptr < last && (*first.ptr == ':' || *first.ptr == '(') &&
        file < files.size()) {
      const auto second = std::from_chars(first.ptr + 1, last, line);
      if (second.ec == std::errc()) {
        const std::size_t rest = row.find_first_of(" ", static_cast<std::size_t>(second.ptr - row.data()));
        row = fmt::format("{}:{}:{}", files[file], line, rest < row.size() ? row.substr(rest) : std::string());
      }
    }
    out += row + "\n";
  }
  return out;
}

Program::Program(const std::string& vertex, const std::string& fragment, const std::vector<std::string>& defines) {
  const unsigned first = compile(GL_VERTEX_SHADER, vertex, defines);
  unsigned second = 0;
  try {
    second = compile(GL_FRAGMENT_SHADER, fragment, defines);
  } catch (...) {
    glDeleteShader(first);
    throw;
  }
  link({first, second}, fmt::format("{} and {}", vertex, fragment));
}

Program Program::of_compute(const std::string& name, const std::vector<std::string>& defines) {
  Program made;
  made.link({compile(GL_COMPUTE_SHADER, name, defines)}, name);
  return made;
}

void Program::link(const std::vector<unsigned>& shaders, const std::string& names) {
  name_ = glCreateProgram();
  for (const unsigned shader : shaders) glAttachShader(name_, shader);
  glLinkProgram(name_);
  for (const unsigned shader : shaders) glDeleteShader(shader);
  int linked = 0;
  glGetProgramiv(name_, GL_LINK_STATUS, &linked);
  if (!linked) {
    std::string log(16384, '\0');
    int length = 0;
    glGetProgramInfoLog(name_, static_cast<int>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    release();
    throw Error(fmt::format("the shaders {} do not link: {}", names, log));
  }
}

void Program::use() const {
  glUseProgram(name_);
}

void Program::set(const char* uniform, float value) {
  glProgramUniform1f(name_, location(uniform), value);
}
void Program::set(const char* uniform, int value) {
  glProgramUniform1i(name_, location(uniform), value);
}
void Program::set(const char* uniform, unsigned value) {
  glProgramUniform1ui(name_, location(uniform), value);
}
void Program::set(const char* uniform, glm::vec2 value) {
  glProgramUniform2fv(name_, location(uniform), 1, &value.x);
}
void Program::set(const char* uniform, glm::vec3 value) {
  glProgramUniform3fv(name_, location(uniform), 1, &value.x);
}

void Program::set(const char* uniform, glm::vec4 value) {
  glProgramUniform4fv(name_, location(uniform), 1, &value.x);
}
void Program::set(const char* uniform, const glm::mat4& value) {
  glProgramUniformMatrix4fv(name_, location(uniform), 1, GL_FALSE, &value[0][0]);
}

int Program::location(const char* uniform) {
  const auto found = locations_.find(std::string_view(uniform));
  if (found != locations_.end()) return found->second;
  return locations_[uniform] = glGetUniformLocation(name_, uniform);
}

void Program::release() {
  if (name_) glDeleteProgram(name_);
  name_ = 0;
}

Program& ProgramCache::get(const std::string& vertex, const std::string& fragment,
                           const std::vector<std::string>& defines) {
  std::vector<std::string> key = {vertex, fragment};
  key.insert(key.end(), defines.begin(), defines.end());
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  return programs_.emplace(std::move(key), Program(vertex, fragment, defines)).first->second;
}

Program& ProgramCache::get_compute(const std::string& name, const std::vector<std::string>& defines) {
  std::vector<std::string> key = {name};
  key.insert(key.end(), defines.begin(), defines.end());
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  return programs_.emplace(std::move(key), Program::of_compute(name, defines)).first->second;
}

}  // namespace isolume::gl
