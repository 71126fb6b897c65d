// CUDA that fails on purpose: the tables, over the real ones or over host memory.
#include "tests/support/faulty_cuda.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

#include "compute/base/cuda_api.h"
#include "compute/base/cuda_graph.h"
#include "compute/base/device_fault.h"
#include "molecule/base/error.h"

namespace isolume::test {
namespace {

/// What all tables share: computations call from several threads.
struct State {
  std::mutex mutex;
  int calls = 0;
  int failing = 0;  ///< the number of the call that fails, 0 for none
  int code = 0;
  bool lasting = false;
  bool dead = false;  ///< the context has ended
  std::string failed;

  CudaApi under;
  CudaGraphApi graphs_under;

  // Of the fake device.
  std::map<void*, std::size_t> memory;
  std::size_t used = 0;
  std::size_t capacity = FaultyCuda::usual_capacity;
  int devices = 1;
  int streams = 0;
  int streams_made = 0;
  int events = 0;
};

State& state() {
  static auto* s = new State;  // what ends with the program goes through it
  return *s;
}

/// Counts a call that may fail; its code.
int fault(const char* name) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  ++s.calls;
  if (s.dead) return s.code;
  const bool allocates = std::strcmp(name, "allocate") == 0 || std::strcmp(name, "allocate_host") == 0;
  const bool now = s.failing > 0 && s.calls == s.failing;
  const bool still = s.lasting && allocates && s.failing > 0 && s.calls > s.failing;
  if (!now && !still) return 0;
  if (s.failed.empty()) s.failed = name;
  s.dead = ends_context(s.code);
  return s.code;
}

/// Of calls that do their work even then, and say what is wrong.
int dead_or(int code) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return s.dead ? s.code : code;
}

void clear(State& s) {
  s.calls = s.failing = s.code = 0;
  s.lasting = s.dead = false;
  s.failed.clear();
}

// The fake device.

thread_local int current_fake = 0;

int fake_allocate(void** memory, std::size_t bytes, void*) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.used + bytes > s.capacity) return 2;
  *memory = std::calloc(std::max<std::size_t>(bytes, 1), 1);
  s.memory[*memory] = bytes;
  s.used += bytes;
  return 0;
}

int fake_release(void* memory, void*) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto found = s.memory.find(memory);
  if (found == s.memory.end()) return 1;
  s.used -= found->second;
  s.memory.erase(found);
  std::free(memory);
  return 0;
}

int fake_sum(void* temporary, std::size_t* bytes, const std::uint32_t* in, std::uint32_t* out, std::size_t count,
             void*) {
  *bytes = 16;
  if (temporary) std::exclusive_scan(in, in + count, out, 0u);
  return 0;
}

int fake_sort(void* temporary, std::size_t* bytes, const std::uint32_t* keys, std::uint32_t* keys_out,
              const std::uint32_t* values, std::uint32_t* values_out, std::size_t count, int, void*) {
  *bytes = 16;
  if (temporary) {
    std::copy_n(keys, count, keys_out);
    std::copy_n(values, count, values_out);
  }
  return 0;
}

template <int State::*count>
int fake_make(void** handle) {
  *handle = std::malloc(1);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  ++(s.*count);
  return 0;
}

template <int State::*count>
int fake_drop(void* handle) {
  std::free(handle);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  --(s.*count);
  return 0;
}

