// Frame stream: a thread that reads ahead, two groups in device memory, and who waits for whom.
#include "compute/frames/frame_stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/stream.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t group_bytes = std::size_t{32} << 20;
constexpr std::size_t most_frames = 4096;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class T>
void gather(const Frame& frame, const std::vector<std::uint32_t>& atoms, glm::vec<3, T>* out) {
  for (const std::uint32_t atom : atoms)
    *out++ = frame.precise_positions.empty() ? glm::vec<3, T>(frame.positions[atom])
                                             : glm::vec<3, T>(frame.precise_positions[atom]);
}

/// Two groups, one of which is filled while the other is used.
struct Handover {
  std::mutex mutex;
  std::condition_variable changed;
  std::array<bool, 2> full{};
  bool stopped = false;
  std::exception_ptr error;

  /// Waits until the place is as wished; false after a stop.
  bool wait(std::size_t place, bool wish) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return full[place] == wish || stopped; });
    return full[place] == wish;
  }
  void set(std::size_t place, bool value) {
    {
      const std::lock_guard lock(mutex);
      full[place] = value;
    }
    changed.notify_all();
  }
  void stop(std::exception_ptr why = nullptr) {
    {
      const std::lock_guard lock(mutex);
      stopped = true;
      if (why) error = why;
    }
    changed.notify_all();
  }
};

}  // namespace

FrameTimes& FrameTimes::operator+=(const FrameTimes& other) {
  reading += other.reading;
  copying += other.copying;
  computing += other.computing;
  waiting += other.waiting;
  group = std::max(group, other.group);
  return *this;
}

struct FrameStream::Held {
  DeviceArray<glm::vec3> positions;
  DeviceArray<glm::dvec3> precise;
  std::vector<glm::vec3> read_positions;  ///< on the host
  std::vector<glm::dvec3> read_precise;
  std::vector<Cell> cells;
  std::size_t frames = 0;
  bool is_precise = false;

  FrameGroup group(std::size_t points) const {
    FrameGroup group;
    group.frames = frames;
    group.points = points;
    if (is_precise) {
      group.precise = {precise.data(), frames * points, precise.device()};
    } else {
      group.positions = {positions.data(), frames * points, positions.device()};
    }
    if (std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.exists(); })) group.cells = cells;
    return group;
  }
};

FrameStream::FrameStream(FrameStreamPlan plan) : plan_(std::move(plan)) {
  if (plan_.rows == 0 || plan_.atoms.empty())
    throw Error(fmt::format("frames in groups: {} frames of {} atoms", plan_.rows, plan_.atoms.size()),
                Error::Kind::usage);
  if (plan_.device.is_cuda()) {
    const std::size_t frame = plan_.atoms.size() * sizeof(glm::vec3);
    // Several groups even of few frames, so that one is computed while another is read.
    group_ = std::clamp<std::size_t>(group_bytes / frame, 1, std::min(most_frames, (plan_.rows + 3) / 4));
  }
  if (plan_.times != nullptr) plan_.times->group = group_;
}

void FrameStream::fill(Held& held, std::size_t number, void* stream, Job& job) {
  const auto start = Clock::now();
  const std::size_t first = number * group_, frames = std::min(group_, plan_.rows - first);
  const std::size_t points = plan_.atoms.size();
  held.frames = frames;
  held.cells.assign(frames, Cell{});
  // Of an earlier group: new memory of this size takes as long as the frames.
  std::vector<glm::vec3>& positions = held.read_positions;
  std::vector<glm::dvec3>& precise = held.read_precise;
  const auto take = [&](std::size_t f, const Frame& frame) {
    if (plan_.seen) plan_.seen(first + f, frame);
    held.cells[f] = frame.cell;
    if (held.is_precise) {
      gather(frame, plan_.atoms, precise.data() + f * points);
    } else {
      gather(frame, plan_.atoms, positions.data() + f * points);
    }
  };
  {
    // The first says whether the file has double precision.
    const Frame frame = plan_.read(first);
    held.is_precise = !plan_.single && !frame.precise_positions.empty();
    (held.is_precise ? precise.resize(frames * points) : positions.resize(frames * points));
    take(0, frame);
  }
  JobPart part(job);  // only asks whether to stop
  parallel_for(frames - 1, part, plan_.what, [&](std::size_t f) { take(f + 1, plan_.read(first + f + 1)); });
  const double reading = seconds_since(start);
  const auto copy = Clock::now();
  const auto put = [&](auto& array, const auto& values) {
    if (array.size() < values.size())
      array = std::remove_reference_t<decltype(array)>(values.size(), plan_.device, "frames");
    copy_memory(array.data(), plan_.device, values.data(), Device::cpu(), values.size() * sizeof(values[0]), stream);
  };
  if (held.is_precise) {
    put(held.precise, precise);
  } else {
    put(held.positions, positions);
  }
  if (plan_.times != nullptr) {
    plan_.times->reading += reading;
    plan_.times->copying += seconds_since(copy);
  }
}

