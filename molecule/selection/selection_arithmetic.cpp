// What an arithmetic expression of the selection language is worth for an atom.
#include "molecule/selection/selection_arithmetic.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

double apply(Function function, double value) {
  switch (function) {
    case Function::absolute:
      return std::abs(value);
    case Function::square:
      return value * value;
    case Function::root:
      return std::sqrt(value);
    case Function::exponential:
      return std::exp(value);
    case Function::logarithm:
      return std::log(value);
  }
  return value;
}

}  // namespace

double value_of(const Arithmetic& arithmetic, SelectionContext& context, std::size_t atom, std::vector<double>& stack) {
  using Step = Arithmetic::Step;
  stack.clear();
  for (const Arithmetic::Item& item : arithmetic.items) {
    if (item.step == Step::number || item.step == Step::attribute) {
      stack.push_back(item.step == Step::number ? item.number : context.number(item.attribute, atom));
      continue;
    }
    if (item.step == Step::function || item.step == Step::negate) {
      stack.back() = item.step == Step::negate ? -stack.back() : apply(item.function, stack.back());
      continue;
    }
    const double right = stack.back();
    stack.pop_back();
    double& left = stack.back();
    if (item.step == Step::add) left += right;
    if (item.step == Step::subtract) left -= right;
    if (item.step == Step::multiply) left *= right;
    if (item.step == Step::divide) left /= right;
    if (item.step == Step::remainder) left = std::fmod(left, right);
    if (item.step == Step::power) left = std::pow(left, right);
  }
  return stack.back();
}

bool uses_positions(const Arithmetic& arithmetic) {
  return std::any_of(arithmetic.items.begin(), arithmetic.items.end(), [](const Arithmetic::Item& item) {
    return item.step == Arithmetic::Step::attribute && is_position(item.attribute);
  });
}

}  // namespace isolume
