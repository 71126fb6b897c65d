// Large texts in pieces that are read side by side, and topologies of pieces joined.
#include "formats/bytes/text_pieces.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "molecule/base/stop.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

constexpr std::size_t most = 64;  ///< pieces: as many threads at most

/// Eight bytes at a time: of x = bytes without their newlines' bits, (x & 0x7f..) + 0x7f.. | x has the top bit of each
/// byte that is not 0.
std::size_t count_newlines(std::string_view text) {
  constexpr std::uint64_t newline = 0x0a0a0a0a0a0a0a0au, low = 0x7f7f7f7f7f7f7f7fu;
  std::size_t count = 0, i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t x = 0;
    std::memcpy(&x, text.data() + i, 8);
    x ^= newline;
    count += static_cast<std::size_t>(std::popcount(~(((x & low) + low) | x | low)));
  }
  return count + static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), '\n'));
}

bool has_bare_carriage_return(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  }
  return false;
}

/// Walks over newlines, block by block, as counting them is much faster than finding each.
class NewlineWalk {
 public:
  /// `longest`: bytes that a line may have.
  NewlineWalk(std::string_view text, std::size_t offset, std::size_t longest)
      : text_(text), at_(std::min(offset, text.size())), longest_(longest) {}

  /// Behind the next `count` lines; npos where there are fewer, or one that is far too long (a sparse file can have
  /// gigabytes without a newline). A last line may lack its end.
  std::size_t over(std::size_t count) {
    constexpr std::size_t block = std::size_t{1} << 14;
    std::size_t without = 0;
    while (count > 0 && at_ < text_.size()) {
      const std::string_view next = text_.substr(at_, block);
      check_stop();
      const std::size_t here = count_newlines(next);
      if (here < count) {
        count -= here;
        at_ += next.size();
        without = here > 0 ? 0 : without + next.size();
        if (without > longest_ + block) return std::string_view::npos;
        if (at_ == text_.size() && count == 1 && text_.back() != '\n') return at_;
        continue;
      }
      for (; count > 0; --count) at_ = text_.find('\n', at_) + 1;
    }
    return count == 0 ? at_ : std::string_view::npos;
  }

 private:
  std::string_view text_;
  std::size_t at_;
  std::size_t longest_;
};

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty()) {
    to = std::move(from);
  } else {
    to.insert(to.end(), from.begin(), from.end());
  }
}

// The first piece: into the room that was made for all, if it was.
template <class T>
void take(std::vector<T>& to, std::vector<T>&& from) {
  if (to.capacity() > from.size()) {
    to.assign(std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from = std::vector<T>();
  } else {
    to = std::move(from);
  }
}

}  // namespace

std::vector<TextPiece> text_pieces(const ByteSource& source, std::size_t smallest) {
  const std::string_view text = source.text();
  if (smallest == 0) smallest = source.limits().piece;
  const std::size_t count = std::clamp<std::size_t>(text.size() / std::max<std::size_t>(smallest, 1), 1, most);
  std::vector<TextPiece> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= count && begin < text.size(); ++i) {
    std::size_t end = text.size();
    if (i < count) {
      const std::size_t from = std::max(begin, text.size() / count * i);
      const std::size_t newline = text.substr(from, source.limits().line + 1).find('\n');
      if (newline != std::string_view::npos) end = from + newline + 1;
    }
    pieces.push_back({begin, end});
    begin = end;
  }
  return pieces;
}

std::size_t end_of_lines(const ByteSource& source, std::size_t offset, std::size_t count) {
  const std::string_view text = source.text();
  const std::size_t end = NewlineWalk(text, offset, source.limits().line).over(count);
  if (end == std::string_view::npos || has_bare_carriage_return(text.substr(offset, end - offset))) {
    return std::string_view::npos;
  }
  return end;
}

