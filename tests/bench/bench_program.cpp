// What every benchmark program has: the words of its command line, and a main() that reports errors.
#include "tests/bench/bench_program.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <regex>
#include <string_view>

#include "molecule/base/error.h"

namespace isolume::bench {
namespace {

template <class T>
T parsed(const std::string& name, const std::string& word) {
  T value{};
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size()) {
    throw Error(fmt::format("{}: expected a number, found \"{}\"", name, word), Error::Kind::usage);
  }
  return value;
}

/// The last value of an option, which is taken out with its name.
std::optional<std::string> take(std::vector<std::string>& words, const std::string& name) {
  std::optional<std::string> value;
  for (std::size_t i = 0; i < words.size();) {
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    if (words[i].starts_with(name + "=")) {
      value = words[i].substr(name.size() + 1);
      words.erase(at);
    } else if (words[i] == name) {
      if (i + 1 == words.size()) throw Error(name + " needs a value", Error::Kind::usage);
      value = words[i + 1];
      words.erase(at, at + 2);
    } else {
      ++i;
    }
  }
  return value;
}

}  // namespace

Words::Words(int count, char** words) : words_(words + 1, words + count) {}

bool Words::flag(const std::string& name) {
  return std::erase(words_, name) > 0;
}

std::string Words::text(const std::string& name, const std::string& fallback) {
  return take(words_, name).value_or(fallback);
}

double Words::number(const std::string& name, double fallback) {
  const auto word = take(words_, name);
  return word ? parsed<double>(name, *word) : fallback;
}

int Words::integer(const std::string& name, int fallback) {
  const auto word = take(words_, name);
  return word ? parsed<int>(name, *word) : fallback;
}

std::vector<double> Words::numbers(const std::string& name, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < words_.size();) {
    if (words_[i] != name) {
      ++i;
      continue;
    }
    if (i + count >= words_.size()) throw Error(fmt::format("{} needs {} numbers", name, count), Error::Kind::usage);
    for (std::size_t k = 1; k <= count; ++k) values.push_back(parsed<double>(name, words_[i + k]));
    const auto at = words_.begin() + static_cast<std::ptrdiff_t>(i);
    words_.erase(at, at + static_cast<std::ptrdiff_t>(count + 1));
  }
  return values;
}

Device Words::device() {
  return choose_device(text("--device", "auto"));
}

bool Words::asks_for(const std::string& names) {
  return std::regex_search(names, std::regex(text("--benchmark_filter", ".")));
}

bool Words::json() {
  return text("--benchmark_format", "console") == "json";
}

std::vector<std::string> Words::rest() {
  if (json()) throw Error("this benchmark has no JSON", Error::Kind::usage);
  for (const std::string& word : words_)
    if (word.starts_with("--")) throw Error("unknown option " + word, Error::Kind::usage);
  return words_;
}

int bench_main(const char* usage, int count, char** words, int (*run)(Words&)) {
  for (int i = 1; i < count; ++i) {
    if (const std::string_view word = words[i]; word != "--help" && word != "-h") continue;
    fmt::print("{}\n", usage);
    return 0;
  }
  try {
    Words left(count, words);
    return run(left);
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", words[0], error.what());
    if (error.kind() != Error::Kind::usage) return 1;
    fmt::print(stderr, "{}\n", usage);
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", words[0], error.what());
    return 1;
  }
}

}  // namespace isolume::bench
