// MemoryError: what was asked for does not fit into the memory of a device.
#pragma once

#include <string>

#include "molecule/base/error.h"

namespace isolume {

/// Thrown where a device or the host has not the memory for a computation, which a smaller part of it may not need.
class MemoryError : public Error {
 public:
  explicit MemoryError(const std::string& message) : Error(message) {}
};

}  // namespace isolume
