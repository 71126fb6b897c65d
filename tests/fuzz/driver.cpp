// Fuzzing without libFuzzer: feeds a target its corpus and a fixed number of damaged copies, the same ones on every
// run.
//   fuzz_readers TARGET INPUTS [FILE|FOLDER]...   exit code 0: every input was read or refused
//   fuzz_readers --list                           names of the targets
// ISOLUME_FUZZ_PART=N in the environment: one of N inputs, for builds that are slow.
// Where an input kills the program, or takes longer than 20 s, it is left in the folder the program was started in as
// failed-TARGET. A failure that is found goes into regress/ under a name with the format's extension.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/mutations.h"
#include "tests/fuzz/target.h"

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));  // where there is a sanitizer

namespace {

// What the handlers need: they may call little more than write().
const char* current_bytes = nullptr;
std::size_t current_size = 0;
char failed_name[128] = "failed";

void keep_input() {
  const int file = ::open(failed_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  if (::write(file, current_bytes, current_size) < 0) std::perror(failed_name);
  ::close(file);
}

void say(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) ::_exit(1);
}

extern "C" void died(int signal) {
  keep_input();
  say(signal == SIGALRM ? "fuzz: an input takes more than 20 s: " : "fuzz: an input killed the program: ");
  say(failed_name);
  say("\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The corpus: every file named and every file of the folders named, in the order of their paths.
std::vector<std::string> corpus_of(int count, char** names) {
  std::vector<std::filesystem::path> paths;
  for (int i = 0; i < count; ++i) {
    if (!std::filesystem::is_directory(names[i])) {
      paths.emplace_back(names[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(names[i])) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "fuzz: cannot read %s\n", path.c_str());
      std::exit(2);
    }
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

bool run(const std::string& target, const std::string& bytes) {
  current_bytes = bytes.data();
  current_size = bytes.size();
  ::alarm(20);
  const bool read = isolume::fuzz::try_input(target, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  ::alarm(0);
  return read;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const std::string& name : isolume::fuzz::targets()) std::printf("%s\n", name.c_str());
    return 0;
  }
  std::size_t inputs = 0;
  const char* end = argc > 2 ? argv[2] + std::strlen(argv[2]) : nullptr;
  if (argc < 4 || std::from_chars(argv[2], end, inputs).ptr != end) {
    std::fprintf(stderr, "usage: fuzz_readers TARGET INPUTS FILE|FOLDER...\n");
    return 2;
  }
  if (const char* part = std::getenv("ISOLUME_FUZZ_PART")) {
    std::size_t divisor = 1;
    std::from_chars(part, part + std::strlen(part), divisor);
    inputs /= std::max<std::size_t>(1, divisor);
  }
  const std::string target = argv[1];
  std::vector<std::string> corpus = corpus_of(argc - 3, argv + 3);
  if (corpus.empty()) {
    std::fprintf(stderr, "fuzz: %s has no corpus\n", target.c_str());
    return 2;
  }
  std::snprintf(failed_name, sizeof failed_name, "failed-%s", target.c_str());
  if (__sanitizer_set_death_callback) {
    __sanitizer_set_death_callback(keep_input);
    std::signal(SIGALRM, died);
  } else {
    // A reader that allocates what a header promises is a failure, not a slow machine.
    const rlimit memory = {std::uint64_t{4} << 30, std::uint64_t{4} << 30};
    setrlimit(RLIMIT_AS, &memory);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(signal, died);
  }

  std::size_t whole = 0;
  for (const std::string& bytes : corpus) whole += run(target, bytes) ? 1 : 0;
  std::size_t read = 0;
  std::uint64_t seed = 0;
  for (const char c : target) seed = seed * 31 + static_cast<unsigned char>(c);
  isolume::fuzz::Random random(seed);
  for (std::size_t i = 0; i < inputs; ++i) read += run(target, isolume::fuzz::mutated(corpus, random)) ? 1 : 0;
  std::printf("%s: %zu of %zu files read, %zu of %zu damaged copies read, the others refused\n", target.c_str(), whole,
              corpus.size(), read, inputs);
  // A corpus of which nothing can be read tests a reader's first check and no more.
  if (whole == 0) std::fprintf(stderr, "fuzz: no file of the corpus can be read\n");
  return whole == 0 ? 1 : 0;
}
