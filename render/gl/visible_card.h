// Which card a job was given, as CUDA_VISIBLE_DEVICES says it.
#pragma once

#include <cctype>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace isolume {

/// Whether the first entry of CUDA_VISIBLE_DEVICES is the identifier of a card ("GPU-8f3b...", as `nvidia-smi -L`
/// prints it, or its beginning), and of the card with this UUID. Numbers name no card: their order is the driver's.
inline bool names_card(std::string_view visible, std::span<const std::uint8_t, 16> uuid) {
  constexpr std::string_view mark = "GPU-", digits = "0123456789abcdef";
  if (visible.substr(0, mark.size()) != mark) return false;
  std::string_view name = visible.substr(mark.size());
  name = name.substr(0, name.find(','));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  std::string card;
  for (const std::uint8_t byte : uuid) {
    if (card.size() == 8 || card.size() == 13 || card.size() == 18 || card.size() == 23) card += '-';
    card += digits[byte >> 4];
    card += digits[byte & 15];
  }
  if (name.empty() || name.size() > card.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(name[i])) != card[i]) return false;
  return true;
}

}  // namespace isolume
