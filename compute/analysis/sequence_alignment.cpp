// Which letters of two sequences belong together: dynamic programming over all their pairs.
#include "compute/analysis/sequence_alignment.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace isolume {
namespace {

constexpr std::string_view blosum_letters = "ARNDCQEGHILKMFPSTWYV";
// The lower triangle, row by row, in half bits.
constexpr signed char blosum62[] = {
    4,                                                                              // A
    -1, 5,                                                                          // R
    -2, 0,  6,                                                                      // N
    -2, -2, 1,  6,                                                                  // D
    0,  -3, -3, -3, 9,                                                              // C
    -1, 1,  0,  0,  -3, 5,                                                          // Q
    -1, 0,  0,  2,  -4, 2,  5,                                                      // E
    0,  -2, 0,  -1, -3, -2, -2, 6,                                                  // G
    -2, 0,  1,  -1, -3, 0,  0,  -2, 8,                                              // H
    -1, -3, -3, -3, -1, -3, -3, -4, -3, 4,                                          // I
    -1, -2, -3, -4, -1, -2, -3, -4, -3, 2,  4,                                      // L
    -1, 2,  0,  -1, -3, 1,  1,  -2, -1, -3, -2, 5,                                  // K
    -1, -1, -2, -3, -1, 0,  -2, -3, -2, 1,  2,  -1, 5,                              // M
    -2, -3, -3, -3, -2, -3, -3, -3, -1, 0,  0,  -3, 0,  6,                          // F
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7,                      // P
    1,  -1, 1,  0,  -1, 0,  0,  0,  -1, -2, -2, 0,  -1, -2, -1, 4,                  // S
    0,  -1, 0,  -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1,  5,              // T
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1,  -4, -3, -2, 11,         // W
    -2, -2, -2, -3, -2, -1, -2, -3, 2,  -1, -1, -2, -1, 3,  -3, -2, -2, 2,  7,      // Y
    0,  -3, -3, -3, -1, -2, -2, -3, -3, 3,  1,  -2, 1,  -1, -2, -2, 0,  -3, -1, 4,  // V
};

struct Letter {
  std::string_view name;
  char letter;
};
constexpr Letter letters[] = {
    {"ALA", 'A'}, {"ARG", 'R'}, {"ASN", 'N'}, {"ASP", 'D'}, {"CYS", 'C'}, {"GLN", 'Q'}, {"GLU", 'E'}, {"GLY", 'G'},
    {"HIS", 'H'}, {"ILE", 'I'}, {"LEU", 'L'}, {"LYS", 'K'}, {"MET", 'M'}, {"PHE", 'F'}, {"PRO", 'P'}, {"SER", 'S'},
    {"THR", 'T'}, {"TRP", 'W'}, {"TYR", 'Y'}, {"VAL", 'V'}, {"HSD", 'H'}, {"HSE", 'H'}, {"HSP", 'H'}, {"HID", 'H'},
    {"HIE", 'H'}, {"HIP", 'H'}, {"CYX", 'C'}, {"CYM", 'C'}, {"ASH", 'D'}, {"GLH", 'E'}, {"LYN", 'K'}, {"MSE", 'M'},
    {"SEC", 'C'}, {"SEP", 'S'}, {"TPO", 'T'}, {"PTR", 'Y'}, {"HYP", 'P'}, {"MLY", 'K'}, {"ADE", 'A'}, {"CYT", 'C'},
    {"GUA", 'G'}, {"THY", 'T'}, {"URA", 'U'}};

/// Of "A", "DA", "RA", "DA5", "U3" and the like.
char nucleotide_letter(std::string_view name) {
  if (name.size() > 1 && (name.back() == '3' || name.back() == '5')) name.remove_suffix(1);
  if (name.size() == 2 && (name.front() == 'D' || name.front() == 'R')) name.remove_prefix(1);
  constexpr std::string_view known = "ACGTU";
  return name.size() == 1 && known.find(name.front()) != std::string_view::npos ? name.front() : 'X';
}

constexpr double never = -1e30;

enum State : std::uint8_t { pair, gap_in_b, gap_in_a };  // the last letter of a alone is a gap in b

/// The best of three scores and where it came from.
struct Best {
  double score;
  State from;
};
Best best_of(double m, double x, double y) {
  if (m >= x && m >= y) return {m, pair};
  return x >= y ? Best{x, gap_in_b} : Best{y, gap_in_a};
}

}  // namespace

