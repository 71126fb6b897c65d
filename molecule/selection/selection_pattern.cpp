// Regular expressions for names: compiled to an automaton and run over the text once.
#include "molecule/selection/selection_pattern.h"

#include <cctype>
#include <stdexcept>

namespace isolume {

namespace {

constexpr int deepest = 32;

std::bitset<256> range(int first, int last) {
  std::bitset<256> set;
  for (int c = first; c <= last; ++c) set.set(static_cast<std::size_t>(c));
  return set;
}

std::bitset<256> one(char c) {
  return std::bitset<256>().set(static_cast<unsigned char>(c));
}

}  // namespace

// Recursive descent that builds the automaton from the end: every part is given the state that follows it.
struct Pattern::Parser {
  Pattern& pattern;
  std::string_view text;
  std::size_t at = 0;
  int depth = 0;

  struct Part {  // a syntax tree, because the automaton is built backwards
    enum class Kind { empty, set, sequence, choice, star, plus, optional } kind = Kind::empty;
    std::bitset<256> set;
    std::vector<Part> parts;
  };

  bool more() const { return at < text.size(); }

  Part choice() {
    if (++depth > deepest) throw std::invalid_argument("the pattern is nested too deeply");
    Part result{Part::Kind::choice, {}, {}};
    result.parts.push_back(sequence());
    while (more() && text[at] == '|') {
      ++at;
      result.parts.push_back(sequence());
    }
    --depth;
    return result;
  }

  Part sequence() {
    Part result{Part::Kind::sequence, {}, {}};
    while (more() && text[at] != '|' && text[at] != ')') {
      Part part = single();
      while (more() && (text[at] == '*' || text[at] == '+' || text[at] == '?')) {
        const Part::Kind kind = text[at] == '*'   ? Part::Kind::star
                                : text[at] == '+' ? Part::Kind::plus
                                                  : Part::Kind::optional;
        ++at;
        if (part.kind == kind) continue;  // a** is a*
        Part repeated{kind, {}, {}};
        repeated.parts.push_back(std::move(part));
        part = std::move(repeated);
      }
      result.parts.push_back(std::move(part));
    }
    return result;
  }

  Part single() {
    const char c = text[at++];
    Part result{Part::Kind::set, {}, {}};
    switch (c) {
      case '(':
        result = choice();
        if (!more()) throw std::invalid_argument("a '(' is not closed");
        ++at;
        return result;
      case '[':
        result.set = bracket();
        return result;
      case '.':
        result.set.set();
        return result;
      case '^':
      case '$':
        return Part{};  // the whole text is matched in any case
      case '*':
      case '+':
      case '?':
        throw std::invalid_argument(std::string("there is nothing before '") + c + "'");
      case '\\':
        result.set = escape();
        return result;
      default:
        result.set = one(c);
        return result;
    }
  }

  std::bitset<256> escape() {
    if (!more()) throw std::invalid_argument("it ends in a backslash");
    const char c = text[at++];
    if (c == 'd') return range('0', '9');
    if (c == 'w') return range('0', '9') | range('a', 'z') | range('A', 'Z') | one('_');
    if (c == 's') return one(' ') | one('\t');
    return one(c);
  }

  std::bitset<256> bracket() {
    std::bitset<256> set;
    const bool inverted = more() && text[at] == '^';
    if (inverted) ++at;
    bool first = true;
    while (more() && (first || text[at] != ']')) {
      first = false;
      const char low = text[at++];
      if (low == '\\') {
        set |= escape();
        continue;
      }
      if (at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') {
        const auto from = static_cast<unsigned char>(low);
        const auto to = static_cast<unsigned char>(text[at + 1]);
        if (to < from) throw std::invalid_argument("a range in [ ] runs backwards");
        set |= range(from, to);
        at += 2;
      } else {
        set |= one(low);
      }
    }
    if (!more()) throw std::invalid_argument("a '[' is not closed");
    ++at;
    return inverted ? ~set : set;
  }

  std::uint32_t add(State state) {
    pattern.states_.push_back(state);
    return static_cast<std::uint32_t>(pattern.states_.size() - 1);
  }

  std::uint32_t split(std::uint32_t next, std::uint32_t other) { return add({State::Kind::split, {}, next, other}); }

  std::uint32_t build(const Part& part, std::uint32_t after) {
    switch (part.kind) {
      case Part::Kind::empty:
        return after;
      case Part::Kind::set:
        return add({State::Kind::set, part.set, after, 0});
      case Part::Kind::sequence:
        for (auto p = part.parts.rbegin(); p != part.parts.rend(); ++p) after = build(*p, after);
        return after;
      case Part::Kind::choice: {
        std::uint32_t state = build(part.parts.front(), after);
        for (std::size_t i = 1; i < part.parts.size(); ++i) state = split(state, build(part.parts[i], after));
        return state;
      }
      case Part::Kind::optional:
        return split(build(part.parts.front(), after), after);
      case Part::Kind::star:
      case Part::Kind::plus: {
        const std::uint32_t loop = split(after, after);
        const std::uint32_t body = build(part.parts.front(), loop);
        pattern.states_[loop].next = body;
        return part.kind == Part::Kind::star ? loop : body;
      }
    }
    return after;
  }
};

Pattern::Pattern(std::string_view regular_expression) {
  if (regular_expression.size() > longest) {
    throw std::invalid_argument("a pattern may have " + std::to_string(longest) + " characters");
  }
  Parser parser{*this, regular_expression};
  const Parser::Part part = parser.choice();
  if (parser.more()) throw std::invalid_argument("a ')' has no '(' before it");
  start_ = parser.build(part, parser.add({}));
}

Pattern Pattern::wildcard(std::string_view text) {
  Pattern pattern;
  Parser parser{pattern, {}};
  Parser::Part sequence{Parser::Part::Kind::sequence, {}, {}};
  for (char c : text.substr(0, longest)) {
    Parser::Part part{Parser::Part::Kind::set, {}, {}};
    if (c == '*') {
      part.set.set();
      sequence.parts.push_back({Parser::Part::Kind::star, {}, {part}});
    } else {
      part.set = one(static_cast<char>(std::tolower(static_cast<unsigned char>(c)))) |
                 one(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
      sequence.parts.push_back(part);
    }
  }
  pattern.start_ = parser.build(sequence, parser.add({}));
  return pattern;
}

// Adds the states that `state` reaches without a character.
void Pattern::reach(std::uint32_t state, std::vector<std::uint32_t>& open, std::vector<bool>& seen) const {
  std::vector<std::uint32_t> pending{state};
  while (!pending.empty()) {
    const std::uint32_t s = pending.back();
    pending.pop_back();
    if (seen[s]) continue;
    seen[s] = true;
    if (states_[s].kind == State::Kind::split) {
      pending.push_back(states_[s].next);
      pending.push_back(states_[s].other);
    } else {
      open.push_back(s);
    }
  }
}

bool Pattern::matches(std::string_view text) const {
  std::vector<std::uint32_t> open, next;
  std::vector<bool> seen(states_.size(), false);
  reach(start_, open, seen);
  for (char c : text) {
    next.clear();
    seen.assign(states_.size(), false);
    for (std::uint32_t s : open) {
      const State& state = states_[s];
      if (state.kind == State::Kind::set && state.set[static_cast<unsigned char>(c)]) reach(state.next, next, seen);
    }
    open.swap(next);
    if (open.empty()) return false;
  }
  for (std::uint32_t s : open) {
    if (states_[s].kind == State::Kind::match) return true;
  }
  return false;
}

}  // namespace isolume
