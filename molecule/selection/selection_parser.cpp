// From a selection text to its tree, by recursive descent.
#include <cctype>
#include <cmath>

#include "molecule/selection/selection.h"
#include "molecule/selection/selection_reader.h"
#include "molecule/selection/selection_values.h"

namespace isolume {

namespace {

using Kind = SelectionToken::Kind;
using Token = SelectionToken;

template <class What>
SelectionNodePtr node(What what) {
  return std::make_shared<const SelectionNode>(SelectionNode{std::move(what)});
}

class Parser : private SelectionReader {
 public:
  explicit Parser(std::string_view selection) { text = selection; }

  SelectionNodePtr parse() {
    SelectionNodePtr root = disjunction();
    const Token rest = peek();
    if (rest.is(")")) fail("this ')' has no '(' before it", rest);
    if (rest.kind != Kind::end) fail("expected 'and', 'or' or the end, found '" + std::string(rest.text) + "'", rest);
    return root;
  }

 private:
  void expect(Connective which, const char* written, const std::string& after) {
    const Token token = take();
    if (!is_connective(token, which)) {
      fail("expected '" + std::string(written) + "' after " + after, token);
    }
  }

  SelectionNodePtr disjunction() {
    std::vector<SelectionNodePtr> parts{conjunction()};
    for (Token t = peek(); is_connective(t, Connective::disjunction) || t.is("|") || t.is("||"); t = peek()) {
      take();
      parts.push_back(conjunction());
    }
    return parts.size() == 1 ? parts.front() : node(Disjunction{std::move(parts)});
  }

  SelectionNodePtr conjunction() {
    std::vector<SelectionNodePtr> parts{unary()};
    while (true) {
      const Token t = peek();
      if (is_connective(t, Connective::conjunction) || t.is("&") || t.is("&&")) {
        take();
      } else if (t.kind == Kind::end || t.is(")") || t.is("|") || t.is("||") || is_relation(t) || is_arithmetic(t) ||
                 is_connective(t, Connective::disjunction)) {
        break;
      }  // else `protein chain A`: what follows directly is meant as well
      parts.push_back(unary());
    }
    return parts.size() == 1 ? parts.front() : node(Conjunction{std::move(parts)});
  }

  SelectionNodePtr unary() {
    const Token t = peek();
    const Depth guard(*this, t);
    if (is_connective(t, Connective::negation) || t.is("!")) {
      take();
      return node(Negation{unary()});
    }
    SelectionNodePtr result = primary();
    for (int count = 0;; ++count) {
      const Token after = peek();
      const Word* word = word_of(after);
      if (word == nullptr || word->kind != Word::Kind::operation || word->operation() < Operation::around)
        return result;
      if (count + depth >= deepest) fail("nested more than 64 deep", after);
      take();
      if (word->operation() == Operation::extend) {
        result = node(Bonded{bond_count(after), false, false, result});
      } else {
        result = node(Near{distance(after), word->operation() == Operation::around, false, result});
      }
    }
  }

  SelectionNodePtr primary() {
    const Token t = peek();
    if (t.is("(") && !closes_arithmetic(t)) {
      take();
      SelectionNodePtr inside = disjunction();
      const Token close = take();
      if (!close.is(")")) fail("this '(' is not closed", t);
      return inside;
    }
    if (t.is("*")) {
      take();
      return node(Flag::all);
    }
    if (t.is("(") || t.is("-") || t.is("+") || t.kind == Kind::number) return comparison();
    if (t.kind == Kind::end) fail("expected a selection here", t);
    const Word* word = word_of(t);
    if (word == nullptr) fail(unknown(t), t);
    switch (word->kind) {
      case Word::Kind::flag:
        take();
        return node(word->flag());
      case Word::Kind::attribute:
        return attribute_test(*word);
      case Word::Kind::function:
        return comparison();
      case Word::Kind::operation:
        return operation(*word);
      case Word::Kind::connective:
        break;
    }
    fail("expected a selection before '" + std::string(t.text) + "'", t);
  }

