// What the tests of structure formats share: reading text, and expecting an error at a line.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume::test {

/// Reads text as if it were a file of that name.
inline Molecule read_text(const std::string& text, const std::string& name) {
  return read_source(ByteSource::from_bytes(text, name));
}

/// Expects that reading fails at `line` (0: whatever line) with a message that contains `words`.
inline void expect_error(const std::string& text, const std::string& name, std::int64_t line,
                         const std::string& words) {
  try {
    const Molecule molecule = read_text(text, name);
    for (std::size_t i = 0; i < molecule.frame_count(); ++i) molecule.trajectory->frame(i);
    ADD_FAILURE() << name << " was read; expected an error with \"" << words << "\"";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    if (line > 0) {
      EXPECT_EQ(error.line(), line) << error.what();
    }
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

inline void expect_near(const glm::vec3& value, const glm::dvec3& expected, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(value[i]), expected[i], tolerance) << "axis " << i;
}

/// A file of the large collection with what its records count.
struct FileCounts {
  const char* name;
  std::size_t atoms;  ///< of the first frame
  std::size_t frames;
};

/// Reads every file by its content alone and expects its format and counts; skips the test at the first that is absent.
inline void expect_counts(const std::string& format, std::initializer_list<FileCounts> files) {
  for (const FileCounts& file : files) {
    const std::string path = shared_data(file.name);
    ISOLUME_NEEDS(path);
    SCOPED_TRACE(file.name);
    const Molecule molecule = read_source(ByteSource::open(path));
    EXPECT_EQ(molecule.format, format);
    EXPECT_EQ(molecule.atom_count(), file.atoms);
    EXPECT_EQ(molecule.frame_count(), file.frames);
  }
}

}  // namespace isolume::test
