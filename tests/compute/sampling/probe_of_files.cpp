// Probes in a protein in water: parameters by element and neighbours, and every energy, against those computed
// elsewhere.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "compute/analysis/superposition.h"
#include "compute/sampling/lennard_jones_atoms.h"
#include "compute/sampling/probe_field.h"
#include "formats/bytes/byte_source.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "molecule/rigid_motion.h"
#include "molecule/whole_molecules.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;

constexpr double kj = units::calorie_in_joule;

TEST(LennardJonesAtoms, HaveTheKindsOfAmber) {
  const std::string top = shared_data("md-computed/crambin_water.top");
  const std::string types = shared_data("ligand-map/lj_types_amber99sb-ildn.json");
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  ISOLUME_NEEDS(top);
  ISOLUME_NEEDS(types);
  ISOLUME_NEEDS(pqr);
  std::ifstream file(types);
  const nlohmann::json known = nlohmann::json::parse(file);
  const Molecule molecule = read_files({pqr}).front();
  const LjAtoms found = lennard_jones_atoms(molecule, molecule.trajectory->frame(0));
  EXPECT_EQ(found.missing_count, 0u);
  std::ifstream lines(top);
  std::string line;
  bool inside = false;
  std::size_t atom = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("[")) inside = line.starts_with("[ atoms ]");
    if (!inside || line.empty() || line[0] == ';' || line[0] == '[') continue;
    std::istringstream words(line);
    std::string number, type;
    if (!(words >> number >> type)) continue;
    ASSERT_TRUE(known.contains(type)) << type;
    ASSERT_LT(atom, found.atoms.size());
    EXPECT_NEAR(found.atoms[atom].sigma, known[type]["sigma_A"].get<double>(), 2e-5)
        << type << " " << molecule.topology->atoms[atom].name;
    EXPECT_NEAR(found.atoms[atom].epsilon * kj, known[type]["epsilon_kJ_mol"].get<double>(), 2e-5) << type;
    ++atom;
  }
  EXPECT_EQ(atom, 642u);
  for (; atom < found.atoms.size(); ++atom) {
    const int element = molecule.topology->atoms[atom].element;
    const char* const type = element == 8 ? "OW" : element == 1 ? "HW" : element == 11 ? "Na" : "Cl";
    EXPECT_NEAR(found.atoms[atom].sigma, known[type]["sigma_A"].get<double>(), 2e-5) << type;
    EXPECT_NEAR(found.atoms[atom].epsilon * kj, known[type]["epsilon_kJ_mol"].get<double>(), 2e-5) << type;
  }
}

TEST(ProbeOfFiles, HasEveryEnergyInAProteinInWater) {
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  const std::string xtc = shared_data("md-computed/crambin_water.xtc");
  ISOLUME_NEEDS(pqr);
  ISOLUME_NEEDS(xtc);
  const Molecule molecule = read_files({pqr, xtc}).front();
  const Topology& topology = *molecule.topology;
  const Frame first = molecule.trajectory->frame(0);
  const LjAtoms parameters = lennard_jones_atoms(molecule, first);
  std::vector<std::uint32_t> alphas;
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i)
    if (topology.atoms[i].name == "CA" && topology.atoms[i].element == 6) alphas.push_back(i);
  ASSERT_EQ(alphas.size(), 46u);
  // Each atom at the image nearest to the one before.
  const auto whole = [&](const Frame& frame) {
    std::vector<glm::dvec3> places(frame.positions.begin(), frame.positions.end());
    for (std::size_t i = 1; i < 642; ++i)
      places[i] = places[i - 1] + frame.cell.minimum_image(places[i] - places[i - 1]);
    return places;
  };
  const auto chosen = [&](const std::vector<glm::dvec3>& places) {
    std::vector<glm::dvec3> result;
    for (const std::uint32_t i : alphas) result.push_back(places[i]);
    return result;
  };
  const std::vector<glm::dvec3> fixed = chosen(whole(first));
  for (const char* name : {"Ar", "O2", "Xe"}) {
    const std::string path = shared_data(std::string("ligand-map/crambin_") + name + ".json.gz");
    if (!std::filesystem::exists(path)) continue;  // Xe is not among the excerpts
    const auto source = ByteSource::open(path);
    const nlohmann::json known = nlohmann::json::parse(source->text());
    std::vector<glm::dquat> turns;
    for (const auto& q : known["quaternions_xyzw"])
      turns.push_back(
          glm::normalize(glm::dquat(q[3].get<double>(), q[0].get<double>(), q[1].get<double>(), q[2].get<double>())));
    std::vector<glm::dvec3> points;
    for (const auto& p : known["points_aligned"])
      points.emplace_back(p[0].get<double>(), p[1].get<double>(), p[2].get<double>());
    ProbeOptions options;
    options.temperature = known["temperature"];
    options.cutoff = known["cutoff_A"];
    const double kt = probe_kt(options.temperature) * kj;
    const auto& all = known["energies_kJ_mol_point_frame_orientation"];
    for (std::size_t f = 0; f < known["frames"].size(); ++f) {
      const Frame frame = molecule.trajectory->frame(known["frames"][f].get<std::size_t>());
      const std::vector<glm::dvec3> places = whole(frame);
      const RigidMotion motion = superpose(chosen(places), fixed).motion;
      std::vector<ProbedAtom> atoms;
      for (std::size_t i = 0; i < places.size(); ++i)
        atoms.push_back({motion(places[i]), parameters.atoms[i].sigma, parameters.atoms[i].epsilon, 0});
      Cell cell;
      for (int edge = 0; edge < 3; ++edge) cell.vectors[edge] = motion.rotation * frame.cell.vectors[edge];
      std::vector<double> energies(points.size() * turns.size());
      Job job;
      probe_energies(atoms, cell, built_in_probe(name), turns, points, options, energies, job);
      for (std::size_t p = 0; p < points.size(); ++p) {
        for (std::size_t o = 0; o < turns.size(); ++o) {
          const double expected = all[p][f][o], found = energies[p * turns.size() + o] * kt;
          // The table's parameters have five digits, of which the twelfth power makes 1e-4.
          if (expected > 1e7) continue;  // some may be closer than 0.1 angstrom, which counts as 0.1
          EXPECT_NEAR(found, expected, 2e-3 + 3e-4 * std::abs(expected)) << name << " " << p << " " << f << " " << o;
        }
      }
    }
  }
}

}  // namespace
}  // namespace isolume
