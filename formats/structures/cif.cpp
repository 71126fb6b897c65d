// CIF text as tables, by gemmi's grammar.
#include "formats/structures/cif.h"

#include <algorithm>
#include <gemmi/cif.hpp>
#include <gemmi/symmetry.hpp>
#include <unordered_set>

#include "formats/structures/binary_cif.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

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
  if (binary_) return binary_->columns[column].at(row);
  if (lines_) {
    std::vector<std::string_view> all;
    values(row, all);
    return all[column];
  }
  const std::string& value = values_ ? values_[row * items_.size() + column] : *single_[column];
  if (raw_) return value;
  return unquoted(value);
}

void CifTable::values(std::size_t row, std::vector<std::string_view>& out) const {
  out.clear();
  if (row >= rows_) return;
  if (lines_) {
    split_cif_row(lines_->line(text_, row), out);
    if (raw_) return;
    for (std::string_view& value : out) value = unquoted(value);
    return;
  }
  for (std::size_t column = 0; column < items_.size(); ++column) out.push_back(at(row, column));
}

struct CifDocument::Content {
  std::unique_ptr<const BinaryCif> binary;  ///< instead of all below
  cif::Document document;
  std::string_view text;
  std::unique_ptr<const CifRows> rows;  ///< left in the text, but for the first
  const cif::Loop* loop = nullptr;      ///< which has that first row

  /// Line of the file where the grammar, which did not see those rows, counts `line`.
  std::int64_t line(int seen) const {
    return seen + (rows && seen > rows->first_line ? static_cast<std::int64_t>(rows->starts.size()) - 1 : 0);
  }
};

namespace {

/// Throws Error (input) at the first NUL byte: the grammar would walk through gigabytes of them in a sparse file.
void check_for_nul(std::string_view text, const std::string& name) {
  constexpr std::size_t piece = std::size_t{1} << 26;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    check_stop();
    const std::size_t nul = text.substr(at, piece).find('\0');
    if (nul == std::string_view::npos) continue;
    const auto place = text.begin() + static_cast<std::ptrdiff_t>(at + nul);
    throw Error::in_file(name, std::count(text.begin(), place, '\n') + 1,
                         "a NUL byte: this is not the text that was expected");
  }
}

void parse(std::string_view text, const std::string& name, cif::Document& document) {
  tao::pegtl::memory_input<> input(text.data(), text.size(), "");
  cif::parse_input(document, input);
  cif::check_for_missing_values(document);
  check_for_duplicates(document, name);
}

/// Parses the text without all but the first of `rows`; the loop that has that one, null where there is none, and so
/// the rows belong to something else (a text field).
const cif::Loop* parse_without(std::string_view text, const std::string& name, const CifRows& rows,
                               cif::Document& document) {
  const std::size_t second = rows.starts.size() > 1 ? rows.starts[1] : rows.end;
  std::string rest;
  rest.reserve(text.size() - (rows.end - second));
  rest.append(text.substr(0, second));
  rest.append(text.substr(rows.end));
  try {
    parse(rest, name, document);
  } catch (const std::exception&) {
    return nullptr;  // said with the right line by who parses all
  }
  std::vector<std::string_view> first;
  split_cif_row(rows.line(text, 0), first);
  for (const cif::Block& block : document.blocks) {
    for (const cif::Item& item : block.items) {
      if (item.type != cif::ItemType::Loop || item.line_number != rows.loop_line) continue;
      const bool same = std::equal(first.begin(), first.end(), item.loop.values.begin(), item.loop.values.end()) &&
                        std::equal(rows.tags.begin(), rows.tags.end(), item.loop.tags.begin(), item.loop.tags.end());
      if (same) return &item.loop;
    }
  }
  return nullptr;
}

}  // namespace

