#include "stepper.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include <sys/ptrace.h>
#include <sys/reg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace corecast::runner {
namespace {

using Time = std::chrono::steady_clock;

constexpr int event_shift = 16;
constexpr int status_exec_failed = 127;
constexpr unsigned steps_between_looks = 1024;
constexpr std::chrono::seconds grace{5}; // between being asked to end and being killed

std::string maps_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void* number(std::uintptr_t value) {
  return reinterpret_cast<void*>(value);
}

class Stepper {
public:
  Stepper(Stepped& found, double seconds) : found_(found), limited_(seconds > 0) {
    if (limited_)
      deadline_ = Time::now() + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
  }

  /// `program` stands before exec.
  void run(pid_t program) {
    program_ = program;
    constexpr std::uintptr_t options = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                                       PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
    ptrace(PTRACE_SETOPTIONS, program, nullptr, number(options));
    ptrace(PTRACE_CONT, program, nullptr, nullptr);
    tasks_[program] = {};
    unsigned steps = 0;
    while (!tasks_.empty()) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, __WALL | __WNOTHREAD);
      if (pid < 0 && errno != EINTR) return;
      if (pid > 0) on_change(pid, status);
      if (limited_ && ++steps % steps_between_looks == 0) look_at_clock();
    }
  }

private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Task {
    std::size_t image = none;
    std::uint64_t last = 0;
    bool started = false; // a new task stops once before it runs
  };

  void on_change(pid_t pid, int status) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid == program_) found_.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      tasks_.erase(pid);
      return;
    }
    Task& task = tasks_[pid];
    const int signal = WSTOPSIG(status);
    switch (status >> event_shift) {
    case PTRACE_EVENT_EXEC:
      task = {new_image({}), 0, true};
      return count(pid, task);
    case PTRACE_EVENT_CLONE:
      adopt(pid, task.image);
      break;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
      adopt(pid, task.image == none ? none : new_image(maps_of(pid)));
      break;
    case PTRACE_EVENT_EXIT:
      remember_maps(pid, task);
      ptrace(PTRACE_CONT, pid, nullptr, nullptr);
      return;
    default:
      if (signal == SIGTRAP) return count(pid, task);
      if (signal == SIGSTOP && !task.started) {
        task.started = true;
        return count(pid, task);
      }
      step(pid, task, signal);
      return;
    }
    step(pid, task, 0);
  }

  /// The instruction that comes next is executed. One that repeats itself stands still.
  void count(pid_t pid, Task& task) {
    if (task.image != none) {
      const auto at = static_cast<std::uint64_t>(ptrace(PTRACE_PEEKUSER, pid, number(sizeof(long) * RIP), nullptr));
      if (at != task.last) ++found_.images[task.image].counts[at];
      task.last = at;
    }
    step(pid, task, 0);
  }

  static void step(pid_t pid, const Task& task, int signal) {
    const auto request = task.image == none ? PTRACE_CONT : PTRACE_SINGLESTEP;
    ptrace(request, pid, nullptr, number(static_cast<std::uintptr_t>(signal)));
  }

  /// `maps`: used where no newer mappings are known, as after exec.
  std::size_t new_image(std::string maps) {
    found_.images.push_back({std::move(maps), {}});
    return found_.images.size() - 1;
  }

  void adopt(pid_t parent, std::size_t image) {
    unsigned long fresh = 0;
    ptrace(PTRACE_GETEVENTMSG, parent, nullptr, &fresh);
    Task& task = tasks_[static_cast<pid_t>(fresh)]; // it may have stopped before the kernel reports it
    task.image = image;
  }

  void remember_maps(pid_t pid, const Task& task) {
    if (task.image == none) return;
    if (std::string maps = maps_of(pid); !maps.empty()) found_.images[task.image].maps = std::move(maps);
  }

  void look_at_clock() {
    if (Time::now() < deadline_) return;
    for (const auto& [pid, task] : tasks_) {
      remember_maps(pid, task);
      kill(pid, found_.timed_out ? SIGKILL : SIGTERM);
    }
    found_.timed_out = true;
    deadline_ = Time::now() + grace;
  }

  Stepped& found_;
  bool limited_;
  Time::time_point deadline_;
  pid_t program_ = 0;
  std::map<pid_t, Task> tasks_;
};

} // namespace

bool can_step_programs() {
  return true;
}

Stepped step_program(const std::vector<std::string>& arguments, double seconds) {
  std::vector<char*> words;
  for (const std::string& each : arguments)
    words.push_back(const_cast<char*>(each.c_str())); // execv takes them so, and changes none
  words.push_back(nullptr);
  Stepped found;
  const pid_t program = fork();
  if (program == 0) {
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
      std::signal(each, SIG_DFL);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) {
      raise(SIGSTOP);
      execv(words[0], words.data());
    }
    _exit(status_exec_failed);
  }
  int status = 0;
  if (program < 0 || waitpid(program, &status, 0) != program || !WIFSTOPPED(status)) {
    found.problem = program < 0 ? std::strerror(errno) : "this system does not let programs be traced";
    return found;
  }
  Stepper(found, seconds).run(program);
  if (found.images.empty()) found.problem = "cannot be executed";
  return found;
}

} // namespace corecast::runner

#else

namespace corecast::runner {

bool can_step_programs() {
  return false;
}
Stepped step_program(const std::vector<std::string>&, double) {
  Stepped found;
  found.problem = "programs can be run step by step on x86-64 Linux only";
  return found;
}

} // namespace corecast::runner

#endif
