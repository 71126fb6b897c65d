// What is around atoms, shown without a second picture of the atoms themselves.
#include "app/view/representation_overlap.h"

#include <gtest/gtest.h>

#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/view/usual_look.h"
#include "app/view/view_builder.h"
#include "compute/base/job.h"
#include "molecule/selection/selection.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

TEST(ShowAround, LeavesAtomsAloneThatAreShownAsAtoms) {
  const std::string words = "resid 10";
  Representation cartoon, sticks;
  cartoon.style = Style::cartoon;
  cartoon.selection = "protein";
  sticks.style = Style::sticks;
  sticks.selection = words;
  sticks.colour = {178, 178, 172, 255};
  Documents documents;
  const auto molecule = documents.molecule(SceneMolecule{{test::examples("crambin.pdb.gz")}});
  const Frame frame = frame_at(*molecule, 0);
  const auto own = Selection(words).atoms(*molecule->topology, frame);
  const auto shown_around = [&](std::vector<Representation> shown) {
    show_around(shown, overlaps(shown, 0, *molecule, frame, words), 0, words, Style::sticks);
    return shown;
  };
  const auto includes = [&](const Representation& r) {
    return Selection(r.selection).mask(*molecule->topology, frame)[own.front()] != 0;
  };
  const auto both = shown_around({cartoon, sticks});
  ASSERT_EQ(both.size(), 3u);
  EXPECT_EQ(both[1], sticks) << "the ligand keeps its colour";
  EXPECT_FALSE(includes(both[2])) << "and is not drawn a second time";
  EXPECT_GT(Selection(both[2].selection).atoms(*molecule->topology, frame).size(), own.size());
  EXPECT_GT(both[2].colour.a, 0) << "carbons of their own colour";
  EXPECT_NE(both[2].colour, sticks.colour);
  EXPECT_TRUE(includes(shown_around({cartoon})[1])) << "of a cartoon the middle of the pocket is shown, too";
}

TEST(ViewBuilder, StopsAtTheReportAtWhichItIsCancelled) {
  Documents documents;
  Scene scene;
  add_usual_look(scene, documents, documents.open({test::examples("crambin.pdb.gz")}));
  for (int s = 0; s < style_count; ++s) {
    Representation next;
    next.style = static_cast<Style>(s);
    if (next.style != Style::vectors) scene.representations.push_back(next);  // the file has no charges
  }
  int reports = 0, last = -1;
  double before = 0;
  const auto build = [&] {
    reports = 0;
    before = 0;
    Job* running = nullptr;
    Job job([&](double done, const std::string& what) {
      EXPECT_GE(done, before);
      EXPECT_FALSE(what.empty());
      before = done;
      if (++reports == last) running->cancel();
    });
    running = &job;
    ViewBuilder(documents).build(scene, {}, &job);
  };
  build();
  const int all = reports;
  EXPECT_GT(all, 2 * (style_count - 1)) << "styles report within themselves";
  for (last = 1; last < all; ++last) {
    EXPECT_THROW(build(), Error);
    EXPECT_EQ(reports, last) << "nothing is built after it";
  }
}

}  // namespace
}  // namespace isolume
