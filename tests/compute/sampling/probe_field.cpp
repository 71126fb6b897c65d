// A probe's field: argon crystals, orientations by quadrature, a protein in water, and both bodies against double
// precision.
#include "compute/sampling/probe_field.h"

#include <nlohmann/json.hpp>

#include "compute/sampling/ligand_average.h"
#include "compute/sampling/probe.h"
#include "formats/bytes/byte_source.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using ProbeField = OnDevice;
ISOLUME_ON_EVERY_DEVICE(ProbeField);

constexpr double kj = units::calorie_in_joule;

nlohmann::json json_of(const std::string& path) {
  const auto source = ByteSource::open(path);
  return nlohmann::json::parse(source->text());
}

std::vector<glm::dquat> quaternions(const nlohmann::json& rows) {
  std::vector<glm::dquat> turns;
  for (const auto& q : rows)
    turns.push_back(
        glm::normalize(glm::dquat(q[3].get<double>(), q[0].get<double>(), q[1].get<double>(), q[2].get<double>())));
  return turns;
}

std::vector<float> field(Device device, const std::vector<ProbedAtom>& atoms, const Cell& cell, const Probe& probe,
                         const std::vector<glm::dquat>& turns, const Grid& grid, const ProbeOptions& options) {
  Job job;
  return on_device<float>(device, grid.size(), [&](Span<float> out) {
    probe_free_energy(atoms, cell, probe, turns, grid, options, out, job);
  });
}

std::vector<double> exact_field(const std::vector<ProbedAtom>& atoms, const Cell& cell, const Probe& probe,
                                const std::vector<glm::dquat>& turns, const Grid& grid, const ProbeOptions& options) {
  Job job;
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> energies(points.size() * turns.size()), result;
  probe_energies(atoms, cell, probe, turns, points, options, energies, job);
  for (std::size_t p = 0; p < points.size(); ++p)
    result.push_back(std::min(
        probe_ceiling, mean_free_energy(std::span<const double>(energies).subspan(p * turns.size(), turns.size()))));
  return result;
}

void expect_near(const std::vector<float>& values, const std::vector<double>& expected, bool charges = false) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(static_cast<double>(values[i]), expected[i], (charges ? 1e-3 : 1e-4) + 2e-5 * std::abs(expected[i]))
        << i;
}

TEST_P(ProbeField, OfArgonInItsCrystal) {
  const std::string path = shared_data("ligand-map/argon_lattice.json");
  ISOLUME_NEEDS(path);
  const nlohmann::json known = json_of(path);
  const double sigma = known["sigma_A"], epsilon = known["epsilon_kJ_mol"].get<double>() / kj;
  const Probe argon{"Ar", "", {{{0, 0, 0}, sigma, epsilon, 0}}};
  const std::vector<glm::dquat> one = probe_orientations(argon, 60);
  ASSERT_EQ(one.size(), 1u);
  ProbeOptions options;
  options.temperature = known["temperature"];
  const double kt = probe_kt(options.temperature) * kj;
  for (const auto& row : known["rows"]) {
    const double a = row["a_A"];
    std::vector<ProbedAtom> atoms;
    for (const glm::dvec3 f :
         {glm::dvec3(0, 0, 0), glm::dvec3(0.5, 0.5, 0), glm::dvec3(0.5, 0, 0.5), glm::dvec3(0, 0.5, 0.5)})
      atoms.push_back({a * f, sigma, epsilon, 0});
    const Cell cell{glm::dmat3(a)};
    const glm::dvec3 point = a * glm::dvec3(row["fractional"][0].get<double>(), row["fractional"][1].get<double>(),
                                            row["fractional"][2].get<double>());
    const double expected = row["energy_cut10_kJ_mol"];
    Job job;
    std::vector<double> energy(1);
    probe_energies(atoms, cell, argon, one, std::vector<glm::dvec3>{point}, options, energy, job);
    EXPECT_NEAR(energy[0] * kt, expected, 1e-9 * std::abs(expected)) << a;
    const Grid grid = make_grid(point, {0.1, 0.1, 0.1}, {1, 1, 1});
    const double value = static_cast<double>(field(GetParam(), atoms, cell, argon, one, grid, options)[0]);
    EXPECT_NEAR(value, std::min(probe_ceiling, expected / kt), 1e-4 + 2e-5 * std::abs(value)) << a;
  }
}

