// Principal components of the motion of atoms over frames.
#include "compute/trajectory/principal_components.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/analysis/superposition.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Matrix = Eigen::MatrixXd;

std::vector<glm::dvec3> mean_of(const FrameSet& set) {
  std::vector<glm::dvec3> mean(set.atoms.size(), glm::dvec3(0));
  for (std::size_t row = 0; row < set.frames.size(); ++row) {
    const auto places = set.frame(row);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += places[i] / static_cast<double>(set.frames.size());
  }
  return mean;
}

/// Superposes all frames on their mean, again and again; returns the mean.
std::vector<glm::dvec3> superpose_on_mean(FrameSet& set, std::size_t& rounds, Job& job) {
  const auto first = std::as_const(set).frame(0);
  std::vector<glm::dvec3> mean(first.begin(), first.end());
  for (rounds = 1; rounds <= 50; ++rounds) {
    parallel_for(set.frames.size(), job, "superposing frames", [&](std::size_t row) {
      const auto places = set.frame(row);
      const RigidMotion motion = superpose(places, mean).motion;
      for (glm::dvec3& place : places) place = motion(place);
    });
    const std::vector<glm::dvec3> next = mean_of(set);
    const double moved = rmsd(next, mean);
    mean = next;
    if (moved < 1e-6) break;
  }
  return mean;
}

}  // namespace

std::size_t principal_components_memory(const FrameSet& set, std::size_t components) {
  const std::size_t side = std::min(3 * set.atoms.size(), set.frames.size());
  return sizeof(double) * (3 * set.atoms.size() * (set.frames.size() + components) + 4 * side * side);
}

PrincipalComponents principal_components(FrameSet& set, std::size_t components, bool superposed, Job& job) {
  const std::size_t frames = set.frames.size(), atoms = set.atoms.size(), coordinates = 3 * atoms;
  if (frames < 2) throw Error("principal components take at least two frames", Error::Kind::usage);
  if (superposed && atoms < 3) throw Error("superposing takes at least 3 atoms", Error::Kind::usage);
  components = std::min({components, frames - 1, coordinates});
  if (components == 0) throw Error("no components are asked for", Error::Kind::usage);
  require_memory(principal_components_memory(set, components), Device::cpu(), "principal components");
  PrincipalComponents found;
  found.mean = superposed ? superpose_on_mean(set, found.rounds, job) : mean_of(set);
  const auto n = static_cast<Eigen::Index>(frames), m = static_cast<Eigen::Index>(coordinates);
  Matrix x(m, n);  // a column a frame
  for (std::size_t row = 0; row < frames; ++row) {
    const auto places = std::as_const(set).frame(row);
    for (std::size_t i = 0; i < atoms; ++i)
      for (int axis = 0; axis < 3; ++axis)
        x(static_cast<Eigen::Index>(3 * i) + axis, static_cast<Eigen::Index>(row)) =
            places[i][axis] - found.mean[i][axis];
  }
  const double scale = 1.0 / static_cast<double>(frames - 1);
  found.total = x.squaredNorm() * scale;
  job.check();
  job.progress(0.3, "covariance");
  // x x^T and x^T x have the same eigenvalues but for zeros.
  const bool small = coordinates <= frames;
  const Matrix products = small ? Matrix(x * x.transpose() * scale) : Matrix(x.transpose() * x * scale);
  job.check();
  job.progress(0.6, "principal components");
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(products);
  if (solver.info() != Eigen::Success) throw Error("the covariance could not be diagonalised");
  job.check();
  found.modes.resize(components * atoms);
  found.projections.resize(frames * components);
  for (std::size_t k = 0; k < components; ++k) {
    const Eigen::Index at = products.rows() - 1 - static_cast<Eigen::Index>(k);
    const double variance = std::max(0.0, solver.eigenvalues()(at));
    found.variances.push_back(variance);
    Eigen::VectorXd mode =
        small ? Eigen::VectorXd(solver.eigenvectors().col(at)) : Eigen::VectorXd(x * solver.eigenvectors().col(at));
    const double norm = mode.norm();
    if (norm > 0) mode /= norm;
    Eigen::Index largest = 0;
    mode.cwiseAbs().maxCoeff(&largest);
    if (mode(largest) < 0) mode = -mode;
    for (std::size_t i = 0; i < atoms; ++i)
      for (int axis = 0; axis < 3; ++axis)
        found.modes[k * atoms + i][axis] = mode(static_cast<Eigen::Index>(3 * i) + axis);
    const Eigen::VectorXd along = x.transpose() * mode;
    for (std::size_t row = 0; row < frames; ++row)
      found.projections[row * components + k] = along(static_cast<Eigen::Index>(row));
  }
  return found;
}

std::vector<std::vector<glm::dvec3>> mode_frames(const PrincipalComponents& found, std::size_t component,
                                                 double amplitude, std::size_t count) {
  if (component >= found.variances.size())
    throw Error(fmt::format("component {}: there are {}", component + 1, found.variances.size()), Error::Kind::usage);
  const std::size_t atoms = found.mean.size();
  std::vector<std::vector<glm::dvec3>> frames(count, found.mean);
  for (std::size_t f = 0; f < count; ++f) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(f) / static_cast<double>(count);
    for (std::size_t i = 0; i < atoms; ++i)
      frames[f][i] += amplitude * std::sin(phase) * found.modes[component * atoms + i];
  }
  return frames;
}

}  // namespace isolume