char residue_letter(std::string_view residue_name) {
  const auto found = std::find_if(std::begin(letters), std::end(letters),
                                  [&](const Letter& known) { return known.name == residue_name; });
  return found != std::end(letters) ? found->letter : nucleotide_letter(residue_name);
}

int letter_score(char a, char b, SequenceKind kind) {
  if (kind == SequenceKind::nucleic) {
    if (a == 'X' || b == 'X' || a == 'N' || b == 'N') return 0;
    const auto base = [](char c) { return c == 'U' ? 'T' : c; };
    return base(a) == base(b) ? 5 : -4;
  }
  auto i = blosum_letters.find(a), j = blosum_letters.find(b);
  if (i == std::string_view::npos || j == std::string_view::npos) return -1;
  if (i < j) std::swap(i, j);
  return blosum62[i * (i + 1) / 2 + j];
}

SequenceAlignment align_sequences(std::string_view a, std::string_view b, SequenceKind kind, Job& job) {
  const double open = kind == SequenceKind::protein ? 11 : 10, extend = 1;
  const std::size_t rows = a.size() + 1, columns = b.size() + 1;
  SequenceAlignment result;
  if (a.empty() || b.empty()) return result;
  // Scores of the best alignments of what is above and left that end in each state; the row above and this one.
  std::vector<double> m(columns, never), x(columns, never), y(columns, never), m_above, x_above, y_above;
  std::vector<std::uint8_t> from(rows * columns, 0);  // two bits for each state
  m[0] = 0;
  for (std::size_t j = 1; j < columns; ++j) {
    y[j] = 0;
    from[j] = gap_in_a << 4;
  }
  for (std::size_t i = 1; i < rows; ++i) {
    if (i % 64 == 0) job.check();
    m_above = m;
    x_above = x;
    y_above = y;
    m[0] = y[0] = never;
    x[0] = 0;
    from[i * columns] = gap_in_b << 2;
    for (std::size_t j = 1; j < columns; ++j) {
      const Best diagonal = best_of(m_above[j - 1], x_above[j - 1], y_above[j - 1]);
      m[j] = diagonal.score + letter_score(a[i - 1], b[j - 1], kind);
      // Next to the end of b, letters of a cost nothing, and the other way round.
      const bool free_x = j == columns - 1, free_y = i == rows - 1;
      const Best down = best_of(m_above[j] - (free_x ? 0 : open), x_above[j] - (free_x ? 0 : extend),
                                y_above[j] - (free_x ? 0 : open));
      x[j] = down.score;
      const Best right =
          best_of(m[j - 1] - (free_y ? 0 : open), x[j - 1] - (free_y ? 0 : open), y[j - 1] - (free_y ? 0 : extend));
      y[j] = right.score;
      from[i * columns + j] = static_cast<std::uint8_t>(diagonal.from | down.from << 2 | right.from << 4);
    }
  }
  const Best last = best_of(m.back(), x.back(), y.back());
  result.score = last.score;
  State state = last.from;
  for (std::size_t i = rows - 1, j = columns - 1; i > 0 || j > 0;) {
    const std::uint8_t step = from[i * columns + j];
    if (state == pair) {
      result.pairs.emplace_back(static_cast<std::uint32_t>(--i), static_cast<std::uint32_t>(--j));
      result.identical += a[i] == b[j];
      state = static_cast<State>(step & 3);
    } else if (state == gap_in_b) {
      state = static_cast<State>(step >> 2 & 3);
      --i;
    } else {
      state = static_cast<State>(step >> 4 & 3);
      --j;
    }
  }
  std::reverse(result.pairs.begin(), result.pairs.end());
  return result;
}

}  // namespace isolume
