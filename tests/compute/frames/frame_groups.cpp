// Sums and pairs over groups of frames, and analyses of them, on every device against plain loops in double precision.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "compute/analysis/analysis.h"
#include "compute/analysis/contacts.h"
#include "compute/analysis/fluctuation.h"
#include "compute/analysis/gyration.h"
#include "compute/analysis/superposition.h"
#include "compute/frames/frame_pairs.h"
#include "compute/frames/frame_stream.h"
#include "compute/frames/frame_sums.h"
#include "molecule/base/units.h"
#include "molecule/molecule.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/frames/breathing_chain.h"

namespace isolume {
namespace {

using test::breathing_chain;
using test::OnDevice;
using test::Random;

/// Points of several frames on a device, of single or double precision, and the same on the host.
struct MadeGroup {
  MadeGroup(std::size_t frames, std::size_t points, bool precise, Device device, std::uint64_t seed = 3) {
    Random random(seed);
    std::vector<glm::vec3> near;
    for (std::size_t i = 0; i < frames * points; ++i) {
      const glm::dvec3 p = glm::dvec3(70, -20, 5) + random.in_box(-15, 15);
      near.emplace_back(p);
      places.push_back(precise ? p : glm::dvec3(near.back()));
    }
    group.frames = frames;
    group.points = points;
    if (precise) {
      doubles = DeviceArray<glm::dvec3>::from_host(places, device);
      group.precise = doubles.span();
    } else {
      floats = DeviceArray<glm::vec3>::from_host(near, device);
      group.positions = floats.span();
    }
  }
  std::span<const glm::dvec3> of(std::size_t frame, PointRange range) const {
    return std::span<const glm::dvec3>(places).subspan(frame * group.points + range.first, range.count);
  }

