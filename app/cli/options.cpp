// Options as CLI11 parses them.
#include "app/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "molecule/base/nearest.h"
#include "molecule/quantum/orbitals.h"

namespace isolume::cli {
namespace {

// `validator`, which --help describes, but with a message that shows numbers as they are written.
template <typename T>
CLI::Validator within(CLI::Validator validator, T low, T high, const std::string& meaning) {
  return validator.operation([low, high, meaning](std::string& text) {
    T value{};
    if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return std::string();
    return fmt::format("{} is no {}{}", text, std::is_integral_v<T> ? "whole number " : "number ", meaning);
  });
}

std::string plain(std::string word) {
  for (char& c : word) c = c == '_' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return word;
}

template <typename T>
CLI::Validator from_to(T low, T high) {
  return within(CLI::Range(low, high), low, high, fmt::format("from {} to {}", low, high));
}

}  // namespace

Option Option::range(int low, int high) const {
  return option_ ? Option(*option_->check(from_to(low, high))) : *this;
}

Option Option::range(double low, double high) const {
  return option_ ? Option(*option_->check(from_to(low, high))) : *this;
}

Option Option::range(std::size_t low, std::size_t high) const {
  return option_ ? Option(*option_->check(from_to(low, high))) : *this;
}

Option Option::positive() const {
  const double least = std::numeric_limits<double>::min(), most = std::numeric_limits<double>::max();
  return option_ ? Option(*option_->check(within(CLI::PositiveNumber, least, most, "above 0"))) : *this;
}

Option Option::non_negative() const {
  return option_ ? Option(*option_->check(
                       within(CLI::NonNegativeNumber, 0.0, std::numeric_limits<double>::max(), "of 0 or more")))
                 : *this;
}

Option Option::one_of(std::initializer_list<const char*> words) const {
  if (!option_) return *this;
  const std::vector<std::string> known(words.begin(), words.end());
  // Words in other cases, or with _ for -, become the word itself.
  const auto choose = [known](std::string& word) {
    for (const std::string& other : known)
      if (plain(other) == plain(word)) {
        word = other;
        return std::string();
      }
    return fmt::format("'{}' is none of {}{}", word, fmt::join(known, ", "), did_you_mean(word, known));
  };
  return option_ ? Option(*option_->transform(CLI::Validator(choose, fmt::format("{{{}}}", fmt::join(known, ",")))))
                 : *this;
}

Option Option::one_of(std::initializer_list<int> numbers) const {
  return option_ ? Option(*option_->check(CLI::IsMember(std::vector<int>(numbers)))) : *this;
}

Option Option::required() const {
  return option_ ? Option(*option_->required()) : *this;
}

Option Option::excludes(Option other) const {
  return option_ ? Option(*option_->excludes(other.option_)) : *this;
}

Option Option::expected(int count) const {
  return option_ ? Option(*option_->expected(count)) : *this;
}

Option Option::expected(int least, int most) const {
  return option_ ? Option(*option_->expected(least, most)) : *this;
}

Option Option::repeated() const {
  return option_ ? Option(*option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)) : *this;
}

Option Option::delimiter(char c) const {
  return option_ ? Option(*option_->delimiter(c)) : *this;
}

Option Option::type_name(const std::string& text) const {
  return option_ ? Option(*option_->type_name(text)) : *this;
}

Option Option::option_text(const std::string& text) const {
  return option_ ? Option(*option_->option_text(text)) : *this;
}

Option Option::default_text(const std::string& text) const {
  return option_ ? Option(*option_->default_str(text)) : *this;
}

Option Option::group(const std::string& heading) const {
  return option_ ? Option(*option_->group(heading)) : *this;
}

// CLI11 has no place for marks of its users; whether an option may stand in a configuration file, of which there are
// none here, is one.
Option Option::writes() const {
  return option_ ? Option(*option_->configurable(false)) : *this;
}

bool is_output(const CLI::Option& option) {
  return !option.get_configurable();
}

template <typename T>
Option Verb::option(const std::string& names, T& value, const std::string& what) const {
  return app_ ? Option(*app_->add_option(names, value, what)) : Option();
}

template <typename T>
Option Verb::flag(const std::string& names, T& value, const std::string& what) const {
  return app_ ? Option(*app_->add_flag(names, value, what)) : Option();
}

// CLI11 2.4 gives a flag that is an integer the value 0 where it was not written, and checks that against the range.
template <>
Option Verb::flag(const std::string& names, int& value, const std::string& what) const {
  if (!app_) return {};
  const auto take = [&value](std::int64_t number) { value = static_cast<int>(number); };
  return Option(*app_->add_flag_function(names, take, what));
}

Option Verb::spin(Spin& value, const std::string& what) const {
  if (!app_) return {};
  // CLI11 takes an enumeration by its number.
  const auto number = [](std::string& word) {
    std::string small = word;
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    if (small != "alpha" && small != "beta") return fmt::format("{} is neither alpha nor beta", word);
    word = std::to_string(static_cast<int>(small == "alpha" ? Spin::alpha : Spin::beta));
    return std::string();
  };
  return Option(*app_->add_option("--spin", value, what)
                     ->transform(CLI::Validator(number, std::string()))
                     ->option_text("alpha|beta"));
}

template Option Verb::option(const std::string&, std::string&, const std::string&) const;
template Option Verb::option(const std::string&, std::vector<std::string>&, const std::string&) const;
template Option Verb::option(const std::string&, int&, const std::string&) const;
template Option Verb::option(const std::string&, unsigned&, const std::string&) const;
template Option Verb::option(const std::string&, std::int64_t&, const std::string&) const;
template Option Verb::option(const std::string&, std::size_t&, const std::string&) const;
template Option Verb::option(const std::string&, float&, const std::string&) const;
template Option Verb::option(const std::string&, double&, const std::string&) const;
template Option Verb::option(const std::string&, std::vector<int>&, const std::string&) const;
template Option Verb::option(const std::string&, std::vector<double>&, const std::string&) const;
template Option Verb::option(const std::string&, std::optional<std::size_t>&, const std::string&) const;
template Option Verb::option(const std::string&, std::optional<double>&, const std::string&) const;
template Option Verb::flag(const std::string&, bool&, const std::string&) const;

std::string parse_words(const std::string& words, const std::function<void(Verb)>& declare) {
  CLI::App app;
  declare(Verb(app));
  try {
    app.parse(words, false);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

}  // namespace isolume::cli
