/* A hundred small loops in the classes that vectorization suites test, one to a function:
 *   corecast vectorize loops.c --compiler gcc --compiler clang-19 --target neon,sve */
#include <stddef.h>
#include <stdint.h>

typedef double d;
typedef float f;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
#define R restrict
#define EACH for (size_t i = 0; i < n; ++i)

/* class: plain */
void fill(size_t n, d *R a, d s) { EACH a[i] = s; }
void copy(size_t n, d *R a, const d *R b) { EACH a[i] = b[i]; }
void scale(size_t n, d *R a, const d *R b, d s) { EACH a[i] = s * b[i]; }
void sum2(size_t n, d *R a, const d *R b, const d *R c) { EACH a[i] = b[i] + c[i]; }
void fused(size_t n, d *R a, const d *R b, const d *R c, d s) { EACH a[i] = b[i] + s * c[i]; }
void five(size_t n, d *R a, const d *R b, const d *R c, const d *R e, const d *R g) { EACH a[i] = b[i] * c[i] + e[i] * g[i]; }
void single(size_t n, f *R a, const f *R b, const f *R c) { EACH a[i] += b[i] * c[i]; }
void update(size_t n, d *R a, d s) { EACH a[i] = a[i] * s + 1.0; }

/* class: integers */
void add_bytes(size_t n, u8 *R a, const u8 *R b) { EACH a[i] = (u8)(a[i] + b[i]); }
void average(size_t n, u8 *R a, const u8 *R b) { EACH a[i] = (u8)((a[i] + b[i] + 1) >> 1); }
void shift_words(size_t n, i32 *R a, int k) { EACH a[i] = a[i] << (k & 31); }
void multiply_long(size_t n, i64 *R a, const i64 *R b) { EACH a[i] *= b[i]; }
void absolute(size_t n, i32 *R a) { EACH a[i] = a[i] < 0 ? -a[i] : a[i]; }
void mask_bits(size_t n, i64 *R a, const i64 *R b) { EACH a[i] = (a[i] & b[i]) ^ 255; }
void divide_words(size_t n, i32 *R a, i32 k) { EACH a[i] /= k | 1; }

/* class: conversions */
void to_double(size_t n, d *R a, const f *R b) { EACH a[i] = b[i]; }
void to_float(size_t n, f *R a, const d *R b) { EACH a[i] = (f)b[i]; }
void from_int(size_t n, d *R a, const i32 *R b) { EACH a[i] = b[i]; }
void to_int(size_t n, i32 *R a, const f *R b) { EACH a[i] = (i32)b[i]; }
void widen_bytes(size_t n, i32 *R a, const u8 *R b) { EACH a[i] = b[i]; }
void narrow_words(size_t n, u8 *R a, const i32 *R b) { EACH a[i] = (u8)b[i]; }

/* class: reductions */
d total(size_t n, const d *R a) { d s = 0; EACH s += a[i]; return s; }
d dot(size_t n, const d *R a, const d *R b) { d s = 0; EACH s += a[i] * b[i]; return s; }
i32 total_int(size_t n, const i32 *R a) { i32 s = 0; EACH s += a[i]; return s; }
i64 total_wide(size_t n, const u8 *R a) { i64 s = 0; EACH s += a[i]; return s; }
i64 dot_int(size_t n, const i32 *R a, const i32 *R b) { i64 s = 0; EACH s += (i64)a[i] * b[i]; return s; }
i32 largest(size_t n, const i32 *R a) { i32 m = a[0]; EACH m = a[i] > m ? a[i] : m; return m; }
d largest_double(size_t n, const d *R a) { d m = a[0]; EACH m = a[i] > m ? a[i] : m; return m; }
i64 all_bits(size_t n, const i64 *R a) { i64 m = -1; EACH m &= a[i]; return m; }
size_t count_zeros(size_t n, const u8 *R a) { size_t c = 0; EACH c += a[i] == 0; return c; }
i32 conditional_sum(size_t n, const i32 *R a) { i32 s = 0; EACH if (a[i] > 0) s += a[i]; return s; }
d product(size_t n, const d *R a) { d p = 1; EACH p *= a[i]; return p; }
i32 two_sums(size_t n, const i32 *R a) { i32 s = 0, t = 0; EACH { s += a[i]; t ^= a[i]; } return s - t; }
f squares(size_t n, const f *R a) { f s = 0; EACH s += a[i] * a[i]; return s; }

/* class: recurrences */
void running_sum(size_t n, d *R a, const d *R b) { d s = 0; EACH { s += b[i]; a[i] = s; } }
void first_order(size_t n, d *R a, const d *R b) { for (size_t i = 1; i < n; ++i) a[i] = a[i - 1] * 0.5 + b[i]; }
void fourth_order(size_t n, d *R a, const d *R b) { for (size_t i = 4; i < n; ++i) a[i] = a[i - 4] + b[i]; }
void eighth_order(size_t n, f *R a, const f *R b) { for (size_t i = 8; i < n; ++i) a[i] = a[i - 8] + b[i]; }
d polynomial(size_t n, const d *R a, d x) { d r = 0; EACH r = r * x + a[i]; return r; }
void generator(size_t n, i64 *R a) { i64 s = 1; EACH { s = s * 6364136223846793005 + 1442695040888963407; a[i] = s; } }
void decay(size_t n, d *R a, const d *R b, d k) { d s = 0; EACH { s = s + k * (b[i] - s); a[i] = s; } }

