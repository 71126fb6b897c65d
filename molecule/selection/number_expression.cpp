// Numbers of atoms by an expression in the selection language.
#include "molecule/selection/number_expression.h"

#include <algorithm>

#include "molecule/selection/selection.h"
#include "molecule/selection/selection_arithmetic.h"
#include "molecule/selection/selection_context.h"
#include "molecule/selection/selection_reader.h"

namespace isolume {

NumberExpression::NumberExpression(std::string_view text) : text_(text) {
  SelectionReader reader;
  reader.text = text_;
  if (text_.size() > 65'536) throw SelectionError("an expression may have 65536 characters", text_, 65'536, 1);
  root_ = std::make_shared<const Arithmetic>(parse_arithmetic(reader));
  const SelectionToken rest = reader.peek();
  if (rest.kind != SelectionToken::Kind::end) {
    reader.fail(is_relation(rest) ? "a number is wanted here, not a comparison" : "expected an operator or the end",
                rest);
  }
}

bool NumberExpression::depends_on_positions() const {
  return uses_positions(*root_);
}

namespace {

std::string unit_of(Attribute attribute) {
  switch (attribute) {
    case Attribute::x:
    case Attribute::y:
    case Attribute::z:
    case Attribute::radius:
      return "angstrom";
    case Attribute::beta:
      return "angstrom^2";
    case Attribute::charge:
    case Attribute::formal_charge:
      return "e";
    case Attribute::mass:
      return "Da";
    case Attribute::speed:
      return "angstrom/ps";
    case Attribute::force:
      return "kcal/mol/angstrom";
    default:
      return {};
  }
}

}  // namespace

std::string NumberExpression::unit() const {
  // Sums, multiples and sizes of values keep their unit; what has none is a mere number. Anything else is not told.
  std::vector<std::string> stack;
  const auto take = [&stack] {
    std::string unit = stack.empty() ? std::string() : std::move(stack.back());
    if (!stack.empty()) stack.pop_back();
    return unit;
  };
  using Step = Arithmetic::Step;
  for (const Arithmetic::Item& item : root_->items) {
    if (item.step == Step::number || item.step == Step::attribute) {
      stack.push_back(item.step == Step::attribute ? unit_of(item.attribute) : std::string());
    } else if (item.step == Step::function) {
      if (item.function != Function::absolute && !take().empty()) return {};
      if (item.function != Function::absolute) stack.emplace_back();
    } else if (item.step != Step::negate) {
      const std::string second = take(), first = take();
      const bool sum = item.step == Step::add || item.step == Step::subtract || item.step == Step::remainder;
      const bool multiple =
          item.step == Step::multiply ? first.empty() || second.empty() : item.step == Step::divide && second.empty();
      const bool same = sum && (first == second || first.empty() || second.empty());
      if (!same && !multiple && !(first.empty() && second.empty())) return {};
      stack.push_back(first.empty() ? second : first);
    }
  }
  return take();
}

std::vector<float> NumberExpression::values(const Topology& topology, const Frame& frame) const {
  if (depends_on_positions() && frame.positions.size() != topology.atoms.size()) {
    throw Error("'" + text_ + "' needs positions: the frame has " + std::to_string(frame.positions.size()) +
                    " atoms, the topology " + std::to_string(topology.atoms.size()),
                Error::Kind::usage);
  }
  SelectionContext context(topology, frame);
  std::vector<double> stack;
  std::vector<float> result(context.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>(value_of(*root_, context, i, stack));
  return result;
}

}  // namespace isolume
