// Several sequences in common columns.
#include "compute/analysis/sequence_columns.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Places = std::vector<std::int32_t>;

TEST(SequenceColumns, LettersBetweenThoseOfTheFirstHaveColumnsOfTheirOwn) {
  const std::vector<std::string> sequences{"MKTAYIAKQR", "MKTAYIWWAKQR", "TAYIAKQ", "GGMKTAYLAKQRHH"};
  Job job;
  const auto columns = align_to_first(sequences, SequenceKind::protein, job);
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_EQ(columns[0].places, (Places{-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, -1, -1}));
  EXPECT_EQ(columns[1].places, (Places{-1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -1}));
  EXPECT_EQ(columns[2].places, (Places{-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, 4, 5, 6, -1, -1, -1}));
  EXPECT_EQ(columns[3].places, (Places{0, 1, 2, 3, 4, 5, 6, 7, -1, -1, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(columns[1].identical, 10u);
  EXPECT_EQ(columns[2].pairs, 7u);
  EXPECT_EQ(columns[2].identical, 7u);
  EXPECT_EQ(columns[3].pairs, 10u);
  EXPECT_EQ(columns[3].identical, 9u) << "I and L are aligned";
}

TEST(SequenceColumns, OneSequenceIsItsOwnColumnsAndNothingIsNothing) {
  Job job;
  const std::vector<std::string> one{"ACGT"};
  const auto columns = align_to_first(one, SequenceKind::nucleic, job);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0].places, (Places{0, 1, 2, 3}));
  EXPECT_TRUE(align_to_first({}, SequenceKind::protein, job).empty());
  job.cancel();
  const std::vector<std::string> two{"ACGT", "ACGT"};
  EXPECT_THROW(align_to_first(two, SequenceKind::nucleic, job), Error);
}

}  // namespace
}  // namespace isolume
