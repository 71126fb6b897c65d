// A lost OpenGL context: the driver has reset the graphics card, or the card is gone.
#pragma once

#include <functional>
#include <string>

#include "molecule/base/error.h"

namespace isolume {

/// The current context is lost: nothing that is in it comes back. Whoever holds the context makes another one, and
/// everything in it again.
class ContextLost : public Error {
 public:
  explicit ContextLost(const std::string& why) : Error(why) {}
};

/// Asks the driver (glGetGraphicsResetStatus, of contexts that are told of resets) and throws ContextLost where the
/// current context is lost. Called where a picture is complete.
void check_context();

/// For tests: asks `status` in place of the driver, for its answer as glGetGraphicsResetStatus gives it (0 for none);
/// null asks the driver again. Any thread; not while a picture is drawn.
void set_reset_status_for_test(std::function<unsigned()> status);

}  // namespace isolume
