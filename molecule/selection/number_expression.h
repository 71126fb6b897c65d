// Numbers of atoms by an expression in the selection language: "charge", "sqr(x) + sqr(y)", "speed".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// A parsed expression: a value that compares by its text. Words and operators are those of a selection's comparisons
/// (selection.h), without the comparison.
class NumberExpression {
 public:
  /// Throws SelectionError that points at the word.
  explicit NumberExpression(std::string_view text);

  const std::string& text() const { return text_; }
  /// True where the numbers can change from frame to frame (x, y, z, speed, force).
  bool depends_on_positions() const;
  /// What the numbers are in, where the expression is one word: "e", "angstrom^2"; else empty.
  std::string unit() const;

  /// One number per atom; NaN where the frame does not have what is asked (speed without velocities). Throws Error
  /// (usage) where positions are needed and the frame has none.
  std::vector<float> values(const Topology& topology, const Frame& frame) const;

  bool operator==(const NumberExpression& other) const { return text_ == other.text_; }

 private:
  std::string text_;
  std::shared_ptr<const struct Arithmetic> root_;
};

}  // namespace isolume
