/* A program without a C library, so that it is small: the sum of an array, which compilers vectorize for SVE.
   clang --target=aarch64-linux-gnu -O3 -march=armv8-a+sve -ffast-math -ffreestanding -nostdlib -static -fuse-ld=lld \
     -Wl,--build-id=none sve_sum.c -o sve_sum.aarch64 */
enum { ELEMENTS = 1024, ROUNDS = 10 };
static double values[ELEMENTS];

static void leave(int code) {
  register long x0 __asm__("x0") = code;
  register long x8 __asm__("x8") = 93; /* exit */
  __asm__ volatile("svc #0" : : "r"(x0), "r"(x8));
  __builtin_unreachable();
}

__attribute__((noinline)) static double sum(void) {
  double total = 0;
  for (int i = 0; i < ELEMENTS; ++i)
    total += values[i] * values[i];
  return total;
}

void _start(void) {
  for (int i = 0; i < ELEMENTS; ++i)
    values[i] = i % 2;
  double total = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    values[0] = round % 2;
    total += sum();
  }
  leave(total == ROUNDS * ELEMENTS / 2 + ROUNDS / 2 ? 0 : 1);
}
