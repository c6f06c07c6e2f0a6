/* Calls each changed function beside the one it was made from, with random values and many numbers of elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 1024
typedef double loop(const double *, const double *, double *, const long *, long *, long);

long iterations;
__attribute__((aligned(64))) char saved[64 * 32];
__attribute__((aligned(64))) double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static double a[MOST + 64], b[MOST + 64], d[2][MOST + 64];
static long k[MOST + 64], r[2][MOST + 64];
static unsigned long state = 88172645463325252UL;

static unsigned long number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void fill(void) {
    for (int i = 0; i < MOST + 64; i++) {
        a[i] = .5 + (double)(number() >> 11) / (1UL << 53);
        b[i] = .5 + (double)(number() >> 11) / (1UL << 53);
        d[0][i] = d[1][i] = .5 + (double)(number() >> 11) / (1UL << 53);
        k[i] = (long)number();
        r[0][i] = r[1][i] = (long)number();
    }
}

#if defined __x86_64__
#define KEPT "rbx", "rbp", "r12", "r13", "r14", "r15"
#elif defined __aarch64__
#define KEPT "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "v8", "v9", "v10", "v11", "v12", \
             "v13", "v14", "v15"
#else
#define KEPT "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "fs0", "fs1", "fs2", "fs3", "fs4",  \
             "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11"
#endif

/* The changed loops take registers that functions have to keep. */
static __attribute__((noinline)) double call(loop *f, double *to, long *integers, long n) {
    double result = f(a, b, to, k, integers, n);
    __asm__ volatile("" ::: KEPT, "memory");
    return result;
}

static int equal(double x, double y, int exact) {
    return exact ? memcmp(&x, &y, sizeof x) == 0 : fabs(x - y) <= 1e-9 * (1 + fabs(x) + fabs(y));
}

static void try_one(int entry, const char *name, loop *old, loop *new, loop *counting, long copies, int exact) {
    int runs = 0;
    for (long n = 1; n < MOST && runs < 12; n += n < 300 ? 1 : 7) {
        fill();
        iterations = 0;
        call(counting, d[0], r[0], n);
        if (iterations < copies || iterations % copies) continue;
        fill();
        double x = call(old, d[0], r[0], n), y = call(new, d[1], r[1], n);
        int same = equal(x, y, exact) && memcmp(r[0], r[1], sizeof r[0]) == 0;
        for (int i = 0; i < MOST + 64; i++) same = same && equal(d[0][i], d[1][i], exact);
        if (!same) {
            printf("%d %s differs at n = %ld: %.17g %.17g, %ld %ld\n", entry, name, n, x, y, r[0][0], r[1][0]);
            return;
        }
        runs++;
    }
    printf("%d %s runs %d\n", entry, name, runs);
}

#define ENTRY(number, name, copies, exact) loop name, name##_new##number, name##_counting##number;
#include "table.h"
#undef ENTRY
#define ENTRY(number, name, copies, exact)                                                                          \
    try_one(number, #name, name, name##_new##number, name##_counting##number, copies, exact);

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    alarm(60);
#include "table.h"
    return 0;
}
