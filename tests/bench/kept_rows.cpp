// Rows of a table that takes long: kept in a file as they come, so that a run goes on where the last one ended.
#include "tests/bench/kept_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "molecule/base/error.h"

namespace isolume::bench {

KeptRows::KeptRows(std::string path, const std::string& heading, double seconds)
    : path_(std::move(path)),
      end_(std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))) {
  fmt::print("{}\n", heading);
  if (path_.empty()) return;
  std::string line;
  std::ifstream in(path_);
  std::uintmax_t whole = 0;  // bytes of lines that have an end: a run that was killed may have left a part of one
  while (std::getline(in, line) && !in.eof()) {
    if (whole == 0 && line != heading)
      throw Error(fmt::format("{}: expected \"{}\", found \"{}\"", path_, heading, line));
    if (whole > 0) rows_.push_back(line);
    whole += line.size() + 1;
  }
  if (whole > 0) {
    in.close();
    std::filesystem::resize_file(path_, whole);
    return;
  }
  std::ofstream out(path_);
  if (!(out << heading << '\n')) throw Error(path_ + " cannot be written");
}

bool KeptRows::wants(const std::string& key) {
  const auto is_this = [&](const std::string& row) { return row.starts_with(key + ","); };
  if (std::any_of(rows_.begin(), rows_.end(), is_this)) return false;
  if (std::chrono::steady_clock::now() < end_) return true;
  ++left_;
  return false;
}

void KeptRows::add(const std::string& key, const std::string& values) {
  rows_.push_back(key + "," + values);
  fmt::print("{}\n", rows_.back());
  std::fflush(stdout);
  if (path_.empty()) return;
  std::ofstream out(path_, std::ios::app);
  if (!(out << rows_.back() << '\n')) throw Error(path_ + " cannot be written");
}

void KeptRows::finish() const {
  if (left_ > 0)
    fmt::print(stderr, "{} rows are left: call again{}\n", left_, path_.empty() ? " with --keep FILE" : "");
}

}  // namespace isolume::bench
