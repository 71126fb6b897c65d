// Topology: its invariants, its builder and the table of neighbours by bond.
#include "molecule/topology.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {

namespace {

[[noreturn]] void broken(const std::string& what) {
  throw Error("broken topology: " + what);
}

}  // namespace

double Topology::total_charge() const {
  double sum = 0;
  for (const Atom& atom : atoms) sum += static_cast<double>(atom.charge);
  return sum;
}

void Topology::validate() const {
  std::size_t next_atom = 0;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const Residue& residue = residues[i];
    if (residue.first_atom != next_atom || residue.atom_count > atoms.size() - next_atom) {
      broken("residue " + std::to_string(i) + " begins at atom " + std::to_string(residue.first_atom) + " and has " +
             std::to_string(residue.atom_count) + " atoms; it should begin at atom " + std::to_string(next_atom) +
             " of " + std::to_string(atoms.size()));
    }
    for (std::size_t atom = next_atom; atom < next_atom + residue.atom_count; ++atom) {
      if (atoms.residue(atom) != i) {
        broken("atom " + std::to_string(atom) + " names residue " + std::to_string(atoms.residue(atom)) +
               " but is in residue " + std::to_string(i));
      }
    }
    next_atom += residue.atom_count;
  }
  if (next_atom != atoms.size()) {
    broken("the residues hold " + std::to_string(next_atom) + " of " + std::to_string(atoms.size()) + " atoms");
  }
  std::size_t next_residue = 0;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const Chain& chain = chains[i];
    if (chain.first_residue != next_residue || chain.residue_count > residues.size() - next_residue) {
      broken("chain " + std::to_string(i) + " begins at residue " + std::to_string(chain.first_residue) + " and has " +
             std::to_string(chain.residue_count) + " residues; it should begin at residue " +
             std::to_string(next_residue) + " of " + std::to_string(residues.size()));
    }
    for (std::size_t residue = next_residue; residue < next_residue + chain.residue_count; ++residue) {
      if (residues[residue].chain != i) {
        broken("residue " + std::to_string(residue) + " names chain " + std::to_string(residues[residue].chain) +
               " but is in chain " + std::to_string(i));
      }
    }
    next_residue += chain.residue_count;
  }
  if (next_residue != residues.size()) {
    broken("the chains hold " + std::to_string(next_residue) + " of " + std::to_string(residues.size()) + " residues");
  }
  if (!displacements.empty() && displacements.size() != atoms.size()) {
    broken(std::to_string(displacements.size()) + " anisotropic displacements for " + std::to_string(atoms.size()) +
           " atoms");
  }
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const Bond& bond = bonds[i];
    const auto wrong = [&](const std::string& what) {
      broken("bond " + std::to_string(i) + " (" + std::to_string(bond.a) + " to " + std::to_string(bond.b) + ")" +
             what);
    };
    if (bond.a >= bond.b) wrong(" does not have its lower atom first");
    if (bond.b >= atoms.size()) wrong(" names an atom beyond the " + std::to_string(atoms.size()));
    if (i > 0 && std::pair(bonds[i - 1].a, bonds[i - 1].b) >= std::pair(bond.a, bond.b))
      wrong(" is repeated or out of order");
  }
}

void TopologyBuilder::add(const Atom& atom, Name residue_name, std::int32_t number, char insertion, Name chain_id,
                          Name segment) {
  Topology& t = topology_;
  if (t.atoms.size() >= std::numeric_limits<std::uint32_t>::max()) throw Error("more than 4294967295 atoms");
  const bool new_chain =
      !chain_open_ || t.chains.empty() || t.chains.back().id != chain_id || t.chains.back().segment != segment;
  if (new_chain) {
    Chain chain;
    chain.id = chain_id;
    chain.segment = segment;
    chain.first_residue = static_cast<std::uint32_t>(t.residues.size());
    t.chains.push_back(chain);
    chain_open_ = true;
  }
  const bool new_residue = new_chain || t.residues.back().number != number ||
                           t.residues.back().insertion != insertion || t.residues.back().name != residue_name;
  if (new_residue) {
    Residue residue;
    residue.name = residue_name;
    residue.number = number;
    residue.insertion = insertion;
    residue.chain = static_cast<std::uint32_t>(t.chains.size() - 1);
    residue.first_atom = static_cast<std::uint32_t>(t.atoms.size());
    t.residues.push_back(residue);
    ++t.chains.back().residue_count;
  }
  ++t.residues.back().atom_count;
  t.atoms.push_back(atom);
  t.atoms.set_residue(t.atoms.size() - 1, static_cast<std::uint32_t>(t.residues.size() - 1));
}

Topology TopologyBuilder::finish() {
  Topology& t = topology_;
  for (Bond& bond : t.bonds) {
    if (bond.a > bond.b) std::swap(bond.a, bond.b);
  }
  // Of a bond given twice, the higher order stays (a CONECT record repeated for a double bond, say).
  std::sort(t.bonds.begin(), t.bonds.end(), [](const Bond& x, const Bond& y) {
    return std::pair(x.a, x.b) != std::pair(y.a, y.b) ? std::pair(x.a, x.b) < std::pair(y.a, y.b) : x.order > y.order;
  });
  t.bonds.erase(std::unique(t.bonds.begin(), t.bonds.end(),
                            [](const Bond& x, const Bond& y) { return x.a == y.a && x.b == y.b; }),
                t.bonds.end());
  t.atoms.change_kinds([&](Atom& kind) {
    const Element& e = element(kind.element);
    if (kind.mass == 0) kind.mass = e.mass;
    if (kind.radius == 0 && !t.has_radii) kind.radius = e.vdw_radius;
  });
  t.atoms.finish();
  if (!t.displacements.empty()) t.displacements.resize(t.atoms.size());
  if (t.residues.capacity() - t.residues.size() > t.residues.size() / 8) t.residues.shrink_to_fit();
  t.validate();
  chain_open_ = false;
  return std::exchange(topology_, Topology{});
}

BondTable bond_table(const Topology& topology) {
  BondTable table;
  table.offsets.assign(topology.atoms.size() + 1, 0);
  for (const Bond& bond : topology.bonds) {
    ++table.offsets[bond.a + 1];
    ++table.offsets[bond.b + 1];
  }
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) table.offsets[i + 1] += table.offsets[i];
  table.items.resize(table.offsets.back());
  std::vector<std::uint32_t> next(table.offsets.begin(), table.offsets.end() - 1);
  // Bonds are sorted by (a, b): entering the lower neighbours first leaves every row ascending.
  for (const Bond& bond : topology.bonds) table.items[next[bond.b]++] = bond.a;
  for (const Bond& bond : topology.bonds) table.items[next[bond.a]++] = bond.b;
  return table;
}

}  // namespace isolume
