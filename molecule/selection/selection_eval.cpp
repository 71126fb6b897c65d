// The atoms that a selection tree names.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_set>

#include "molecule/selection/selection_arithmetic.h"
#include "molecule/selection/selection_context.h"
#include "molecule/selection/selection_near.h"
#include "molecule/selection/selection_tree.h"

namespace isolume {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

bool in_ranges(const std::vector<ListTest::Range>& ranges, double value) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), value,
                                      [](double v, const ListTest::Range& range) { return v < range.first; });
  return after != ranges.begin() && value <= std::prev(after)->last;
}

bool matches(const ListTest& test, std::string_view value, std::string& storage) {
  storage.assign(value);
  if (!test.exact.empty() && test.exact.count(storage) > 0) return true;
  for (const Pattern& pattern : test.patterns) {
    if (pattern.matches(value)) return true;
  }
  if (test.folded.empty()) return false;
  for (char& c : storage) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return test.folded.count(storage) > 0;
}

bool holds(Relation relation, double a, double b) {
  // Equality within single precision, in which files' numbers are kept.
  const bool equal = std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)});
  switch (relation) {
    case Relation::less:
      return a < b;
    case Relation::less_equal:
      return a <= b;
    case Relation::greater:
      return a > b;
    case Relation::greater_equal:
      return a >= b;
    case Relation::equal:
      return equal;
    case Relation::not_equal:
      return !equal;
  }
  return false;
}

class Evaluator {
 public:
  Evaluator(const Topology& topology, const Frame& frame) : context_(topology, frame) {}

  /// The atoms of `among` for which the node holds.
  Mask evaluate(const SelectionNode& node, const Mask& among) {
    return std::visit(
        Overloaded{[&](Flag flag) { return both(context_.flagged(flag), among); },
                   [&](const ListTest& test) { return listed(test, among); },
                   [&](const Comparison& comparison) { return compared(comparison, among); },
                   [&](const Conjunction& all) { return conjunction(all, among); },
                   [&](const Disjunction& any) { return disjunction(any, among); },
                   [&](const Negation& negation) {
                     Mask result = evaluate(*negation.part, among);
                     for (std::size_t i = 0; i < among.size(); ++i) {
                       result[i] = static_cast<std::uint8_t>(among[i] & ~result[i]);
                     }
                     return result;
                   },
                   [&](const Near& near) {
                     return select_near(near, evaluate(*near.part, everything()), among, context_.frame);
                   },
                   [&](const Same& same) { return sharing(same, among); },
                   [&](const Bonded& bonded) {
                     return both(select_bonded(bonded, evaluate(*bonded.part, everything()), context_.bonds()), among);
                   }},
        node.what);
  }

  Mask everything() const { return Mask(context_.size(), 1); }

 private:
  static Mask both(Mask a, const Mask& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint8_t>(a[i] & b[i]);
    return a;
  }

  Mask conjunction(const Conjunction& all, Mask among) {
    // What needs distances comes last, when few atoms are left to be asked.
    for (const bool costly : {false, true}) {
      for (const SelectionNodePtr& part : all.parts) {
        if (uses_positions(*part) == costly) among = evaluate(*part, among);
      }
    }
    return among;
  }

  Mask disjunction(const Disjunction& any, const Mask& among) {
    Mask result(among.size(), 0), open = among;
    for (const SelectionNodePtr& part : any.parts) {
      const Mask found = evaluate(*part, open);
      for (std::size_t i = 0; i < found.size(); ++i) {
        result[i] = static_cast<std::uint8_t>(result[i] | found[i]);
        open[i] = static_cast<std::uint8_t>(open[i] & ~found[i]);
      }
    }
    return result;
  }

  Mask listed(const ListTest& test, const Mask& among) {
    Mask result(among.size(), 0);
    std::string storage, folded;
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (!among[i]) continue;
      bool found = false;
      if (is_text(test.attribute)) {
        found = matches(test, context_.text(test.attribute, i, storage), folded);
      } else {
        found = in_ranges(test.ranges, context_.number(test.attribute, i));
        for (const ListTest::Inserted& value : test.inserted) {
          const Residue& residue = context_.topology.residue_of(i);
          found = found || (residue.number == value.number && residue.insertion == value.code);
        }
      }
      result[i] = found != test.inverted ? 1 : 0;
    }
    return result;
  }

  Mask compared(const Comparison& comparison, const Mask& among) {
    Mask result(among.size(), 0);
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (!among[i]) continue;
      double left = value(comparison.sides[0], i);
      bool all = true;
      for (std::size_t k = 0; k < comparison.relations.size() && all; ++k) {
        const double right = value(comparison.sides[k + 1], i);
        all = holds(comparison.relations[k], left, right);
        left = right;
      }
      result[i] = all ? 1 : 0;
    }
    return result;
  }

  double value(const Arithmetic& arithmetic, std::size_t atom) { return value_of(arithmetic, context_, atom, stack_); }

  Mask sharing(const Same& same, const Mask& among) {
    const Mask chosen = evaluate(*same.part, everything());
    Mask result(among.size(), 0);
    if (is_text(same.attribute)) {
      std::unordered_set<std::string> values;
      std::string storage;
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i]) values.emplace(context_.text(same.attribute, i, storage));
      }
      std::string value;
      for (std::size_t i = 0; i < among.size() && !values.empty(); ++i) {
        if (!among[i]) continue;
        value.assign(context_.text(same.attribute, i, storage));
        result[i] = values.count(value) > 0 ? 1 : 0;
      }
      return result;
    }
    std::unordered_set<double> values;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) values.insert(context_.number(same.attribute, i));
    }
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (among[i]) result[i] = values.count(context_.number(same.attribute, i)) > 0 ? 1 : 0;
    }
    return result;
  }

  SelectionContext context_;
  std::vector<double> stack_;
};

}  // namespace

std::vector<std::uint8_t> evaluate_selection(const SelectionNode& root, const Topology& topology, const Frame& frame) {
  Evaluator evaluator(topology, frame);
  return evaluator.evaluate(root, evaluator.everything());
}

bool uses_positions(const SelectionNode& node) {
  const auto any = [](const std::vector<SelectionNodePtr>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const SelectionNodePtr& part) { return uses_positions(*part); });
  };
  const auto reads_position = [](const Arithmetic& side) { return uses_positions(side); };
  return std::visit(
      Overloaded{[](Flag) { return false; }, [](const ListTest& test) { return is_position(test.attribute); },
                 [&](const Comparison& c) { return std::any_of(c.sides.begin(), c.sides.end(), reads_position); },
                 [&](const Conjunction& c) { return any(c.parts); }, [&](const Disjunction& d) { return any(d.parts); },
                 [](const Negation& n) { return uses_positions(*n.part); }, [](const Near&) { return true; },
                 [](const Same& s) { return is_position(s.attribute) || uses_positions(*s.part); },
                 [](const Bonded& b) { return uses_positions(*b.part); }},
      node.what);
}

}  // namespace isolume
