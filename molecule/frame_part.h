// A part of a result over frames, from some of the frames, to be joined with the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isolume {

/// One array of a part, and how it is joined with that of another part.
struct FrameArray {
  enum class Rule : std::uint8_t {
    rows,   ///< `width` values of every frame, in their order
    lists,  ///< of every frame as many values as the rows array `lengths` says
    sum,    ///< added
    keyed,  ///< counts as key, number, key, number, ..., keys ascending; numbers of one key are added
    same,   ///< the same in every part
    own,    ///< joined by who made the part
  };

  std::string name;
  Rule rule = Rule::rows;
  std::size_t width = 1;
  std::string lengths;  ///< of lists
  bool whole = false;   ///< `counts` are its values, else `numbers`
  std::vector<std::uint64_t> counts{};
  std::vector<double> numbers{};

  std::size_t size() const { return whole ? counts.size() : numbers.size(); }
};
inline constexpr int frame_array_rules = 6;

/// A result over some of the frames of a trajectory.
struct FramePart {
  std::string kind;                                         ///< "rdf": which computation
  std::vector<std::pair<std::string, std::string>> fixed;   ///< what parts of one result share, such as options
  std::vector<std::pair<std::string, std::string>> inputs;  ///< the files, and what is known of their content
  std::map<std::uint64_t, std::string> names;               ///< what keys stand for; those of all parts are united
  std::string program;                                      ///< version that made it
  std::string more;                                         ///< anything, of who made the part
  std::vector<std::uint64_t> frames;                        ///< numbers in the trajectory, each once
  std::vector<FrameArray> arrays;

  /// The array of that name. Throws Error (input) where there is none.
  const FrameArray& array(const std::string& name) const;
  /// The text of `fixed` of that name, empty where there is none.
  std::string text(const std::string& name) const;
};

/// Throws Error (input) where sizes, orders and names do not fit together: after it nothing has to be checked again.
/// Frames ascend where arrays have rows.
void validate(const FramePart& part, const std::string& path);

/// Throws Error (input) that names what differs where `other` (read from `other_path`) is not of the same result.
void require_same_result(const FramePart& part, const FramePart& other, const std::string& other_path);

/// Throws Error (input) that names the first frame that both have.
void require_other_frames(const FramePart& part, const FramePart& other, const std::string& other_path);

/// Adds the frames of a part of the same result. In any order and grouping the result is the same: bit by bit but for
/// sums of numbers, which round. Throws Error (input), and leaves `part` as it was.
void join(FramePart& part, const FramePart& other, const std::string& other_path);

/// Frames in words: "0:100, 200:300:10".
std::string frames_in_words(const std::vector<std::uint64_t>& frames);

/// The frames that are missing for all of them to be evenly apart, by the smallest distance there is; in words, empty
/// for none.
std::string missing_frames(const std::vector<std::uint64_t>& frames);

}  // namespace isolume
