// Files with orbitals of every format but Molden: self-check, electrons, and pairs of files of one calculation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "formats/orbitals/fchk.h"
#include "formats/orbitals/gamess.h"
#include "formats/orbitals/gaussian_log.h"
#include "formats/orbitals/wfn.h"
#include "formats/read.h"
#include "tests/formats/structures/structures.h"
#include "tests/support/bytes_of.h"
#include "tests/support/damage.h"

namespace isolume {
namespace {

using test::bytes_of;

using test::shared_data;

struct Case {
  const char* file;
  std::size_t frames;
  std::size_t orbitals;
  double electrons;  ///< by MANIFEST.tsv
  double residual;   ///< by the digits of the file
  const char* convention = "";
};

class OrbitalFile : public testing::TestWithParam<Case> {};

TEST_P(OrbitalFile, is_orthonormal) {
  const std::string file = shared_data(std::string("qm/") + GetParam().file);
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  EXPECT_EQ(molecule.frame_count(), GetParam().frames);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < molecule.frame_count(); ++i) {
    const auto orbitals = molecule.orbitals_at(i);
    if (!orbitals) continue;
    ++checked;
    EXPECT_GE(orbitals->norm_residual, 0);
    EXPECT_LT(orbitals->norm_residual, GetParam().residual);
    EXPECT_EQ(orbitals->count(), GetParam().orbitals);
    EXPECT_NEAR(orbitals->electron_count(), GetParam().electrons, 1e-4);
    EXPECT_NE(orbitals->convention.find(GetParam().convention), std::string::npos) << orbitals->convention;
    EXPECT_EQ(orbitals->centres.size(), molecule.atom_count());
  }
  EXPECT_GT(checked, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    checkpoints, OrbitalFile,
    testing::Values(
        Case{"fchk/2h-azirine-mp2.fchk", 1, 33, 22, 1e-7}, Case{"fchk/ch3_hf_sto3g.fchk", 1, 16, 9, 1e-7},
        Case{"fchk/ch3_rohf_sto3g_g03.fchk", 1, 8, 9, 1e-7},
        Case{"fchk/co_ccpv5z_cart_hf_g03.fchk.gz", 1, 251, 12, 1e-6},
        Case{"fchk/co_ccpv5z_pure_hf_g03.fchk", 1, 182, 12, 1e-7}, Case{"fchk/fsm.FChk.gz", 43, 35, 24, 1e-7},
        Case{"fchk/he_spdfgh_virtual.fchk", 1, 56, 2, 1e-7}, Case{"fchk/li2_g09_nbasis_indep.fchk", 1, 37, 6, 1e-7},
        Case{"fchk/monosilicic_acid_hf_lan.fchk", 1, 28, 40, 1e-7}, Case{"fchk/o2_cc_pvtz_cart.fchk", 1, 70, 16, 1e-7},
        Case{"fchk/o2_cc_pvtz_pure.fchk", 1, 60, 16, 1e-7}, Case{"fchk/peroxide_opt.fchk", 5, 12, 18, 1e-7},
        Case{"fchk/water_dimer_ghost.fchk", 1, 14, 10, 1e-7}, Case{"cclib_g16/dvb_un_sp.fchk", 1, 120, 69, 1e-7},
        Case{"cclib_qchem/dvb_bomd.fchk.gz", 36, 60, 70, 1e-7}, Case{"gold_ch4_d/d-only.fchk", 1, 105, 10, 1e-7},
        Case{"gold_psi4_kr/kr.fchk", 1, 48, 36, 1e-7}));

INSTANTIATE_TEST_SUITE_P(
    wave_functions, OrbitalFile,
    testing::Values(Case{"gold_ch4/ch4_uhf_ccpvdz.wfn", 1, 68, 10, 1e-6},
                    Case{"gold_h2o_dimer/h2o_dimer_pbe_sto3g.wfn", 1, 10, 20, 1e-6},
                    Case{"wfn/cah110_hf_sto3g_g09.wfn.gz", 1, 246, 1, 2e-6}, Case{"wfn/h2o_sto3g.wfn", 1, 5, 10, 1e-6},
                    Case{"wfn/h2o_sto3g_decontracted.wfn", 1, 5, 10, 1e-6},
                    Case{"wfn/he_spdfgh_virtual.wfn", 1, 56, 2, 1e-6}, Case{"wfn/lif_fci.wfn", 1, 18, 12, 1e-6},
                    Case{"wfn/o2_uhf_virtual.wfn", 1, 88, 16, 1e-6}, Case{"wfn/h2_ub3lyp_ccpvtz.wfx", 1, 56, 2, 1e-9},
                    Case{"wfn/lih_cation_uhf.wfx", 1, 3, 3, 1e-7}, Case{"wfn/water_sto3g_hf.wfx", 1, 5, 10, 1e-7}));

INSTANTIATE_TEST_SUITE_P(gamess_logs, OrbitalFile,
                         testing::Values(Case{"cclib_gamess/C_bigbasis.out.gz", 1, 109, 6, 1e-5},
                                         Case{"cclib_gamess/MoOCl4-sp.out", 1, 71, 52, 1e-5},
                                         Case{"cclib_gamess/dvb_sp.out", 1, 60, 70, 1e-5},
                                         Case{"cclib_gamess/firefly_dvb_sp.out", 1, 60, 70, 1e-5},
                                         Case{"gold_ch4_d/d-only.gamess", 1, 105, 10, 1e-5}));

INSTANTIATE_TEST_SUITE_P(gaussian_logs, OrbitalFile,
                         testing::Values(Case{"cclib_g09/BH3CO-sp.log", 1, 51, 22, 1e-4},
                                         Case{"cclib_g16/C_bigbasis.out.gz", 1, 80, 6, 1e-4},
                                         Case{"cclib_g16/dvb_sp.out", 1, 60, 70, 1e-4},
                                         Case{"gold_ch4_d/d-only.g09.log", 1, 105, 10, 1e-4}));

TEST(GaussianLog, says_that_a_basis_is_missing) {
  const std::string file = shared_data("qm/cclib_g16/dvb_un_sp.log");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  EXPECT_EQ(molecule.frame_count(), 1u);
  EXPECT_TRUE(molecule.orbitals.empty());
  ASSERT_FALSE(molecule.warnings.empty());
  EXPECT_NE(molecule.warnings[0].find("add gfinput"), std::string::npos);
  ISOLUME_NEEDS(shared_data("qm/cclib_g16/dvb_gopt.out"));
  EXPECT_GT(read_file(shared_data("qm/cclib_g16/dvb_gopt.out")).frame_count(), 3u);
}

TEST(GaussianLog, leaves_logs_of_other_programs) {
  const std::string text = "  * O   R   C   A *\n\nCARTESIAN COORDINATES (ANGSTROEM)\n  H  0.0 0.0 0.0\n";
  test::expect_error(text, "water.out", 0, "this is an ORCA output, which is not read");
}

TEST(GaussianLog, says_that_no_geometry_is_there) {
  const std::string text =
      " One-electron integrals computed using PRISM.\n Entering OneElI...\n    NBasis =  25  MinDer = 0\n";
  test::expect_error(text, "cut.log", 0, "a Gaussian output in which no geometry is printed");
}

TEST(GaussianLog, survives_damage) {
  ISOLUME_NEEDS(shared_data("qm/gold_ch4_d/d-only.g09.log"));
  EXPECT_GE(
      test::survives_damage(gaussian_log_format, bytes_of(shared_data("qm/gold_ch4_d/d-only.g09.log")), 4999, 300), 20);
}

TEST(GamessLog, gives_each_step_the_orbitals_printed_for_it) {
  const std::string file = shared_data("qm/cclib_gamess/dvb_gopt_a.out");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  ASSERT_EQ(molecule.frame_count(), 7u);  // NSERCH = 0 to 6; the last geometry is printed twice
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(molecule.orbitals_at(i) != nullptr, i == 0 || i == 6) << i;
  EXPECT_EQ(molecule.orbitals_at(0)->count(), 60u);
  EXPECT_EQ(molecule.orbitals_at(6)->count(), 45u);
  EXPECT_LT(molecule.orbitals_at(6)->norm_residual, 1e-5);
  EXPECT_NEAR(molecule.orbitals_at(6)->electron_count(), 70, 1e-9);
  EXPECT_EQ(molecule.orbitals_at(0)->orbitals[0].symmetry, "BU");
}

TEST(GamessLog, says_that_a_basis_is_missing) {
  const std::string file = shared_data("qm/gamess/c1opt.gms.gz");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  EXPECT_GT(molecule.frame_count(), 1u);
  EXPECT_TRUE(molecule.orbitals.empty());
  ASSERT_FALSE(molecule.warnings.empty());
  EXPECT_NE(molecule.warnings[0].find("not their basis"), std::string::npos);
}

TEST(GamessLog, survives_damage) {
  ISOLUME_NEEDS(shared_data("qm/gamess/symopt.gms"));
  EXPECT_GE(test::survives_damage(gamess_format, bytes_of(shared_data("qm/gamess/symopt.gms")), 499, 1000), 50);
}

/// <i|j> of the orbitals of two files of one calculation: 1 in magnitude for the same orbital.
void expect_same_orbitals(const std::string& first, const std::string& second, double tolerance) {
  const Molecule a = read_file(first), b = read_file(second);
  ASSERT_TRUE(a.orbitals.size() > 0 && a.orbitals.back() && b.orbitals.size() > 0 && b.orbitals.back());
  const Orbitals& x = *a.orbitals.back();
  const Orbitals& y = *b.orbitals.back();
  const std::vector<double> s = overlap_matrix(*x.basis, x.centres, *y.basis, y.centres);
  const std::size_t width = y.basis->function_count();
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    for (std::size_t n = 0; n < std::min(x.count(spin), y.count(spin)); ++n) {
      const auto left = x.row(x.index_of(spin, n)), right = y.row(y.index_of(spin, n));
      double sum = 0;
      for (std::size_t mu = 0; mu < left.size(); ++mu) {
        for (std::size_t nu = 0; nu < width; ++nu) sum += left[mu] * s[mu * width + nu] * right[nu];
      }
      EXPECT_NEAR(std::abs(sum), 1, tolerance) << second << ", orbital " << n + 1;
      EXPECT_EQ(x.orbitals[x.index_of(spin, n)].occupation, y.orbitals[y.index_of(spin, n)].occupation);
    }
  }
}

// Files that one program wrote from one calculation in two formats.
TEST(OrbitalFiles, agree_where_one_calculation_was_written_twice) {
  const auto file = [](const char* name) { return shared_data(std::string("qm/") + name); };
  ISOLUME_NEEDS(file("gold_ch4/ch4_uhf_ccpvdz.fchk"));
  expect_same_orbitals(file("gold_ch4/ch4_uhf_ccpvdz.fchk"), file("gold_ch4/ch4_uhf_ccpvdz.wfn"), 1e-6);
  expect_same_orbitals(file("gold_h2o_dimer/h2o_dimer_pbe_sto3g.fchk"), file("gold_h2o_dimer/h2o_dimer_pbe_sto3g.wfn"),
                       1e-6);
  expect_same_orbitals(file("fchk/he_spdfgh_virtual.fchk"), file("wfn/he_spdfgh_virtual.wfn"), 1e-6);
  // Five decimals are printed.
  expect_same_orbitals(file("cclib_g16/dvb_sp.fchk"), file("cclib_g16/dvb_sp.out"), 1e-4);
  expect_same_orbitals(file("gold_psi4_kr/kr.fchk"), file("gold_psi4_kr/kr.molden"), 1e-6);
  expect_same_orbitals(file("gold_psi4_threonine/threonine.fchk"), file("gold_psi4_threonine/threonine.molden"), 1e-6);
}

TEST(WaveFunction, says_which_section_is_broken) {
  ISOLUME_NEEDS(shared_data("malformed/qm/h2o_error.wfx"));
  test::expect_error(bytes_of(shared_data("malformed/qm/h2o_error.wfx")), "h2o_error.wfx", 0,
                     "section <Number of Nuclei> of line");
}

TEST(WaveFunction, survives_damage) {
  ISOLUME_NEEDS(shared_data("qm/wfn/h2o_sto3g.wfn"));
  EXPECT_GE(test::survives_damage(wfn_format, bytes_of(shared_data("qm/wfn/h2o_sto3g.wfn")), 7, 2000), 50);
  EXPECT_GE(test::survives_damage(wfx_format, bytes_of(shared_data("qm/wfn/water_sto3g_hf.wfx")), 7, 2000), 50);
}

TEST(Checkpoint, keeps_whole_orbitals_of_a_cut_file) {
  ISOLUME_NEEDS(shared_data("qm/fchk/ch3_hf_sto3g.fchk"));
  const std::string bytes = bytes_of(shared_data("qm/fchk/ch3_hf_sto3g.fchk"));
  // Two rows of 8 coefficients end within the fourth line.
  std::size_t at = bytes.find("Alpha MO coefficients");
  for (int i = 0; i < 5; ++i) at = bytes.find('\n', at) + 1;
  const Molecule molecule = test::read_text(bytes.substr(0, at), "cut.fchk");
  EXPECT_EQ(molecule.orbitals_at(0)->count(), 2u);
  EXPECT_LT(molecule.orbitals_at(0)->norm_residual, 1e-7);
  EXPECT_NE(molecule.warnings.at(0).find("20 of 64 values"), std::string::npos);
  at = bytes.find("Primitive exponents");
  test::expect_error(bytes.substr(0, at + 100), "cut.fchk", 0, "Primitive exponents");
  ISOLUME_NEEDS(shared_data("malformed/derived/truncated.fchk"));
  EXPECT_FALSE(read_file(shared_data("malformed/derived/truncated.fchk")).warnings.empty());
}

TEST(Checkpoint, survives_damage) {
  ISOLUME_NEEDS(shared_data("qm/fchk/ch3_hf_sto3g.fchk"));
  EXPECT_GT(test::survives_damage(fchk_format, bytes_of(shared_data("qm/fchk/ch3_hf_sto3g.fchk")), 7, 2000), 50);
}

}  // namespace
}  // namespace isolume
