// Addresses of simulations.
#include "app/documents/streams/stream_address.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

TEST(StreamAddress, HasAHostAndAPort) {
  EXPECT_EQ(stream_address("imd://localhost:9000"), (StreamAddress{"localhost", 9000}));
  EXPECT_EQ(stream_address("imd://node-17.cluster"), (StreamAddress{"node-17.cluster", 8888}));
  EXPECT_EQ(stream_address("imd://127.0.0.1:1/"), (StreamAddress{"127.0.0.1", 1}));
  EXPECT_EQ(stream_address("imd://[::1]:65535"), (StreamAddress{"::1", 65535}));
  EXPECT_EQ(stream_address("imd://[::1]").text(), "imd://[::1]:8888");
  EXPECT_FALSE(is_stream_address("/tmp/imd://x"));
}

TEST(StreamAddress, RefusesWhatIsNone) {
  for (const char* text : {"imd://", "imd://:8888", "imd://host:0", "imd://host:65536", "imd://host:x",
                           "imd://host:1:2", "imd://host:", "imd://a b", "imd://a;b", "imd://[::1", "imd://[host]:1",
                           "imd://host/path", "http://host:80", "imd://user@host"}) {
    try {
      stream_address(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      EXPECT_NE(std::string(error.what()).find("expected imd://HOST:PORT"), std::string::npos) << error.what();
    }
  }
}

TEST(StreamAddress, IsFoundAmongFiles) {
  const StreamWords words = split_stream({"a.gro", "imd://h:1", "b.xtc"});
  EXPECT_EQ(words.address, "imd://h:1");
  EXPECT_EQ(words.others, (std::vector<std::string>{"a.gro", "b.xtc"}));
  EXPECT_TRUE(split_stream({"a.gro"}).address.empty());
  EXPECT_THROW(split_stream({"imd://h:1", "imd://h:2"}), Error);
}

}  // namespace
}  // namespace isolume
