// Comparisons of numbers: arithmetic by recursive descent into postfix order.
#include "molecule/selection/selection_reader.h"

namespace isolume {

namespace {

using Kind = SelectionToken::Kind;
using Token = SelectionToken;

struct ComparisonParser {
  SelectionReader& reader;

  Comparison comparison() {
    Comparison result;
    result.sides.push_back(side());
    while (is_relation(reader.peek())) {
      const std::string_view t = reader.take().text;
      result.relations.push_back(t == "<"                ? Relation::less
                                 : t == "<="             ? Relation::less_equal
                                 : t == ">"              ? Relation::greater
                                 : t == ">="             ? Relation::greater_equal
                                 : t == "=" || t == "==" ? Relation::equal
                                                         : Relation::not_equal);
      result.sides.push_back(side());
    }
    if (result.relations.empty()) reader.fail("expected a comparison such as > 5", reader.peek());
    return result;
  }

  Arithmetic side() {
    Arithmetic result;
    sum(result);
    return result;
  }

  void sum(Arithmetic& out) {
    product(out);
    for (Token t = reader.peek(); t.is("+") || t.is("-"); t = reader.peek()) {
      reader.take();
      product(out);
      out.items.push_back({t.is("+") ? Arithmetic::Step::add : Arithmetic::Step::subtract});
    }
  }

  void product(Arithmetic& out) {
    factor(out);
    for (Token t = reader.peek(); t.is("*") || t.is("/") || t.is("%"); t = reader.peek()) {
      reader.take();
      factor(out);
      out.items.push_back({t.is("*")   ? Arithmetic::Step::multiply
                           : t.is("/") ? Arithmetic::Step::divide
                                       : Arithmetic::Step::remainder});
    }
  }

  // Signs bind less than powers: -x^2 is -(x^2).
  void factor(Arithmetic& out) {
    const Token t = reader.peek();
    const SelectionReader::Depth guard(reader, t);
    if (t.is("-") || t.is("+")) {
      reader.take();
      factor(out);
      if (t.is("-")) out.items.push_back({Arithmetic::Step::negate});
      return;
    }
    operand(out);
    if (reader.peek().is("^") || reader.peek().is("**")) {
      reader.take();
      factor(out);
      out.items.push_back({Arithmetic::Step::power});
    }
  }

  void operand(Arithmetic& out) {
    const Token t = reader.take();
    if (t.kind == Kind::number) {
      out.items.push_back({Arithmetic::Step::number, t.number});
      return;
    }
    const Word* word = reader.word_of(t);
    if (word != nullptr && word->kind == Word::Kind::attribute) {
      if (is_text(word->attribute())) reader.fail("'" + std::string(t.text) + "' is not a number", t);
      out.items.push_back({Arithmetic::Step::attribute, 0, word->attribute()});
      return;
    }
    const bool call = word != nullptr && word->kind == Word::Kind::function;
    if (!call && !t.is("(")) {
      reader.fail(t.kind == Kind::word && word == nullptr ? reader.unknown(t)
                                                          : "expected a number or a property such as x or charge",
                  t);
    }
    const Token open = call ? reader.take() : t;
    if (!open.is("(")) reader.fail("expected '(' after '" + std::string(t.text) + "'", open);
    sum(out);
    if (!reader.take().is(")")) reader.fail("this '(' is not closed", open);
    if (call) out.items.push_back({Arithmetic::Step::function, 0, {}, word->function()});
  }
};

}  // namespace

Comparison parse_comparison(SelectionReader& reader) {
  return ComparisonParser{reader}.comparison();
}

Arithmetic parse_arithmetic(SelectionReader& reader) {
  return ComparisonParser{reader}.side();
}

}  // namespace isolume
