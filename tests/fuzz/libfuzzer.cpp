// libFuzzer target of one reader: its name is fixed when it is built (ISOLUME_FUZZ_TARGET), so that each has a corpus
// of its own.
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  isolume::fuzz::try_input(ISOLUME_FUZZ_TARGET, data, size);
  return 0;
}
