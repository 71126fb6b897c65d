// A part of a result over frames: joining and checks.
#include "molecule/frame_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Rule = FrameArray::Rule;

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw Error::in_file(path, 0, message);
}

// Where the list of each frame begins, in entries; one more than frames.
std::vector<std::size_t> starts_of(const FramePart& part, const FrameArray& array) {
  std::vector<std::size_t> starts{0};
  if (array.rule == Rule::lists) {
    for (const std::uint64_t length : part.array(array.lengths).counts) starts.push_back(starts.back() + length);
  } else {
    for (std::size_t i = 0; i < part.frames.size(); ++i) starts.push_back(i + 1);
  }
  return starts;
}

void check_lists(const FramePart& part, const FrameArray& array, const std::string& path) {
  const auto lengths = std::find_if(part.arrays.begin(), part.arrays.end(),
                                    [&](const FrameArray& other) { return other.name == array.lengths; });
  if (lengths == part.arrays.end() || lengths->rule != Rule::rows || lengths->width != 1 || !lengths->whole ||
      lengths->counts.size() != part.frames.size())
    refuse(path, fmt::format("its '{}' has no lengths", array.name));
  const std::uint64_t all = array.size() / array.width;
  std::uint64_t sum = 0;
  for (const std::uint64_t length : lengths->counts) {
    if (length > all - sum) refuse(path, fmt::format("its '{}' is too short for its lengths", array.name));
    sum += length;
  }
  if (sum != all || array.size() % array.width != 0)
    refuse(path, fmt::format("its '{}' is too long for its lengths", array.name));
}

void check_array(const FramePart& part, const FrameArray& array, const std::string& path) {
  if (array.width == 0 || !(array.whole ? array.numbers.empty() : array.counts.empty()))
    refuse(path, fmt::format("its '{}' has no shape", array.name));
  const std::size_t frames = part.frames.size(), size = array.size();
  if (array.rule == Rule::rows && (size % array.width != 0 || size / array.width != frames))
    refuse(path, fmt::format("its '{}' has {} values for {} frames", array.name, size, frames));
  if (array.rule == Rule::lists) check_lists(part, array, path);
  if (array.rule != Rule::keyed) return;
  if (!array.whole || array.counts.size() % 2 != 0)
    refuse(path, fmt::format("its '{}' is no list of keys and numbers", array.name));
  for (std::size_t i = 2; i < array.counts.size(); i += 2)
    if (array.counts[i - 2] >= array.counts[i]) refuse(path, fmt::format("the keys of its '{}' descend", array.name));
}

std::string pairs_in_words(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) text += (text.empty() ? "" : ", ") + name + " (" + value + ")";
  return text;
}

std::string difference(const std::string& name, const std::string& its, const std::string& own) {
  const std::string text = "is a part of another result: ";
  if (its.empty()) return text + fmt::format("it has no {}, and the other has {}", name, own);
  if (own.empty()) return text + fmt::format("it has {} {}, and the other has none", name, its);
  return text + fmt::format("its {} is {}, not {}", name, its, own);
}

// Whether the content of the files is the same; their names may differ.
bool same_files(const FramePart& part, const FramePart& other) {
  return std::equal(part.inputs.begin(), part.inputs.end(), other.inputs.begin(), other.inputs.end(),
                    [](const auto& a, const auto& b) { return a.second == b.second; });
}

void require_same_arrays(const FramePart& part, const FramePart& other, const std::string& path) {
  if (part.arrays.size() != other.arrays.size()) refuse(path, "is a part of another result: it has other arrays");
  for (std::size_t i = 0; i < part.arrays.size(); ++i) {
    const FrameArray &a = part.arrays[i], &b = other.arrays[i];
    if (a.name != b.name || a.rule != b.rule || a.width != b.width || a.lengths != b.lengths || a.whole != b.whole)
      refuse(path, fmt::format("is a part of another result: its '{}' is not '{}'", b.name, a.name));
    if (a.rule == Rule::sum && a.size() != b.size())
      refuse(path,
             fmt::format("is a part of another result: its '{}' has {} values, not {}", b.name, b.size(), a.size()));
    if (a.rule == Rule::same && (a.counts != b.counts || a.numbers != b.numbers))
      refuse(path, fmt::format("is a part of another result: its {} are others", b.name));
  }
}

