// The preprocessor of GROMACS topologies.
#include "formats/topologies/gromacs_lines.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t deepest = 16, most_includes = 500;

/// The file `what` in `folder`, empty where there is none or it is not below `top`.
std::string found_in(const fs::path& folder, const fs::path& what, const fs::path& top) {
  std::error_code fault;
  const fs::path file = fs::weakly_canonical(folder / what, fault);
  if (fault || !fs::is_regular_file(file, fault)) return {};
  const auto [end, other] = std::mismatch(top.begin(), top.end(), file.begin(), file.end());
  return end == top.end() ? (folder / what).string() : std::string();
}

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

GromacsLines::GromacsLines(std::shared_ptr<const ByteSource> source) {
  std::error_code fault;
  if (fs::is_regular_file(source->name(), fault)) folder_ = folder_of(source->name());
  const ByteSource& text = *source;
  open_.push_back({std::move(source), LineScanner(text)});
}

void GromacsLines::fail(const std::string& message) const {
  open_.back().scanner.fail(message);
}

bool GromacsLines::active() const {
  return std::all_of(conditions_.begin(), conditions_.end(), [](const Condition& c) { return c.active; });
}

bool GromacsLines::next() {
  while (true) {
    if (!open_.back().scanner.next()) {
      if (open_.size() == 1) {
        if (!conditions_.empty()) {
          throw Error::in_file(open_.back().source->name(), 0, "the file ends within #ifdef: #endif is missing");
        }
        return false;
      }
      open_.pop_back();
      continue;
    }
    if ((++lines_ & 4095) == 0) check_stop();
    const auto uncommented = [&] {
      const std::string_view raw = open_.back().scanner.line();
      return trimmed(raw.substr(0, raw.find(';')));
    };
    line_ = uncommented();
    while (line_.ends_with('\\') && open_.back().scanner.next()) {
      line_.back() = ' ';
      line_ += uncommented();
      if (line_.size() > open_.back().source->limits().line) fail("a line that is continued too often");
    }
    if (line_.empty()) continue;
    if (line_.front() == '#') {
      direct(line_);
      continue;
    }
    if (!active()) continue;
    if (line_.front() != '[') replace_words();
    return true;
  }
}

void GromacsLines::replace_words() {
  if (defines_.empty()) return;
  std::string replaced;
  bool any = false;
  std::string_view rest = line_;
  for (std::string_view word = next_token(rest); !word.empty(); word = next_token(rest)) {
    const auto found = defines_.find(word);
    any = any || found != defines_.end();
    if (!replaced.empty()) replaced += ' ';
    replaced += found != defines_.end() ? std::string_view(found->second) : word;
    if (replaced.size() > open_.back().source->limits().line) fail("a line that #define makes too long");
  }
  if (any) line_ = replaced;
}

void GromacsLines::direct(std::string_view line) {
  std::string_view rest = line.substr(1);
  const std::string_view word = next_token(rest);
  std::string_view after = trimmed(rest);
  if (word == "ifdef" || word == "ifndef") {
    if (conditions_.size() >= 64) fail("conditions are nested more than 64 deep");
    const std::string_view name = next_token(after);
    if (name.empty()) fail("#" + std::string(word) + " without a name");
    const bool holds = (defines_.find(name) != defines_.end()) == (word == "ifdef");
    conditions_.push_back({holds, holds, false});
  } else if (word == "else") {
    if (conditions_.empty() || conditions_.back().seen_else) fail("#else without #ifdef");
    Condition& condition = conditions_.back();
    condition = {!condition.taken, true, true};
  } else if (word == "endif") {
    if (conditions_.empty()) fail("#endif without #ifdef");
    conditions_.pop_back();
  } else if (!active()) {
    return;
  } else if (word == "define") {
    const std::string_view name = next_token(after);
    if (name.empty()) fail("#define without a name");
    defines_[std::string(name)] = std::string(trimmed(after));
    if (defines_.size() > 100'000) fail("more than 100000 words are defined");
  } else if (word == "undef") {
    const auto found = defines_.find(next_token(after));
    if (found != defines_.end()) defines_.erase(found);
  } else if (word == "include") {
    include(after);
  } else {
    fail("#" + clean(word, 20) + " is not known; there are #include, #define, #undef, #ifdef, #ifndef, #else, #endif");
  }
}

void GromacsLines::include(std::string_view what) {
  const bool quoted =
      what.size() > 2 && ((what.front() == '"' && what.back() == '"') || (what.front() == '<' && what.back() == '>'));
  if (!quoted) fail("#include: expected a file in quotation marks, found \"" + clean(what, 60) + "\"");
  if (++includes_ > most_includes) fail("more than " + std::to_string(most_includes) + " includes");
  if (open_.size() >= deepest) fail("includes are nested more than " + std::to_string(deepest) + " deep");
  const std::string name(what.substr(1, what.size() - 2));
  std::string path;
  std::error_code fault;
  const fs::path top = folder_.empty() ? fs::path() : fs::canonical(folder_, fault);
  if (!folder_.empty() && !fault && fs::path(name).is_relative()) {
    path = found_in(folder_of(open_.back().source->name()), name, top);
    if (path.empty()) path = found_in(folder_, name, top);
  }
  if (path.empty()) {
    if (std::find(missing_.begin(), missing_.end(), name) == missing_.end()) missing_.push_back(name);
    return;
  }
  auto source = ByteSource::open(path, open_.front().source->limits());
  const ByteSource& text = *source;
  open_.push_back({std::move(source), LineScanner(text)});
}

}  // namespace isolume
