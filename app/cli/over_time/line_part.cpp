// Parts of tables with some lines for each frame, kept in their written form.
#include "app/cli/over_time/line_part.h"

#include <algorithm>
#include <cstring>

namespace isolume::cli {
namespace {

constexpr const char* lengths_word = "lengths";
constexpr const char* lines_word = "lines";

}  // namespace

FramePart line_part(const std::string& kind, const std::string& heading, const std::string& selection,
                    std::vector<std::uint64_t> frames, const std::vector<std::string>& lines) {
  using Rule = FrameArray::Rule;
  FramePart part;
  part.kind = kind;
  part.fixed = {{"selection", selection}, {"heading", heading}};
  part.frames = std::move(frames);
  FrameArray lengths{lengths_word, Rule::rows, 1, {}, true}, words{lines_word, Rule::lists, 1, lengths_word, true};
  for (const std::string& text : lines) {
    // Eight characters in each word; the last is filled with zeros, which no line has.
    const std::size_t begin = words.counts.size(), count = (text.size() + 7) / 8;
    words.counts.resize(begin + count, 0);
    std::memcpy(words.counts.data() + begin, text.data(), text.size());
    lengths.counts.push_back(count);
  }
  part.arrays = {std::move(lengths), std::move(words)};
  return part;
}

bool is_line_part(const FramePart& part) {
  return std::any_of(part.arrays.begin(), part.arrays.end(),
                     [](const FrameArray& array) { return array.name == lines_word && array.whole; });
}

std::string table_of_lines(const FramePart& part) {
  const std::vector<std::uint64_t>& words = part.array(lines_word).counts;
  std::string text = part.text("heading");
  const std::size_t begin = text.size();
  text.resize(begin + 8 * words.size());
  std::memcpy(text.data() + begin, words.data(), 8 * words.size());
  text.erase(std::remove(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '\0'), text.end());
  return text;
}

}  // namespace isolume::cli