// The frames of both, ascending: where each comes from.
struct Place {
  bool other = false;
  std::size_t row = 0;
};

std::vector<Place> order_of(const FramePart& part, const FramePart& other) {
  std::vector<Place> places;
  places.reserve(part.frames.size() + other.frames.size());
  for (std::size_t i = 0, j = 0; i < part.frames.size() || j < other.frames.size();) {
    const bool from = i == part.frames.size() || (j < other.frames.size() && other.frames[j] < part.frames[i]);
    places.push_back({from, from ? j++ : i++});
  }
  return places;
}

template <typename Value>
void join_rows(std::vector<Value>& own, const std::vector<Value>& its, std::size_t width,
               const std::vector<std::size_t>& own_starts, const std::vector<std::size_t>& its_starts,
               const std::vector<Place>& places, bool behind) {
  if (behind) {
    own.insert(own.end(), its.begin(), its.end());
    return;
  }
  std::vector<Value> joined;
  joined.reserve(own.size() + its.size());
  for (const Place& place : places) {
    const std::vector<std::size_t>& starts = place.other ? its_starts : own_starts;
    const auto from = (place.other ? its : own).begin();
    joined.insert(joined.end(), from + static_cast<std::ptrdiff_t>(starts[place.row] * width),
                  from + static_cast<std::ptrdiff_t>(starts[place.row + 1] * width));
  }
  own = std::move(joined);
}

void join_keyed(std::vector<std::uint64_t>& own, const std::vector<std::uint64_t>& its) {
  std::vector<std::uint64_t> joined;
  joined.reserve(own.size() + its.size());
  for (std::size_t i = 0, j = 0; i < own.size() || j < its.size();) {
    const bool first = j >= its.size() || (i < own.size() && own[i] <= its[j]);
    const bool second = i >= own.size() || (j < its.size() && its[j] <= own[i]);
    joined.push_back(first ? own[i] : its[j]);
    joined.push_back((first ? own[i + 1] : 0) + (second ? its[j + 1] : 0));
    i += first ? 2 : 0;
    j += second ? 2 : 0;
  }
  own = std::move(joined);
}

}  // namespace

const FrameArray& FramePart::array(const std::string& wanted) const {
  for (const FrameArray& array : arrays)
    if (array.name == wanted) return array;
  throw Error(fmt::format("a part of '{}' has no '{}'", kind, wanted), Error::Kind::input);
}

std::string FramePart::text(const std::string& name) const {
  for (const auto& [key, value] : fixed)
    if (key == name) return value;
  return {};
}

void validate(const FramePart& part, const std::string& path) {
  const bool ordered = std::any_of(part.arrays.begin(), part.arrays.end(), [](const FrameArray& array) {
    return array.rule == Rule::rows || array.rule == Rule::lists;
  });
  std::vector<std::uint64_t> frames = part.frames;
  if (!ordered) std::sort(frames.begin(), frames.end());
  for (std::size_t i = 1; i < frames.size(); ++i)
    if (frames[i - 1] >= frames[i]) refuse(path, fmt::format("has frame {} twice, or out of order", frames[i]));
  for (std::size_t i = 0; i < part.arrays.size(); ++i) {
    check_array(part, part.arrays[i], path);
    for (std::size_t j = 0; j < i; ++j)
      if (part.arrays[j].name == part.arrays[i].name)
        refuse(path, fmt::format("has two arrays '{}'", part.arrays[i].name));
  }
}

void require_same_result(const FramePart& part, const FramePart& other, const std::string& path) {
  if (part.kind != other.kind)
    refuse(path, fmt::format("is a part of another result: of {}, not of {}", other.kind, part.kind));
  if (!same_files(part, other))
    refuse(path, fmt::format("is a part of another result: of the files {}, not {}", pairs_in_words(other.inputs),
                             pairs_in_words(part.inputs)));
  // Options first: what follows from them differs too, and says less.
  for (const bool options : {true, false}) {
    for (const auto& [name, text] : part.fixed)
      if (const std::string its = other.text(name); its != text && name.starts_with("--") == options)
        refuse(path, difference(name, its, text));
    for (const auto& [name, text] : other.fixed)
      if (const std::string own = part.text(name); own != text && name.starts_with("--") == options)
        refuse(path, difference(name, text, own));
  }
  require_same_arrays(part, other, path);
}

