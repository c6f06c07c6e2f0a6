#include "sandbox.hpp"

#if defined(__linux__)

#include "confine.hpp"
#include "cycle_counter.hpp"
#include "data_places.hpp"
#include "harness.hpp"
#include "tiles.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

namespace corecast::runner {
namespace {

/// What the child tells; in memory that both processes share. The child may have written anything into it.
struct Report {
  int signal = 0;
  std::uint64_t address = 0;
  std::uint64_t instruction = 0;
  int tiles_error = 0; // that the system answered with where tiles were asked for
  bool pinned = false, real_time = false, confined = false, no_counter = false, done = false;
};

/// State of the child for its signal handler: one process runs one piece of work.
struct ChildState {
  Report* report = nullptr;
  int page_file = -1;
  std::uint64_t page_bytes = 4096;
  std::size_t pages_left = 0;
  unsigned data_pages = 1;
  std::uint32_t pages_mapped = 0;
  Steps* steps = nullptr;
};
ChildState the_child;

[[noreturn]] void leave() {
  for (;;)
    syscall(SYS_exit_group, 0);
}

/// Maps the page of data where an access met nothing.
bool supply(const siginfo_t* info) {
  constexpr std::uint64_t lowest = 64 << 10; // what every system keeps unmapped, for a privileged process too
  if (info->si_code != SEGV_MAPERR || the_child.pages_left == 0) return false;
  if (reinterpret_cast<std::uint64_t>(info->si_addr) < lowest) return false;
  const std::uint64_t page = reinterpret_cast<std::uint64_t>(info->si_addr) & ~(the_child.page_bytes - 1);
  void* wanted = reinterpret_cast<void*>(page);
  const auto place = static_cast<off_t>(the_child.pages_mapped % the_child.data_pages * the_child.page_bytes);
  const void* got = mmap(wanted, the_child.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                         the_child.page_file, place);
  if (got != wanted) return false;
  --the_child.pages_left;
  ++the_child.pages_mapped;
  return true;
}

/// Runs on its own stack, whatever the code did to its stack pointer. Thread-local storage is not touched. Before a
/// call that does not return a sanitizer would look up the stacks, by files that the child may not open.
[[gnu::no_sanitize_address]] void on_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && supply(info)) return;
  if (signal == SIGTRAP && the_child.steps != nullptr && the_child.steps->on_step(info->si_code, context)) return;
  Report& report = *the_child.report;
  report.signal = signal;
  const bool has_address = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
  report.address = has_address ? reinterpret_cast<std::uint64_t>(info->si_addr) : 0;
  report.instruction = interrupted_at(context);
  leave();
}

void catch_signals() {
  constexpr std::size_t stack_bytes = 64 << 10;
  stack_t stack{};
  stack.ss_size = stack_bytes;
  stack.ss_sp = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal = 1; signal < NSIG; ++signal)
    sigaction(signal, &action, nullptr); // some cannot be caught, which is fine
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// What the parent has open is none of the timed code's business: it may map it.
void close_others(int kept) {
  constexpr int close_range_number = 436; // on every architecture; older headers do not name it
  constexpr unsigned last = ~0U;
  const auto first_after = static_cast<unsigned>(kept) + 1;
  if ((kept == 0 || syscall(close_range_number, 0U, static_cast<unsigned>(kept) - 1, 0U) == 0) &&
      syscall(close_range_number, first_after, last, 0U) == 0)
    return;
  constexpr int most_files = 1 << 16;
  const auto limit = static_cast<int>(std::min<long>(sysconf(_SC_OPEN_MAX), most_files));
  for (int file = 0; file < limit; ++file)
    if (file != kept) close(file);
}

bool pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(cpu), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

bool raise_priority() {
  const sched_param lowest{.sched_priority = sched_get_priority_min(SCHED_FIFO)};
  return sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
}

class LinuxChild final : public Child {
public:
  explicit LinuxChild(const CycleCounter* counter) : counter_(counter) {}
  std::uint32_t disturbances() const override {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const std::uint32_t changes = counter_ == nullptr ? 0 : counter_->changes();
    return static_cast<std::uint32_t>(usage.ru_nvcsw + usage.ru_nivcsw) + the_child.pages_mapped + changes;
  }
  const CycleCounter* counter() const override { return counter_; }

private:
  const CycleCounter* counter_;
};