CudaApi fake_api() {
  CudaApi api;
  api.device_count = [](int* count) { return *count = state().devices, 0; };
  api.properties = [](int, CudaProperties* out) {
    *out = {"Fake", 9, 0, 1, FaultyCuda::usual_capacity, true};
    return 0;
  };
  api.versions = [](int* driver, int* runtime) { return *driver = *runtime = 13000, 0; };
  api.memory_info = [](std::size_t* free, std::size_t* total) {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    *total = s.capacity;
    *free = s.capacity - std::min(s.used, s.capacity);
    return 0;
  };
  api.get_device = [](int* device) { return *device = current_fake, 0; };
  api.set_device = [](int device) { return current_fake = device, 0; };
  api.allocate = fake_allocate;
  api.release = fake_release;
  api.trim = [](int) { return 0; };
  api.allocate_host = [](void** memory, std::size_t bytes) { return fake_allocate(memory, bytes, nullptr); };
  api.release_host = [](void* memory) { return fake_release(memory, nullptr); };
  api.copy = [](void* to, const void* from, std::size_t bytes, CudaApi::Direction, void*) {
    return std::memcpy(to, from, bytes), 0;
  };
  api.set_bytes = [](void* to, int value, std::size_t bytes, void*) { return std::memset(to, value, bytes), 0; };
  api.stream_create = [](void** stream) {
    {
      const std::lock_guard lock(state().mutex);
      ++state().streams_made;
    }
    return fake_make<&State::streams>(stream);
  };
  api.stream_destroy = fake_drop<&State::streams>;
  api.stream_synchronize = [](void*) { return 0; };
  api.event_create = fake_make<&State::events>;
  api.event_destroy = fake_drop<&State::events>;
  api.event_record = [](void*, void*) { return 0; };
  api.event_seconds = [](double* seconds, void*, void*) { return *seconds = 1e-6, 0; };
  api.launch = [](const void*, CudaDim, CudaDim, void**, std::size_t, void*) { return 0; };
  api.exclusive_sum = fake_sum;
  api.sort_pairs = fake_sort;
  api.error_text = [](int code) { return code == 2 ? "out of memory" : "made to fail"; };
  return api;
}

CudaGraphApi fake_graphs() {
  return {[](void*) { return 0; }, [](void*, void** runnable) { return *runnable = std::malloc(1), 0; },
          [](void*, void*) { return 0; }, [](void* runnable) { return std::free(runnable), 0; }};
}

// The tables that fail, over either.

CudaApi faulty_api() {
  CudaApi api = state().under;
  api.memory_info = [](std::size_t* free, std::size_t* total) {
    if (const int code = fault("memory_info")) return code;
    return state().under.memory_info(free, total);
  };
  api.set_device = [](int device) { return dead_or(state().under.set_device(device)); };
  api.allocate = [](void** memory, std::size_t bytes, void* stream) {
    if (const int code = fault("allocate")) return code;
    return state().under.allocate(memory, bytes, stream);
  };
  api.release = [](void* memory, void* stream) { return dead_or(state().under.release(memory, stream)); };
  api.trim = [](int device) { return dead_or(state().under.trim(device)); };
  api.allocate_host = [](void** memory, std::size_t bytes) {
    if (const int code = fault("allocate_host")) return code;
    return state().under.allocate_host(memory, bytes);
  };
  api.release_host = [](void* memory) { return dead_or(state().under.release_host(memory)); };
  api.copy = [](void* to, const void* from, std::size_t bytes, CudaApi::Direction direction, void* stream) {
    if (const int code = fault("copy")) return code;
    return state().under.copy(to, from, bytes, direction, stream);
  };
  api.set_bytes = [](void* to, int value, std::size_t bytes, void* stream) {
    if (const int code = fault("set_bytes")) return code;
    return state().under.set_bytes(to, value, bytes, stream);
  };
  api.stream_create = [](void** stream) {
    if (const int code = fault("stream_create")) return code;
    return state().under.stream_create(stream);
  };
  api.stream_destroy = [](void* stream) { return dead_or(state().under.stream_destroy(stream)); };
  api.stream_synchronize = [](void* stream) {
    // What is under way ends first: memory that it uses is given back next.
    const int done = state().under.stream_synchronize(stream);
    const int code = fault("stream_synchronize");
    return code ? code : done;
  };
  api.launch = [](const void* kernel, CudaDim grid, CudaDim block, void** arguments, std::size_t shared, void* stream) {
    if (const int code = fault("launch")) return code;
    return state().under.launch(kernel, grid, block, arguments, shared, stream);
  };
  api.exclusive_sum = [](void* temporary, std::size_t* bytes, const std::uint32_t* in, std::uint32_t* out,
                         std::size_t count, void* stream) {
    if (const int code = fault("exclusive_sum")) return code;
    return state().under.exclusive_sum(temporary, bytes, in, out, count, stream);
  };
  api.sort_pairs = [](void* temporary, std::size_t* bytes, const std::uint32_t* keys_in, std::uint32_t* keys_out,
                      const std::uint32_t* values_in, std::uint32_t* values_out, std::size_t count, int bits,
                      void* stream) {
    if (const int code = fault("sort_pairs")) return code;
    return state().under.sort_pairs(temporary, bytes, keys_in, keys_out, values_in, values_out, count, bits, stream);
  };
  return api;
}