TEST(ProbeEnergies, OfOxygenNextToArgon) {
  const std::string path = shared_data("ligand-map/o2_one_argon.json");
  ISOLUME_NEEDS(path);
  const nlohmann::json known = json_of(path);
  const Probe& oxygen = built_in_probe("o2");
  const ProbeSite& argon = built_in_probe("Ar").sites.front();
  ProbeOptions options;
  options.cutoff = 100;
  const double kt = probe_kt(options.temperature) * kj;
  const std::vector<glm::dquat> given = quaternions(known["quaternions_xyzw"]);
  const std::vector<glm::dquat> own = probe_orientations(oxygen, 60);
  Job job;
  for (const auto& row : known["rows"]) {
    const std::vector<ProbedAtom> atoms{{{0, 0, row["distance_A"].get<double>()}, argon.sigma, argon.epsilon, 0}};
    const std::vector<glm::dvec3> origin{{0, 0, 0}};
    std::vector<double> energies(given.size());
    probe_energies(atoms, {}, oxygen, given, origin, options, energies, job);
    for (std::size_t o = 0; o < given.size(); ++o)
      EXPECT_NEAR(energies[o] * kt, row["energies_20"][o].get<double>(), 1e-6) << o;
    EXPECT_NEAR(mean_free_energy(energies) * kt, row["G_20_orientations_kJ_mol"].get<double>(), 1e-6);
    // The even set against the average by quadrature: 60 directions are within 1e-4 kJ/mol.
    std::vector<double> even(own.size());
    probe_energies(atoms, {}, oxygen, own, origin, options, even, job);
    EXPECT_NEAR(mean_free_energy(even) * kt, row["G_exact_kJ_mol"].get<double>(), 1e-4);
  }
}

// Atoms in a box at half the density of water: places where a probe fits, and places where it does not.
std::vector<ProbedAtom> random_atoms(std::size_t count, double side, std::uint64_t seed) {
  Random random(seed);
  std::vector<ProbedAtom> atoms;
  for (std::size_t i = 0; i < count; ++i)
    atoms.push_back(
        {random.in_box(0, side), i % 3 == 0 ? 3.2 : 2.1, i % 3 == 0 ? 0.15 : 0.02, i % 3 == 0 ? -0.8 : 0.4});
  return atoms;
}

TEST_P(ProbeField, AgreesWithDoublePrecision) {
  const std::vector<ProbedAtom> atoms = random_atoms(900, 26, 11);
  for (const char* name : {"O2", "CO", "Xe"}) {
    const Probe& probe = built_in_probe(name);
    const std::vector<glm::dquat> turns = probe_orientations(probe, 7);
    for (const Grid& grid :
         {make_grid({3, 4, 5}, {0.7, 0.6, 0.5}, {13, 9, 11}), make_skewed_grid({2, 1, 3}, 1.3, {6, 5, 9}),
          make_grid({-30, 13, 13}, {9, 1, 1}, {7, 1, 1})}) {
      ProbeOptions options;
      expect_near(field(GetParam(), atoms, {}, probe, turns, grid, options),
                  exact_field(atoms, {}, probe, turns, grid, options));
      options.mixing = LjMixing::geometric;
      options.cutoff = 7.5;
      options.temperature = 350;
      expect_near(field(GetParam(), atoms, {}, probe, turns, grid, options),
                  exact_field(atoms, {}, probe, turns, grid, options));
    }
  }
}

TEST_P(ProbeField, SeesAllImagesOfASmallCellAndCharges) {
  const std::vector<ProbedAtom> atoms = random_atoms(60, 9, 5);
  const Cell cell = Cell::from_lengths_angles({13, 14, 15}, {80, 95, 105});
  const Probe& nitrogen = built_in_probe("N2");
  const std::vector<glm::dquat> turns = probe_orientations(nitrogen, 5);
  const Grid grid = make_grid({-6, -5, -4}, {1.9, 1.8, 1.7}, {9, 10, 11});
  ProbeOptions options;
  for (const bool charges : {false, true}) {
    options.charges = charges;
    expect_near(field(GetParam(), atoms, cell, nitrogen, turns, grid, options),
                exact_field(atoms, cell, nitrogen, turns, grid, options), charges);
  }
}

