// Superposition by least squares, alignment of sequences, and which atoms belong together.
#include "compute/analysis/superposition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "compute/analysis/residue_matching.h"
#include "compute/analysis/sequence_alignment.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return normal_(engine_); }
  glm::dvec3 point(double scale) {
    const double x = (*this)(), y = (*this)(), z = (*this)();
    return scale * glm::dvec3(x, y, z);
  }
  RigidMotion motion() {
    const double w = (*this)(), x = (*this)(), y = (*this)(), z = (*this)();
    return {glm::normalize(glm::dquat(w, x, y, z)), point(20)};
  }
  std::vector<glm::dvec3> points(std::size_t count) {
    std::vector<glm::dvec3> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(point(10));
    return result;
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

std::vector<glm::dvec3> all_moved(const std::vector<glm::dvec3>& points, const RigidMotion& motion) {
  std::vector<glm::dvec3> result;
  for (const glm::dvec3& point : points) result.push_back(motion(point));
  return result;
}

TEST(Superposition, GivesBackTheMotionOfACopy) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const auto points = random.points(i < 10 ? 3 : 200);
    const RigidMotion motion = random.motion();
    const Superposition found = superpose(points, all_moved(points, motion));
    EXPECT_LT(found.rmsd, 1e-12);
    EXPECT_NEAR(std::abs(glm::dot(found.motion.rotation, motion.rotation)), 1, 1e-12);
    EXPECT_LT(glm::distance(found.motion.translation, motion.translation), 1e-10);
  }
  const auto points = random.points(10);
  EXPECT_EQ(superpose(points, points).motion.rotation.w, 1) << "nothing to turn";
}

// The best turn of a mirror image: with s the singular values of the covariance and the sign of the least one turned,
// rmsd^2 = (sum |a|^2 + sum |b|^2 - 2 (s1 + s2 - s3)) / n; of a box with half edges 3, 2, 1, mirrored, s_i = 8 h_i^2.
TEST(Superposition, DoesNotMirror) {
  std::vector<glm::dvec3> box, mirrored;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 p(corner & 1 ? 3 : -3, corner & 2 ? 2 : -2, corner & 4 ? 1 : -1);
    box.push_back(p);
    mirrored.emplace_back(-p.x, p.y, p.z);
  }
  const Superposition found = superpose(box, mirrored);
  EXPECT_NEAR(found.rmsd, std::sqrt((2 * 8 * 14.0 - 2 * 8 * (9 + 4 - 1.0)) / 8), 1e-10);
  EXPECT_NEAR(glm::determinant(glm::mat3_cast(found.motion.rotation)), 1, 1e-12);
}

TEST(Superposition, WeightsCountAsCopies) {
  Random random(5);
  const auto a = random.points(6), b = random.points(6);
  const std::vector<double> weights{1, 2, 3, 1, 1, 2};
  std::vector<glm::dvec3> many_a, many_b;
  for (std::size_t i = 0; i < 6; ++i)
    for (int k = 0; k < static_cast<int>(weights[i]); ++k) {
      many_a.push_back(a[i]);
      many_b.push_back(b[i]);
    }
  const Superposition weighted = superpose(a, b, weights), copied = superpose(many_a, many_b);
  EXPECT_NEAR(weighted.rmsd, copied.rmsd, 1e-10);
  EXPECT_NEAR(std::abs(glm::dot(weighted.motion.rotation, copied.motion.rotation)), 1, 1e-10);
  EXPECT_NEAR(weighted.rmsd, rmsd(all_moved(a, weighted.motion), b, weights), 1e-12);
  // No turn nearby is better.
  for (int i = 0; i < 50; ++i) {
    RigidMotion other = weighted.motion;
    other.rotation = glm::normalize(other.rotation + 0.01 * random.motion().rotation);
    other.translation += random.point(0.01);
    EXPECT_GE(rmsd(all_moved(a, other), b, weights), weighted.rmsd);
  }
}