  std::vector<glm::dvec3> places;
  DeviceArray<glm::vec3> floats;
  DeviceArray<glm::dvec3> doubles;
  FrameGroup group;
};

struct MadeData {
  explicit MadeData(std::size_t count) {
    Random random(8);
    for (std::size_t i = 0; i < count; ++i) {
      places.push_back(random.in_box(-12, 12));
      weights.push_back(random(0.5, 16));
      sum += weights.back();
    }
  }
  std::vector<glm::dvec3> places;
  std::vector<double> weights;
  double sum = 0;
};

void expect_near(glm::dvec3 found, glm::dvec3 expected, double tolerance) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(found[axis], expected[axis], tolerance);
}

class FrameGroups : public OnDevice {};

TEST_P(FrameGroups, SumAsPlainLoopsDo) {
  Job job;
  // A block takes 4096 points: less, and two and a bit, of a range within the frame.
  for (const std::size_t count : {1u, 37u, 4096u, 9001u})
    for (const bool precise : {false, true}) {
      const MadeGroup made(5, count + 7, precise, GetParam());
      const PointRange range{4, count};
      MadeData data(count);
      const PointData fixed(data.places, data.weights, count, GetParam());
      const std::vector<glm::dvec3> sums = frame_sums(made.group, range, fixed, job);
      const std::vector<PointMoments> moments = frame_moments(made.group, range, fixed, job);
      const std::vector<PointCovariance> covariances = frame_covariances(made.group, range, fixed, job);
      std::vector<RigidMotion> motions;
      for (const PointCovariance& covariance : covariances) motions.push_back(motion_of(covariance, fixed.centre()));
      const std::vector<double> squares = frame_deviations(made.group, range, motions, fixed, job);
      for (std::size_t f = 0; f < made.group.frames; ++f) {
        const std::span<const glm::dvec3> points = made.of(f, range);
        const double terms = 16 * 90 * static_cast<double>(count);  // the largest sum of sizes of terms
        expect_near(sums[f], weighted_sum(points, data.weights), 1e-12 * terms);
        const PointMoments plain = point_moments(points, data.weights, data.sum);
        expect_near(moments[f].centre, plain.centre, 1e-11);
        for (int k = 0; k < 3; ++k) expect_near(moments[f].tensor[k], plain.tensor[k], 1e-9);
        const Superposition fit = superpose(points, data.places, data.weights);
        expect_near(covariances[f].centre, plain.centre, 1e-11);
        EXPECT_NEAR(std::sqrt(squares[f]), count == 1 ? 0 : fit.rmsd, 1e-9) << count;
      }
    }
}

TEST_P(FrameGroups, SumTheSameOfAnyGroups) {
  Job job;
  const std::size_t points = 4500, frames = 6;
  const PointRange range{10, 4300};
  const MadeGroup made(frames, points, false, GetParam());
  MadeData data(range.count);
  const PointData fixed(data.places, data.weights, range.count, GetParam());
  std::vector<RigidMotion> motions;
  Random random(2);
  for (std::size_t f = 0; f < frames; ++f)
    motions.push_back(
        {glm::normalize(glm::dquat(random(0, 1), random(0, 1), random(-1, 1), 0.3)), random.in_box(-2, 2)});
  const auto of = [&](std::size_t first, std::size_t count) {
    FrameGroup part = made.group;
    part.frames = count;
    part.positions = {made.group.positions.data + first * points, count * points, GetParam()};
    return part;
  };
  DisplacementSums whole(range.count, GetParam()), parts(range.count, GetParam());
  add_displacements(made.group, range, motions, fixed, whole, job);
  for (const auto& [first, count] : {std::pair{0u, 1u}, {1u, 3u}, {4u, 2u}})
    add_displacements(of(first, count), range, std::span(motions).subspan(first, count), fixed, parts, job);
  EXPECT_EQ(whole.sums_on_host(), parts.sums_on_host());
  EXPECT_EQ(whole.squares_on_host(), parts.squares_on_host());
  const std::vector<glm::dvec3> sums = whole.sums_on_host();
  for (const std::size_t i : {std::size_t{0}, range.count - 1}) {
    glm::dvec3 expected(0);
    for (std::size_t f = 0; f < frames; ++f) expected += motions[f](made.of(f, range)[i]) - data.places[i];
    expect_near(sums[i], expected, 1e-11);
  }
  const std::vector<PointMoments> all = frame_moments(made.group, range, fixed, job);
  const std::vector<PointMoments> one = frame_moments(of(3, 1), range, fixed, job);
  EXPECT_EQ(all[3].tensor, one[0].tensor);
  EXPECT_EQ(all[3].centre, one[0].centre);
}

TEST_P(FrameGroups, FindTheSmallestDistanceOfNearestImages) {
  Job job;
  const Cell cells[] = {{},
                        Cell::from_lengths_angles({11, 13, 12}, {90, 90, 90}),
                        Cell::from_lengths_angles({14, 12, 13}, {70, 100, 65}),
                        Cell::from_lengths_angles({17, 17, 17}, {70.53, 109.47, 70.53})};
  for (const bool precise : {false, true})
    for (const Cell& cell : cells) {
      const MadeGroup made(3, 130, precise, GetParam(), 21);
      FrameGroup group = made.group;
      const std::vector<Cell> of_frames{cell, {}, cell};
      group.cells = of_frames;
      const PointRange a{3, 41}, b{60, 67};
      const std::vector<double> found = smallest_distances(group, a, b, job);
      for (std::size_t f = 0; f < 3; ++f)
        EXPECT_NEAR(found[f], smallest_distance(made.of(f, a), made.of(f, b), of_frames[f]), 1e-11);
    }
}

TEST_P(FrameGroups, RefuseWhatDoesNotFit) {
  Job job;
  const MadeGroup made(2, 10, false, GetParam());
  const PointData data({}, {}, 5, GetParam());
  EXPECT_THROW(frame_sums(made.group, {6, 5}, data, job), Error);
  EXPECT_THROW(frame_sums(made.group, {0, 4}, data, job), Error);
  EXPECT_THROW(frame_covariances(made.group, {0, 5}, data, job), Error);  // no places
  EXPECT_THROW(smallest_distances(made.group, {0, 0}, {2, 3}, job), Error);
  const std::vector<Cell> one(1);
  FrameGroup wrong = made.group;
  wrong.cells = one;
  EXPECT_THROW(smallest_distances(wrong, {0, 2}, {2, 3}, job), Error);
}

AnalysisRequest request_of(AnalysisKind kind, std::shared_ptr<const Molecule> molecule, Device device) {
  AnalysisRequest request;
  request.kind = kind;
  request.molecule = std::move(molecule);
  for (std::size_t f = 0; f < request.molecule->frame_count(); f += 2) request.frames.push_back(f);
  request.device = device;
  return request;
}

std::vector<glm::dvec3> places_of(const Molecule& molecule, std::size_t frame, std::size_t first, std::size_t step) {
  const Frame at = molecule.trajectory->frame(frame);
  std::vector<glm::dvec3> result;
  for (std::size_t i = first; i < at.positions.size(); i += step)
    result.push_back(at.precise_positions.empty() ? glm::dvec3(at.positions[i]) : at.precise_positions[i]);
  return result;
}

class AnalysesOfGroups : public OnDevice {};

TEST_P(AnalysesOfGroups, RmsdAndGyrationAsOfSingleFrames) {
  for (const bool precise : {false, true}) {
    const auto molecule = breathing_chain(40, 31, {}, precise);
    Job job;
    AnalysisRequest request = request_of(AnalysisKind::rmsd, molecule, GetParam());
    request.selection = "name CA";
    request.reference_frame = 3;
    FrameTimes times;
    request.times = &times;
    const AnalysisTable all = analyse(request, job);
    request.fit = "name CB";
    const AnalysisTable fitted = analyse(request, job);
    request.superpose = false;
    const AnalysisTable still = analyse(request, job);
    AnalysisRequest size = request_of(AnalysisKind::gyration, molecule, GetParam());
    size.selection = "name CA";
    const AnalysisTable gyrations = analyse(size, job);
    const std::vector<glm::dvec3> reference = places_of(*molecule, 3, 1, 5), other = places_of(*molecule, 3, 4, 5);
    for (std::size_t row = 0; row < request.frames.size(); ++row) {
      const std::size_t frame = request.frames[row];
      const std::vector<glm::dvec3> now = places_of(*molecule, frame, 1, 5);
      EXPECT_NEAR(all.column("rmsd").values[row], superpose(now, reference).rmsd, 1e-10);
      EXPECT_NEAR(still.column("rmsd").values[row], rmsd(now, reference), 1e-10);
      std::vector<glm::dvec3> moved = now;
      const RigidMotion motion = superpose(places_of(*molecule, frame, 4, 5), other).motion;
      for (glm::dvec3& p : moved) p = motion(p);
      EXPECT_NEAR(fitted.column("rmsd").values[row], rmsd(moved, reference), 1e-10);
      const Gyration g = gyration(now);
      EXPECT_NEAR(gyrations.column("radius of gyration").values[row], g.radius, 1e-10);
      EXPECT_NEAR(gyrations.column("principal 2").values[row], g.moments.y, 1e-9);
      EXPECT_EQ(all.column("frame").values[row], static_cast<double>(frame));
      EXPECT_EQ(all.column("time").values[row], 2.0 * static_cast<double>(frame));
    }
    EXPECT_GE(times.group, 1u);
    EXPECT_GT(times.reading, 0);
    EXPECT_GT(times.computing, 0);
  }
}

TEST_P(AnalysesOfGroups, FluctuationAsOfSingleFrames) {
  const auto molecule = breathing_chain(40, 31, {});
  Job job;
  AnalysisRequest request = request_of(AnalysisKind::rmsf, molecule, GetParam());
  request.selection = "name CA CB";
  request.per_atom = true;
  for (const char* fit : {"", "name CA"}) {
    request.fit = fit;
    const AnalysisTable table = analyse(request, job);
    const Fluctuations plain = fluctuations(
        request.frames.size(),
        [&](std::size_t i, FluctuationFrame& frame) {
          const Frame at = molecule->trajectory->frame(request.frames[i]);
          frame.points.clear();
          frame.fitted.clear();
          for (std::size_t a = 0; a < at.positions.size(); ++a)
            if (a % 5 == 1 || a % 5 == 4) frame.points.emplace_back(at.positions[a]);
          for (std::size_t a = 0; a < at.positions.size(); ++a)
            if (a % 5 == 1 || (*fit == 0 && a % 5 == 4)) frame.fitted.emplace_back(at.positions[a]);
        },
        job);
    ASSERT_EQ(table.rows(), plain.squares.size());
    for (std::size_t i = 0; i < table.rows(); ++i)
      EXPECT_NEAR(table.column("rmsf").values[i], std::sqrt(plain.squares[i]), 1e-9);
  }
}

TEST_P(AnalysesOfGroups, DipolesAndDistancesByTheirFormulas) {
  const Cell cell = Cell::from_lengths_angles({60, 62, 64}, {80, 95, 100});
  const auto molecule = breathing_chain(40, 9, cell);
  Job job;
  AnalysisRequest request = request_of(AnalysisKind::dipole, molecule, GetParam());
  request.selection = "chain A";
  const AnalysisTable dipoles = analyse(request, job);
  AnalysisRequest between = request_of(AnalysisKind::distance, molecule, GetParam());
  between.selection = "chain A and resid 1 to 5";
  between.other = "chain B and resid 36 to 40";
  const AnalysisTable distances = analyse(between, job);
  const AtomTable& atoms = molecule->topology->atoms;
  for (std::size_t row = 0; row < request.frames.size(); ++row) {
    const std::vector<glm::dvec3> p = places_of(*molecule, request.frames[row], 0, 1);
    glm::dvec3 moment(0), centre(0), of_a(0), of_b(0);
    double charge = 0, mass = 0, mass_a = 0, mass_b = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double q = static_cast<double>(atoms[i].charge), m = static_cast<double>(atoms[i].mass);
      if (i < 100) {
        moment += q * p[i];
        centre += m * p[i];
        charge += q;
        mass += m;
      }
      if (i < 25) {
        of_a += m * p[i];
        mass_a += m;
      }
      if (i >= 175) {
        of_b += m * p[i];
        mass_b += m;
      }
    }
    const double expected = glm::length(moment - charge * (centre / mass)) * units::debye_per_e_angstrom;
    EXPECT_NEAR(dipoles.column("dipole").values[row], expected, 1e-9);
    EXPECT_NEAR(distances.column("distance of the centres of mass").values[row],
                glm::length(cell.minimum_image(of_b / mass_b - of_a / mass_a)), 1e-10);
    const std::span<const glm::dvec3> all(p);
    EXPECT_NEAR(distances.column("smallest").values[row], smallest_distance(all.first(25), all.last(25), cell), 1e-10);
  }
}