/* class: dependence */
void read_ahead(size_t n, d *R a, const d *R b) { for (size_t i = 0; i + 1 < n; ++i) a[i] = a[i + 1] * b[i]; }
void halves(size_t n, d *R a) { for (size_t i = 0; i < n / 2; ++i) a[i] = a[i + n / 2] + 1.0; }
void even_odd(size_t n, d *R a) { for (size_t i = 0; i + 1 < n; i += 2) a[i] = a[i + 1] * 2.0; }
void offset_known(size_t n, d *a) { for (size_t i = 0; i < n; ++i) a[i] = a[i + 64] + 1.0; }
void offset_unknown(size_t n, d *a, size_t k) { EACH a[i] = a[i + k] + 1.0; }
void may_overlap(size_t n, d *a, const d *b) { EACH a[i] = b[i] * 2.0; }
void mirror(size_t n, d *R a) { for (size_t i = 0; i < n / 2; ++i) a[i] = a[n - 1 - i]; }
void reorder(size_t n, d *R a, d *R b, const d *R c) { for (size_t i = 1; i < n; ++i) { a[i] = b[i - 1] + c[i]; b[i] = c[i] * 2.0; } }
void split(size_t n, d *R a, d *R b, const d *R c) { for (size_t i = 1; i < n; ++i) { a[i] = a[i - 1] + c[i]; b[i] = c[i] * c[i]; } }
void crossing(size_t n, d *R a, const d *R b) { EACH a[i] = a[n - i - 1] + b[i]; }

/* class: strides */
void every_second(size_t n, d *R a, const d *R b) { EACH a[i] = b[2 * i]; }
void every_third(size_t n, f *R a, const f *R b) { EACH a[i] = b[3 * i] + b[3 * i + 1] + b[3 * i + 2]; }
void every_nth(size_t n, d *R a, const d *R b, size_t k) { EACH a[i] = b[k * i]; }
void store_second(size_t n, d *R a, const d *R b) { EACH a[2 * i] = b[i]; }
void backwards(size_t n, d *R a, const d *R b) { EACH a[i] = b[n - 1 - i]; }
void interleave(size_t n, f *R a, const f *R b, const f *R c) { EACH { a[2 * i] = b[i]; a[2 * i + 1] = c[i]; } }
void complex_product(size_t n, d *R a, const d *R b, const d *R c) { EACH { a[2 * i] = b[2 * i] * c[2 * i] - b[2 * i + 1] * c[2 * i + 1]; a[2 * i + 1] = b[2 * i] * c[2 * i + 1] + b[2 * i + 1] * c[2 * i]; } }
void pixels(size_t n, u8 *R a, const u8 *R b) { EACH a[i] = (u8)((b[4 * i] + b[4 * i + 1] + b[4 * i + 2]) / 3); }

/* class: indirect */
void gather(size_t n, d *R a, const d *R b, const i32 *R k) { EACH a[i] = b[k[i]]; }
void gather_long(size_t n, d *R a, const d *R b, const i64 *R k) { EACH a[i] = b[k[i]] * 2.0; }
void scatter(size_t n, d *R a, const d *R b, const i32 *R k) { EACH a[k[i]] = b[i]; }
void histogram(size_t n, i32 *R a, const u8 *R b) { EACH ++a[b[i]]; }
d sparse_dot(size_t n, const d *R a, const d *R b, const i32 *R k) { d s = 0; EACH s += a[i] * b[k[i]]; return s; }
void table(size_t n, f *R a, const f *R b, const u8 *R k) { EACH a[i] += b[k[i]]; }
void twice_indirect(size_t n, d *R a, const d *R b, const i32 *R k, const i32 *R m) { EACH a[i] = b[k[m[i]]]; }

/* class: conditions */
void clip(size_t n, f *R a, f low, f high) { EACH a[i] = a[i] < low ? low : a[i] > high ? high : a[i]; }
void guarded(size_t n, d *R a, const d *R b, const d *R c) { EACH if (b[i] > 0.0) a[i] += b[i] * c[i]; }
void both_ways(size_t n, d *R a, const d *R b, const d *R c) { EACH if (b[i] > c[i]) a[i] = b[i] - c[i]; else a[i] = c[i] * 2.0; }
void guarded_store(size_t n, i32 *R a, const i32 *R b) { EACH if (b[i] & 1) a[i] = b[i]; }
void guarded_division(size_t n, d *R a, const d *R b) { EACH a[i] = b[i] != 0.0 ? 1.0 / b[i] : 0.0; }
void nested_guard(size_t n, d *R a, const d *R b, const d *R c) { EACH if (b[i] > 0.0) { if (c[i] > 0.0) a[i] = b[i] * c[i]; else a[i] = 0.0; } }
void three_ways(size_t n, i32 *R a, const i32 *R b) { EACH a[i] = b[i] > 10 ? 2 : b[i] > 5 ? 1 : 0; }
void switched(size_t n, i32 *R a, const i32 *R b) { EACH switch (b[i] & 3) { case 0: a[i] += 1; break; case 1: a[i] ^= 7; break; default: a[i] *= 3; } }
void invariant_guard(size_t n, d *R a, const d *R b, int k) { EACH { if (k) a[i] = b[i]; else a[i] = -b[i]; } }

