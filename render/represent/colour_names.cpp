// The names of the ways of colouring, and which of them are scales.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "molecule/base/error.h"
#include "render/represent/colour.h"

namespace isolume {
namespace {

constexpr std::array<std::pair<Colouring, const char*>, colouring_count> colourings = {
    {{Colouring::element, "element"},
     {Colouring::chain, "chain"},
     {Colouring::molecule, "molecule"},
     {Colouring::residue, "residue"},
     {Colouring::structure, "structure"},
     {Colouring::charge, "charge"},
     {Colouring::b_factor, "b factor"},
     {Colouring::index, "index"},
     {Colouring::uniform, "uniform"},
     {Colouring::chain_element, "chain and element"},
     {Colouring::sequence, "sequence"},
     {Colouring::hydrophobicity, "hydrophobicity"},
     {Colouring::eisenberg, "eisenberg"},
     {Colouring::wimley_white, "wimley white"},
     {Colouring::plddt, "plddt"},
     {Colouring::value, "value"},
     {Colouring::map, "map"},
     {Colouring::file, "file"},
     {Colouring::probe, "probe"}}};

}  // namespace

const char* name(Colouring colouring) {
  for (const auto& [value, text] : colourings)
    if (value == colouring) return text;
  return "unknown";
}

Colouring colouring_from_name(const std::string& name) {
  std::string plain, known;
  for (const char c : name) plain += c == '_' || c == '-' ? ' ' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (const auto& [value, text] : colourings) {
    if (plain == text) return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
  }
  throw Error(fmt::format("there is no colouring \"{}\"; there are {}", name, known), Error::Kind::usage);
}

bool is_scale(Colouring colouring) {
  return colouring == Colouring::charge || colouring == Colouring::b_factor || colouring == Colouring::index ||
         colouring == Colouring::value || colouring == Colouring::map || colouring == Colouring::file ||
         colouring == Colouring::probe || colouring == Colouring::sequence || colouring == Colouring::hydrophobicity ||
         colouring == Colouring::eisenberg || colouring == Colouring::wimley_white;
}

}  // namespace isolume