CifDocument::CifDocument(std::string_view text, const std::string& name, std::size_t piece)
    : content_(std::make_unique<Content>()) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  check_for_nul(text, name);
  if (auto rows = find_cif_rows(text, "_atom_site.", piece)) {
    content_->loop = parse_without(text, name, *rows, content_->document);
    if (content_->loop) {
      content_->text = text;
      content_->rows = std::make_unique<const CifRows>(std::move(*rows));
      return;
    }
    content_->document = {};
  }
  // Every value becomes a string of its own, many times the size of the shortest one.
  constexpr std::size_t largest = std::size_t{4} << 30;
  if (text.size() > largest) throw Error::in_file(name, 0, "a CIF of more than 4 GiB whose atoms are not one a line");
  try {
    parse(text, name, content_->document);
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

CifDocument::CifDocument(const ByteSource& binary) : content_(std::make_unique<Content>()) {
  content_->binary = std::make_unique<const BinaryCif>(binary);
}

CifDocument::~CifDocument() = default;

std::size_t CifDocument::blocks() const {
  return content_->binary ? content_->binary->blocks() : content_->document.blocks.size();
}

const std::string& CifDocument::block_name(std::size_t block) const {
  return content_->binary ? content_->binary->block_name(block) : content_->document.blocks[block].name;
}

CifTable CifDocument::table(std::size_t block, std::string_view prefix, std::string_view item) const {
  CifTable table;
  if (content_->binary) {
    if (prefix.empty() || prefix.back() != '.') return table;  // of small molecules, which are text
    table.binary_ = content_->binary->table(block, std::string(prefix.substr(0, prefix.size() - 1)));
    if (!table.binary_) return {};
    table.items_ = table.binary_->items;
    table.rows_ = table.binary_->rows;
    return table.column(item) == CifTable::none ? CifTable{} : table;
  }
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
      if (&entry.loop == content_->loop) {
        table.lines_ = content_->rows.get();
        table.text_ = content_->text;
        table.rows_ = content_->rows->starts.size();
      } else {
        table.values_ = entry.loop.values.data();
        table.rows_ = entry.loop.values.size() / tags.size();
      }
      table.line_ = content_->line(entry.line_number);
      return table;
    }
    if (entry.type == cif::ItemType::Pair && has_prefix(entry.pair[0], prefix)) {
      if (table.items_.empty()) table.line_ = content_->line(entry.line_number);
      table.items_.push_back(lower(entry.pair[0]).substr(prefix.size()));
      table.single_.push_back(&entry.pair[1]);
      table.rows_ = 1;
      found = found || table.items_.back() == item;
    }
  }
  return found ? std::move(table) : CifTable{};
}

std::string CifDocument::value(std::size_t block, std::string_view tag) const {
  if (content_->binary) {
    const std::size_t dot = tag.find('.');
    if (dot == std::string_view::npos) return {};
    const std::string name = lower(tag.substr(0, dot + 1)), item = lower(tag.substr(dot + 1));
    return std::string(table(block, name, item).at(0, item));
  }
  for (const cif::Item& entry : content_->document.blocks[block].items) {
    if (entry.type == cif::ItemType::Pair && same_nocase(entry.pair[0], tag)) {
      return std::string(unquoted(entry.pair[1]));
    }
  }
  return {};
}

std::vector<std::pair<std::string, CifTable>> CifDocument::categories(std::size_t block) const {
  std::vector<std::pair<std::string, CifTable>> all;
  const auto split = [](const std::string& tag) {
    const std::size_t dot = std::min(tag.find('.'), tag.size());
    return std::make_pair(tag.substr(0, dot), tag.substr(std::min(dot + 1, tag.size())));
  };
  if (content_->binary) return all;
  for (const cif::Item& entry : content_->document.blocks[block].items) {
    if (entry.type == cif::ItemType::Pair) {
      const auto [name, item] = split(entry.pair[0]);
      const bool more = !all.empty() && all.back().first == name && !all.back().second.single_.empty();
      if (!more) all.emplace_back(name, CifTable());
      CifTable& table = all.back().second;
      table.items_.push_back(item);
      table.single_.push_back(&entry.pair[1]);
      table.rows_ = 1;
      table.raw_ = true;
    } else if (entry.type == cif::ItemType::Loop && !entry.loop.values.empty()) {
      CifTable table;
      for (const std::string& tag : entry.loop.tags) table.items_.push_back(split(tag).second);
      if (&entry.loop == content_->loop) {
        table.lines_ = content_->rows.get();
        table.text_ = content_->text;
        table.rows_ = content_->rows->starts.size();
      } else {
        table.values_ = entry.loop.values.data();
        table.rows_ = entry.loop.values.size() / entry.loop.tags.size();
      }
      table.raw_ = true;
      all.emplace_back(split(entry.loop.tags.front()).first, std::move(table));
    }
  }
  return all;
}

int space_group_number(const std::string& name) {
  const gemmi::SpaceGroup* group = gemmi::find_spacegroup_by_name(name);
  return group ? group->number : 0;
}

std::vector<std::string> space_group_triplets(const std::string& name, double alpha, double gamma) {
  const gemmi::SpaceGroup* group = gemmi::find_spacegroup_by_name(name, alpha, gamma);
  std::vector<std::string> triplets;
  if (!group) return triplets;
  const gemmi::GroupOps operators = group->operations();
  for (const gemmi::Op::Tran& centring : operators.cen_ops)
    for (const gemmi::Op& op : operators.sym_ops) triplets.push_back(op.add_centering(centring).wrap().triplet());
  return triplets;
}

}  // namespace isolume