CudaGraphApi faulty_graphs() {
  return {[](void* stream) {
            if (const int code = fault("graph_begin")) return code;
            return state().graphs_under.begin(stream);
          },
          [](void* stream, void** runnable) {
            // A recording is ended in any case.
            const int done = state().graphs_under.end(stream, runnable);
            const int code = fault("graph_end");
            if (code == 0) return done;
            if (*runnable) state().graphs_under.destroy(*runnable);
            *runnable = nullptr;
            return code;
          },
          [](void* runnable, void* stream) {
            if (const int code = fault("graph_launch")) return code;
            return state().graphs_under.launch(runnable, stream);
          },
          [](void* runnable) { return dead_or(state().graphs_under.destroy(runnable)); }};
}

CudaApi installed;
CudaGraphApi installed_graphs;
bool is_fake = false;

}  // namespace

FaultyCuda::FaultyCuda(Under under) {
  State& s = state();
  s.under = under == Under::fake ? fake_api() : built_in_cuda_api();
  s.graphs_under = under == Under::fake ? fake_graphs() : cuda_graph_api();
  is_fake = under == Under::fake;
  installed = faulty_api();
  installed_graphs = faulty_graphs();
  reset();
  set_cuda_api_for_test(&installed);
  set_cuda_graph_api_for_test(&installed_graphs);
}

FaultyCuda::~FaultyCuda() {
  {
    const std::lock_guard lock(state().mutex);
    clear(state());
  }
  is_fake = false;
  set_cuda_graph_api_for_test(nullptr);
  set_cuda_api_for_test(nullptr);
}

void FaultyCuda::reset() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  clear(s);
  s.streams_made = 0;
  s.capacity = usual_capacity;
  s.devices = 1;
  forget_lost_devices();
}

void FaultyCuda::arm(int call, int code, bool lasting) {
  reset();
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.failing = call;
  s.code = code;
  s.lasting = lasting;
}

int FaultyCuda::calls() const {
  const std::lock_guard lock(state().mutex);
  return state().calls;
}

std::string FaultyCuda::failed() const {
  const std::lock_guard lock(state().mutex);
  return state().failed;
}

void FaultyCuda::set_capacity(std::size_t bytes) {
  const std::lock_guard lock(state().mutex);
  state().capacity = bytes;
}

std::size_t FaultyCuda::blocks() const {
  const std::lock_guard lock(state().mutex);
  return state().memory.size();
}

void FaultyCuda::set_devices(int count) {
  const std::lock_guard lock(state().mutex);
  state().devices = count;
}

int FaultyCuda::streams() const {
  const std::lock_guard lock(state().mutex);
  return state().streams;
}

int FaultyCuda::streams_made() const {
  const std::lock_guard lock(state().mutex);
  return state().streams_made;
}

int FaultyCuda::events() const {
  const std::lock_guard lock(state().mutex);
  return state().events;
}

int faulty_cuda_call(const char* name) {
  return fault(name);
}

bool faulty_cuda_is_fake() {
  return is_fake;
}

void fail_as_environment_says() {
  const char* value = std::getenv("ISOLUME_TEST_FAULT");
  if (!value) return;
  const std::string text = value;
  const std::size_t at = text.find('@');
  const std::size_t slash = std::min(text.find('/'), text.size());
  int code = 0, call = 0;
  const auto number = [&](std::size_t begin, std::size_t end, int& to) {
    const auto [last, wrong] = std::from_chars(text.data() + begin, text.data() + end, to);
    return wrong == std::errc() && last == text.data() + end;
  };
  const bool fake = text.substr(slash) == "/fake";
  if (at == std::string::npos || at > slash || !number(0, at, code) || !number(at + 1, slash, call) ||
      (slash < text.size() && !fake))
    throw Error("ISOLUME_TEST_FAULT: expected CODE@CALL or CODE@CALL/fake, found " + text, Error::Kind::usage);
  // Until the program ends, whose last destructors go through it.
  static auto* cuda = new FaultyCuda(fake ? FaultyCuda::Under::fake : FaultyCuda::Under::real);
  cuda->arm(call, code, code == 2);
}

}  // namespace isolume::test
