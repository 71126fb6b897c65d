// The queue of fields: the newest wins, cancelling, errors. A gate decides when a computation goes on; nothing sleeps.
#include "app/fields/field_queue.h"

#include <gtest/gtest.h>

#include "tests/app/documents/gate.h"

namespace isolume {
namespace {

using test::Gate;

// Collects what a queue calls back with.
class Results {
 public:
  FieldQueue::Callbacks callbacks() {
    return {[this](FieldResult result) {
              const std::lock_guard lock(mutex_);
              results_.push_back(std::move(result));
              changed_.notify_all();
            },
            [this](const std::string& what, double) {
              if (!what.empty()) return;
              const std::lock_guard lock(mutex_);
              ++idle_;
              changed_.notify_all();
            }};
  }
  // Waits until the queue has been idle `times` times; false after a minute.
  bool idle(int times) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return idle_ >= times; });
  }
  std::vector<std::uint64_t> numbers() {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t> numbers;
    for (const FieldResult& result : results_) numbers.push_back(result.number);
    return numbers;
  }
  FieldResult at(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return results_.at(i);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<FieldResult> results_;
  int idle_ = 0;
};

FieldRequest request(std::uint64_t number, std::size_t field, std::shared_ptr<const Molecule> molecule) {
  FieldRequest request;
  request.number = number;
  request.field_index = field;
  request.field.spacing = 0.5;
  request.molecule = std::move(molecule);
  return request;
}

TEST(FieldQueue, ComputesWhatItIsAsked) {
  Results results;
  FieldQueue queue(results.callbacks(), nullptr);
  EXPECT_FALSE(queue.busy());
  queue.submit(request(7, 3, test::molecule_of({{0, 0, 0}})));
  ASSERT_TRUE(results.idle(1));
  ASSERT_EQ(results.numbers(), std::vector<std::uint64_t>{7});
  const FieldResult result = results.at(0);
  EXPECT_EQ(result.field_index, 3u);
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.items.size(), 1u);
  EXPECT_EQ(result.path, "host");
  EXPECT_FALSE(queue.busy());
}

TEST(FieldQueue, TheNewestRequestOfAFieldWins) {
  Results results;
  FieldQueue queue(results.callbacks(), nullptr);
  const auto gate = std::make_shared<Gate>();
  const auto plain = test::molecule_of({{0, 0, 0}});
  queue.submit(request(1, 0, test::molecule_of({{0, 0, 0}}, {}, gate)));
  gate->entered();
  EXPECT_TRUE(queue.busy());
  queue.submit(request(2, 0, plain));  // cancels 1
  queue.submit(request(3, 0, plain));  // replaces 2
  queue.submit(request(4, 0, plain));  // replaces 3
  gate->open();
  ASSERT_TRUE(results.idle(1));
  EXPECT_EQ(results.numbers(), std::vector<std::uint64_t>{4});
}

TEST(FieldQueue, OtherFieldsAreNotDisturbed) {
  Results results;
  FieldQueue queue(results.callbacks(), nullptr);
  const auto gate = std::make_shared<Gate>();
  const auto plain = test::molecule_of({{0, 0, 0}});
  queue.submit(request(1, 0, test::molecule_of({{0, 0, 0}}, {}, gate)));
  gate->entered();
  queue.submit(request(2, 1, plain));
  queue.submit(request(3, 2, plain));
  queue.submit(request(4, 1, plain));  // takes the place of 2, before 3
  gate->open();
  ASSERT_TRUE(results.idle(1));
  EXPECT_EQ(results.numbers(), (std::vector<std::uint64_t>{1, 4, 3}));
}

TEST(FieldQueue, CancelledWorkIsNotReported) {
  Results results;
  FieldQueue queue(results.callbacks(), nullptr);
  const auto gate = std::make_shared<Gate>();
  const auto plain = test::molecule_of({{0, 0, 0}});
  queue.submit(request(1, 0, test::molecule_of({{0, 0, 0}}, {}, gate)));
  gate->entered();
  queue.submit(request(2, 1, plain));
  queue.cancel_all();
  gate->open();
  ASSERT_TRUE(results.idle(1));
  EXPECT_TRUE(results.numbers().empty());
  queue.submit(request(3, 0, plain));
  ASSERT_TRUE(results.idle(2));
  EXPECT_EQ(results.numbers(), std::vector<std::uint64_t>{3});
}

TEST(FieldQueue, OneFieldCanBeCancelled) {
  Results results;
  FieldQueue queue(results.callbacks(), nullptr);
  const auto gate = std::make_shared<Gate>();
  const auto plain = test::molecule_of({{0, 0, 0}});
  queue.submit(request(1, 0, test::molecule_of({{0, 0, 0}}, {}, gate)));
  gate->entered();
  queue.submit(request(2, 1, plain));
  queue.submit(request(3, 2, plain));
  queue.cancel(1);
  gate->open();
  ASSERT_TRUE(results.idle(1));
  EXPECT_EQ(results.numbers(), (std::vector<std::uint64_t>{1, 3}));
}

TEST(FieldQueue, ErrorsAreResults) {
  Results results;
  FieldQueue queue(results.callbacks(), nullptr);
  FieldRequest wrong = request(1, 0, test::molecule_of({{0, 0, 0}}));
  wrong.field.selection = "element Xe";
  queue.submit(wrong);
  wrong = request(2, 1, test::molecule_of({{0, 0, 0}}));
  wrong.field.kind = Field::Kind::orbital;
  queue.submit(wrong);
  queue.submit(request(3, 2, nullptr));
  ASSERT_TRUE(results.idle(1));
  // Idle may have come between two of them.
  for (int times = 2; results.numbers().size() < 3 && times <= 3; ++times) ASSERT_TRUE(results.idle(times));
  ASSERT_EQ(results.numbers(), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_NE(results.at(0).error.find("'element Xe' holds no atoms"), std::string::npos) << results.at(0).error;
  EXPECT_NE(results.at(1).error.find("no orbitals"), std::string::npos) << results.at(1).error;
  EXPECT_NE(results.at(2).error, "");
  EXPECT_TRUE(results.at(0).items.empty());
}

TEST(FieldQueue, EndsWhileItWorks) {
  Results results;
  const auto gate = std::make_shared<Gate>();
  {
    FieldQueue queue(results.callbacks(), nullptr);
    queue.submit(request(1, 0, test::molecule_of({{0, 0, 0}}, {}, gate)));
    gate->entered();
    queue.submit(request(2, 1, test::molecule_of({{0, 0, 0}})));
    queue.cancel_all();
    gate->open();
  }
  EXPECT_TRUE(results.numbers().empty());
}

}  // namespace
}  // namespace isolume
