// Whose contributions to a potential are told apart.
#pragma once

#include <cstdint>

namespace isolume {

/// residue: each residue, but waters together and ions of one name together; chain; all: one group.
enum class ShareBy : std::uint8_t { residue, chain, all };

}  // namespace isolume
