// The probes of a scene: their places, what is asked of compute, and contributions as numbers of atoms.
#include "app/fields/probes/scene_probes.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "app/fields/potential_settings.h"
#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/missing.h"

namespace isolume {

ProbePlace place_of(const Scene& scene, std::size_t number, const Topology& topology) {
  const FieldProbe& probe = scene.probes.at(number);
  switch (probe.kind) {
    case FieldProbe::Kind::atom:
      return probe_at_atom(topology, probe.atom);
    case FieldProbe::Kind::bond:
      return probe_at_bond(topology, probe.atom, probe.second);
    case FieldProbe::Kind::residue: {
      const ProbePlace atom = probe_at_atom(topology, probe.atom);  // checks it
      return probe_at_residue(topology, topology.atoms[atom.atoms.front()].residue);
    }
    case FieldProbe::Kind::point:
      break;
  }
  std::size_t before = 0;
  for (std::size_t i = 0; i < number; ++i)
    before += scene.probes[i].kind == FieldProbe::Kind::point && scene.probes[i].molecule == probe.molecule;
  return {std::to_string(before), {}, probe.position, false};
}

std::vector<std::size_t> probes_of(const Scene& scene, std::uint32_t molecule) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < scene.probes.size(); ++i)
    if (scene.probes[i].molecule == molecule) numbers.push_back(i);
  return numbers;
}

SceneProbing ready_probes(const Scene& scene, std::shared_ptr<const Molecule> molecule,
                          const std::vector<std::size_t>& numbers) {
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  require_same_atoms(*molecule, "a probe over frames");
  const PotentialSettings& settings = scene.probing.potential;
  ProbeRequest request;
  request.molecule = molecule;
  request.charges = molecule_charges(*molecule, frame_at(*molecule, 0), "all");
  request.method = basic_options(settings, request.charges.cell);
  check_contributions(request.method);
  if (auto* const parts = std::get_if<HcpMethod>(&request.method))
    parts->parts = charge_parts(*molecule->topology, request.charges.atoms);
  request.by = scene.probing.by;
  request.factor = per_volt(settings);
  request.gradient = has_gradients(request.method);
  for (const std::size_t number : numbers) request.places.push_back(place_of(scene, number, *molecule->topology));
  SceneProbing ready;
  ready.expected_error = choose_parameters(request, settings.accuracy);
  ready.numbers = numbers;
  ready.unit = name(settings.unit);
  ready.probing = std::make_shared<const Probing>(std::move(request));
  return ready;
}

AtomShares atom_shares(const Scene& scene, const Representation& representation, Documents& documents,
                       const std::function<void()>& check) {
  const std::size_t number = representation.probe;
  if (number >= scene.probes.size())
    throw Error(scene.probes.empty()
                    ? std::string("colours by the contributions at a probe: there is none in the scene")
                    : fmt::format("probe {} is beyond the {} probes of the scene (they count from 0)", number,
                                  scene.probes.size()),
                Error::Kind::usage);
  if (scene.probes[number].molecule != representation.molecule)
    throw Error(fmt::format("probe {} is one of molecule {}: its contributions are no colours of molecule {}", number,
                            scene.probes[number].molecule, representation.molecule),
                Error::Kind::usage);
  const auto molecule = documents.molecule(scene.molecules[representation.molecule]);
  const SceneProbing ready = ready_probes(scene, molecule, {number});
  Job job([&check](double, const std::string&) {
    if (check) check();
  });
  const ProbeShares shares = ready.probing->shares_of(frame_in(*molecule, scene.frame), job);
  const std::vector<std::uint32_t>& atoms = ready.probing->request().charges.atoms;
  AtomShares result;
  result.values.assign(molecule->topology->atoms.size(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t i = 0; i < atoms.size(); ++i)
    result.values[atoms[i]] =
        static_cast<float>(shares.values[ready.probing->groups().of[i] * ready.probing->numbers()]);
  result.title = fmt::format("contribution at probe {}", number + 1);
  result.unit = ready.unit;
  return result;
}

}  // namespace isolume
