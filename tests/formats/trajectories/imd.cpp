// IMD: packets of simulations, whole, turned and wrong.
#include "formats/trajectories/imd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "molecule/base/error.h"
#include "tests/support/imd_bytes.h"

namespace isolume {
namespace {

using test::ImdBytes;

const std::vector<float> three{1, 2, 3, -4, 5.5f, 6, 0.25f, -8, 9};

/// Feeds all bytes packet by packet; what is left over is too short for the next one.
std::vector<ImdFrame> frames_of(ImdParser& parser, const std::string& text) {
  std::vector<ImdFrame> frames;
  auto left = std::as_bytes(std::span(text));
  for (std::size_t wanted = 0; (wanted = parser.wanted()) > 0 && left.size() >= wanted; left = left.subspan(wanted))
    if (parser.take(left.first(wanted))) frames.push_back(parser.frame());
  return frames;
}

std::string fault_of(const std::string& text, std::size_t atoms = 3) {
  ImdParser parser(atoms, "imd://here:1");
  try {
    frames_of(parser, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "no error";
}

ImdBytes whole_frame(ImdBytes bytes, std::int64_t step) {
  std::vector<float> faster = three;
  for (float& value : faster) value *= 2;
  return bytes.time(0.002, 0.5 * static_cast<double>(step), step)
      .energies(static_cast<std::int32_t>(step), 300)
      .box({20, 0, 0, 1, 21, 0, 2, 3, 22})
      .positions(three)
      .velocities(faster)
      .forces({4.184f, 0, 0, 0, 8.368f, 0, 0, 0, -4.184f});
}

class Imd : public testing::TestWithParam<bool> {};

TEST_P(Imd, Version3HasAllThatTheSessionNames) {
  ImdBytes bytes(GetParam());
  bytes.handshake(3).session(true, true, true, true, true, true);
  bytes = whole_frame(whole_frame(bytes, 7), std::int64_t{1} << 40);
  ImdParser parser(3, "imd://here:1");
  const std::vector<ImdFrame> frames = frames_of(parser, bytes.text);
  ASSERT_EQ(frames.size(), 2u);
  ASSERT_TRUE(parser.session());
  EXPECT_EQ(parser.session()->version, 3);
  EXPECT_EQ(parser.session()->swapped, GetParam() == (std::endian::native == std::endian::little));
  EXPECT_FALSE(parser.session()->wrapped);
  const ImdFrame& first = frames[0];
  EXPECT_EQ(first.step, 7);
  EXPECT_EQ(frames[1].step, std::int64_t{1} << 40);
  EXPECT_TRUE(first.frame.has_time);
  EXPECT_EQ(first.frame.time, 3.5);
  EXPECT_EQ(first.frame.cell.vectors[1], glm::dvec3(1, 21, 0));
  EXPECT_EQ(first.frame.cell.vectors[2], glm::dvec3(2, 3, 22));
  ASSERT_EQ(first.frame.positions.size(), 3u);
  EXPECT_EQ(first.frame.positions[1], glm::vec3(-4, 5.5f, 6));
  EXPECT_EQ(first.frame.velocities[2], glm::vec3(0.5f, -16, 18));
  // 4.184 kJ are 1 kcal.
  EXPECT_NEAR(first.frame.forces[0].x, 1, 1e-6);
  EXPECT_NEAR(first.frame.forces[1].y, 2, 1e-6);
  EXPECT_NEAR(first.frame.forces[2].z, -1, 1e-6);
  ASSERT_TRUE(first.energies);
  EXPECT_EQ(first.energies->temperature, 300);
  EXPECT_EQ(first.energies->potential, 302);
  EXPECT_EQ(first.energies->impropers, 308);
  EXPECT_TRUE(parser.between_frames());
}

TEST_P(Imd, Version2MayLeaveEnergiesOut) {
  ImdBytes bytes(GetParam());
  bytes.handshake(2).positions(three).energies(10, 310).positions(three).energies(20, 320).energies(30, 330);
  ImdParser parser(3, "imd://here:1");
  const std::vector<ImdFrame> frames = frames_of(parser, bytes.positions(three).text);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(parser.session()->version, 2);
  EXPECT_FALSE(frames[0].energies || frames[0].step || frames[0].frame.has_time || frames[0].frame.cell.exists());
  EXPECT_EQ(frames[1].energies->temperature, 310);
  EXPECT_EQ(frames[2].energies->temperature, 330);
  EXPECT_EQ(frames[2].step, 30);
}

INSTANTIATE_TEST_SUITE_P(ByteOrder, Imd, testing::Bool(), [](const auto& run) { return run.param ? "Big" : "Little"; });

TEST(ImdPackets, NeverAskForMoreThanTheAtoms) {
  ImdBytes bytes;
  bytes.handshake(3).session(false, false, false, true, false, false).header(2, 3);
  ImdParser parser(3, "imd://here:1");
  frames_of(parser, bytes.text);
  EXPECT_EQ(parser.wanted(), 36u);
  EXPECT_FALSE(parser.between_frames());
}

TEST(ImdPackets, WrongOnesAreNamed) {
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(fault_of(ImdBytes().header(2, 3).text), "found positions (2)"));
  EXPECT_TRUE(has(fault_of("HTTP/1.1 400 Bad"), "a handshake (4) is expected first"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(7).text), "found 7"));
  EXPECT_TRUE(has(fault_of(ImdBytes(true).handshake(7).text), "found 7"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(3).header(2, 3).text), "the session (10) is expected"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(3).header(10, 1 << 30).text), "a count of 7 expected"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(3).session(true, true, true, false, true, true).text), "no positions"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(2).header(2, 2'000'000'000).text), "2000000000 atoms"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(2).header(2, -1).text), "-1 atoms, and the structure has 3"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(2).header(1, 1000).text), "a count of 1 expected, found 1000"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(2).header(13, 1).text), "found box (13)"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(2).header(99, 1).text), "found 99"));
  EXPECT_TRUE(has(fault_of(ImdBytes().handshake(2).header(9, 0).text), "error of its connection"));
  const std::string in_order =
      ImdBytes().handshake(3).session(true, false, false, true, false, false).positions(three).text;
  EXPECT_TRUE(has(fault_of(in_order), "time (12) expected next, found positions (2)"));
  const std::string cut =
      ImdBytes().handshake(3).session(true, false, false, true, false, false).time(1, 1, 1).header(0, 0).text;
  EXPECT_TRUE(has(fault_of(cut), "in the middle of a frame"));
}

TEST(ImdPackets, NumbersThatAreNotFiniteAreRefused) {
  std::vector<float> blown = three;
  blown[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(fault_of(ImdBytes().handshake(2).energies(12, 1).positions(blown).text)
                .find("the positions of atom 1 are not finite numbers, at step 12"),
            std::string::npos);
  const auto v3 = [] { return ImdBytes().handshake(3).session(true, false, true, true, false, false); };
  EXPECT_NE(fault_of(v3().time(1, INFINITY, 1).text).find("time"), std::string::npos);
  EXPECT_NE(fault_of(v3().time(1, 1, 1).box({1, 0, 0, 0, NAN, 0, 0, 0, 1}).text).find("box"), std::string::npos);
}

TEST(ImdPackets, TheSimulationMaySayThatItEnds) {
  ImdParser parser(3, "imd://here:1");
  const std::string text = ImdBytes().handshake(2).positions(three).header(0, 0).positions(three).text;
  EXPECT_EQ(frames_of(parser, text).size(), 1u);
  EXPECT_EQ(parser.wanted(), 0u);
}

TEST(ImdPackets, AStructureWithoutAtomsReceivesNothing) {
  EXPECT_THROW(ImdParser(0, "imd://here:1"), Error);
}

TEST(ImdPackets, AreSentMostSignificantByteFirst) {
  const auto packet = imd_packet(ImdType::resume, 258);
  const std::string expected = ImdBytes().header(11, 258).text;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(packet.data()), packet.size()), expected);
}

}  // namespace
}  // namespace isolume
