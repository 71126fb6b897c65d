// isolume compute potential as a process: files of the shared collection, and the maps of APBS.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;
using test::volt_angstrom;

// Maps of APBS of a protein next to ours. On its faces APBS takes the sum of Debye and Hueckel itself; inside it solves
// finite differences, and within some steps of a charge the two differ by the spreading of charges over grid points:
// there they are not comparable, and are left out.
TEST(PotentialMap, AgreesWithApbsWhereTheTwoAreComparable) {
  struct Case {
    const char *map, *charges;
    std::vector<std::string> words;
    double far;       // from atoms, angstrom: only such points are compared
    bool faces;       // only points on the faces
    double relative;  // RMS of the difference, of the RMS there
  };
  for (const Case& c : {Case{"volumes/apbs_1ajj/1ajj_pbe.dx.gz",
                             "structures/pqr/1ajj.pqr",
                             {"--method", "debye-hueckel"},
                             0,
                             true,
                             3e-5},
                        {"volumes/apbs_1ajj/1ajj_dh.dx.gz",
                         "volumes/apbs_1ajj/1ajj_r0.pqr",
                         {"--method", "debye-hueckel"},
                         8,
                         false,
                         3e-3},
                        {"volumes/apbs_1ajj/1ajj_vac.dx.gz", "volumes/apbs_1ajj/1ajj_r0.pqr", {}, 5, false, 6e-4},
                        // An ion of 3 angstrom in water: outside, Born's potential is that of the charge in water.
                        {"volumes/apbs_born/born_water.dx.gz",
                         "structures/pqr/born_ion.pqr",
                         {"--dielectric", "constant:78.54"},
                         5,
                         false,
                         1e-3}}) {
    const std::string map = test::shared_data(c.map), charges = test::shared_data(c.charges);
    ISOLUME_NEEDS(map);
    ISOLUME_NEEDS(charges);
    SCOPED_TRACE(c.map);
    const Folder folder;
    std::vector<std::string> words{"compute", "potential", charges, "--like",         map,
                                   "--unit",  "kT/e",      "--out", folder / "phi.dx"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Molecule theirs = read_file(map), ours = read_file(folder / "phi.dx"), atoms = read_file(charges);
    const Volume &a = *ours.volumes.at(0), &b = *theirs.volumes.at(0);
    ASSERT_EQ(a.grid.counts, b.grid.counts);
    const Frame frame = atoms.trajectory->frame(0);
    double difference = 0, square = 0;
    std::size_t compared = 0;
    for (int k = 0; k < b.grid.counts.z; ++k)
      for (int j = 0; j < b.grid.counts.y; ++j)
        for (int i = 0; i < b.grid.counts.x; ++i) {
          const glm::ivec3 at(i, j, k);
          bool face = false;
          for (int x = 0; x < 3; ++x) face = face || at[x] == 0 || at[x] == b.grid.counts[x] - 1;
          if (c.faces && !face) continue;
          const glm::vec3 point(b.grid.point(i, j, k));
          bool near = false;
          for (std::size_t n = 0; n < frame.positions.size() && !near && c.far > 0; ++n)
            near = glm::distance(frame.positions[n], point) < static_cast<float>(c.far);
          if (near) continue;
          const std::size_t index = b.grid.index(i, j, k);
          const double d = double(a.values[index]) - double(b.values[index]);
          difference += d * d;
          square += double(b.values[index]) * double(b.values[index]);
          ++compared;
        }
    EXPECT_GT(compared, 1000u);
    EXPECT_LT(std::sqrt(difference / square), c.relative);
  }
}

TEST(PotentialMap, OfAPrmtopHasItsChargesAndItsCell) {
  const std::string topology = test::shared_data("trajectories/nacl/nacl.box.parm7");
  const std::string coordinates = test::shared_data("trajectories/nacl/nacl.box.rst7");
  ISOLUME_NEEDS(topology);
  ISOLUME_NEEDS(coordinates);
  const Folder folder;
  // The potential at an ion of rock salt: Madelung's constant over the distance of neighbours, 2.82 angstrom.
  const auto outcome =
      run({"compute", "potential", topology, coordinates, "--method", "msm", "--periodic", "xyz", "--spacing", "0.47",
           "--tolerance", "1e-4", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule map = read_file(folder / "phi.dx");
  const Volume& volume = *map.volumes.at(0);
  const glm::dvec3 place = volume.grid.coordinates(glm::dvec3(-5.64, -2.82, -4.23));
  const glm::ivec3 at = (glm::ivec3(glm::round(place)) % volume.grid.counts + volume.grid.counts) % volume.grid.counts;
  const double expected = 1.7475645946 * volt_angstrom / 2.82;
  EXPECT_NEAR(std::abs(volume.values[volume.grid.index(at.x, at.y, at.z)]), expected, 1e-3 * expected);
}

// A file whose charges do not add up to a whole number is shown as it is.
TEST(PotentialMap, ShowsTheTotalChargeAsItIs) {
  const std::string path = test::shared_data("md-computed/crambin_water.pqr.gz");
  ISOLUME_NEEDS(path);
  const Folder folder;
  const auto outcome = run({"compute", "potential", path, "--method", "msm", "--accuracy", "1e-2", "--spacing", "3",
                            "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "total 24.85 e");
  EXPECT_NEAR(test::read_json(folder / "r.json")["result"]["total_charge"].get<double>(), 24.85, 5e-3);
}

}  // namespace
}  // namespace isolume
