// CIF text as tables; the one place where gemmi is used. Kept to C++17, as gemmi's headers are (see CMakeLists.txt).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/structures/cif_rows.h"

namespace isolume {

class BinaryCif;
class ByteSource;
struct BinaryTable;

/// A loop, or a category of single items as a table of one row. Values are without quotes; unknown ("?") and
/// inapplicable (".") ones are empty. Views live as long as the document.
class CifTable {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  std::size_t rows() const { return rows_; }
  bool empty() const { return rows_ == 0; }
  /// Names of the columns, in lower case; of CifDocument::categories() as the file has them.
  const std::vector<std::string>& items() const { return items_; }
  /// Line where the loop begins, from 1; 0 in a BinaryCIF file.
  std::int64_t line() const { return line_; }
  /// Column of an item by its name after the prefix, in lower case; none where there is none.
  std::size_t column(std::string_view item) const;
  /// The value, empty where column is none.
  std::string_view at(std::size_t row, std::size_t column) const;
  std::string_view at(std::size_t row, std::string_view item) const { return at(row, column(item)); }

  /// All values of a row, as at() gives each: what takes many of them is far quicker so.
  void values(std::size_t row, std::vector<std::string_view>& out) const;
  /// Where the rows stand in the text, one a line; null where that is not so.
  const CifRows* lines() const { return lines_; }
  /// The text that lines() counts bytes of.
  std::string_view text() const { return text_; }

 private:
  friend class CifDocument;
  std::vector<std::string> items_;
  std::vector<const std::string*> single_;  ///< of single items
  const std::string* values_ = nullptr;     ///< of a loop, row after row
  const CifRows* lines_ = nullptr;          ///< of a loop whose rows were left in the text
  std::string_view text_;
  const BinaryTable* binary_ = nullptr;  ///< of a BinaryCIF file
  std::size_t rows_ = 0;
  std::int64_t line_ = 0;
  bool raw_ = false;  ///< values as they are written
};

/// A parsed CIF (Hall, Allen and Brown 1991, and the CIF 1.1 syntax of the IUCr), read by gemmi's grammar. Rows of
/// atom_site that are one line each stay in the text, which must outlive this: they are most of a file.
class CifDocument {
 public:
  /// Parses a text; `name` is for messages. Throws Error (input) with the line where the syntax is broken.
  /// `piece`: bytes that are worth a thread.
  CifDocument(std::string_view text, const std::string& name, std::size_t piece = std::size_t{1} << 19);
  /// A BinaryCIF file (binary_cif.h), whose bytes must outlive this. Throws Error (input).
  explicit CifDocument(const ByteSource& binary);
  ~CifDocument();
  CifDocument(const CifDocument&) = delete;
  CifDocument& operator=(const CifDocument&) = delete;

  std::size_t blocks() const;
  const std::string& block_name(std::size_t block) const;
  /// The table whose items begin with `prefix` ("_atom_site.") and that has `item` ("cartn_x"); both in lower case.
  /// Empty where there is none.
  CifTable table(std::size_t block, std::string_view prefix, std::string_view item) const;
  /// A single item's value ("_struct.title"), empty where there is none.
  std::string value(std::size_t block, std::string_view tag) const;
  /// All categories of a block of text in their order, by name ("_atom_site"), for who writes them in another form:
  /// names and values are as they are written, these with quotes and "?" and ".".
  std::vector<std::pair<std::string, CifTable>> categories(std::size_t block) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// The operators of a space group, "x,y,z" first, by its Hermann-Mauguin name ("P 21 21 21", "H 3", "I2"; gemmi's
/// table). `gamma`, degrees, tells rhombohedral from hexagonal axes where "R 3" may mean either. Empty where the name
/// is not known.
std::vector<std::string> space_group_triplets(const std::string& name, double alpha, double gamma);

/// The number of a space group in the International Tables, 0 where the name is not known.
int space_group_number(const std::string& name);

/// A value without its quotes or semicolons, empty for "?" and ".".
std::string_view unquoted(std::string_view value);

}  // namespace isolume
