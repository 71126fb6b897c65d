// --tolerance of Poisson-Boltzmann: the same once more with shorter steps until the estimated error is within.
#include "app/cli/compute/within_tolerance.h"

#include <fmt/format.h>

#include "compute/base/memory.h"
#include "compute/electrostatics/poisson_boltzmann/shorter_steps.h"
#include "molecule/base/error.h"

namespace isolume::cli {

void within_tolerance(Run& run, const SteppedRun& what, Grid& grid) {
  if (!(what.tolerance > 0)) {
    what.solve(grid);
    return;
  }
  ShorterSteps steps(what.tolerance);
  nlohmann::ordered_json tries = nlohmann::ordered_json::array();
  while (true) {
    const double step = grid.step[0][0], error = what.solve(grid);
    const std::optional<double> next = steps.next({step, error});
    tries.push_back({{"spacing", step}, {"points", grid.size()}, {"relative", error}});
    run.report.result["tries"] = tries;
    if (steps.met()) return;
    const std::string missed =
        fmt::format("--tolerance {:g} cannot be met: the estimated relative error is {:.2g} with steps of {:.3g} A",
                    what.tolerance, error, step);
    if (what.fixed) throw Error(fmt::format("{}; without {} shorter steps would be tried", missed, what.fixed_by));
    if (!next) throw Error(fmt::format("{}, after {} tries", missed, tries.size()));
    grid = what.grid_of(*next);
    const std::size_t bytes = what.memory ? what.memory(grid)
                                          : poisson_boltzmann_memory(what.atoms, grid, *what.options, run.device) +
                                                grid.size() * what.further;
    const std::string cost = fmt::format("steps of {:.3g} A ({} x {} x {} points, about {})", *next, grid.counts.x,
                                         grid.counts.y, grid.counts.z, bytes_in_words(bytes));
    if (bytes > available_memory(run.device))
      throw Error(fmt::format("{}, and {} do not fit in the {} that can be had on {}", missed, cost,
                              bytes_in_words(available_memory(run.device)), to_string(run.device)));
    run.say(
        fmt::format("estimated relative error {:.2g} with steps of {:.3g} A; once more with {}", error, step, cost));
  }
}

}  // namespace isolume::cli
