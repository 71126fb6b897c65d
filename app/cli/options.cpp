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
  return Option(*option_->check(from_to(low, high)));
}

Option Option::range(double low, double high) const {
  return Option(*option_->check(from_to(low, high)));
}

Option Option::range(std::size_t low, std::size_t high) const {
  return Option(*option_->check(from_to(low, high)));
}

Option Option::positive() const {
  const double least = std::numeric_limits<double>::min(), most = std::numeric_limits<double>::max();
  return Option(*option_->check(within(CLI::PositiveNumber, least, most, "above 0")));
}

Option Option::non_negative() const {
  return Option(
      *option_->check(within(CLI::NonNegativeNumber, 0.0, std::numeric_limits<double>::max(), "of 0 or more")));
}

Option Option::one_of(std::initializer_list<const char*> words) const {
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
  return Option(*option_->transform(CLI::Validator(choose, fmt::format("{{{}}}", fmt::join(known, ",")))));
}

Option Option::one_of(std::initializer_list<int> numbers) const {
  return Option(*option_->check(CLI::IsMember(std::vector<int>(numbers))));
}

Option Option::required() const {
  return Option(*option_->required());
}

Option Option::excludes(Option other) const {
  return Option(*option_->excludes(other.option_));
}

Option Option::expected(int count) const {
  return Option(*option_->expected(count));
}

Option Option::expected(int least, int most) const {
  return Option(*option_->expected(least, most));
}

Option Option::repeated() const {
  return Option(*option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

Option Option::delimiter(char c) const {
  return Option(*option_->delimiter(c));
}

Option Option::type_name(const std::string& text) const {
  return Option(*option_->type_name(text));
}

Option Option::option_text(const std::string& text) const {
  return Option(*option_->option_text(text));
}

Option Option::default_text(const std::string& text) const {
  return Option(*option_->default_str(text));
}

Option Option::group(const std::string& heading) const {
  return Option(*option_->group(heading));
}

// CLI11 has no place for marks of its users; whether an option may stand in a configuration file, of which there are
// none here, is one.
Option Option::writes() const {
  return Option(*option_->configurable(false));
}

bool is_output(const CLI::Option& option) {
  return !option.get_configurable();
}

template <typename T>
Option Verb::option(const std::string& names, T& value, const std::string& what) const {
  return Option(*app_->add_option(names, value, what));
}

template <typename T>
Option Verb::flag(const std::string& names, T& value, const std::string& what) const {
  return Option(*app_->add_flag(names, value, what));
}

// CLI11 2.4 gives a flag that is an integer the value 0 where it was not written, and checks that against the range.
template <>
Option Verb::flag(const std::string& names, int& value, const std::string& what) const {
  const auto take = [&value](std::int64_t number) { value = static_cast<int>(number); };
  return Option(*app_->add_flag_function(names, take, what));
}

Option Verb::spin(Spin& value, const std::string& what) const {
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