void FrameStream::each_on_device(Job& job, double begin, double end, bool keep, const Body& body) {
  const std::size_t count = groups();
  const auto use = [&](std::size_t number, const Held& held) {
    const auto start = Clock::now();
    body(number * group_, held.group(plan_.atoms.size()));
    if (plan_.times != nullptr) plan_.times->computing += seconds_since(start);
    job.check();
    job.progress(begin + (end - begin) * static_cast<double>(number + 1) / static_cast<double>(count), plan_.what);
  };
  if (kept_.size() == count) {
    for (std::size_t number = 0; number < count; ++number) use(number, *kept_[number]);
    return;
  }
  std::array<std::shared_ptr<Held>, 2> places;
  Handover handover;
  const auto read_all = [&] {
    try {
      Stream stream(plan_.device);
      for (std::size_t number = 0; number < count; ++number) {
        if (!handover.wait(number % 2, false)) return;
        std::shared_ptr<Held>& place = places[number % 2];
        if (keep || !place) place = std::make_shared<Held>();
        fill(*place, number, stream.handle(), job);
        if (keep) {
          place->read_positions = {};
          place->read_precise = {};
        }
        handover.set(number % 2, true);
      }
    } catch (...) {
      handover.stop(std::current_exception());
    }
  };
  {
    std::jthread reader(read_all);
    try {
      for (std::size_t number = 0; number < count; ++number) {
        const auto start = Clock::now();
        const bool there = handover.wait(number % 2, true);
        if (plan_.times != nullptr) plan_.times->waiting += seconds_since(start);
        if (!there) break;
        const std::shared_ptr<Held> held = places[number % 2];
        use(number, *held);
        if (keep) kept_.push_back(held);
        handover.set(number % 2, false);
      }
    } catch (...) {
      handover.stop();
      kept_.clear();
      throw;
    }
  }
  if (handover.error) {
    kept_.clear();
    std::rethrow_exception(handover.error);
  }
}

void FrameStream::one_on_cpu(std::size_t row, const Body& body, double& reading, double& computing) {
  const auto start = Clock::now();
  const Frame frame = plan_.read(row);
  if (plan_.seen) plan_.seen(row, frame);
  const std::vector<Cell> cells{frame.cell};
  FrameGroup group;
  group.frames = 1;
  group.points = plan_.atoms.size();
  if (frame.cell.exists()) group.cells = cells;
  std::vector<glm::vec3> positions;
  std::vector<glm::dvec3> precise;
  if (plan_.single) {
    positions.resize(group.points);
    gather(frame, plan_.atoms, positions.data());
    group.positions = {positions.data(), positions.size(), Device::cpu()};
  } else {
    precise.resize(group.points);
    gather(frame, plan_.atoms, precise.data());
    group.precise = {precise.data(), precise.size(), Device::cpu()};
  }
  const auto read = Clock::now();
  reading = std::chrono::duration<double>(read - start).count();
  body(row, group);
  computing = seconds_since(read);
}

void FrameStream::each(Job& job, const Body& body) {
  if (plan_.device.is_cuda()) return each_on_device(job, 0, 1, false, body);
  std::atomic<double> reading{0}, computing{0};
  const auto start = Clock::now();
  parallel_for(plan_.rows, job, plan_.what, [&](std::size_t row) {
    double read = 0, computed = 0;
    one_on_cpu(row, body, read, computed);
    reading.fetch_add(read, std::memory_order_relaxed);
    computing.fetch_add(computed, std::memory_order_relaxed);
  });
  if (plan_.times == nullptr || !(reading + computing > 0)) return;
  const double share = seconds_since(start) / (reading + computing);
  plan_.times->reading += share * reading;
  plan_.times->computing += share * computing;
}

void FrameStream::again(Job& job, double begin, double end, const Body& body) {
  if (plan_.device.is_cuda()) {
    // Twice the bytes of single precision, since the file may have double.
    const std::size_t bytes = plan_.rows * plan_.atoms.size() * 2 * sizeof(glm::vec3);
    return each_on_device(job, begin, end, bytes <= available_memory(plan_.device) / 2, body);
  }
  for (std::size_t row = 0; row < plan_.rows; ++row) {
    job.check();
    double read = 0, computed = 0;
    one_on_cpu(row, body, read, computed);
    if (plan_.times != nullptr) {
      plan_.times->reading += read;
      plan_.times->computing += computed;
    }
    job.progress(begin + (end - begin) * static_cast<double>(row + 1) / static_cast<double>(plan_.rows), plan_.what);
  }
}

}  // namespace isolume
