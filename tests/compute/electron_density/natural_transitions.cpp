// Excited states from amplitudes: against PySCF's transition properties and values at points (qm-fields/MANIFEST.md).
#include "compute/electron_density/natural_transitions.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/states/charge_transfer.h"
#include "compute/orbitals/orbital.h"
#include "formats/bytes/byte_source.h"
#include "formats/orbitals/amplitudes.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

std::vector<double> weights_of(const Orbitals& orbitals) {
  std::vector<double> weights;
  for (const Orbital& orbital : orbitals.orbitals) weights.push_back(orbital.occupation);
  return weights;
}

class StoredStates : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Molecules, StoredStates, testing::Values("formaldehyde", "ethylene_hf"));

TEST_P(StoredStates, HaveTheStoredProperties) {
  const std::string file = test::shared_data(std::string("qm-fields/excited/") + GetParam() + ".molden");
  const std::string amplitudes = test::shared_data(std::string("qm-fields/excited/") + GetParam() + "_excited.json.gz");
  ISOLUME_NEEDS(file);
  ISOLUME_NEEDS(amplitudes);
  const Molecule molecule = read_file(file);
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  const Excitations all = read_amplitudes(amplitudes);
  check_amplitudes(orbitals, all);
  std::vector<int> elements;
  for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  const auto source = ByteSource::open(amplitudes);
  const nlohmann::json json = nlohmann::json::parse(source->text());
  std::vector<glm::dvec3> points = test::StoredMolecule::points(json);
  Job job;
  std::size_t n = 0;
  for (const auto& [name, approach] : json.at("approaches").items()) {
    for (const auto& expected : approach.at("states")) {
      const Excitation& state = all.states.at(n++);
      EXPECT_EQ(state.approach, name);
      const StateMeasures measures = state_measures(orbitals, all, state, elements, job);
      EXPECT_NEAR(measures.norm, 1, 1e-9);
      EXPECT_NEAR(measures.detached, measures.attached, 1e-9);
      EXPECT_NEAR(measures.transition_charge, 0, 2e-4);
      const auto dipole = expected.at("transition_dipole_au_length").get<std::vector<double>>();
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(measures.dipole[axis], dipole[static_cast<std::size_t>(axis)], 5e-4);
      EXPECT_NEAR(measures.strength, expected.at("oscillator_strength_length").get<double>(), 5e-4);
      const auto weights = expected.at("nto_weights").get<std::vector<double>>();
      const NaturalTransitions pairs = natural_transitions(orbitals, all, state);
      for (std::size_t i = 0; i < std::min(weights.size(), pairs.weights.size()); ++i)
        EXPECT_NEAR(pairs.weights[i], weights[i], 1e-9);
      const auto check = [&](const Orbitals& part, const char* key) {
        const auto values = test::numbers_of(expected.at("values").at(key));
        const auto ours = DensityEvaluator(part, weights_of(part)).at(points, DensityOrder::value, job);
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(ours[i].density, values[i][0], 1e-8) << key;
      };
      check(detachment(orbitals, all, state), "detachment_density");
      check(attachment(orbitals, all, state), "attachment_density");
      check(transition(orbitals, all, state), "transition_density");
    }
  }
  EXPECT_EQ(n, all.states.size());
}

/// Against numbers of PySCF's overlap and the same amplitudes (tests/data/orbitals/charge_transfer_pyscf.json).
TEST_P(StoredStates, HaveTheStoredChargeTransferNumbers) {
  const std::string file = test::shared_data(std::string("qm-fields/excited/") + GetParam() + ".molden");
  const std::string amplitudes = test::shared_data(std::string("qm-fields/excited/") + GetParam() + "_excited.json.gz");
  ISOLUME_NEEDS(file);
  ISOLUME_NEEDS(amplitudes);
  std::ifstream stream(test::data("orbitals/charge_transfer_pyscf.json"));
  const nlohmann::json expected = nlohmann::json::parse(stream).at(GetParam());
  const Orbitals orbitals = *read_file(file).orbitals.at(0);
  const Excitations all = read_amplitudes(amplitudes);
  std::vector<std::vector<std::uint8_t>> masks;
  std::vector<std::string> names;
  for (const auto& fragment : expected.at("fragments")) {
    names.push_back(fragment.dump());
    masks.emplace_back(orbitals.centres.size(), std::uint8_t{0});
    for (const std::size_t atom : fragment) masks.back().at(atom) = 1;
  }
  const auto check = [&](const Fragments& fragments) {
    const ChargeTransferNumbers numbers(orbitals, all, fragments.of_atom, fragments.count);
    ASSERT_EQ(expected.at("numbers").size(), all.states.size());
    for (std::size_t s = 0; s < all.states.size(); ++s) {
      const ChargeTransfer found = numbers.of(all.states[s]);
      double squares = 0;
      for (const double x : all.states[s].x) squares += 2 * x * x;
      for (const double y : all.states[s].y) squares += 2 * y * y;
      EXPECT_NEAR(found.sum, squares, 1e-9);
      double within = 0;
      for (std::size_t a = 0; a < fragments.count; ++a) {
        within += found.at(a, a);
        for (std::size_t b = 0; b < fragments.count; ++b)
          EXPECT_NEAR(found.at(a, b), expected.at("numbers")[s][a][b].get<double>(), 1e-8) << s << a << b;
      }
      EXPECT_NEAR(found.transferred, 1 - within / squares, 1e-9);
    }
  };
  check(fragments_of(masks, names));
  // The last fragment is the rest of the atoms.
  masks.pop_back();
  const Fragments with_rest = fragments_of(masks, names);
  EXPECT_EQ(with_rest.labels.back(), "rest");
  check(with_rest);
}

