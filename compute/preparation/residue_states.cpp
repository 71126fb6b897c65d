// The state of each residue: disulphide bridges, metals, hydrogen bonds of histidine, pH.
#include "compute/preparation/residue_states.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "compute/preparation/chain_ends.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

struct Titrated {
  const char* base;
  double pka;
  const char* acid;  ///< the state below the pKa
  const char* alkaline;
};

/// Model pKa values of groups in water, as PROPKA uses them (Olsson et al. 2011, doi:10.1021/ct100578z).
constexpr Titrated titrated[] = {{"ASP", 3.8, "ASH", "ASP"}, {"GLU", 4.5, "GLH", "GLU"},  {"HIS", 6.5, "HIP", ""},
                                 {"CYS", 9.0, "CYS", "CYM"}, {"TYR", 10.0, "TYR", "TYM"}, {"LYS", 10.5, "LYS", "LYN"},
                                 {"ARG", 12.5, "ARG", "ARN"}};

double distance(const StateContext& c, std::int64_t a, std::int64_t b) {
  return glm::distance(glm::dvec3(c.positions[static_cast<std::size_t>(a)]),
                       glm::dvec3(c.positions[static_cast<std::size_t>(b)]));
}

/// The nearest atom of another residue that `fits` within `cutoff` (at most the grid's), -1 where there is none.
template <class Fits>
std::int64_t nearest(const StateContext& c, std::int64_t atom, double cutoff, Fits&& fits) {
  std::int64_t found = -1;
  double best = cutoff * cutoff;
  if (atom < 0) return found;
  const auto from = static_cast<std::size_t>(atom);
  c.near.visit(c.positions[from], [&](std::uint32_t i, double squared) {
    const std::uint32_t other = c.heavy[i];
    if (squared > best || c.topology.atoms[other].residue == c.topology.atoms[from].residue) return false;
    if (!fits(other)) return false;
    best = squared;
    found = other;
    return false;
  });
  return found;
}

bool metal_near(const StateContext& c, std::int64_t atom) {
  return nearest(c, atom, 2.8, [&](std::uint32_t other) { return is_metal(c.topology.atoms[other].element); }) >= 0;
}

/// How well a hydrogen would sit on a ring nitrogen of histidine: acceptors around count for it, donors against it.
double wish_for_hydrogen(const StateContext& c, const std::vector<ResidueTarget>& targets, const ResidueTarget& t,
                         std::string_view nitrogen) {
  const std::int64_t n = t.atom(nitrogen), ce1 = t.atom("CE1"), other = t.atom(nitrogen == "ND1" ? "CG" : "CD2");
  if (n < 0 || ce1 < 0 || other < 0) return 0;
  const auto at = [&](std::int64_t i) { return glm::dvec3(c.positions[static_cast<std::size_t>(i)]); };
  const glm::dvec3 out = 2.0 * at(n) - at(ce1) - at(other);
  double sum = 0;
  c.near.visit(c.positions[static_cast<std::size_t>(n)], [&](std::uint32_t i, double squared) {
    const std::uint32_t atom = c.heavy[i];
    const Atom& a = c.topology.atoms[atom];
    if ((a.element != 7 && a.element != 8) || a.residue == c.topology.atoms[static_cast<std::size_t>(n)].residue) {
      return false;
    }
    const glm::dvec3 to = at(atom) - at(n);
    const double cosine = glm::dot(glm::normalize(to), glm::normalize(out));
    if (cosine < 0.5) return false;
    const ResidueTarget& around = targets[a.residue];
    double sign = 0;  // hydroxyls and waters give and take
    if (a.element == 8) {
      const bool both = around.name.kind == TemplateKind::water || a.name == "OG" || a.name == "OG1" ||
                        a.name == "OH" || a.name == "O2'";
      sign = both ? 0.1 : 1;
    } else {
      const bool ring = around.name.base == "HIS" && (a.name == "ND1" || a.name == "NE2");
      sign = ring || around.name.kind == TemplateKind::nucleic ? 0 : -1;
    }
    sum += sign * (3.8 - std::sqrt(squared)) * cosine;
    return false;
  });
  return sum;
}

