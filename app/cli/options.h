// How the subcommands declare their options: a thin face of CLI11, so that its headers are compiled twice, not in every
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace isolume {
enum class Spin : std::uint8_t;
}

namespace isolume::cli {

/// A declared option. Each function says more of it and returns it; what a value may be is checked while parsing.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}
  Option() = default;  ///< of a subcommand that is not declared: what is said of it is not kept

  /// Numbers from `low` to `high`, both included; the type says how --help names them.
  Option range(int low, int high) const;
  Option range(double low, double high) const;
  Option range(std::size_t low, std::size_t high) const;
  Option positive() const;      ///< numbers above 0
  Option non_negative() const;  ///< numbers from 0
  Option one_of(std::initializer_list<const char*> words) const;
  Option one_of(std::initializer_list<int> numbers) const;
  Option required() const;
  Option excludes(Option other) const;
  /// How many values follow it.
  Option expected(int count) const;
  Option expected(int least, int most) const;
  /// One value each time, and it may be given again: a list is the values of all.
  Option repeated() const;
  Option delimiter(char c) const;  ///< parts the values within a word
  /// What stands for the value in --help.
  Option type_name(const std::string& text) const;
  /// The text after the name in --help, instead of the type and all the rest.
  Option option_text(const std::string& text) const;
  Option default_text(const std::string& text) const;
  Option group(const std::string& heading) const;
  /// Its value is a file that is written: it may be none of those that other options name (commands.cpp).
  Option writes() const;

 private:
  CLI::Option* option_ = nullptr;
};

/// A subcommand to declare options of: a handle, as cheap to copy as a pointer.
class Verb {
 public:
  explicit Verb(CLI::App& app) : app_(&app) {}
  Verb() = default;  ///< a subcommand that is not declared

  /// Declares an option that sets `value`, which must outlive the parsing. `names` are "--long,-s", or a word for what
  /// is without a name. T: text, numbers, optional ones and lists, as options.cpp instantiates them.
  template <typename T>
  Option option(const std::string& names, T& value, const std::string& what) const;
  /// Declares an option without a value (a bool), or one whose value may be left out ("--name{otherwise}").
  template <typename T>
  Option flag(const std::string& names, T& value, const std::string& what) const;
  /// --spin alpha|beta, in any case.
  Option spin(Spin& value, const std::string& what) const;

  bool exists() const { return app_ != nullptr; }
  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_ = nullptr;
};

template <>
Option Verb::flag(const std::string& names, int& value, const std::string& what) const;

/// Whether the option was declared with writes().
bool is_output(const CLI::Option& option);

/// Parses `words` as a command line of the options that `declare` declares. What is wrong with them; empty where
/// nothing.
std::string parse_words(const std::string& words, const std::function<void(Verb)>& declare);

}  // namespace isolume::cli
