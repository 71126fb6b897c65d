// The item models, without a window.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>

#include "app/models/labels.h"
#include "app/models/orbital_model.h"
#include "app/models/row_changes.h"
#include "app/models/scene_list_model.h"
#include "molecule/base/units.h"

namespace isolume::test {
namespace {

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

std::shared_ptr<Orbitals> make_orbitals(std::vector<double> energies, std::size_t occupied, bool beta = false) {
  auto orbitals = std::make_shared<Orbitals>();
  orbitals->basis = std::make_shared<Basis>();
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    if (spin == Spin::beta && !beta) break;
    for (std::size_t i = 0; i < energies.size(); ++i) {
      // Occupied are the lowest by energy, wherever they stand in the file.
      std::size_t rank = 0;
      for (const double e : energies) rank += e < energies[i];
      orbitals->orbitals.push_back({energies[i], rank < occupied ? (beta ? 1.0 : 2.0) : 0.0, spin, ""});
    }
  }
  orbitals->unrestricted = beta;
  return orbitals;
}

std::string texts(const QAbstractItemModel& model, int column) {
  std::string result;
  for (int i = 0; i < model.rowCount(); ++i) {
    result += model.index(i, column).data().toString().toStdString() + (i + 1 < model.rowCount() ? ";" : "");
  }
  return result;
}

TEST(OrbitalModel, NamesRolesNumbersAndEnergies) {
  OrbitalModel model;
  const QAbstractItemModelTester tester(&model, fatal);
  EXPECT_EQ(model.rowCount(), 0);
  const auto orbitals = make_orbitals({-20.5, -1.3, 0.2, -0.5, 0.9}, 3);
  model.set_orbitals(orbitals);
  EXPECT_EQ(texts(model, OrbitalModel::role_column), "HOMO-2;HOMO-1;LUMO;HOMO;LUMO+1");
  EXPECT_EQ(texts(model, OrbitalModel::number_column), "1;2;3;4;5");
  EXPECT_EQ(texts(model, OrbitalModel::occupation_column), "2;2;0;2;0");
  EXPECT_EQ(texts(model, OrbitalModel::hartree_column), "-20.50000;-1.30000;0.20000;-0.50000;0.90000");
  EXPECT_EQ(model.index(3, OrbitalModel::ev_column).data().toString(), QString::number(-0.5 * 27.211386245988, 'f', 3));
  for (int i = 0; i < model.rowCount(); ++i) {
    EXPECT_EQ(model.index(i, OrbitalModel::role_column).data().toString().toStdString(),
              orbitals->role(static_cast<std::size_t>(i)));
  }
  EXPECT_EQ(model.row_of("homo", Spin::alpha), 3);
  EXPECT_EQ(model.row_of("lumo+1", Spin::alpha), 4);
  EXPECT_EQ(model.row_of("2", Spin::alpha), 1);
  EXPECT_EQ(model.row_of("99", Spin::alpha), -1);
  EXPECT_EQ(model.name_of(4), "5");
}

// CFOUR writes the occupations once more for energies, other programs zeros.
TEST(OrbitalModel, NaturalOrbitalsGoByOccupationAndHaveNoEnergies) {
  OrbitalModel model;
  Orbitals natural = *make_orbitals({1.99, 1.9, 0.08, 0.02}, 2);
  for (Orbital& orbital : natural.orbitals) orbital.occupation = orbital.energy;
  model.set_orbitals(std::make_shared<const Orbitals>(natural));
  EXPECT_EQ(texts(model, OrbitalModel::role_column), "HOMO-1;HOMO;LUMO;LUMO+1");
  EXPECT_EQ(texts(model, OrbitalModel::ev_column), ";;;");
  EXPECT_EQ(texts(model, OrbitalModel::hartree_column), ";;;");
  for (int i = 0; i < model.rowCount(); ++i) {
    EXPECT_EQ(model.index(i, OrbitalModel::role_column).data().toString().toStdString(),
              natural.role(static_cast<std::size_t>(i)));
  }
}

// An unoccupied orbital below an occupied one is the LUMO all the same.
TEST(OrbitalModel, RolesAreThoseOfTheCommandLine) {
  OrbitalModel model;
  Orbitals excited = *make_orbitals({-2, -1, -0.5, 1}, 2);
  std::swap(excited.orbitals[1].occupation, excited.orbitals[2].occupation);
  model.set_orbitals(std::make_shared<const Orbitals>(excited));
  for (int i = 0; i < model.rowCount(); ++i) {
    EXPECT_EQ(model.index(i, OrbitalModel::role_column).data().toString().toStdString(),
              excited.role(static_cast<std::size_t>(i)));
  }
}

TEST(OrbitalModel, CountsEachSpinByItself) {
  OrbitalModel model;
  const QAbstractItemModelTester tester(&model, fatal);
  model.set_orbitals(make_orbitals({-2, -1, 1}, 2, true));
  EXPECT_EQ(texts(model, OrbitalModel::number_column), "1;2;3;1;2;3");
  EXPECT_EQ(texts(model, OrbitalModel::role_column), "HOMO-1;HOMO;LUMO;HOMO-1;HOMO;LUMO");
  EXPECT_EQ(texts(model, OrbitalModel::spin_column), "alpha;alpha;alpha;beta;beta;beta");
  EXPECT_EQ(model.row_of("homo", Spin::beta), 4);
}

TEST(OrbitalModel, AnotherFrameKeepsTheRows) {
  OrbitalModel model;
  const QAbstractItemModelTester tester(&model, fatal);
  QSortFilterProxyModel sorted;
  sorted.setSourceModel(&model);
  sorted.setSortRole(OrbitalModel::sort_role);
  sorted.sort(OrbitalModel::ev_column, Qt::DescendingOrder);
  model.set_orbitals(make_orbitals({-3, -2, 1}, 2));
  EXPECT_EQ(texts(sorted, OrbitalModel::role_column), "LUMO;HOMO;HOMO-1");
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.set_orbitals(make_orbitals({-2.9, -3.1, 1}, 2));
  EXPECT_EQ(reset.count(), 0);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(texts(sorted, OrbitalModel::number_column), "3;1;2");
}

Scene scene_of(std::initializer_list<const char*> selections) {
  Scene scene;
  for (const char* selection : selections) {
    Representation r;
    r.selection = selection;
    scene.representations.push_back(r);
  }
  return scene;
}

std::vector<SceneRow> rows_of(const Scene& scene) {
  std::vector<SceneRow> rows;
  for (const Representation& r : scene.representations) rows.push_back(scene_row(r));
  return rows;
}

TEST(SceneListModel, ChangesByTheFewestRows) {
  SceneListModel model(QStringLiteral("Atoms"));
  const QAbstractItemModelTester tester(&model, fatal);
  model.set_rows(rows_of(scene_of({"a", "b", "c"})));
  QPersistentModelIndex last(model.index(2, 0));
  QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
  QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.set_rows(rows_of(scene_of({"a", "x", "b", "c"})));
  EXPECT_EQ(inserted.count(), 1);
  EXPECT_EQ(last.row(), 3) << "a view's choice moves with its row";
  model.set_rows(rows_of(scene_of({"a", "b", "c"})));
  EXPECT_EQ(removed.count(), 1);
  EXPECT_EQ(last.row(), 2);
  model.set_rows(rows_of(scene_of({"a", "B", "c"})));
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(texts(model, SceneListModel::detail_column), "a;B;c");
  model.set_rows({});
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(SceneListModel, AnEditIsAnnouncedAndChangesNothingByItself) {
  SceneListModel model(QStringLiteral("Atoms"));
  model.set_rows(rows_of(scene_of({"a", "b"})));
  QSignalSpy edited(&model, &SceneListModel::visibility_edited);
  EXPECT_TRUE(model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
  ASSERT_EQ(edited.count(), 1);
  EXPECT_EQ(edited[0][0].toInt(), 1);
  EXPECT_FALSE(edited[0][1].toBool());
  EXPECT_TRUE(model.rows()[1].visible);
}

TEST(RowChanges, FindsTheReplacedRun) {
  const auto change = [](std::vector<int> a, std::vector<int> b) {
    const RowChange c = row_change(a, b);
    return std::vector<std::size_t>{c.first, c.removed, c.added};
  };
  using V = std::vector<std::size_t>;
  EXPECT_EQ(change({1, 2, 3}, {1, 2, 3}), (V{3, 0, 0}));
  EXPECT_EQ(change({1, 2, 3}, {1, 3}), (V{1, 1, 0}));
  EXPECT_EQ(change({1, 3}, {1, 2, 3}), (V{1, 0, 1}));
  EXPECT_EQ(change({1, 1}, {1, 1, 1}), (V{2, 0, 1}));
  EXPECT_EQ(change({1, 2, 3}, {3, 2, 1}), (V{0, 3, 3}));
  EXPECT_EQ(change({}, {1}), (V{0, 0, 1}));
}

TEST(Labels, NameAtomsAndSelectThemAgain) {
  TopologyBuilder builder;
  Atom atom;
  atom.name = "CA";
  builder.add(atom, "ALA", 12, ' ', "A");
  atom.name = "CB";
  builder.add(atom, "ALA", -3, 'B', "");
  const Topology topology = builder.finish();
  Frame frame;
  frame.positions = {{1.2034f, 4.5f, -0.12f}, {0, 0, 0}};
  EXPECT_EQ(atom_label(topology, &frame, 0).toStdString(), "A/ALA 12/CA  (1.203  4.500  -0.120)");
  EXPECT_EQ(atom_label(topology, nullptr, 1).toStdString(), "ALA -3B/CB");
  EXPECT_EQ(residue_selection(topology, 0).toStdString(), "chain A and resid 12 and resname ALA");
  EXPECT_EQ(residue_selection(topology, 1).toStdString(), "residue 1");
  EXPECT_EQ(orbital_label("lumo+1").toStdString(), "LUMO+1");
  EXPECT_EQ(orbital_label("5").toStdString(), "Orbital 5");
}

TEST(SceneListModel, NamesWhatIsAroundAtoms) {
  Representation pocket;
  pocket.selection = "not water and same residue as within 5 of (resid 200 and resname 478) and not (resid 200)";
  const SceneRow row = scene_row(pocket);
  EXPECT_EQ(row.detail, QStringLiteral("within 5 \u00c5 of 478 200"));
  EXPECT_EQ(row.words.toStdString(), pocket.selection) << "the tip has it all";
}

TEST(SceneListModel, HasTheColoursThatAreDrawn) {
  Field density;
  density.kind = Field::Kind::orbital;
  density.orbital = "density";
  density.both_signs = false;
  EXPECT_EQ(scene_row(density).colours.size(), 1u);
  density.show = Field::Show::paths;
  EXPECT_TRUE(scene_row(density).colours.empty()) << "points and paths have colours of their own";
  density.slice.kind = SlicePlane::Kind::z;
  EXPECT_EQ(scene_row(density).colours.size(), 1u) << "a slice is drawn instead";
}

TEST(SceneListModel, NamesResiduesAndWhatIsNearThem) {
  const std::string ligand = "chain B and resid 200 and resname 478",
                    ligands = "not (protein or nucleic or water or ion or lipid)";
  const auto detail = [](const std::string& selection) {
    Representation representation;
    representation.selection = selection;
    return scene_row(representation).detail;
  };
  EXPECT_EQ(detail(ligand), QStringLiteral("B/478 200"));
  EXPECT_EQ(
      detail("not water and same residue as (noh and within 5 of (noh and " + ligand + ")) and not (" + ligand + ")"),
      QStringLiteral("within 5 \u00c5 of B/478 200"));
  EXPECT_EQ(detail("water and same residue as (noh and within 4 of (noh and " + ligand + "))"),
            QStringLiteral("water within 4 \u00c5 of B/478 200"));
  EXPECT_EQ(detail("within 3.6 of (" + ligand + ")"), QStringLiteral("within 3.6 \u00c5 of B/478 200"));
  EXPECT_EQ(detail("water and same residue as within 4 of (" + ligands + ")"), QStringLiteral("water at ligands"));
  EXPECT_EQ(detail("not water and same residue as within 5 of (" + ligands + ")"),
            QStringLiteral("within 5 \u00c5 of ligands and others"));
  EXPECT_EQ(detail("chain B and resid 200"), QStringLiteral("chain B and resid 200")) << "as it was typed";
}

}  // namespace
}  // namespace isolume::test
