// What the parsers of selections share.
#include "molecule/selection/selection_reader.h"

#include <cctype>

#include "molecule/selection/selection.h"
#include "molecule/selection/selection_masks.h"
#include "molecule/selection/selection_names.h"

namespace isolume {

bool is_relation(const SelectionToken& t) {
  return t.kind == SelectionToken::Kind::symbol &&
         (t.text[0] == '<' || t.text[0] == '>' || t.text[0] == '=' || t.text == "!=");
}

bool is_arithmetic(const SelectionToken& t) {
  return t.kind == SelectionToken::Kind::symbol && std::string_view("+-*/%^").find(t.text[0]) != std::string_view::npos;
}

const Word* SelectionReader::word_of(const SelectionToken& token) const {
  if (token.kind != SelectionToken::Kind::word) return nullptr;
  if (const Word* word = find_word(token.text)) return word;
  std::string lower(token.text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return find_word(lower);
}

bool SelectionReader::is_connective(const SelectionToken& token, Connective which) const {
  const Word* word = word_of(token);
  return word != nullptr && word->kind == Word::Kind::connective && word->connective() == which;
}

std::string SelectionReader::unknown(const SelectionToken& token) const {
  if (token.text == ":" || token.text == "@") {
    const std::string words = words_of_mask(text);
    const std::string mask = words.empty() ? "AMBER masks are not read; write such as resid 1 to 50 and name CA"
                                           : "AMBER masks are not read; write " + words;
    const std::string name = token.text == "@" ? name_after(text, token.column) : std::string();
    return name.empty() ? mask : "there is no named selection '" + name + "' (names are kept in scenes); " + mask;
  }
  if (token.kind != SelectionToken::Kind::word) return "'" + std::string(token.text) + "' means nothing here";
  const std::string_view near = nearest_word(token.text);
  return "unknown word '" + std::string(token.text.substr(0, 40)) + "'" +
         (near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?");
}

void SelectionReader::fail(const std::string& message, const SelectionToken& token) const {
  throw SelectionError(message, text, token.column, token.length);
}

}  // namespace isolume