TEST(Superposition, PrunesWhatMoved) {
  Random random(8);
  auto points = random.points(100);
  const RigidMotion motion = random.motion();
  auto fixed = all_moved(points, motion);
  for (std::size_t i = 70; i < 100; ++i) fixed[i] += glm::dvec3(15, 0, 0);  // a domain that closed
  const PrunedSuperposition pruned = superpose_pruned(points, fixed, 2);
  EXPECT_EQ(pruned.kept_count, 70u);
  EXPECT_GT(pruned.rounds, 2);
  EXPECT_LT(pruned.rmsd, 1e-10);
  EXPECT_NEAR(pruned.rmsd_all, 15 * std::sqrt(0.3), 1e-9);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(pruned.kept[i] != 0, i < 70) << i;
    EXPECT_NEAR(pruned.distances[i], i < 70 ? 0 : 15, 1e-9);
  }
  EXPECT_NEAR(std::abs(glm::dot(pruned.motion.rotation, motion.rotation)), 1, 1e-12);
  const PrunedSuperposition whole = superpose_pruned(points, fixed, 0);
  EXPECT_EQ(whole.kept_count, 100u);
  EXPECT_DOUBLE_EQ(whole.rmsd, whole.rmsd_all);
  EXPECT_EQ(superpose_pruned(random.points(8), random.points(8), 1e-6).kept_count, 3u) << "three always stay";
}

TEST(Superposition, RefusesWhatAreNoPairs) {
  Random random(1);
  const auto three = random.points(3), two = random.points(2);
  EXPECT_THROW(superpose(three, two), Error);
  EXPECT_THROW(superpose({}, {}), Error);
  EXPECT_THROW(rmsd(three, three, std::vector<double>{1, -1, 1}), Error);
  EXPECT_THROW(rmsd(three, three, std::vector<double>{0, 0, 0}), Error);
}

// The value of moved orbitals at moved points is that of the orbitals at the points, in every shell to l = 6.
TEST(Superposition, OrbitalsTurnWithTheirAtoms) {
  Random random(11);
  auto basis = std::make_shared<Basis>();
  for (std::uint32_t centre = 0; centre < 2; ++centre)
    for (std::uint8_t l = 0; l <= 6; ++l)
      for (const bool spherical : {false, true})
        if (!spherical || l >= 2) basis->shells.push_back({centre, l, spherical, {0.4, 1.3}, {0.7, 0.5}});
  basis->normalise();
  Orbitals orbitals;
  orbitals.basis = basis;
  orbitals.centres = {{0.5, -1, 0.3}, {-2, 0.7, 1.5}};
  orbitals.orbitals.resize(3);
  for (std::size_t i = 0; i < 3 * basis->function_count(); ++i) orbitals.coefficients.push_back(random());
  const RigidMotion motion = random.motion();
  const Orbitals there = moved(orbitals, motion);
  const auto points = random.points(40);
  std::vector<glm::dvec3> near;
  for (const glm::dvec3& point : points) near.push_back(0.1 * point);
  const auto after = all_moved(near, motion);
  std::vector<double> before_values(near.size()), after_values(near.size());
  for (std::size_t which = 0; which < 3; ++which) {
    orbital_reference(orbitals, which, near, before_values);
    orbital_reference(there, which, after, after_values);
    double largest = 0;
    for (const double v : before_values) largest = std::max(largest, std::abs(v));
    EXPECT_GT(largest, 0.1);
    for (std::size_t i = 0; i < near.size(); ++i)
      EXPECT_NEAR(after_values[i], before_values[i], 1e-11 * largest) << which << ", " << i;
  }
}

// Scores of Biopython 1.88 (tests/bench/peers/superposition_biopython.py): global, BLOSUM62, gaps -11 and -1, none at
// the ends.
TEST(SequenceAlignment, ScoresAreThoseOfBiopython) {
  Job job;
  const auto score = [&](const char* a, const char* b) {
    const double forth = align_sequences(a, b, SequenceKind::protein, job).score;
    EXPECT_EQ(forth, align_sequences(b, a, SequenceKind::protein, job).score);
    return forth;
  };
  EXPECT_EQ(score("MKTAYIAKQR", "TAYIAQR"), 26);
  EXPECT_EQ(score("HEAGAWGHEE", "PAWHEAE"), 15);
  EXPECT_EQ(score("ACDEFGHIKLMNPQRSTVWY", "ACDEFGHIKRSTVWY"), 74);
  EXPECT_EQ(
      score("MNIFEMLRIDEGLRLKIYKDTEGYYTIGIGHLLTKSPSLNAAKSELDKAIGRNTNGVITKDEAEKLFNQDVDAAVRGILRNAKLKPVYDSLDAVRRAALINMVF"
            "QMGETGVAGFTNSLRMLQQKRWDEAAVNLAKSRWYNQTPNRAKRVITTFRTGTWDAYKNL",
            "KVFGRCELAAAMKRHGLDNYRGYSLGNWVCAAKFESNFNTQATNRNTDGSTDYGILQINSRWWCNDGRTPGSRNLCNIPCSALLSSDITASVNCAKKIVSDGNGM"
            "NAWVAWRNRCKGTDVQAWIRGCRL"),
      6);
}

