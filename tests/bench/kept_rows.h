// Rows of a table that takes long: kept in a file as they come, so that a run goes on where the last one ended.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace isolume::bench {

class KeptRows {
 public:
  /// @param path     where rows are kept; "" keeps none
  /// @param heading  the file's first line
  /// @param seconds  after which no row is begun
  /// Throws Error for a file that has another first line, or that cannot be written.
  KeptRows(std::string path, const std::string& heading, double seconds);

  /// True where a row that begins with `key` is to be made: it is not there yet, and there is time.
  bool wants(const std::string& key);
  /// Prints "key,values" and keeps it.
  void add(const std::string& key, const std::string& values);
  /// Says how many rows are left to make, if any are.
  void finish() const;

 private:
  std::string path_;
  std::vector<std::string> rows_;
  std::chrono::steady_clock::time_point end_;
  std::size_t left_ = 0;
};

}  // namespace isolume::bench
