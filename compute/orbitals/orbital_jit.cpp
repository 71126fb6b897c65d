// Kernels for orbitals compiled at run time for one basis: source, compiling in the background, and the comparison.
#include "compute/orbitals/orbital_jit.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "compute/base/cuda_api.h"
#include "compute/base/cuda_library.h"
#include "compute/base/kernel_cache.h"
#include "compute/base/nvrtc.h"
#include "compute/orbitals/orbital_tiles_source.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

// Raised with every change to the generated part of the source.
constexpr int generator_version = 1;
constexpr int turns = 3;  // of each kernel before one is chosen
constexpr const char* kernel_name = "orbital_tiles_compiled";

std::atomic<CompiledUse> use{CompiledUse::automatic};

}  // namespace

/// One kernel: wanted, being compiled, there, or impossible.
struct CompiledOrbital::Entry {
  enum class State { wanted, compiling, ready, failed };
  State state = State::wanted;
  std::string source, architecture;
  void* library = nullptr;
  const void* kernel = nullptr;
  int calls = 0;
  int timed[2] = {0, 0};    ///< turns taken: general, compiled
  double best[2] = {0, 0};  ///< seconds a tile
};

namespace {

using Entry = CompiledOrbital::Entry;

/// All kernels of the process, and the thread that compiles.
class Workshop {
 public:
  ~Workshop() { stop(); }

  static Workshop& get() {
    static Workshop workshop;
    return workshop;
  }

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;
  std::string complaint;
  int compiled = 0, read = 0;

  /// With the mutex held.
  void order(const std::shared_ptr<Entry>& entry) {
    entry->state = Entry::State::compiling;
    orders_.push_back(entry);
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    wake_.notify_one();
  }

  /// Compiles in this thread, without the mutex.
  void make(Entry& entry) {
    std::vector<char> code;
    std::string complaint_here;
    bool was_kept = false;
    void* library = nullptr;
    const void* kernel = nullptr;
    try {
      const std::string key =
          fmt::format("{}\n{}\ngenerator {}\n{}", nvrtc_status(), entry.architecture, generator_version, entry.source);
      if (auto kept = read_kernel(key)) {
        code = std::move(*kept);
        was_kept = true;
      } else {
        code = nvrtc_compile(entry.source, "orbital_tiles", entry.architecture);
        write_kernel(key, code);
      }
      const CudaLibraryApi& api = cuda_library_api();
      if (!api.load) throw Error("this program was built without CUDA");
      cuda_check(api.load(&library, code.data()), "loading a compiled kernel");
      cuda_check(api.kernel(&kernel, library, kernel_name), "finding a compiled kernel");
    } catch (const std::exception& error) {
      complaint_here = error.what();
      if (library) cuda_library_api().unload(library);
      library = nullptr;
      kernel = nullptr;
    }
    const std::lock_guard lock(mutex);
    entry.library = library;
    entry.kernel = kernel;
    entry.state = kernel ? Entry::State::ready : Entry::State::failed;
    if (!kernel) complaint = complaint_here;
    if (kernel) ++(was_kept ? read : compiled);
  }

