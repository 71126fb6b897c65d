// What every benchmark program has: the words of its command line, and a main() that reports errors.
#pragma once

#include <string>
#include <vector>

#include "compute/base/device.h"

namespace isolume::bench {

/// The words of a command line, taken out one option after another. An option's value is the next word, or stands
/// behind "=". Each call throws Error (usage) for a value that is missing or is no number.
class Words {
 public:
  Words(int count, char** words);

  bool flag(const std::string& name);
  std::string text(const std::string& name, const std::string& fallback);
  double number(const std::string& name, double fallback);
  int integer(const std::string& name, int fallback);
  /// The `count` numbers behind each occurrence of the option, one after the other.
  std::vector<double> numbers(const std::string& name, std::size_t count);
  /// --device auto|cpu|cuda|cuda:N.
  Device device();
  /// True where --benchmark_filter, a regular expression, is not given or found in `names`.
  bool asks_for(const std::string& names);
  /// --benchmark_format=json, for programs that can.
  bool json();
  /// What is left. Throws Error (usage) where that is an option.
  std::vector<std::string> rest();

 private:
  std::vector<std::string> words_;
};

/// Runs `run` and gives its exit code; where it throws, the message goes to stderr: 2 for wrong usage, with `usage`,
/// else 1.
int bench_main(const char* usage, int count, char** words, int (*run)(Words&));

}  // namespace isolume::bench