// Carbon and hydrogen of Williams' set IV (J. Chem. Phys. 47, 4680 (1967)), and a soft one without attraction.
const std::vector<BuckinghamPair> williams{{83630, 3.60, 568}, {8766, 3.67, 125}, {900, 2.5, 0}, {0, 1, 0}};

TEST(Buckingham, ExtremaAreWhereTheSlopeIsZero) {
  for (const BuckinghamPair& pair : {williams[0], williams[1]}) {
    const auto [top, bottom] = pair.extrema();
    for (const double r : {top, bottom})
      EXPECT_NEAR(6 * pair.c / std::pow(r, 7) / (pair.a * pair.b * std::exp(-pair.b * r)), 1, 1e-9);
    EXPECT_LT(top, 7 / pair.b);
    EXPECT_GT(bottom, 7 / pair.b);
    EXPECT_GT(pair.energy(top), pair.energy(0.99 * top));
    EXPECT_GT(pair.energy(top), pair.energy(1.01 * top));
    EXPECT_LT(pair.energy(bottom), pair.energy(0.99 * bottom));
    EXPECT_LT(pair.energy(bottom), pair.energy(1.01 * bottom));
  }
  // On a grid of 1e-4 angstrom (Python): the minimum of C...C.
  EXPECT_NEAR(williams[0].extrema().bottom, 3.8823, 2e-4);
  EXPECT_NEAR(williams[0].energy(williams[0].extrema().bottom), -0.0946776, 1e-6);
  EXPECT_NEAR(williams[0].extrema().top, 0.7924, 2e-4);
  EXPECT_EQ(williams[2].extrema().top, 0);
  for (const BuckinghamPair& wrong :
       {BuckinghamPair{-1, 3, 1}, BuckinghamPair{1, 0, 1}, BuckinghamPair{0, 3, 1}, BuckinghamPair{10, 3, 1000},
        BuckinghamPair{1, 3, -1}, BuckinghamPair{std::nan(""), 3, 1}})
    EXPECT_THROW(wrong.extrema(), Error);
}

TEST_P(ProbeField, OfBuckinghamsLawIsTheFormula) {
  const Probe probe{"probe", "", {{{0, 0, 0}, 0, 0, 0}}};
  const std::vector<glm::dquat> one = probe_orientations(probe, 1);
  std::vector<ProbedAtom> atoms = random_atoms(500, 26, 23);
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].kind = static_cast<std::uint32_t>(i % 4);
  ProbeOptions options;
  options.buckingham = williams;
  options.cutoff = 9;
  const double kt = probe_kt(options.temperature);
  // The barrier of C...C is at 0.79 angstrom and that of C...H at 0.97: within them nothing fits.
  const double tops[] = {williams[0].extrema().top, williams[1].extrema().top, 0, 0};
  for (const Grid& grid :
       {make_grid({3, 4, 5}, {0.7, 0.6, 0.5}, {13, 19, 21}), make_skewed_grid({2, 1, 3}, 1.3, {6, 15, 9})}) {
    const std::vector<float> values = field(GetParam(), atoms, {}, probe, one, grid, options);
    std::vector<double> expected;
    std::size_t open = 0, attracted = 0;
    for (const glm::dvec3& point : grid_points(grid)) {
      double sum = 0;
      for (const ProbedAtom& atom : atoms) {
        const double r = glm::distance(point, atom.position);
        const auto& [a, b, c] = williams[atom.kind];
        if (r >= options.cutoff || a == 0) continue;
        sum += r < tops[atom.kind] ? 1e9 : (a * std::exp(-b * r) - c / std::pow(r, 6)) / kt;
      }
      expected.push_back(std::min(probe_ceiling, sum));
      open += sum < probe_ceiling ? 1 : 0;
      attracted += sum < -0.5 ? 1 : 0;
    }
    expect_near(values, expected);
    EXPECT_GT(open, expected.size() / 20);
    EXPECT_LT(open, expected.size());
    EXPECT_GT(attracted, 0u);
    expect_near(values, exact_field(atoms, {}, probe, one, grid, options));
  }
  atoms[3].kind = 4;
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  EXPECT_THROW(field(GetParam(), atoms, {}, probe, one, grid, options), Error);
  atoms[3].kind = 0;
  options.charges = true;
  EXPECT_THROW(field(GetParam(), atoms, {}, probe, one, grid, options), Error);
  options.charges = false;
  EXPECT_THROW(field(GetParam(), atoms, {}, built_in_probe("O2"), one, grid, options), Error);
}