/* class: search */
size_t first_zero(size_t n, const u8 *R a) { EACH if (a[i] == 0) return i; return n; }
size_t length_of(const char *a) { size_t i = 0; while (a[i]) ++i; return i; }
size_t place_of_largest(size_t n, const d *R a) { size_t m = 0; EACH if (a[i] > a[m]) m = i; return m; }
int equal(size_t n, const i32 *R a, const i32 *R b) { EACH if (a[i] != b[i]) return 0; return 1; }
int any_negative(size_t n, const i32 *R a) { int found = 0; EACH found |= a[i] < 0; return found; }

/* class: packing */
size_t pack(size_t n, d *R a, const d *R b) { size_t j = 0; EACH if (b[i] > 0.0) a[j++] = b[i]; return j; }
size_t unpack(size_t n, d *R a, const d *R b, const i32 *R k) { size_t j = 0; EACH a[i] = k[i] ? b[j++] : 0.0; return j; }
size_t indices(size_t n, i32 *R a, const d *R b) { size_t j = 0; EACH if (b[i] > 0.0) a[j++] = (i32)i; return j; }

/* class: induction */
void counting(size_t n, i32 *R a) { EACH a[i] = (i32)i; }
void ramp(size_t n, d *R a, d s, d t) { EACH a[i] = s + t * (d)i; }
void geometric(size_t n, d *R a, d q) { d s = 1; EACH { a[i] = s; s *= q; } }
void quadratic(size_t n, i32 *R a) { i32 s = 0, t = 1; EACH { a[i] = s; s += t; t += 2; } }
void wrap_around(size_t n, d *R a, const d *R b) { size_t j = n - 1; EACH { a[i] = b[i] + b[j]; j = i; } }
void by_words(size_t n, i32 *R a, const i32 *R b) { for (int i = 0; i < (int)n; ++i) a[i] = b[i] + i; }

/* class: mathematics */
void roots(size_t n, d *R a, const d *R b) { EACH a[i] = __builtin_sqrt(b[i]); }
void quotients(size_t n, d *R a, const d *R b) { EACH a[i] = 1.0 / b[i]; }
void magnitudes(size_t n, f *R a, const f *R b) { EACH a[i] = __builtin_fabsf(b[i]); }
void smaller(size_t n, d *R a, const d *R b, const d *R c) { EACH a[i] = b[i] < c[i] ? b[i] : c[i]; }
void distances(size_t n, f *R a, const f *R x, const f *R y, const f *R z) { EACH a[i] = 1.0f / __builtin_sqrtf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]); }
void sigmoid(size_t n, f *R a, const f *R b) { EACH a[i] = b[i] / (1.0f + __builtin_fabsf(b[i])); }

/* class: stencils */
void three_points(size_t n, d *R a, const d *R b) { for (size_t i = 1; i + 1 < n; ++i) a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1]; }
void five_points(size_t n, f *R a, const f *R b) { for (size_t i = 2; i + 2 < n; ++i) a[i] = b[i - 2] + b[i - 1] + b[i] + b[i + 1] + b[i + 2]; }
void plane(size_t n, d *R a, const d *R b, size_t w) { for (size_t i = 1; i + 1 < n; ++i) a[i] = 0.25 * (b[i - 1] + b[i + 1] + b[i - w] + b[i + w]); }
void in_place(size_t n, d *R a) { for (size_t i = 1; i + 1 < n; ++i) a[i] = 0.5 * (a[i - 1] + a[i + 1]); }
void differences(size_t n, d *R a, const d *R b) { for (size_t i = 1; i < n; ++i) a[i] = b[i] - b[i - 1]; }

/* class: unrolled by hand */
void by_four(size_t n, d *R a, const d *R b, d s) { for (size_t i = 0; i + 3 < n; i += 4) { a[i] = s * b[i]; a[i + 1] = s * b[i + 1]; a[i + 2] = s * b[i + 2]; a[i + 3] = s * b[i + 3]; } }
d dot_by_four(size_t n, const d *R a, const d *R b) { d s = 0, t = 0, u = 0, v = 0; for (size_t i = 0; i + 3 < n; i += 4) { s += a[i] * b[i]; t += a[i + 1] * b[i + 1]; u += a[i + 2] * b[i + 2]; v += a[i + 3] * b[i + 3]; } return s + t + u + v; }
void four_sums(size_t n, f *R a, const f *R b) { for (size_t i = 0; i + 3 < n; i += 4) { a[0] += b[i]; a[1] += b[i + 1]; a[2] += b[i + 2]; a[3] += b[i + 3]; } }
