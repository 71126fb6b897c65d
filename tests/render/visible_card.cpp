// The card that a job was given, by its identifier.
#include "render/gl/visible_card.h"

#include <gtest/gtest.h>

namespace isolume::test {
namespace {

// GPU-8f3b01c2-7a45-0d1e-9bcf-00a1b2c3d4e5
constexpr std::uint8_t card[16] = {0x8f, 0x3b, 0x01, 0xc2, 0x7a, 0x45, 0x0d, 0x1e,
                                   0x9b, 0xcf, 0x00, 0xa1, 0xb2, 0xc3, 0xd4, 0xe5};

bool names(std::string_view visible) {
  return names_card(visible, card);
}

TEST(VisibleCard, IsTheFirstOneNamedWholeOrByItsBeginning) {
  EXPECT_TRUE(names("GPU-8f3b01c2-7a45-0d1e-9bcf-00a1b2c3d4e5"));
  EXPECT_TRUE(names("GPU-8F3B01C2-7A45-0D1E-9BCF-00A1B2C3D4E5"));
  EXPECT_TRUE(names("GPU-8f3b01c2-7"));
  EXPECT_TRUE(names("GPU-8f3b01c2-7a45-0d1e-9bcf-00a1b2c3d4e5 ,GPU-11111111-7a45-0d1e-9bcf-00a1b2c3d4e5"));
  EXPECT_FALSE(names("GPU-11111111-7a45-0d1e-9bcf-00a1b2c3d4e5,GPU-8f3b01c2-7a45-0d1e-9bcf-00a1b2c3d4e5"));
  EXPECT_FALSE(names("GPU-8f3b01c2-7a45-0d1e-9bcf-00a1b2c3d4e5ff"));
  EXPECT_FALSE(names("GPU-8f3b01c3"));
}

TEST(VisibleCard, IsNotNamedByNumbersOrParts) {
  for (const char* other : {"", "0", "8", "1,0", "GPU-", "GPU-,", "MIG-8f3b01c2-7a45-0d1e-9bcf-00a1b2c3d4e5", "-1"})
    EXPECT_FALSE(names(other)) << other;
}

}  // namespace
}  // namespace isolume::test