TEST_P(ProbeField, OfAMoleculeWithoutAnAxis) {
  const Probe probe{
      "bent",
      "",
      {{{0.1, 0, -0.2}, 3.1, 0.15, -0.8}, {{0.7, 0.2, 0.4}, 1.2, 0.02, 0.4}, {{-0.8, 0.1, 0.5}, 0, 0, 0.4}}};
  const std::vector<glm::dquat> turns = probe_orientations(probe, 24);
  const std::vector<ProbedAtom> atoms = random_atoms(300, 18, 2);
  const Grid grid = make_grid({4, 4, 4}, {1.1, 1.1, 1.1}, {9, 8, 7});
  ProbeOptions options;
  options.charges = true;
  expect_near(field(GetParam(), atoms, {}, probe, turns, grid, options),
              exact_field(atoms, {}, probe, turns, grid, options), true);
}

TEST_P(ProbeField, IsZeroInVacuumAndRefusesNonsense) {
  const Probe& probe = built_in_probe("Ar");
  const std::vector<glm::dquat> one = probe_orientations(probe, 1);
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {5, 4, 3});
  for (const float value : field(GetParam(), {}, {}, probe, one, grid, {})) EXPECT_EQ(value, 0.0f);
  ProbeOptions cold;
  cold.temperature = 0;
  EXPECT_THROW(field(GetParam(), {}, {}, probe, one, grid, cold), Error);
  EXPECT_THROW(field(GetParam(), {{{0, 0, 0}, -1, 1, 0}}, {}, probe, one, grid, {}), Error);
  EXPECT_THROW(built_in_probe("H2O"), Error);
  expect_cancelled(GetParam(), [&](Job& job) {
    DeviceArray<float> out(grid.size(), GetParam(), "test");
    probe_free_energy(random_atoms(50, 5, 1), {}, probe, one, grid, {}, out.span(), job);
  });
}

TEST(FreeEnergyMinima, AreBelowTheirNeighboursTheLowestFirst) {
  // Two wells, at (2, 3, 2) and (6, 2, 3); all else is higher.
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {9, 6, 6});
  std::vector<float> values(grid.size());
  const auto well = [](glm::ivec3 at, glm::ivec3 middle, float depth) {
    const glm::ivec3 d = at - middle;
    return depth + static_cast<float>(d.x * d.x + d.y * d.y + d.z * d.z);
  };
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 9; ++i)
        values[grid.index(i, j, k)] = std::min(well({i, j, k}, {2, 3, 2}, -3), well({i, j, k}, {6, 2, 3}, -5));
  EXPECT_EQ(free_energy_minima(grid, values), (std::vector<std::size_t>{grid.index(6, 2, 3), grid.index(2, 3, 2)}));
  // Of two equal neighbours the first; none on a face, and none where the probe does not fit.
  values[grid.index(3, 3, 2)] = -3;
  values[grid.index(8, 2, 3)] = -9;
  EXPECT_EQ(free_energy_minima(grid, values), (std::vector<std::size_t>{grid.index(6, 2, 3), grid.index(2, 3, 2)}));
  std::fill(values.begin(), values.end(), static_cast<float>(probe_ceiling));
  EXPECT_TRUE(free_energy_minima(grid, values).empty());
}

