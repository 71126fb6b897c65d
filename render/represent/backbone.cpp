// The backbones of proteins and nucleic acids, as unbroken runs of residues.
#include "render/represent/backbone.h"

#include <string_view>

namespace isolume {
namespace {

bool nearer(const StyleInput& input, std::int64_t a, std::int64_t b, float limit) {
  const glm::vec3 d = input.position(static_cast<std::size_t>(a)) - input.position(static_cast<std::size_t>(b));
  return glm::dot(d, d) < limit * limit;
}

/// True where `next` follows `last` along the chain.
bool linked(const StyleInput& input, const BackboneResidue& last, const BackboneResidue& next, bool nucleic) {
  const std::int64_t out =
      nucleic ? find_atom(input, last.residue, {"O3'", "O3*"}) : find_atom(input, last.residue, {"C"});
  const std::int64_t in = nucleic ? find_atom(input, next.residue, {"P"}) : find_atom(input, next.residue, {"N"});
  // Residues that the file has broken at the faces of a cell are near by one atom and far by the other.
  if (out >= 0 && in >= 0)
    return nearer(input, out, in, nucleic ? 2.6f : 2.5f) && nearer(input, last.atom, next.atom, nucleic ? 15.0f : 9.0f);
  return nearer(input, last.atom, next.atom, nucleic ? 9.0f : 5.0f);
}

}  // namespace

std::int64_t find_atom(const StyleInput& input, std::size_t residue, std::initializer_list<const char*> names) {
  const Residue& r = input.topology.residues[residue];
  for (const char* name : names)
    for (std::size_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i)
      if (input.drawn[i] && input.topology.atoms[i].name == name) return static_cast<std::int64_t>(i);
  return -1;
}

std::vector<Backbone> backbones(const StyleInput& input) {
  std::vector<Backbone> runs;
  for (const Chain& chain : input.topology.chains) {
    bool open = false;
    for (std::size_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      BackboneResidue here;
      here.residue = static_cast<std::uint32_t>(r);
      here.structure = input.structure_of(r);
      bool nucleic = false;
      std::int64_t atom = find_atom(input, r, {"CA"});
      // Calcium bears that name, too.
      if (atom >= 0 && input.topology.atoms[static_cast<std::size_t>(atom)].element == 20) atom = -1;
      if (atom < 0) atom = find_atom(input, r, {"BB"});
      if (atom < 0) {
        const std::int64_t sugar = find_atom(input, r, {"C3'", "C3*"});
        atom = find_atom(input, r, {"P"});
        if (atom < 0 && sugar >= 0) atom = find_atom(input, r, {"O5'", "O5*", "C5'", "C5*"});
        // A phosphorus of its own (a lipid's, an ion's) is no backbone, but a trace of phosphorus atoms is.
        if (atom >= 0 && sugar < 0 && input.topology.residues[r].atom_count > 1) atom = -1;
        nucleic = atom >= 0;
      }
      if (atom < 0) {
        open = false;
        continue;
      }
      here.atom = static_cast<std::uint32_t>(atom);
      here.position = input.position(here.atom);
      if (!nucleic) {
        const std::int64_t oxygen = find_atom(input, r, {"O", "OT1", "OC1", "OXT", "O1"});
        const std::int64_t carbon = find_atom(input, r, {"C"});
        if (oxygen >= 0 && carbon >= 0)
          here.across =
              input.position(static_cast<std::size_t>(oxygen)) - input.position(static_cast<std::size_t>(carbon));
      }
      if (!open || runs.back().nucleic != nucleic || !linked(input, runs.back().residues.back(), here, nucleic)) {
        runs.push_back({nucleic, {}});
        open = true;
      }
      runs.back().residues.push_back(here);
    }
  }
  return runs;
}

}  // namespace isolume
