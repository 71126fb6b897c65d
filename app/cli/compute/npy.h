// Arrays as NumPy's files.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>

namespace isolume::cli {

/// Writes float32 of N x 3 (format 1.0, C order, little endian), whole or not at all. Throws Error.
void write_npy(const std::string& path, std::span<const glm::vec3> rows);
/// One dimension.
void write_npy(const std::string& path, std::span<const float> values);
/// Two: `rows` of equally many values, one row after the other.
void write_npy(const std::string& path, std::span<const float> values, std::size_t rows);

}  // namespace isolume::cli
