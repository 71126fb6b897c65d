// From a selection text to its tree, by recursive descent.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "molecule/selection.h"
#include "molecule/selection_lexer.h"
#include "molecule/selection_tree.h"
#include "molecule/selection_values.h"

namespace isolume {

namespace {

using Kind = SelectionToken::Kind;
using Token = SelectionToken;

constexpr int deepest = 64;

template <class What>
SelectionNodePtr node(What what) {
  return std::make_shared<const SelectionNode>(SelectionNode{std::move(what)});
}

bool is_relation(const Token& t) {
  return t.kind == Kind::symbol && (t.text[0] == '<' || t.text[0] == '>' || t.text[0] == '=' || t.text == "!=");
}

bool is_arithmetic(const Token& t) {
  return t.kind == Kind::symbol && std::string_view("+-*/%^").find(t.text[0]) != std::string_view::npos;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  SelectionNodePtr parse() {
    SelectionNodePtr root = disjunction();
    const Token rest = peek();
    if (rest.is(")")) fail("this ')' has no '(' before it", rest);
    if (rest.kind != Kind::end) fail("expected 'and', 'or' or the end, found '" + std::string(rest.text) + "'", rest);
    return root;
  }

 private:
  // Counts how deep the tree has grown, so that no text can exhaust the stack.
  struct Depth {
    Parser& parser;
    Depth(Parser& p, const Token& token) : parser(p) {
      if (++parser.depth_ > deepest) parser.fail("nested more than 64 deep", token);
    }
    ~Depth() { --parser.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
  };

  [[noreturn]] void fail(const std::string& message, const Token& token) const {
    throw SelectionError(message, text_, token.column, token.length);
  }

  Token peek() const { return next_token(text_, at_); }
  Token take() {
    const Token token = peek();
    at_ = token.end();
    return token;
  }

  const Word* word_of(const Token& token) const {
    if (token.kind != Kind::word) return nullptr;
    if (const Word* word = find_word(token.text)) return word;
    std::string lower(token.text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return find_word(lower);
  }

  bool is_connective(const Token& token, Connective which) const {
    const Word* word = word_of(token);
    return word != nullptr && word->kind == Word::Kind::connective && word->connective() == which;
  }

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
      if (count + depth_ >= deepest) fail("nested more than 64 deep", after);
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

  std::string unknown(const Token& t) const {
    if (t.kind != Kind::word) return "'" + std::string(t.text) + "' means nothing here";
    const std::string_view near = nearest_word(t.text);
    return "unknown word '" + std::string(t.text.substr(0, 40)) + "'" +
           (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?");
  }

  // Whether the group that opens here is followed by an operator on numbers, as in (x + 1) * 2 > y.
  bool closes_arithmetic(const Token& open) const {
    int level = 0;
    for (std::size_t i = open.column; i < text_.size(); ++i) {
      if (text_[i] == '"') {  // as in the lexer; single quotes may be primes of names, O5'
        i = text_.find('"', i + 1);
        if (i == std::string_view::npos) return false;
      } else if (text_[i] == '(') {
        ++level;
      } else if (text_[i] == ')' && --level == 0) {
        const Token after = next_token(text_, i + 1);
        return is_relation(after) || is_arithmetic(after);
      }
    }
    return false;
  }

  SelectionNodePtr attribute_test(const Word& word) {
    const std::size_t start = at_;
    const Token word_token = take();
    const Token after = peek();
    if (is_text(word.attribute())) {
      if (!is_relation(after)) return node(parse_values(text_, at_, word, word_token));
      take();
      if (after.text[0] == '<' || after.text[0] == '>') fail("names can be compared with = and != only", after);
      ListTest list = parse_one_value(text_, at_, word, word_token);
      list.inverted = after.text == "!=";
      return node(std::move(list));
    }
    const bool number_follows = after.is("-") || after.is("+");
    if (is_relation(after) || (is_arithmetic(after) && !number_follows)) {
      at_ = start;
      return comparison();
    }
    const auto rest_is_arithmetic = [&] { return is_relation(peek()) || is_arithmetic(peek()); };
    if (number_follows) {
      // `resid -5 to 3` or `x - 5 > y`: a list, unless it does not end as one.
      try {
        ListTest list = parse_values(text_, at_, word, word_token);
        if (!rest_is_arithmetic()) return node(std::move(list));
      } catch (const SelectionError&) {
        const Token next = next_token(text_, after.end());
        if (next.kind == Kind::number) throw;
      }
      at_ = start;
      return comparison();
    }
    return node(parse_values(text_, at_, word, word_token));
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
        fail("'" + std::string(t.text) + "' stands behind a selection: resname HEM " + std::string(t.text) + " 5", t);
    }
  }

  SelectionNodePtr comparison() {
    Comparison result;
    result.sides.push_back(side());
    while (is_relation(peek())) {
      const std::string_view t = take().text;
      result.relations.push_back(t == "<"                ? Relation::less
                                 : t == "<="             ? Relation::less_equal
                                 : t == ">"              ? Relation::greater
                                 : t == ">="             ? Relation::greater_equal
                                 : t == "=" || t == "==" ? Relation::equal
                                                         : Relation::not_equal);
      result.sides.push_back(side());
    }
    if (result.relations.empty()) fail("expected a comparison such as > 5", peek());
    return node(std::move(result));
  }

  Arithmetic side() {
    Arithmetic result;
    sum(result);
    return result;
  }

  void sum(Arithmetic& out) {
    product(out);
    for (Token t = peek(); t.is("+") || t.is("-"); t = peek()) {
      take();
      product(out);
      out.items.push_back({t.is("+") ? Arithmetic::Step::add : Arithmetic::Step::subtract});
    }
  }

  void product(Arithmetic& out) {
    factor(out);
    for (Token t = peek(); t.is("*") || t.is("/") || t.is("%"); t = peek()) {
      take();
      factor(out);
      out.items.push_back({t.is("*")   ? Arithmetic::Step::multiply
                           : t.is("/") ? Arithmetic::Step::divide
                                       : Arithmetic::Step::remainder});
    }
  }

  // Signs bind less than powers: -x^2 is -(x^2).
  void factor(Arithmetic& out) {
    const Token t = peek();
    const Depth guard(*this, t);
    if (t.is("-") || t.is("+")) {
      take();
      factor(out);
      if (t.is("-")) out.items.push_back({Arithmetic::Step::negate});
      return;
    }
    operand(out);
    if (peek().is("^") || peek().is("**")) {
      take();
      factor(out);
      out.items.push_back({Arithmetic::Step::power});
    }
  }

  void operand(Arithmetic& out) {
    const Token t = take();
    if (t.kind == Kind::number) {
      out.items.push_back({Arithmetic::Step::number, t.number});
      return;
    }
    const Word* word = word_of(t);
    if (word != nullptr && word->kind == Word::Kind::attribute) {
      if (is_text(word->attribute())) fail("'" + std::string(t.text) + "' is not a number", t);
      out.items.push_back({Arithmetic::Step::attribute, 0, word->attribute()});
      return;
    }
    const bool call = word != nullptr && word->kind == Word::Kind::function;
    if (!call && !t.is("(")) {
      fail(t.kind == Kind::word && word == nullptr ? unknown(t) : "expected a number or a property such as x or charge",
           t);
    }
    const Token open = call ? take() : t;
    if (!open.is("(")) fail("expected '(' after '" + std::string(t.text) + "'", open);
    sum(out);
    if (!take().is(")")) fail("this '(' is not closed", open);
    if (call) out.items.push_back({Arithmetic::Step::function, 0, {}, word->function()});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

SelectionNodePtr parse_selection(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace isolume
