// CIF text as tables, by gemmi's grammar.
#include "formats/cif.h"

#include <algorithm>
#include <gemmi/cif.hpp>
#include <unordered_set>

#include "molecule/error.h"

namespace isolume {
namespace {

namespace cif = gemmi::cif;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool same_nocase(std::string_view text, std::string_view small) {
  return text.size() == small.size() && lower(text) == small;
}

bool has_prefix(std::string_view tag, std::string_view prefix) {
  return tag.size() > prefix.size() && lower(tag.substr(0, prefix.size())) == prefix;
}

/// gemmi's messages quote the file: nothing but what can be printed.
std::string printable(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.substr(0, 200);
}

/// Throws Error (input) where a block, or a tag or frame of one, is there twice. (gemmi's own check empties one table
/// for all blocks, which takes time with the square of their number.)
void check_for_duplicates(const cif::Document& document, const std::string& path) {
  const auto twice = [&](int line, const std::string& name) {
    throw Error::in_file(path, line, "not valid CIF: " + printable(name) + " is there twice");
  };
  std::unordered_set<std::string> blocks;
  for (const cif::Block& block : document.blocks) {
    if (!block.name.empty() && !blocks.insert(lower(block.name)).second) twice(0, "data_" + block.name);
    std::unordered_set<std::string> names;
    const auto once = [&](const cif::Item& item, const std::string& name) {
      if (!names.insert(lower(name)).second) twice(item.line_number, name);
    };
    for (const cif::Item& item : block.items) {
      if (item.type == cif::ItemType::Pair) once(item, item.pair[0]);
      if (item.type == cif::ItemType::Frame) once(item, "save_" + item.frame.name);
      if (item.type != cif::ItemType::Loop) continue;
      for (const std::string& tag : item.loop.tags) once(item, tag);
    }
  }
}

}  // namespace

std::string_view unquoted(std::string_view value) {
  if (value == "?" || value == ".") return {};
  if (value.size() >= 2 && (value[0] == '\'' || value[0] == '"') && value.back() == value[0]) {
    return value.substr(1, value.size() - 2);
  }
  if (value.size() >= 3 && value[0] == ';' && value.back() == ';') {
    value = value.substr(1, value.size() - 2);
    while (!value.empty() && (value.back() == '\n' || value.back() == '\r')) value.remove_suffix(1);
  }
  return value;
}

std::size_t CifTable::column(std::string_view item) const {
  const auto found = std::find(items_.begin(), items_.end(), item);
  return found == items_.end() ? none : static_cast<std::size_t>(found - items_.begin());
}

std::string_view CifTable::at(std::size_t row, std::size_t column) const {
  if (column >= items_.size() || row >= rows_) return {};
  return unquoted(values_ ? values_[row * items_.size() + column] : *single_[column]);
}

struct CifDocument::Content {
  cif::Document document;
};

CifDocument::CifDocument(std::string_view text, const std::string& name) : content_(std::make_unique<Content>()) {
  // Every value becomes a string of its own, many times the size of the shortest one.
  constexpr std::size_t largest = std::size_t{4} << 30;
  if (text.size() > largest) throw Error::in_file(name, 0, "a CIF of more than 4 GiB is not read");
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  try {
    tao::pegtl::memory_input<> input(text.data(), text.size(), "");
    cif::parse_input(content_->document, input);
    cif::check_for_missing_values(content_->document);
    check_for_duplicates(content_->document, name);
  } catch (const tao::pegtl::parse_error& error) {
    const std::int64_t line = error.positions().empty() ? 0 : static_cast<std::int64_t>(error.positions().front().line);
    // what() is ":line:column(byte): message".
    std::string message = error.what();
    const std::size_t end = message.find("): ");
    if (end != std::string::npos) message = message.substr(end + 3);
    throw Error::in_file(name, line, "not valid CIF: " + printable(message));
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Error::in_file(name, 0, "not valid CIF: " + printable(error.what()));
  }
}

CifDocument::~CifDocument() = default;

std::size_t CifDocument::blocks() const {
  return content_->document.blocks.size();
}

const std::string& CifDocument::block_name(std::size_t block) const {
  return content_->document.blocks[block].name;
}

CifTable CifDocument::table(std::size_t block, std::string_view prefix, std::string_view item) const {
  CifTable table;
  const std::string wanted = std::string(prefix) + std::string(item);
  bool found = false;
  for (const cif::Item& entry : content_->document.blocks[block].items) {
    if (entry.type == cif::ItemType::Loop) {
      const auto& tags = entry.loop.tags;
      if (std::none_of(tags.begin(), tags.end(), [&](const std::string& tag) { return same_nocase(tag, wanted); })) {
        continue;
      }
      if (entry.loop.values.empty()) continue;
      table = {};
      for (const std::string& tag : tags) {
        table.items_.push_back(has_prefix(tag, prefix) ? lower(tag).substr(prefix.size()) : std::string());
      }
      table.values_ = entry.loop.values.data();
      table.rows_ = entry.loop.values.size() / tags.size();
      table.line_ = entry.line_number;
      return table;
    }
    if (entry.type == cif::ItemType::Pair && has_prefix(entry.pair[0], prefix)) {
      if (table.items_.empty()) table.line_ = entry.line_number;
      table.items_.push_back(lower(entry.pair[0]).substr(prefix.size()));
      table.single_.push_back(&entry.pair[1]);
      table.rows_ = 1;
      found = found || table.items_.back() == item;
    }
  }
  return found ? std::move(table) : CifTable{};
}

std::string CifDocument::value(std::size_t block, std::string_view tag) const {
  for (const cif::Item& entry : content_->document.blocks[block].items) {
    if (entry.type == cif::ItemType::Pair && same_nocase(entry.pair[0], tag)) {
      return std::string(unquoted(entry.pair[1]));
    }
  }
  return {};
}

}  // namespace isolume