TEST(ChargeTransferFragments, AreRefusedThatShareAtomsOrHaveNone) {
  const std::vector<std::string> names{"name C", "index 1"};
  EXPECT_THROW(fragments_of({{1, 1, 0}, {0, 1, 0}}, names), Error);
  EXPECT_THROW(fragments_of({{1, 1, 0}, {0, 0, 0}}, names), Error);
  try {
    fragments_of({{1, 1, 0}, {0, 1, 0}}, names);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "the fragments \"name C\" and \"index 1\" have atom 1 in common");
  }
}

/// Two occupied and two virtual orbitals of which X couples one of each.
TEST(NaturalTransitions, OfOneAmplitudeAreItsOrbitals) {
  Orbitals orbitals = test::orbitals_of_all_shells();
  for (std::size_t i = 0; i < 2; ++i) orbitals.orbitals[i].occupation = 2;
  Excitations all;
  all.occupied = 2;
  all.virtuals = 3;
  Excitation state;
  state.x = {0, 0, 0, 0, -std::sqrt(0.5), 0};
  all.states.push_back(state);
  check_amplitudes(orbitals, all);
  const NaturalTransitions pairs = natural_transitions(orbitals, all, state);
  ASSERT_EQ(pairs.weights.size(), 2u);
  EXPECT_NEAR(pairs.weights[0], 1, 1e-12);
  EXPECT_NEAR(pairs.weights[1], 0, 1e-12);
  const auto hole = pairs.holes.row(0), particle = pairs.particles.row(0);
  const auto occupied = orbitals.row(1), empty = orbitals.row(3);
  const double sign = hole[0] * occupied[0] > 0 ? 1 : -1;
  for (std::size_t f = 0; f < hole.size(); ++f) {
    EXPECT_NEAR(hole[f], sign * occupied[f], 1e-12);
    EXPECT_NEAR(particle[f], -sign * empty[f], 1e-12);
  }
}

TEST(NaturalTransitions, AreRefusedOfOtherOrbitals) {
  Orbitals orbitals = test::orbitals_of_all_shells();
  for (std::size_t i = 0; i < 2; ++i) orbitals.orbitals[i].occupation = 2;
  Excitations all;
  all.occupied = 2;
  all.virtuals = 3;
  const auto expect_refusal = [&](const std::string& part) {
    try {
      check_amplitudes(orbitals, all);
      EXPECT_EQ(part, "") << "was not refused";
    } catch (const Error& error) {
      EXPECT_TRUE(!part.empty() && std::string(error.what()).find(part) != std::string::npos) << error.what();
    }
  };
  expect_refusal("");
  // Of another basis.
  all.virtuals = 4;
  expect_refusal("they are for 2 occupied and 4 virtual orbitals, the file has 2 and 3");
  all.virtuals = 3;
  orbitals.orbitals[2].occupation = 1;
  expect_refusal("the orbitals are of an open one");
  orbitals.orbitals[2].occupation = 0;
  std::swap(orbitals.orbitals[0].occupation, orbitals.orbitals[4].occupation);
  expect_refusal("not the first of the file");
  for (Orbital& orbital : orbitals.orbitals) orbital.occupation = 2;
  expect_refusal("no virtual orbitals");
  orbitals.unrestricted = true;
  expect_refusal("the orbitals are of an open one");
}

TEST(NaturalTransitions, AmplitudesThatDoNotFitAreRefused) {
  const auto read = [](const std::string& text) {
    const std::string path = testing::TempDir() + "/isolume_amplitudes.json";
    std::ofstream(path) << text;
    return read_amplitudes(path);
  };
  const std::string good = R"({"n_occ":1,"n_virt":2,"states":[{"omega_hartree":0.3,"X":[[0.5,0.5]]}]})";
  EXPECT_EQ(read(good).states.at(0).x, (std::vector<double>{0.5, 0.5}));
  for (const std::string bad :
       {R"({"n_occ":1,"n_virt":2,"states":[]})",
        R"({"n_occ":1,"n_virt":3,"states":[{"omega_hartree":0.3,"X":[[0.5,0.5]]}]})",
        R"({"n_occ":1,"n_virt":2,"states":[{"omega_hartree":0.3,"X":[["a",0.5]]}]})",
        R"({"n_occ":1,"n_virt":2,"states":[{"X":[[0.5,0.5]]}]})", R"({"n_occ":-1,"n_virt":2})", R"([1,2])", "{"}) {
    EXPECT_THROW(read(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace isolume
