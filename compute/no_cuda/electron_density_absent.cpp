// Stubs of the CUDA bodies of fields of the electron density, for a build without CUDA.
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/hirshfeld_bodies.h"
#include "compute/electron_density/mesh/density_mesh_bodies.h"
#include "compute/electron_density/promolecule_bodies_cuda.h"
#include "compute/electron_density/topology/critical_points_bodies.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

[[noreturn]] void refuse() {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace

std::vector<std::vector<DensityDerivatives>> derivatives_at_points_cuda(std::span<const DensityFunctions* const>,
                                                                        std::span<const glm::dvec3>, DensityOrder,
                                                                        Device, Job&) {
  refuse();
}

struct DerivativesCuda::Sets {};

DerivativesCuda::DerivativesCuda(const DensityFunctions&, const Stream&) {
  refuse();
}
DerivativesCuda::DerivativesCuda(std::span<const DensityFunctions* const>, const Stream&) {
  refuse();
}
DerivativesCuda::~DerivativesCuda() = default;

void DerivativesCuda::on_grid(const Grid&, DensityOrder, double*, Stream&, Job&) const {
  refuse();
}

void DerivativesCuda::fill(const Grid&, DensityOrder, const DensityTarget&, const ChosenParts*, Stream&, Job&) const {
  refuse();
}

void DerivativesCuda::fill_mixed(const Grid&, double*, const ChosenParts*, Stream&, Job&) const {
  refuse();
}

void DerivativesCuda::at_points(const double*, std::size_t, DensityOrder, double*, Stream&, Job&) const {
  refuse();
}

std::size_t measure_on_grid_cuda(std::span<const DensityFunctions* const>, const MeasureTask&, const Grid&, Span<float>,
                                 Job&) {
  refuse();
}

void potential_at_points_cuda(const PotentialSources&, std::span<const glm::dvec3>, std::span<double>,
                              std::span<glm::dvec3>, Device, Job&) {
  refuse();
}

void potential_on_grid_cuda(const PotentialSources&, bool, double, const Grid&, Span<float>, Job&) {
  refuse();
}

HirshfeldSums hirshfeld_sums_cuda(const HirshfeldProblem&, Device, Job&) {
  refuse();
}

std::unique_ptr<DensitySearch> density_search_cuda(const DensityFunctions&, Device) {
  refuse();
}

std::unique_ptr<DensityMeshBody> density_mesh_cuda(const HermiteDensity&, DensityMeshPlan&, Device, Job&) {
  refuse();
}

void promolecule_on_grid_cuda(const Promolecule::Atoms&, const PromoleculeMaps&, const Grid&, Job&) {
  refuse();
}

std::vector<PromoleculePoint> promolecule_at_points_cuda(const Promolecule::Atoms&, std::span<const glm::dvec3>, Device,
                                                         Job&) {
  refuse();
}

void gradient_model_on_grid_cuda(const HirshfeldParts&, const PromoleculeMaps&, const Grid&, Job&) {
  refuse();
}

std::vector<PromoleculePoint> gradient_model_at_points_cuda(const HirshfeldParts&, std::span<const glm::dvec3>, Device,
                                                            Job&) {
  refuse();
}

}  // namespace isolume