void require_other_frames(const FramePart& part, const FramePart& other, const std::string& path) {
  std::vector<std::uint64_t> own = part.frames, its = other.frames, both;
  std::sort(own.begin(), own.end());
  std::sort(its.begin(), its.end());
  std::set_intersection(own.begin(), own.end(), its.begin(), its.end(), std::back_inserter(both));
  if (!both.empty())
    refuse(path, fmt::format("has frame {}, which another part has too{}", both.front(),
                             both.size() > 1 ? fmt::format(" (and {} more)", both.size() - 1) : ""));
}

void join(FramePart& part, const FramePart& other, const std::string& path) {
  require_same_result(part, other, path);
  require_other_frames(part, other, path);
  const bool behind = part.frames.empty() || other.frames.empty() || part.frames.back() < other.frames.front();
  const std::vector<Place> places = behind ? std::vector<Place>() : order_of(part, other);
  std::vector<std::vector<std::size_t>> own_starts(part.arrays.size()), its_starts(part.arrays.size());
  for (std::size_t i = 0; !behind && i < part.arrays.size(); ++i) {
    if (part.arrays[i].rule != Rule::rows && part.arrays[i].rule != Rule::lists) continue;
    own_starts[i] = starts_of(part, part.arrays[i]);
    its_starts[i] = starts_of(other, other.arrays[i]);
  }
  for (std::size_t i = 0; i < part.arrays.size(); ++i) {
    FrameArray& own = part.arrays[i];
    const FrameArray& its = other.arrays[i];
    if (own.rule == Rule::rows || own.rule == Rule::lists) {
      if (own.whole) {
        join_rows(own.counts, its.counts, own.width, own_starts[i], its_starts[i], places, behind);
      } else {
        join_rows(own.numbers, its.numbers, own.width, own_starts[i], its_starts[i], places, behind);
      }
    } else if (own.rule == Rule::sum) {
      for (std::size_t k = 0; k < own.counts.size(); ++k) own.counts[k] += its.counts[k];
      for (std::size_t k = 0; k < own.numbers.size(); ++k) own.numbers[k] += its.numbers[k];
    } else if (own.rule == Rule::keyed) {
      join_keyed(own.counts, its.counts);
    }
  }
  part.names.insert(other.names.begin(), other.names.end());
  const auto middle = static_cast<std::ptrdiff_t>(part.frames.size());
  part.frames.insert(part.frames.end(), other.frames.begin(), other.frames.end());
  if (!behind) std::inplace_merge(part.frames.begin(), part.frames.begin() + middle, part.frames.end());
}

std::string frames_in_words(const std::vector<std::uint64_t>& given) {
  std::vector<std::uint64_t> frames = given;
  std::sort(frames.begin(), frames.end());
  std::string text;
  std::size_t runs = 0;
  for (std::size_t i = 0; i < frames.size() && runs < 8; ++runs) {
    const std::uint64_t step = i + 1 < frames.size() ? frames[i + 1] - frames[i] : 1;
    std::size_t end = i + 1;
    while (end < frames.size() && frames[end] - frames[end - 1] == step) ++end;
    text += fmt::format("{}{}:{}{}", text.empty() ? "" : ", ", frames[i], frames[end - 1] + 1,
                        step > 1 ? fmt::format(":{}", step) : "");
    i = end;
    if (runs == 7 && i < frames.size()) text += ", ...";
  }
  return text;
}

std::string missing_frames(const std::vector<std::uint64_t>& given) {
  std::vector<std::uint64_t> frames = given;
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  std::uint64_t step = 0;
  for (std::size_t i = 1; i < frames.size(); ++i)
    if (step == 0 || frames[i] - frames[i - 1] < step) step = frames[i] - frames[i - 1];
  std::string text;
  int gaps = 0;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (frames[i] - frames[i - 1] == step) continue;
    if (++gaps > 8) return text + ", ...";
    text += fmt::format("{}{}:{}{}", text.empty() ? "" : ", ", frames[i - 1] + step, frames[i],
                        step > 1 ? fmt::format(":{}", step) : "");
  }
  return text;
}

}  // namespace isolume