TEST(ProbeOrientations, AreEven) {
  for (const char* name : {"O2", "CO"}) {
    const std::vector<glm::dquat> turns = probe_orientations(built_in_probe(name), 60);
    ASSERT_EQ(turns.size(), 60u);
    glm::dmat3 squares(0.0);
    for (const glm::dquat& turn : turns) {
      const glm::dvec3 direction = turn * glm::dvec3(0, 0, 1);
      squares += glm::outerProduct(direction, direction) / 60.0;
      EXPECT_NEAR(glm::length(direction), 1, 1e-12);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(squares[i][j], i == j ? 1.0 / 3 : 0.0, 0.01) << name;
  }
  const Probe bent{"bent", "", {{{1, 0, 0}, 3, 0.1, 0}, {{0, 1, 0}, 2, 0.1, 0}}};
  glm::dmat3 mean(0.0);
  for (const glm::dquat& turn : probe_orientations(bent, 200)) {
    EXPECT_NEAR(glm::length(turn), 1, 1e-12);
    mean += glm::mat3_cast(turn) / 200.0;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(mean[i][j], 0, 0.02);
}

// Free energies of frames, kT, into what is known after them.
LigandPoint average_of(const std::vector<double>& frames) {
  LigandAverage average(1, frames.size());
  Job job;
  for (const double g : frames) average.add(std::vector<float>{static_cast<float>(g)}, job);
  return average.at(0);
}

TEST(LigandAverages, HaveTheirJackknifeError) {
  // Weights 1, 2, 4: without the first (2 + 4) / 2, and so on.
  const LigandPoint p = average_of({0, -std::log(2.0), -std::log(4.0)});
  EXPECT_NEAR(p.free_energy, -std::log(7.0 / 3), 1e-6);
  EXPECT_NEAR(p.effective, 49.0 / 21, 1e-6);
  const double without[3] = {-std::log(3.0), -std::log(2.5), -std::log(1.5)};
  const double mean = (without[0] + without[1] + without[2]) / 3;
  double sum = 0;
  for (const double g : without) sum += (g - mean) * (g - mean);
  EXPECT_NEAR(p.error, std::sqrt(2.0 / 3 * sum), 1e-6);
  const double spread = (std::pow(1 - 7.0 / 3, 2) + std::pow(2 - 7.0 / 3, 2) + std::pow(4 - 7.0 / 3, 2)) / 2;
  EXPECT_NEAR(p.linear_error, std::sqrt(spread / 3) / (7.0 / 3), 1e-6);
}

TEST(LigandAverages, SayWhereThereIsNoErrorToBeHad) {
  EXPECT_TRUE(std::isnan(average_of({-3}).error));           // one frame
  const LigandPoint carried = average_of({-9, 2, 3, 1, 2});  // one frame carries all
  EXPECT_LT(carried.effective, 1.01);
  EXPECT_TRUE(std::isnan(carried.error));
  const LigandPoint shut = average_of({200, 90, 80});  // never fits
  EXPECT_EQ(shut.free_energy, probe_ceiling);
  EXPECT_EQ(shut.effective, 0);
  EXPECT_TRUE(std::isnan(shut.error));
  const LigandPoint same = average_of(std::vector<double>(50, -1.5));  // more frames than blocks
  EXPECT_NEAR(same.free_energy, -1.5, 1e-6);
  EXPECT_NEAR(same.effective, 50, 50 * 1e-6);  // sums of weights are floats
  EXPECT_NEAR(same.error, 0, 1e-5);
}

// Frames of a protein in water, as averaged elsewhere: the very case in which one frame carries nearly every point.
TEST(LigandAverages, OfAProteinAsComputedElsewhere) {
  for (const char* name : {"crambin_Ar.json.gz", "crambin_O2.json.gz"}) {
    const std::string path = shared_data(std::string("ligand-map/") + name);
    ISOLUME_NEEDS(path);
    const nlohmann::json known = json_of(path);
    const double kt = known["kT_kJ_mol"];
    const auto& energies = known["energies_kJ_mol_point_frame_orientation"];
    std::size_t without_error = 0;
    for (std::size_t p = 0; p < energies.size(); ++p) {
      std::vector<double> frames;
      for (std::size_t f = 0; f < energies[p].size(); ++f) {
        std::vector<double> e;
        for (const auto& value : energies[p][f]) e.push_back(value.get<double>() / kt);
        frames.push_back(mean_free_energy(e));
        const double g = known["G_frame_kJ_mol"][p][f];
        EXPECT_NEAR(frames.back() * kt, g, 1e-9 * std::max(1.0, std::abs(g)));
      }
      const LigandPoint point = average_of(frames);
      const double g = known["G_kJ_mol"][p];
      if (g / kt < 50) {
        EXPECT_NEAR(point.free_energy * kt, g, 1e-5) << p;
        EXPECT_NEAR(point.linear_error * kt, known["standard_error_kJ_mol"][p].get<double>(), 1e-5) << p;
      }
      without_error += std::isnan(point.error);
    }
    EXPECT_GT(without_error, energies.size() / 2);
  }
}

}  // namespace
}  // namespace isolume