/// The state that hydrogens of the file tell, empty where they do not.
std::string state_of_hydrogens(const ResidueTarget& t) {
  if (t.hydrogens.empty()) return {};
  const std::string& base = t.name.base;
  const auto on = [&](const char* atom) { return t.hydrogens_on(atom); };
  if (base == "HIS" && on("ND1") + on("NE2") > 0) {
    return on("ND1") == 0 ? "HIE" : on("NE2") == 0 ? "HID" : "HIP";
  }
  if (base == "ASP" && on("OD1") + on("OD2") > 0) return "ASH";
  if (base == "GLU" && on("OE1") + on("OE2") > 0) return "GLH";
  const bool all = on("CB") > 0;  // not only the polar ones
  if (!all) return {};
  if (base == "ASP" || base == "GLU") return base;
  if (base == "LYS" && on("NZ") > 0) return on("NZ") == 2 ? "LYN" : "LYS";
  if (base == "CYS") return on("SG") > 0 ? "CYS" : "CYM";
  if (base == "TYR") return on("OH") > 0 ? "TYR" : "TYM";
  return {};
}

void apply_choices(const StateContext& c, const ChargeOptions& options, std::vector<ResidueTarget>& targets) {
  for (const ProtonationChoice& choice : options.protonation) {
    const std::string place = choice.chain + " " + std::to_string(choice.number);
    bool found = false;
    for (std::size_t r = 0; r < targets.size(); ++r) {
      const Residue& residue = c.topology.residues[r];
      if (residue.number != choice.number || residue.insertion != choice.insertion ||
          c.topology.chains[residue.chain].id != choice.chain || targets[r].name.kind != TemplateKind::amino) {
        continue;
      }
      found = true;
      std::string known;
      bool fits = false;
      const std::string& base = targets[r].name.base;
      if (base == "HIS") known = "HID, HIE, HIP";
      for (const Titrated& t : titrated) {
        if (base == t.base && base != "HIS") known = std::string(t.acid) + ", " + t.alkaline;
      }
      if (base == "CYS") known += ", CYX";
      fits = choice.state.size() == 3 && known.find(choice.state) != std::string::npos;
      if (!fits) {
        throw Error("protonation of " + place + ": " + base + " cannot be " + choice.state +
                        (known.empty() ? "; it has one state" : "; it can be " + known),
                    Error::Kind::input);
      }
      targets[r].state = choice.state;
      targets[r].why = choice.why;
    }
    if (!found) {
      std::string chains;
      for (const Chain& chain : c.topology.chains) chains += (chains.empty() ? "" : ", ") + chain.id;
      throw Error("protonation of " + place + ": there is no such amino acid; chains are " + chains,
                  Error::Kind::input);
    }
  }
}

void choose_state(const StateContext& c, const ChargeOptions& options, const std::vector<ResidueTarget>& targets,
                  ResidueTarget& t) {
  const auto decide = [&](std::string state, const char* why) {
    t.state = std::move(state);
    t.why = why;
  };
  if (!t.state.empty()) return;
  const std::string& base = t.name.base;
  const bool bridged = base == "CYS" && t.link("SG") >= 0;
  if (!t.name.state.empty() && (t.name.state != "CYX" || bridged)) return decide(t.name.state, "name in the file");
  if (bridged) return decide("CYX", "disulphide bridge");
  if (std::string state = state_of_hydrogens(t); !state.empty()) return decide(state, "hydrogens in the file");
  if (base == "CYS" && metal_near(c, t.atom("SG"))) return decide("CYM", "bound to a metal");
  if (base == "HIS") {
    if (metal_near(c, t.atom("NE2"))) return decide("HID", "bound to a metal");
    if (metal_near(c, t.atom("ND1"))) return decide("HIE", "bound to a metal");
  }
  for (const Titrated& group : titrated) {
    if (base != group.base) continue;
    if (options.ph < group.pka) return decide(group.acid, "pH");
    if (base != "HIS") return decide(group.alkaline, "pH");
    const double here = wish_for_hydrogen(c, targets, t, "ND1"), there = wish_for_hydrogen(c, targets, t, "NE2");
    return decide(here > there + 1e-9 ? "HID" : "HIE", here != there ? "hydrogen bonds" : "no hydrogen bonds");
  }
  t.state = base;
}

}  // namespace

