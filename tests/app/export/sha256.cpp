// SHA-256 against the examples of FIPS 180-4, and the processor's instructions against the formulas.
#include "app/export/sha256.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "app/export/sha256_blocks.h"

namespace isolume {
namespace {

std::string hash_of(const std::string& text, std::size_t piece) {
  Sha256 hash;
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    hash.add(bytes.subspan(at, std::min(piece, bytes.size() - at)));
  return hash.finish();
}

TEST(Sha256Hash, HasTheValuesOfTheStandard) {
  // NIST, "Secure Hash Standard: SHA-256 examples": one block, two blocks, a million times "a"; and nothing.
  const std::vector<std::pair<std::string, std::string>> examples{
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, digest] : examples)
    for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, text.size() + 1})
      EXPECT_EQ(hash_of(text, piece), digest) << text.size() << " by " << piece;
}

TEST(Sha256Hash, InstructionsAndFormulasMakeTheSameOfAnyBlocks) {
  std::mt19937_64 random(3);
  for (const std::size_t blocks : {1, 2, 3, 17}) {
    std::vector<std::byte> bytes(64 * blocks + 1);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 255);
    Sha256State fast, plain;
    for (std::size_t i = 0; i < fast.size(); ++i) fast[i] = plain[i] = static_cast<std::uint32_t>(random());
    // Wherever they begin.
    sha256_blocks(fast, std::span(bytes).subspan(1));
    sha256_blocks_by_formula(plain, std::span(bytes).subspan(1));
    EXPECT_EQ(fast, plain) << blocks;
  }
}

}  // namespace
}  // namespace isolume