TEST_P(AnalysesOfGroups, ContactsByTheirRule) {
  const Cell cells[] = {{},
                        Cell::from_lengths_angles({24, 26, 28}, {90, 90, 90}),
                        Cell::from_lengths_angles({26, 27, 28}, {75, 95, 100})};
  for (const Cell& cell : cells) {
    const auto molecule = breathing_chain(60, 7, cell);
    const Topology& topology = *molecule->topology;
    Job job;
    AnalysisRequest request = request_of(AnalysisKind::contacts, molecule, GetParam());
    request.cutoff = 8;
    request.apart = 3;
    for (const bool within : {true, false}) {
      request.selection = within ? "all" : "name CA CB";
      request.other = within ? "" : "name CB O";
      const AnalysisTable table = analyse(request, job);
      std::vector<ContactPoint> a, b;
      const auto holds = [&](std::size_t i, std::size_t one, std::size_t other) {
        return within || i % 5 == one || i % 5 == other;
      };
      const auto point = [&](std::size_t i) {
        const std::uint32_t residue = topology.atoms[i].residue;
        return ContactPoint{static_cast<std::uint32_t>(i), residue, topology.residues[residue].chain};
      };
      for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
        if (holds(i, 1, 4)) a.push_back(point(i));
        if (holds(i, 4, 3)) b.push_back(point(i));
      }
      for (std::size_t row = 0; row < request.frames.size(); ++row) {
        const std::vector<glm::dvec3> p = places_of(*molecule, request.frames[row], 0, 1);
        std::vector<glm::dvec3> at_a, at_b;
        for (const ContactPoint& one : a) at_a.push_back(p[one.atom]);
        for (const ContactPoint& one : b) at_b.push_back(p[one.atom]);
        // The CPU draws points into the cell in single precision: pairs within 1e-5 angstrom of the cutoff may differ.
        const auto count = [&](double cutoff) {
          return static_cast<double>(count_contacts_reference(at_a, at_b, a, b, {cutoff, within, 3}, cell));
        };
        EXPECT_GE(table.column("contacts").values[row], count(8 - 1e-5));
        EXPECT_LE(table.column("contacts").values[row], count(8 + 1e-5));
        EXPECT_GT(count(8), 50);
      }
      // Of the reference frame itself all are left, of the soft ones nearly so: 1 / (1 + exp(-4 r0)) of each.
      EXPECT_EQ(table.column("native").values[0], 1);
      EXPECT_GT(table.column("native soft").values[0], 0.99);
      EXPECT_TRUE(!within || table.column("native").values[3] < 1);
    }
  }
}