TEST(SequenceAlignment, PairsAscendAndGapsAreWhereLettersAreMissing) {
  Job job;
  const auto found = align_sequences("ACDEFGHIKLMNPQRSTVWY", "ACDEFGHIKRSTVWY", SequenceKind::protein, job);
  ASSERT_EQ(found.pairs.size(), 15u);
  EXPECT_EQ(found.identical, 15u);
  for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(found.pairs[i], std::make_pair(i < 9 ? i : i + 5, i)) << i;
  EXPECT_TRUE(align_sequences("", "ACD", SequenceKind::protein, job).pairs.empty());
  const auto bases = align_sequences("GGAUCC", "GGATCC", SequenceKind::nucleic, job);
  EXPECT_EQ(bases.score, 30) << "U is T";
  Job cancelled;
  cancelled.cancel();
  const std::string longer(100, 'A');
  EXPECT_THROW(align_sequences(longer, longer, SequenceKind::protein, cancelled), Error);
}

TEST(SequenceAlignment, NamesHaveLetters) {
  EXPECT_EQ(residue_letter("TRP"), 'W');
  EXPECT_EQ(residue_letter("HSD"), 'H');
  EXPECT_EQ(residue_letter("DA5"), 'A');
  EXPECT_EQ(residue_letter("U"), 'U');
  EXPECT_EQ(residue_letter("HEM"), 'X');
  EXPECT_EQ(letter_score('W', 'W', SequenceKind::protein), 11);
  EXPECT_EQ(letter_score('V', 'A', SequenceKind::protein), letter_score('A', 'V', SequenceKind::protein));
}

/// CA atoms of a chain, one for each residue of the list.
Topology chain_of(const std::vector<std::pair<const char*, int>>& residues, const std::string& id) {
  TopologyBuilder builder;
  for (const auto& [name, number] : residues) {
    Atom atom;
    for (const char* atom_name : {"N", "CA"}) {
      atom.name = atom_name;
      builder.add(atom, name, number, ' ', id);
    }
  }
  return builder.finish();
}

TEST(AtomMatching, ResiduesBySequenceAndOrder) {
  Job job;
  const Topology a = chain_of({{"ALA", 1}, {"CYS", 2}, {"TRP", 3}, {"GLY", 4}, {"LYS", 5}}, "A");
  const Topology same = chain_of({{"CYS", 2}, {"TRP", 3}, {"GLY", 4}, {"LYS", 5}}, "B");
  const Topology shifted = chain_of({{"TRP", 103}, {"GLY", 104}, {"LYS", 105}, {"ALA", 106}}, "B");
  const auto trace_a = trace_atoms(a);
  EXPECT_EQ(trace_a, (std::vector<std::uint32_t>{1, 3, 5, 7, 9}));

  const MatchedAtoms residues = match_atoms(a, trace_a, same, trace_atoms(same), AtomMatching::automatic, job);
  EXPECT_EQ(residues.how, AtomMatching::residues) << "single chains need not have one name";
  EXPECT_EQ(residues.pairs, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 1}, {5, 3}, {7, 5}, {9, 7}}));

  const MatchedAtoms sequence = match_atoms(a, trace_a, shifted, trace_atoms(shifted), AtomMatching::automatic, job);
  EXPECT_EQ(sequence.how, AtomMatching::sequence);
  EXPECT_EQ(sequence.pairs, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{5, 1}, {7, 3}, {9, 5}}));
  EXPECT_EQ(sequence.identical, 3u);
  EXPECT_EQ(sequence.chains, "A with B");

  const std::vector<std::uint32_t> first{0, 1, 2}, second{3, 4, 7};
  const MatchedAtoms order = match_atoms(a, first, shifted, second, AtomMatching::order, job);
  EXPECT_EQ(order.pairs, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 3}, {1, 4}, {2, 7}}));
  EXPECT_THROW(match_atoms(a, first, shifted, trace_atoms(shifted), AtomMatching::order, job), Error);
  EXPECT_THROW(match_atoms(a, trace_a, shifted, trace_atoms(shifted), AtomMatching::residues, job), Error);
}

}  // namespace
}  // namespace isolume