  // Whether the group that opens here is followed by an operator on numbers, as in (x + 1) * 2 > y.
  bool closes_arithmetic(const Token& open) const {
    int level = 0;
    for (std::size_t i = open.column; i < text.size(); ++i) {
      if (text[i] == '"') {  // as in the lexer; single quotes may be primes of names, O5'
        i = text.find('"', i + 1);
        if (i == std::string_view::npos) return false;
      } else if (text[i] == '(') {
        ++level;
      } else if (text[i] == ')' && --level == 0) {
        const Token after = next_token(text, i + 1);
        return is_relation(after) || is_arithmetic(after);
      }
    }
    return false;
  }

  SelectionNodePtr attribute_test(const Word& word) {
    const std::size_t start = at;
    const Token word_token = take();
    const Token after = peek();
    if (is_text(word.attribute())) {
      if (!is_relation(after)) return node(parse_values(text, at, word, word_token));
      take();
      if (after.text[0] == '<' || after.text[0] == '>') fail("names can be compared with = and != only", after);
      ListTest list = parse_one_value(text, at, word, word_token);
      list.inverted = after.text == "!=";
      return node(std::move(list));
    }
    // `resid -5 to 3` is a list, `resid - 5 > 3` and `x -5 > y` are not.
    const bool sign = after.is("-") || after.is("+");
    const bool number_follows =
        sign && after.end() < text.size() && std::isspace(static_cast<unsigned char>(text[after.end()])) == 0;
    if (!is_relation(after) && (!is_arithmetic(after) || number_follows)) {
      ListTest list = parse_values(text, at, word, word_token);
      if (!is_relation(peek()) && !is_arithmetic(peek())) return node(std::move(list));
    }
    at = start;
    return comparison();
  }

  double distance(const Token& word) {
    const Token number = take();
    if (number.kind != Kind::number)
      fail("expected a distance in angstrom after '" + std::string(word.text) + "'", number);
    return number.number;
  }

  int bond_count(const Token& word) {
    const Token number = take();
    if (number.kind != Kind::number || number.number != std::floor(number.number) || number.number > 1000) {
      fail("expected a number of bonds, 0 to 1000, after '" + std::string(word.text) + "'", number);
    }
    return static_cast<int>(number.number);
  }

  SelectionNodePtr operation(const Word& word) {
    const Token t = take();
    const auto near = [&](bool exclude, bool periodic) {
      Near result{distance(t), exclude, periodic, nullptr};
      expect(Connective::of, "of", "the distance");
      result.part = unary();
      return node(std::move(result));
    };
    switch (word.operation()) {
      case Operation::within:
        return near(false, false);
      case Operation::exwithin:
        return near(true, false);
      case Operation::pbwithin:
        return near(false, true);
      case Operation::beyond:
        return node(Negation{near(false, false)});
      case Operation::within_bonds: {
        Bonded result{bond_count(t), false, false, nullptr};
        expect(Connective::of, "of", "the number of bonds");
        result.part = unary();
        return node(std::move(result));
      }
      case Operation::same: {
        const Token what = take();
        const Word* shared = word_of(what);
        if (shared == nullptr || shared->kind != Word::Kind::attribute) {
          fail("expected residue, chain, fragment or another property after 'same'", what);
        }
        expect(Connective::as, "as", "'same " + std::string(what.text) + "'");
        return node(Same{shared->attribute(), unary()});
      }
      case Operation::by_residue:
        return node(Same{Attribute::residue, unary()});
      case Operation::by_chain:
        return node(Same{Attribute::chain, unary()});
      case Operation::by_segment:
        return node(Same{Attribute::segname, unary()});
      case Operation::by_fragment:
        return node(Same{Attribute::fragment, unary()});
      case Operation::neighbour:
        return node(Bonded{1, true, false, unary()});
      case Operation::bound_to:
        return node(Bonded{1, false, true, unary()});
      default:
        fail("'" + std::string(t.text) + "' follows a selection: resname HEM " + std::string(t.text) + " 5", t);
    }
  }

  SelectionNodePtr comparison() { return node(parse_comparison(*this)); }
};

}  // namespace

SelectionNodePtr parse_selection(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace isolume