std::vector<LinePiece> line_pieces(const ByteSource& source, std::size_t offset, std::int64_t number,
                                   std::size_t count) {
  const std::string_view text = source.text();
  const std::size_t smallest = std::max<std::size_t>(source.limits().piece, 1);
  if (count < 2 || offset >= text.size() || text.size() - offset < 2 * smallest) return {};
  const std::size_t end = end_of_lines(source, offset, count);
  if (end == std::string_view::npos) return {};
  const std::size_t parts = std::min({(end - offset) / smallest, most, count});
  if (parts < 2) return {};
  std::vector<LinePiece> pieces(parts);
  NewlineWalk walk(text, offset, source.limits().line);
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t first = count * i / parts;
    pieces[i].begin = offset;
    pieces[i].number = number + static_cast<std::int64_t>(first);
    pieces[i].count = count * (i + 1) / parts - first;
    pieces[i].end = offset = walk.over(pieces[i].count);
  }
  return pieces;
}

void reserve_part(AtomPart& part, std::size_t atoms) {
  if (!part.builder.topology().atoms.empty()) part.builder.topology().atoms.reserve(atoms);
  if (!part.frame.positions.empty()) part.frame.positions.reserve(atoms);
  if (!part.frame.velocities.empty()) part.frame.velocities.reserve(atoms);
  if (!part.frame.forces.empty()) part.frame.forces.reserve(atoms);
}

bool alternates_go_on(AtomPart& part, AtomPart& next) {
  const Topology &a = part.builder.topology(), &b = next.builder.topology();
  if (a.atoms.empty() || b.atoms.empty()) return false;
  return a.atoms.back().altloc != ' ' && b.atoms.front().altloc != ' ' &&
         a.residues.back().number == b.residues.front().number && a.chains.back().id == b.chains.front().id;
}

void append_part(AtomPart& part, AtomPart&& next, bool chain_ends) {
  if (!next.builder.topology().atoms.empty()) {
    append_topology(part.builder.topology(), std::move(next.builder.topology()), chain_ends);
    // The builder of what comes last knows that its chain may go on.
    next.builder.topology() = std::move(part.builder.topology());
    part.builder = std::move(next.builder);
  }
  part.elements.count(next.elements);
  append_positions(next.frame.positions, next.frame.precise_positions, part.frame.positions,
                   part.frame.precise_positions);
  append(part.frame.velocities, std::move(next.frame.velocities));
  append(part.frame.forces, std::move(next.frame.forces));
}

void append_topology(Topology& topology, Topology&& next, bool chain_ends) {
  if (next.atoms.empty()) return;
  if (topology.atoms.empty()) {
    topology.atoms.append(std::move(next.atoms), 0);
    take(topology.residues, std::move(next.residues));
    topology.chains = std::move(next.chains);
    topology.displacements = std::move(next.displacements);
    return;
  }
  const bool same_chain = !chain_ends && !topology.chains.empty() &&
                          topology.chains.back().id == next.chains.front().id &&
                          topology.chains.back().segment == next.chains.front().segment;
  const Residue& first = next.residues.front();
  const bool same_residue = same_chain && topology.residues.back().number == first.number &&
                            topology.residues.back().insertion == first.insertion &&
                            topology.residues.back().name == first.name;
  const auto atoms = static_cast<std::uint32_t>(topology.atoms.size());
  const auto residues = static_cast<std::uint32_t>(topology.residues.size() - same_residue);
  const auto chains = static_cast<std::uint32_t>(topology.chains.size() - same_chain);
  if (same_residue) topology.residues.back().atom_count += first.atom_count;
  for (std::size_t i = same_residue; i < next.residues.size(); ++i) {
    Residue& residue = next.residues[i];
    residue.first_atom += atoms;
    residue.chain += chains;
    topology.residues.push_back(std::move(residue));
  }
  if (same_chain) topology.chains.back().residue_count += next.chains.front().residue_count - same_residue;
  for (std::size_t i = same_chain; i < next.chains.size(); ++i) {
    next.chains[i].first_residue += residues;
    topology.chains.push_back(std::move(next.chains[i]));
  }
  if (!topology.displacements.empty() || !next.displacements.empty()) {
    topology.displacements.resize(topology.atoms.size());
    next.displacements.resize(next.atoms.size());
    append(topology.displacements, std::move(next.displacements));
  }
  topology.atoms.append(std::move(next.atoms), residues);
}

}  // namespace isolume