TEST_P(AnalysesOfGroups, NativeContactsByTheirFormula) {
  // Two atoms of residues far apart in the chain, 4 angstrom from each other at first, then r.
  TopologyBuilder builder;
  for (const int residue : {1, 20}) {
    Atom atom;
    atom.name = "CA";
    atom.element = 6;
    builder.add(atom, "GLY", residue, ' ', residue == 1 ? "A" : "B");
  }
  std::vector<Frame> frames(3);
  const double r[] = {4, 6.5, 7.5};
  for (std::size_t f = 0; f < 3; ++f) frames[f].positions = {glm::vec3(1, 2, 3), glm::vec3(1, 2, 3 + r[f])};
  auto molecule = std::make_shared<Molecule>();
  molecule->topology = std::make_shared<const Topology>(builder.finish());
  molecule->trajectory = std::make_shared<const MemoryTrajectory>(std::move(frames));
  Job job;
  AnalysisRequest request = request_of(AnalysisKind::contacts, molecule, GetParam());
  request.frames = {0, 1, 2};
  request.selection = "all";
  request.cutoff = 7;
  const AnalysisTable table = analyse(request, job);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(table.column("contacts").values[f], r[f] <= 7 ? 1 : 0);
    EXPECT_EQ(table.column("native").values[f], r[f] <= 7 ? 1 : 0);
    EXPECT_NEAR(table.column("native soft").values[f], 1 / (1 + std::exp(5 * (r[f] - 1.8 * 4))), 1e-9);
  }
}

