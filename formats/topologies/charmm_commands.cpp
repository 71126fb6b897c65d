// The lines of CHARMM's input files.
#include "formats/topologies/charmm_commands.h"

namespace isolume {

bool CharmmCommands::next() {
  line_.clear();
  while (scanner_.next()) {
    std::string_view text = scanner_.line();
    if (text.starts_with("*")) {
      text.remove_prefix(1);
      if (title_.empty()) title_ = clean(text);
      continue;
    }
    text = trimmed(text.substr(0, text.find('!')));
    const bool goes_on = text.ends_with("-") && (text.size() == 1 || text[text.size() - 2] == ' ');
    if (goes_on) text.remove_suffix(1);
    line_ += upper(text);
    if (line_.size() > scanner_.source().limits().line) fail("a line that goes on for too long");
    line_ += ' ';
    if (goes_on) continue;
    split(line_, fields_);
    if (!fields_.empty()) return true;
    line_.clear();
  }
  split(line_, fields_);  // a '-' on the last line
  return !fields_.empty();
}

bool is_charmm_word(std::string_view word, std::string_view keyword) {
  return word.size() >= std::min<std::size_t>(4, keyword.size()) && word.substr(0, 4) == keyword.substr(0, 4);
}

}  // namespace isolume
