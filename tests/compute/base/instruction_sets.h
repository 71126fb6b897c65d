// Running tests at every instruction set that the CPU bodies are built for.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>
#include <vector>

namespace isolume::test {

/// A test that runs with one of Highway's targets forced.
class InstructionSetTest : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { force(GetParam()); }
  void TearDown() override { force(0); }

 private:
  static void force(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Plain C++, the level below all others, and what this processor has of the levels that are built.
inline std::vector<std::int64_t> instruction_sets() {
  std::vector<std::int64_t> list{HWY_EMU128};
  const std::int64_t there = hwy::SupportedTargets();
  for (const std::int64_t target : {HWY_SSE4, HWY_AVX2, HWY_AVX3}) {
    if (there & target) list.push_back(target);
  }
  return list;
}

inline std::string instruction_set_name(const testing::TestParamInfo<std::int64_t>& info) {
  return hwy::TargetName(info.param);
}

}  // namespace isolume::test
