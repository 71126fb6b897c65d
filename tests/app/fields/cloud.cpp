// Clouds of fields: the range of their colours where nobody chose one.
#include "app/fields/cloud.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "app/fields/field_styles.h"
#include "app/fields/shown_result.h"

namespace isolume {
namespace {

Field potential() {
  Field field;
  field.kind = Field::Kind::potential;
  field.show = Field::Show::cloud;
  return field;
}

std::shared_ptr<Volume> volume_of(std::vector<float> values) {
  auto volume = std::make_shared<Volume>();
  volume->grid.counts = {static_cast<int>(values.size()), 1, 1};
  volume->values = std::move(values);
  return volume;
}

TEST(CloudRange, OfAPotentialFollowsItsValues) {
  // |V| from 0 to 10 V in equal steps: three times the value that 85 of 100 points do not exceed is beyond the largest.
  std::vector<float> ramp;
  for (int i = 0; i <= 1000; ++i) ramp.push_back((i % 2 == 0 ? 0.01f : -0.01f) * static_cast<float>(i));
  EXPECT_NEAR(automatic_cloud_range(potential(), *volume_of(ramp)), 10, 1e-6);
  // Nine points in ten at 0.1 V, the others at 2 V: what 97 of 100 do not exceed.
  std::vector<float> peaks(1000, 0.1f);
  for (int i = 0; i < 100; ++i) peaks[static_cast<std::size_t>(10 * i)] = -2;
  EXPECT_NEAR(automatic_cloud_range(potential(), *volume_of(peaks)), 2, 1e-6);
  // A net charge: everywhere between 3 and 4 V, 20 V at one point in a hundred. Three times 4 V.
  std::vector<float> charged(1000, 4);
  for (int i = 0; i < 500; ++i) charged[static_cast<std::size_t>(2 * i)] = 3;
  for (int i = 0; i < 10; ++i) charged[static_cast<std::size_t>(100 * i)] = 20;
  EXPECT_NEAR(automatic_cloud_range(potential(), *volume_of(charged)), 12, 1e-6);
}

TEST(CloudRange, IsWhatWasChosen) {
  Field field = potential();
  field.cloud_range = 1.5;
  EXPECT_EQ(cloud_range(field, 3), 1.5);
  EXPECT_EQ(cloud_of(field, 3, volume_of({1, 2, 30})).upper, 1.5f);
  EXPECT_EQ(cloud_range(potential(), 3), 3);
  EXPECT_EQ(cloud_range(potential(), 0), effective_cloud_range(potential()));
  const Cloud cloud = cloud_of(potential(), 7, volume_of({-7, 0, 7}));
  EXPECT_NEAR(cloud.upper, 7, 1e-5);
  EXPECT_NEAR(cloud.lower, -7, 1e-5);
  Field orbital = potential();
  orbital.kind = Field::Kind::orbital;
  EXPECT_EQ(automatic_cloud_range(orbital, *volume_of({1, 2, 30})), 0) << "by the isovalue";
}

TEST(CloudRange, IsThatOfTheResultWhereTheFieldIsShownAgain) {
  // Restyled and in legends: the values themselves are not looked at again.
  FieldResult result;
  result.automatic_range = 4;
  auto item = std::make_shared<DrawItem>();
  item->shape = cloud_of(potential(), 4, volume_of({-7, 0, 7}));
  result.items.push_back(item);
  FieldStyles styles;
  Field field = potential();
  field.opacity = 0.5f;
  EXPECT_EQ(std::get<Cloud>(styles.apply(0, 0, field, item, {}, 4)->shape).upper, 4);
  EXPECT_EQ(legend_of(field, result)->upper, 4);
  field.cloud_range = 2;
  EXPECT_EQ(std::get<Cloud>(styles.apply(0, 0, field, item, {}, 4)->shape).upper, 2);
  EXPECT_EQ(legend_of(field, result)->upper, 2);
}

TEST(CloudRange, SurvivesWhatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(automatic_cloud_range(potential(), *volume_of({nan, nan})), 0);
  EXPECT_EQ(automatic_cloud_range(potential(), *volume_of({0, 0})), 0);
  EXPECT_EQ(automatic_cloud_range(potential(), *volume_of({})), 0);
}

}  // namespace
}  // namespace isolume