class FrameStreams : public OnDevice {};

FrameStreamPlan plan_of(std::size_t rows, std::size_t atoms, Device device, std::atomic<int>& reads) {
  FrameStreamPlan plan;
  plan.rows = rows;
  plan.device = device;
  for (std::size_t i = 0; i < atoms; ++i) plan.atoms.push_back(static_cast<std::uint32_t>(atoms - 1 - i));
  plan.read = [&reads, atoms](std::size_t row) {
    ++reads;
    Frame frame;
    for (std::size_t i = 0; i < atoms; ++i)
      frame.positions.emplace_back(static_cast<float>(row), static_cast<float>(i), 1.5f);
    return frame;
  };
  return plan;
}

TEST_P(FrameStreams, GiveEveryFrameOnce) {
  Job job;
  for (const std::size_t rows : {1u, 2u, 23u}) {
    std::atomic<int> reads{0};
    FrameStream stream(plan_of(rows, 11, GetParam(), reads));
    std::vector<std::atomic<int>> seen(rows);
    const PointData ones({}, {}, 10, GetParam());
    stream.each(job, [&](std::size_t first, const FrameGroup& group) {
      Job part;
      const std::vector<glm::dvec3> sums = frame_sums(group, {1, 10}, ones, part);
      for (std::size_t f = 0; f < group.frames; ++f) {
        EXPECT_EQ(sums[f], glm::dvec3(10.0 * static_cast<double>(first + f), 45, 15));  // atoms 9 to 0
        ++seen[first + f];
      }
    });
    for (const std::atomic<int>& count : seen) EXPECT_EQ(count, 1);
    EXPECT_EQ(reads, static_cast<int>(rows));
  }
}

TEST_P(FrameStreams, KeepWhatTheDeviceHolds) {
  Job job;
  std::atomic<int> reads{0};
  FrameStream stream(plan_of(23, 5, GetParam(), reads));
  std::size_t next = 0;
  for (int round = 0; round < 3; ++round) {
    next = 0;
    stream.again(job, 0, 1, [&](std::size_t first, const FrameGroup& group) {
      EXPECT_EQ(first, next);
      next += group.frames;
    });
    EXPECT_EQ(next, 23u);
  }
  EXPECT_EQ(reads, GetParam().is_cuda() ? 23 : 69);
}

TEST_P(FrameStreams, PassOnWhatGoesWrong) {
  Job job;
  std::atomic<int> reads{0};
  const std::size_t before = allocated_memory(GetParam());
  FrameStreamPlan plan = plan_of(40, 5, GetParam(), reads);
  const auto read = plan.read;
  plan.read = [read](std::size_t row) {
    if (row == 30) throw Error("frame 30 is damaged", Error::Kind::input);
    return read(row);
  };
  const auto none = [](std::size_t, const FrameGroup&) {};
  {
    FrameStream stream(plan);
    EXPECT_THROW(stream.each(job, none), Error);
    EXPECT_THROW(stream.again(job, 0, 1, none), Error);
  }
  FrameStream stream(plan_of(40, 5, GetParam(), reads));
  EXPECT_THROW(stream.each(job, [](std::size_t, const FrameGroup&) { throw Error("no"); }), Error);
  test::expect_cancelled(Device::cpu(), [&](Job& cancelled) { stream.each(cancelled, none); });
  EXPECT_EQ(allocated_memory(GetParam()), before);
}

ISOLUME_ON_EVERY_DEVICE(FrameGroups);
ISOLUME_ON_EVERY_DEVICE(AnalysesOfGroups);
ISOLUME_ON_EVERY_DEVICE(FrameStreams);

}  // namespace
}  // namespace isolume