bool is_metal(std::uint8_t element) {
  constexpr std::array<std::uint8_t, 16> others{0, 1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 34, 35, 53};
  return std::find(others.begin(), others.end(), element) == others.end();
}

std::int64_t ResidueTarget::atom(std::string_view table_name) const {
  for (const auto& [own, index] : heavy) {
    if (own == table_name) return index;
  }
  return -1;
}

std::int64_t ResidueTarget::link(std::string_view table_name) const {
  for (const auto& [own, index] : links) {
    if (own == table_name) return index;
  }
  return -1;
}

std::size_t ResidueTarget::hydrogens_on(std::string_view table_name) const {
  std::size_t count = 0;
  for (const std::uint32_t k : carriers) count += k < heavy.size() && heavy[k].first == table_name ? 1 : 0;
  return count;
}

std::vector<ResidueTarget> residue_targets(const StateContext& c, const std::vector<char>& kept) {
  const Topology& topology = c.topology;
  std::vector<ResidueTarget> targets(topology.residues.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    ResidueTarget& t = targets[r];
    const Residue& residue = topology.residues[r];
    t.name = template_name(topology, r);
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      if (!kept[i]) continue;
      if (topology.atoms[i].element == 1) {
        t.hydrogens.push_back(i);
      } else {
        t.heavy.emplace_back(table_atom_name(topology.atoms[i].name, t.name), i);
      }
    }
    // GROMACS calls the oxygens of the last residue O1 and O2.
    if (t.name.kind == TemplateKind::amino && t.atom("O") < 0 && t.atom("O1") >= 0 && t.atom("O2") >= 0) {
      for (auto& [name, index] : t.heavy) name = name == "O1" ? "O" : name == "O2" ? "OXT" : name;
    }
    for (const std::uint32_t h : t.hydrogens) {
      double best = 1.6;
      std::uint32_t carrier = static_cast<std::uint32_t>(t.heavy.size());
      for (std::uint32_t k = 0; k < t.heavy.size(); ++k) {
        const double d = distance(c, h, t.heavy[k].second);
        if (d < best) {
          best = d;
          carrier = k;
        }
      }
      t.carriers.push_back(carrier);
    }
  }
  const auto link = [&](ResidueTarget& t, const char* own, double cutoff, auto&& fits) {
    const std::int64_t other = nearest(c, t.atom(own), cutoff, fits);
    if (other >= 0) t.links.emplace_back(own, static_cast<std::uint32_t>(other));
  };
  const auto is = [&](std::uint8_t element) {
    return [&topology, element](std::uint32_t atom) { return topology.atoms[atom].element == element; };
  };
  for (ResidueTarget& t : targets) {
    if (t.name.kind == TemplateKind::amino || t.name.kind == TemplateKind::cap) {
      if (t.name.base != "ACE") link(t, "N", 1.8, is(6));
      if (t.name.base != "NME" && t.name.base != "NHE") link(t, "C", 1.8, is(7));
      if (t.name.base == "CYS") link(t, "SG", 2.5, is(16));
    } else if (t.name.kind == TemplateKind::nucleic) {
      link(t, "P", 2.0, is(8));
      link(t, "O3'", 2.0, is(15));
    }
  }
  return targets;
}

void choose_states(const StateContext& c, const ChargeOptions& options, std::vector<ResidueTarget>& targets,
                   std::vector<ChargeIssue>& issues) {
  find_chain_ends(c, targets, issues);
  apply_choices(c, options, targets);
  for (ResidueTarget& t : targets) {
    if (t.name.kind == TemplateKind::none) continue;
    if (t.name.kind == TemplateKind::amino) {
      choose_state(c, options, targets, t);
      t.chosen = (t.starts ? "N" : t.ends ? "C" : "") + t.state;
    } else if (t.name.kind == TemplateKind::nucleic) {
      t.state = t.name.base;
      t.chosen = t.name.base + (t.starts && t.ends ? "N" : t.starts ? "5" : t.ends ? "3" : "");
    } else {
      t.state = t.chosen = t.name.base;
    }
  }
}

}  // namespace isolume