  /// Waits for the thread, and drops what it was to do.
  void stop() {
    {
      const std::lock_guard lock(mutex);
      for (const auto& entry : orders_) entry->state = Entry::State::wanted;
      orders_.clear();
      stopping_ = true;
      wake_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
    stopping_ = false;
  }

  /// Waits until all that was ordered is made.
  void finish() {
    std::unique_lock lock(mutex);
    done_.wait(lock, [this] { return orders_.empty() && !making_; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      wake_.wait(lock, [this] { return stopping_ || !orders_.empty(); });
      if (stopping_) return;
      const std::shared_ptr<Entry> entry = orders_.front();
      orders_.pop_front();
      making_ = true;
      lock.unlock();
      make(*entry);
      lock.lock();
      making_ = false;
      done_.notify_all();
    }
  }

  std::condition_variable wake_, done_;
  std::deque<std::shared_ptr<Entry>> orders_;
  bool stopping_ = false, making_ = false;
  std::thread thread_;
};

/// "sm_90" of a device; empty where it cannot be asked.
std::string architecture_of(Device device) {
  static std::mutex mutex;
  static std::map<int, std::string> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(device.index);
  if (found != known.end()) return found->second;
  CudaProperties properties;
  if (!cuda_api().properties || cuda_api().properties(device.index, &properties) != 0) return {};
  return known[device.index] = fmt::format("sm_{}{}", properties.major, properties.minor);
}

bool faster(const Entry& entry) {
  return entry.timed[0] >= turns && entry.timed[1] >= turns && entry.best[1] < entry.best[0];
}

}  // namespace

void set_compiled_orbitals(CompiledUse wanted) {
  use = wanted;
}

CompiledUse compiled_orbitals() {
  return use;
}

std::string compiled_orbitals_status() {
  if (!nvrtc_present()) return nvrtc_status();
  Workshop& shop = Workshop::get();
  const std::lock_guard lock(shop.mutex);
  int winners = 0;
  for (const auto& [key, entry] : shop.entries) winners += faster(*entry) ? 1 : 0;
  std::string text = fmt::format("{}: {} kernels compiled, {} read from {}, {} faster than the general one",
                                 nvrtc_status(), shop.compiled, shop.read, kernel_cache_folder().string(), winners);
  if (!shop.complaint.empty()) text += "; " + shop.complaint;
  return text;
}

void wait_for_compiled_orbitals() {
  if (nvrtc_present()) Workshop::get().finish();
}

void forget_compiled_orbitals() {
  if (!nvrtc_present()) return;
  Workshop& shop = Workshop::get();
  shop.stop();
  const std::lock_guard lock(shop.mutex);
  for (const auto& [key, entry] : shop.entries) {
    if (entry->library) cuda_library_api().unload(entry->library);
  }
  shop.entries.clear();
  shop.complaint.clear();
  shop.compiled = shop.read = 0;
}

std::string compiled_orbital_source(const OrbitalPlan& plan, bool fine) {
  unsigned degrees = 0;
  for (const PlanTerm& term : plan.terms) degrees |= 1u << term.degree;
  return fmt::format(R"({}
namespace isolume {{
namespace orbital_tiles {{
struct Basis {{
  static constexpr int most = {};
  static constexpr bool fine = {};
  static constexpr unsigned degrees = {}u;
  static __device__ constexpr unsigned term_count(const Tiles&) {{ return {}u; }}
  static __device__ constexpr bool tables(const Tiles&) {{ return true; }}
}};
}}
}}
extern "C" __global__ void
    __launch_bounds__(isolume::orbital_tiles::threads, isolume::orbital_tiles::tile_blocks<{}>)
    {}(isolume::orbital_tiles::Tiles g) {{
  __shared__ isolume::orbital_tiles::Shared<isolume::orbital_tiles::Basis::most> shared;
  isolume::orbital_tiles::compute_tile<isolume::orbital_tiles::Basis>(g, shared);
}}
)",
                     orbital_tiles_source, plan.max_degree, fine, degrees, plan.terms.size(), plan.max_degree,
                     kernel_name);
}

CompiledOrbital compiled_orbital(const OrbitalPlan& plan, Device device, bool fine) {
  const CompiledUse now = use;
  if (now == CompiledUse::never || plan.terms.empty() || !cuda_library_api().load || !nvrtc_present()) return {};
  try {
    const std::string architecture = architecture_of(device);
    if (architecture.empty()) return {};
    unsigned degrees = 0;
    for (const PlanTerm& term : plan.terms) degrees |= 1u << term.degree;
    // All that the source depends on, and the device, because the kernels are compared on it.
    const std::string key = fmt::format("{} {} {} {} {}", device.index, architecture, degrees, plan.terms.size(), fine);
    Workshop& shop = Workshop::get();
    std::unique_lock lock(shop.mutex);
    std::shared_ptr<Entry>& entry = shop.entries[key];
    if (!entry) entry = std::make_shared<Entry>();
    ++entry->calls;
    if (entry->state == Entry::State::wanted && (entry->calls > 1 || now == CompiledUse::always)) {
      entry->source = compiled_orbital_source(plan, fine);
      entry->architecture = architecture;
      if (now == CompiledUse::always) {
        entry->state = Entry::State::compiling;
        const std::shared_ptr<Entry> mine = entry;
        lock.unlock();
        shop.make(*mine);
        return CompiledOrbital(mine, device.index);
      }
      shop.order(entry);
    }
    if (entry->state != Entry::State::ready) return {};
    const std::shared_ptr<Entry> mine = entry;
    lock.unlock();
    return CompiledOrbital(mine, device.index);
  } catch (const std::exception&) {
    return {};
  }
}

CompiledOrbital::CompiledOrbital(std::shared_ptr<Entry> entry, int) : entry_(std::move(entry)) {
  const std::lock_guard lock(Workshop::get().mutex);
  if (use == CompiledUse::always) {
    kernel_ = entry_->kernel;
    return;
  }
  const bool undecided = entry_->timed[0] < turns || entry_->timed[1] < turns;
  timed_ = undecided;
  if (undecided ? entry_->timed[1] <= entry_->timed[0] : faster(*entry_)) kernel_ = entry_->kernel;
}

CompiledOrbital::~CompiledOrbital() {
  for (void* event : events_) {
    if (event) cuda_api().event_destroy(event);
  }
}

void CompiledOrbital::begin(const Stream& stream) {
  if (!timed_) return;
  const CudaApi& api = cuda_api();
  timed_ = api.event_create(&events_[0]) == 0 && api.event_create(&events_[1]) == 0 &&
           api.event_record(events_[0], stream.handle()) == 0;
}

void CompiledOrbital::end(const Stream& stream) {
  timed_ = timed_ && cuda_api().event_record(events_[1], stream.handle()) == 0;
}

void CompiledOrbital::note(std::size_t tiles) {
  double seconds = 0;
  if (!timed_ || tiles == 0 || cuda_api().event_seconds(&seconds, events_[0], events_[1]) != 0) return;
  const std::lock_guard lock(Workshop::get().mutex);
  const int which = kernel_ ? 1 : 0;
  const double each = seconds / static_cast<double>(tiles);
  // The first turn of each warms it up.
  if (entry_->timed[which] == 1 || (entry_->timed[which] > 1 && each < entry_->best[which])) {
    entry_->best[which] = each;
  }
  ++entry_->timed[which];
}

}  // namespace isolume
