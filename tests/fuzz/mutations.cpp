// Damaged copies of files: each change is one that has broken a reader of molecules somewhere.
#include "tests/fuzz/mutations.h"

#include <algorithm>
#include <array>

namespace isolume::fuzz {

namespace {

constexpr std::array<const char*, 16> numbers = {
    "0",   "-1",  "1",     "2147483647", "2147483648", "4294967296", "99999", "-0",
    "nan", "inf", "1e308", "1e-320",     "1D+999",     "*****",      "",      "9223372036854775808"};
constexpr std::array<std::uint32_t, 10> words = {0,       1,          0xff,       0x7fff,     0xffff,
                                                 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000};

void change_number(std::string& bytes, Random& random) {
  const char* digits = "0123456789";
  std::size_t start = bytes.find_first_of(digits, random.below(bytes.size()));
  if (start == std::string::npos) start = bytes.find_first_of(digits);
  if (start == std::string::npos) return;
  const std::size_t end = std::min(bytes.find_first_not_of("0123456789.", start), bytes.size());
  std::string number = numbers[random.below(numbers.size())];
  if (random.below(2) == 0) number.resize(end - start, ' ');  // in the same columns
  bytes.replace(start, end - start, number);
}

void change_word(std::string& bytes, Random& random) {
  if (bytes.size() < 4) return;
  // Headers decide most: half of the changes are in the first 600 bytes.
  const std::size_t region = random.below(2) == 0 ? std::min<std::size_t>(bytes.size(), 600) : bytes.size();
  const std::size_t at = std::min(random.below(region) / 4 * 4, bytes.size() - 4);
  const std::uint32_t word = words[random.below(words.size())];
  const bool little = random.below(2) == 0;
  for (std::size_t k = 0; k < 4; ++k) bytes[at + k] = static_cast<char>(word >> (8 * (little ? k : 3 - k)));
}

struct Range {
  std::size_t first, length;
};

Range range_in(const std::string& bytes, Random& random) {
  const std::size_t first = random.below(bytes.size());
  const std::size_t longest =
      random.below(4) == 0 ? bytes.size() - first : std::min<std::size_t>(bytes.size() - first, 32);
  return {first, random.below(longest + 1)};
}

Range line_in(const std::string& bytes, Random& random) {
  const std::size_t place = random.below(bytes.size());
  const std::size_t before = place == 0 ? std::string::npos : bytes.rfind('\n', place - 1);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = bytes.find('\n', place);
  return {first, (end == std::string::npos ? bytes.size() : end + 1) - first};
}

void change(std::string& bytes, const std::vector<std::string>& corpus, Random& random) {
  if (bytes.empty()) {
    bytes = std::string(1, static_cast<char>(random.below(256)));
    return;
  }
  const std::size_t at = random.below(bytes.size());
  switch (random.below(11)) {
    case 0:
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1u << random.below(8)));
      break;
    case 1:
      bytes[at] = static_cast<char>(random.below(256));
      break;
    case 2:
    case 3:
      change_number(bytes, random);
      break;
    case 4:
      change_word(bytes, random);
      break;
    case 5: {
      const Range range = range_in(bytes, random);
      bytes.erase(range.first, range.length);
      break;
    }
    case 6: {
      const Range range = range_in(bytes, random);
      bytes.insert(at, bytes.substr(range.first, range.length));
      break;
    }
    case 7: {
      const Range line = line_in(bytes, random);
      bytes.erase(line.first, line.length);
      break;
    }
    case 8: {
      const Range from = line_in(bytes, random);
      const std::string line = bytes.substr(from.first, from.length);
      bytes.insert(line_in(bytes, random).first, line);
      break;
    }
    case 9: {
      const std::string& other = corpus[random.below(corpus.size())];
      if (other.empty()) break;
      const Range range = range_in(other, random);
      bytes.insert(at, other, range.first, range.length);
      break;
    }
    default:
      bytes.resize(at);
  }
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::string mutated(const std::vector<std::string>& corpus, Random& random, std::size_t largest) {
  std::string bytes = corpus[random.below(corpus.size())];
  const std::size_t changes = 1 + random.below(4);
  for (std::size_t i = 0; i < changes; ++i) change(bytes, corpus, random);
  if (bytes.size() > largest) bytes.resize(largest);
  return bytes;
}

}  // namespace isolume::fuzz