[[noreturn]] void live(const SandboxOptions& options, int cpu, Report& report, int page_file,
                       const std::function<void(const Child&)>& work, Steps* steps) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit nothing{0, 0};
  setrlimit(RLIMIT_CORE, &nothing);
  the_child = {.report = &report,
               .page_file = page_file,
               .page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)),
               .pages_left = options.most_pages,
               .data_pages = options.data_pages,
               .steps = steps};
  catch_signals();
  close_others(page_file);
  report.pinned = cpu >= 0 && pin(cpu);
  report.real_time = options.real_time && raise_priority();
  std::optional<CycleCounter> counter; // opened by the thread that it counts, before system calls are refused
  if (options.counts_cycles) {
    counter.emplace();
    report.no_counter = !counter->obstacle().empty();
    if (report.no_counter) leave();
  }
  if (options.tiles) { // a process's own right, which it cannot ask for once system calls are refused
    report.tiles_error = request_tiles();
    if (report.tiles_error != 0) leave();
  }
  report.confined = confine();
  work(LinuxChild(counter ? &*counter : nullptr));
  report.done = true;
  leave();
}

/// Waits for the child, and kills it when its time is over. True where it ended by itself.
bool wait_for(pid_t child, double seconds, int& status) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0 || (ended < 0 && errno != EINTR)) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      if (handle >= 0) close(handle);
      return false;
    }
    // A system without pidfd is asked again and again, at the price of more samples that are interrupted.
    pollfd watched{handle, POLLIN, 0};
    poll(&watched, handle >= 0 ? 1 : 0, static_cast<int>(handle >= 0 ? left + 1 : std::min<long>(left, 5)));
  }
  if (handle >= 0) close(handle);
  return true;
}

Outcome failed(const char* what) {
  Outcome outcome;
  outcome.end = End::failed;
  outcome.message = std::string(what) + ": " + std::strerror(errno);
  return outcome;
}

/// Pages of data, as a file, so that they can lie at many addresses.
int data_file(std::uint64_t pattern, unsigned pages) {
  const int file = static_cast<int>(syscall(SYS_memfd_create, "corecast-data", 1U /* close on exec */));
  const std::vector<std::uint64_t> page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / sizeof pattern, pattern);
  const std::size_t bytes = page.size() * sizeof pattern;
  for (unsigned i = 0; file >= 0 && i < pages; ++i)
    if (write(file, page.data(), bytes) != static_cast<ssize_t>(bytes)) {
      close(file);
      return -1;
    }
  return file;
}

} // namespace

Outcome run_in_child(const SandboxOptions& options, std::uint64_t memory, std::span<const std::uint8_t> watched,
                     const std::function<void(const Child&)>& work, Steps* steps) {
  if (const std::string obstacle = heap_obstacle(); !obstacle.empty()) {
    Outcome refused;
    refused.end = End::failed;
    refused.message = obstacle;
    return refused;
  }
  void* shared = mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return failed("no memory for timed code");
  Report& report = *new (shared) Report();
  const int page_file = data_file(memory, options.data_pages);
  const int cpu = options.cpu >= 0 ? options.cpu : sched_getcpu();
  const pid_t child = page_file < 0 ? -1 : fork();
  if (child == 0) live(options, cpu, report, page_file, work, steps);
  Outcome outcome;
  if (child < 0) {
    outcome = failed("no process for timed code");
  } else {
    int status = 0;
    const bool by_itself = wait_for(child, options.timeout_seconds, status);
    outcome.pinned = report.pinned;
    outcome.real_time = report.real_time;
    outcome.confined = report.confined;
    const int signal = report.signal > 0 && report.signal < NSIG ? report.signal : 0;
    if (!by_itself) {
      outcome.end = End::timeout;
    } else if (signal != 0 || WIFSIGNALED(status)) {
      outcome.end = End::signal;
      outcome.signal = signal != 0 ? signal : WTERMSIG(status);
      outcome.address = signal != 0 ? report.address : 0;
      outcome.instruction = signal != 0 ? report.instruction : 0;
      const std::uint64_t offset = report.instruction - reinterpret_cast<std::uint64_t>(watched.data());
      if (signal != 0 && offset < watched.size()) outcome.offset = static_cast<std::int64_t>(offset);
    } else if (report.no_counter) {
      outcome.end = End::failed;
      outcome.message = "the process that times code cannot read the counter of cycles";
    } else if (report.tiles_error != 0) {
      outcome.end = End::failed;
      outcome.tiles_refused = true;
      outcome.message = std::string("the system refuses AMX tiles: ") + std::strerror(report.tiles_error);
    } else if (!report.done) {
      outcome.end = End::signal; // it exited by a system call, where those could not be refused
      outcome.signal = SIGSYS;
    }
  }
  if (page_file >= 0) close(page_file);
  munmap(shared, sizeof(Report));
  return outcome;
}

} // namespace corecast::runner

#endif
