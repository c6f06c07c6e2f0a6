// Lets a module that is built on a new glibc run on glibc 2.17 and later, as wheels for many distributions must.
//
// Only symbol versions newer than 2.17 stand in the way, and only these few functions have one: what a program is
// linked with decides them, not what it was compiled with. Each is either the older version of the same symbol, which
// glibc keeps for ever, or a few lines of our own. `auditwheel` fails the release where a further one comes up.
//
// The definitions are hidden: they serve this module, LLVM and libstdc++ in it, and nothing else in the process.
#include <cstddef>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#define JUMP "jmp *old_"
#define TARGET_OF_JUMP "@GOTPCREL(%rip)"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#define JUMP "b old_"
#define TARGET_OF_JUMP ""
#else
#error "CORECAST_PORTABLE knows the symbol versions of x86-64 and AArch64 only"
#endif

// A function of this name that goes on to glibc's oldest function of this name, whatever its arguments are.
#define USE_OLDEST(name)                                                                                               \
  asm(".symver old_" #name ", " #name "@" OLDEST "\n"                                                                  \
      ".pushsection .text." #name ", \"ax\", %progbits\n"                                                              \
      ".p2align 4\n"                                                                                                   \
      ".globl " #name "\n"                                                                                             \
      ".hidden " #name "\n"                                                                                            \
      ".type " #name ", %function\n" #name ":\n" JUMP #name TARGET_OF_JUMP "\n"                                        \
      ".size " #name ", . - " #name "\n"                                                                               \
      ".popsection\n")

// 2.29: no longer call a handler that programs could set (_LIB_VERSION).
USE_OLDEST(exp);
USE_OLDEST(exp2);
USE_OLDEST(log);
USE_OLDEST(log2);
USE_OLDEST(pow);
// 2.32 and 2.34: moved into libc from libpthread, which is loaded on older systems as Python itself needs it.
USE_OLDEST(pthread_create);
USE_OLDEST(pthread_detach);
USE_OLDEST(pthread_join);
USE_OLDEST(pthread_key_create);
USE_OLDEST(pthread_once);
USE_OLDEST(pthread_rwlock_rdlock);
USE_OLDEST(pthread_rwlock_unlock);
USE_OLDEST(pthread_rwlock_wrlock);
USE_OLDEST(pthread_setspecific);
USE_OLDEST(pthread_sigmask);

#define HIDDEN extern "C" __attribute__((visibility("hidden")))

// 2.32: whether the process has had one thread only, a shortcut of libstdc++'s reference counts.
HIDDEN char __libc_single_threaded;
char __libc_single_threaded = 0;

// 2.33: were inline functions before. The kernel's structure is glibc's on these architectures.
HIDDEN int stat(const char* file, struct stat* status) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, file, status, 0));
}
HIDDEN int fstat(int descriptor, struct stat* status) noexcept {
  return static_cast<int>(syscall(SYS_fstat, descriptor, status));
}
HIDDEN int fstat64(int descriptor, struct stat64* status) noexcept {
  return static_cast<int>(syscall(SYS_fstat, descriptor, status));
}

// 2.18: destructors of thread-local objects, the last constructed first.
namespace {

struct Cleanup {
  void (*destroy)(void*);
  void* object;
  Cleanup* next;
};

thread_local Cleanup* last_constructed = nullptr;
pthread_key_t thread_end;

void destroy_all(void*) {
  while (Cleanup* const cleanup = last_constructed) {
    last_constructed = cleanup->next;
    cleanup->destroy(cleanup->object);
    delete cleanup;
  }
}

extern "C" {
extern void* __dso_handle;
int __cxa_atexit(void (*)(void*), void*, void*) noexcept;
}

void set_up() {
  // The first thread ends with the process, which destroys no thread-specific values.
  if (pthread_key_create(&thread_end, destroy_all) != 0 || __cxa_atexit(destroy_all, nullptr, &__dso_handle) != 0)
    __builtin_trap();
}

} // namespace

HIDDEN int __cxa_thread_atexit_impl(void (*destroy)(void*), void* object, void*) noexcept {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_up);
  last_constructed = new Cleanup{destroy, object, last_constructed};
  return pthread_setspecific(thread_end,
                             last_constructed); // any value but null: the list itself is in `last_constructed`
}
