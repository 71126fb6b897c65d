// A flexible fit: dynamics in which a density map pulls a model into it.
#include "compute/dynamics/flexible_fit.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/hcp/hcp_complexes.h"
#include "compute/electrostatics/method_energy.h"
#include "molecule/base/error.h"

namespace isolume {

void flexible_fit(const FlexibleFitInput& input, const FlexibleFitOptions& options, Job& job,
                  const std::function<void(FlexibleFitSample)>& sample) {
  const Molecule& molecule = *input.molecule;
  if (!molecule.force_field)
    throw Error(
        "a flexible fit needs the parameters of a force field, and the molecule has none. An AMBER topology "
        "(prmtop, parm7) has them, and so has a PSF together with CHARMM's parameter files (prm, str): open "
        "these and the coordinates together",
        Error::Kind::usage);
  MapPull pull(input.map, molecule, input.frame, input.atoms, options.pull, input.name, input.remedy);
  const std::shared_ptr<const ForceField> field = pull.restrained(*molecule.force_field);
  pull.measure(options.resolution, options.device);
  DynamicsOptions how;
  how.time_step = options.time_step;
  how.temperature = options.temperature;
  how.friction = options.friction;
  how.seed = options.seed;
  check_dynamics(how, *field);
  const HcpHierarchy parts =
      HcpHierarchy::from_topology(*molecule.topology, chain_complexes(*molecule.topology, "auto"));
  HcpMethod method;
  method.hcp.dielectric = Dielectric::sigmoidal();
  method.parts = std::make_shared<const HcpHierarchy>(parts);
  LennardJonesOptions pairs;
  pairs.switching = 0.85 * pairs.cutoff;
  auto forces = MolecularForces::create(
      field, electrostatics(method, force_field_problem(*field, Cell()), parts, options.device), Cell(), pairs);
  std::vector<glm::dvec3> positions(input.frame.positions.begin(), input.frame.positions.end());
  if (input.frame.precise_positions.size() == positions.size()) positions = input.frame.precise_positions;
  Dynamics dynamics(std::move(forces), positions, how);
  pull.apply(dynamics);
  const auto take = [&] {
    const DynamicsSample now = dynamics.sample(job);
    Frame frame = dynamics.frame();
    frame.cell = input.frame.cell;
    frame.velocities.clear();
    frame.forces.clear();
    const double correlation = pull.correlation(frame.positions, job);
    sample({now.time, correlation, now.temperature, std::move(frame)});
  };
  take();
  if (options.minimise > 0) dynamics.minimise(options.minimise, 1.0, job);
  dynamics.draw_velocities();
  const auto steps = static_cast<std::uint64_t>(std::ceil(options.length / options.time_step - 1e-9));
  while (dynamics.step() < steps) {
    dynamics.advance(std::min<std::uint64_t>(std::max<std::size_t>(1, options.every), steps - dynamics.step()), job);
    take();
    job.progress(static_cast<double>(dynamics.step()) / static_cast<double>(steps), "");
  }
}

}  // namespace isolume
