/* Loops that no model was developed on: other operations, orders and types than those of examples/vectorize/loops.c. */
#include <stddef.h>
#include <stdint.h>

typedef double d;
typedef float f;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
#define R restrict
#define EACH for (size_t i = 0; i < n; ++i)

/* class: elements */
void mix(size_t n, f *R a, const f *R b, const f *R c, f t) { EACH a[i] = b[i] + t * (c[i] - b[i]); }
void weigh(size_t n, d *R a, const d *R b, const d *R c, const d *R e) { EACH a[i] = (b[i] * e[i] + c[i] * (1.0 - e[i])); }
void cube(size_t n, f *R a, const f *R b) { EACH a[i] = b[i] * b[i] * b[i] - 3.0f * b[i]; }
void quartic(size_t n, d *R a, const d *R x) { EACH a[i] = (((0.1 * x[i] + 0.7) * x[i] - 1.3) * x[i] + 0.2) * x[i] + 5.0; }
void rational(size_t n, d *R a, const d *R x) { EACH a[i] = (x[i] * x[i] + 2.0) / (x[i] * x[i] + x[i] + 7.0); }
void swap(size_t n, d *R a, d *R b) { EACH { d t = a[i]; a[i] = b[i]; b[i] = t; } }
void rotate_plane(size_t n, d *R x, d *R y, d c, d s) { EACH { d t = c * x[i] + s * y[i]; y[i] = c * y[i] - s * x[i]; x[i] = t; } }
void momentum(size_t n, f *R w, f *R m, const f *R g, f rate) { EACH { m[i] = 0.9f * m[i] + 0.1f * g[i]; w[i] -= rate * m[i]; } }
void leaky(size_t n, f *R a, const f *R b) { EACH a[i] = b[i] > 0.0f ? b[i] : 0.01f * b[i]; }
void hypotenuse(size_t n, d *R a, const d *R b, const d *R c) { EACH a[i] = __builtin_sqrt(b[i] * b[i] + c[i] * c[i]); }
void step_over(size_t n, d *R x, d *R v, const d *R k) { EACH { v[i] += 0.01 * k[i]; x[i] += 0.01 * v[i]; } }
void sign_copy(size_t n, d *R a, const d *R b, const d *R c) { EACH a[i] = __builtin_copysign(b[i], c[i]); }

/* class: integers */
void mix_hash(size_t n, u32 *R a, const u32 *R b) { EACH { u32 h = b[i]; h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; a[i] = h; } }
void rotate_bits(size_t n, u32 *R a, const u32 *R b) { EACH a[i] = (b[i] << 7 | b[i] >> 25) + 99; }
void swap_bytes(size_t n, u32 *R a, const u32 *R b) { EACH a[i] = __builtin_bswap32(b[i]); }
void distance_words(size_t n, i16 *R a, const i16 *R b, const i16 *R c) { EACH a[i] = (i16)(b[i] > c[i] ? b[i] - c[i] : c[i] - b[i]); }
void blend_bytes(size_t n, u8 *R a, const u8 *R b, const u8 *R c) { EACH a[i] = (u8)((b[i] * 77 + c[i] * 179) >> 8); }
void high_product(size_t n, i16 *R a, const i16 *R b) { EACH a[i] = (i16)((b[i] * 20091) >> 16); }
void add_with_carry(size_t n, u64 *R a, const u64 *R b, u64 *R c) { EACH { u64 s = a[i] + b[i]; c[i] = s < b[i]; a[i] = s; } }
void pack_bits(size_t n, u32 *R a, const u32 *R b, const u32 *R c) { EACH a[i] = (b[i] & 0xffff) | (c[i] << 16); }
void modulo(size_t n, u32 *R a, const u32 *R b) { EACH a[i] = b[i] % 10u; }
void keep_range(size_t n, i32 *R a, const i32 *R b, i32 k) { EACH { i32 t = b[i] < k ? k : b[i]; a[i] = t > 4 * k ? 4 * k : t; } }
void to_upper(size_t n, u8 *R a) { EACH a[i] = (u8)(a[i] - ((u8)(a[i] - 'a') < 26 ? 32 : 0)); }
void choose_words(size_t n, i32 *R a, const i32 *R b, const i32 *R c, const i32 *R e) { EACH a[i] = b[i] > c[i] ? e[i] : a[i]; }
void multiply_words(size_t n, i32 *R a, const i32 *R b, const i32 *R c) { EACH a[i] = b[i] * c[i] + 5; }

/* class: conversions */
void scale_bytes(size_t n, f *R a, const u8 *R b) { EACH a[i] = (f)b[i] * 0.0039215686f; }
void to_words(size_t n, i16 *R a, const f *R b) { EACH a[i] = (i16)(b[i] * 1024.0f); }
void from_long(size_t n, d *R a, const i64 *R b) { EACH a[i] = (d)b[i] * 0.5; }
void widen_words(size_t n, i64 *R a, const i16 *R b) { EACH a[i] = b[i]; }
void mixed_sum(size_t n, d *R a, const f *R b, const i32 *R c) { EACH a[i] += (d)b[i] * (d)c[i]; }

/* class: reductions */
d weighted_mean(size_t n, const d *R a, const d *R w) { d s = 0, t = 0; EACH { s += a[i] * w[i]; t += w[i]; } return s / t; }
d variance(size_t n, const d *R a, d m) { d s = 0; EACH { d t = a[i] - m; s += t * t; } return s; }
f taxicab(size_t n, const f *R a, const f *R b) { f s = 0; EACH s += __builtin_fabsf(a[i] - b[i]); return s; }
f extent(size_t n, const f *R a) { f l = a[0], h = a[0]; EACH { l = a[i] < l ? a[i] : l; h = a[i] > h ? a[i] : h; } return h - l; }
u64 checksum(size_t n, const u8 *R a) { u64 s = 1, t = 0; EACH { s += a[i]; t += s; } return t << 16 | s; }
u32 parity(size_t n, const u32 *R a) { u32 x = 0; EACH x ^= a[i] ^ a[i] >> 1; return x; }
i32 energy(size_t n, const i16 *R a, const i16 *R b) { i32 s = 0; EACH s += a[i] * b[i]; return s; }
size_t differing(size_t n, const i32 *R a, const i32 *R b) { size_t c = 0; EACH c += a[i] != b[i]; return c; }
u64 set_bits(size_t n, const u64 *R a) { u64 c = 0; EACH c += (u64)__builtin_popcountll(a[i]); return c; }
d harmonic(size_t n, const d *R a) { d s = 0; EACH s += 1.0 / a[i]; return s; }
f three_dots(size_t n, const f *R a, const f *R b, const f *R c, f *R o) { f s = 0, t = 0, u = 0; EACH { s += a[i] * b[i]; t += b[i] * c[i]; u += a[i] * c[i]; } o[0] = s; o[1] = t; return u; }
d complex_dot(size_t n, const d *R a, const d *R b, d *R o) { d r = 0, m = 0; EACH { r += a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1]; m += a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i]; } *o = m; return r; }

/* class: recurrences */
void two_poles(size_t n, d *R a, const d *R b) { d y = 0, z = 0; EACH { d t = b[i] + 0.6 * y - 0.2 * z; a[i] = t; z = y; y = t; } }
void smooth(size_t n, f *R a, const f *R b, f k) { f s = 0; EACH { s = k * s + (1.0f - k) * b[i]; a[i] = s; } }
void xor_chain(size_t n, u64 *R a, const u64 *R b) { u64 s = 0; EACH { s = (s << 5 | s >> 59) ^ b[i]; a[i] = s; } }
void running_largest(size_t n, i32 *R a, const i32 *R b) { i32 m = b[0]; EACH { m = b[i] > m ? b[i] : m; a[i] = m; } }
u32 string_hash(size_t n, const u8 *R a) { u32 h = 5381; EACH h = h * 33 + a[i]; return h; }
void deltas(size_t n, i32 *R a, const i32 *R b) { i32 p = 0; EACH { a[i] = b[i] - p; p = b[i]; } }
d continued(size_t n, const d *R a) { d x = 1; EACH x = a[i] + 1.0 / x; return x; }
void thomas(size_t n, d *R c, const d *R a, const d *R b) { for (size_t i = 1; i < n; ++i) c[i] = b[i] - a[i] * c[i - 1]; }
void leapfrog(size_t n, d *R p, d *R q) { d x = 1, y = 0; EACH { x += 0.01 * y; y -= 0.01 * x; p[i] = x; q[i] = y; } }

/* class: neighbours */
void upwind(size_t n, d *R a, const d *R b, d k) { for (size_t i = 1; i < n; ++i) a[i] = b[i] - k * (b[i] - b[i - 1]); }
void edges(size_t n, f *R a, const f *R b) { for (size_t i = 1; i + 1 < n; ++i) a[i] = __builtin_fabsf(b[i + 1] - b[i - 1]) * 0.5f; }
void sharpen(size_t n, i16 *R a, const i16 *R b) { for (size_t i = 1; i + 1 < n; ++i) a[i] = (i16)(3 * b[i] - b[i - 1] - b[i + 1]); }
void median(size_t n, i32 *R a, const i32 *R b) { for (size_t i = 1; i + 1 < n; ++i) { i32 l = b[i - 1] < b[i] ? b[i - 1] : b[i], h = b[i - 1] < b[i] ? b[i] : b[i - 1], m = h < b[i + 1] ? h : b[i + 1]; a[i] = l > m ? l : m; } }
void seven_taps(size_t n, f *R a, const f *R b, const f *R k) { f p = k[0], q = k[1], r = k[2], s = k[3]; for (size_t i = 3; i + 3 < n; ++i) a[i] = p * (b[i - 3] + b[i + 3]) + q * (b[i - 2] + b[i + 2]) + r * (b[i - 1] + b[i + 1]) + s * b[i]; }
void wave(size_t n, d *R a, const d *R b, const d *R c, d k) { for (size_t i = 1; i + 1 < n; ++i) a[i] = 2.0 * b[i] - c[i] + k * (b[i - 1] - 2.0 * b[i] + b[i + 1]); }
void box_of_rows(size_t n, f *R a, const f *R p, const f *R q, const f *R r) { for (size_t i = 1; i + 1 < n; ++i) a[i] = (p[i - 1] + p[i] + p[i + 1] + q[i - 1] + q[i] + q[i + 1] + r[i - 1] + r[i] + r[i + 1]) * 0.111f; }

/* class: strides */
void sum_pairs(size_t n, d *R a, const d *R b) { EACH a[i] = b[2 * i] * b[2 * i + 1]; }
void butterfly(size_t n, f *R a, f *R b) { EACH { f s = a[i] + b[i], t = a[i] - b[i]; a[i] = s; b[i] = t; } }
void unzip(size_t n, i32 *R a, i32 *R b, const i32 *R c) { EACH { a[i] = c[2 * i]; b[i] = c[2 * i + 1]; } }
void grey(size_t n, u8 *R a, const u8 *R b) { EACH a[i] = (u8)((b[3 * i] * 77 + b[3 * i + 1] * 150 + b[3 * i + 2] * 29) >> 8); }
void absolute_squares(size_t n, f *R a, const f *R b) { EACH a[i] = b[2 * i] * b[2 * i] + b[2 * i + 1] * b[2 * i + 1]; }
void lengths(size_t n, f *R a, const f *R b) { EACH a[i] = __builtin_sqrtf(b[3 * i] * b[3 * i] + b[3 * i + 1] * b[3 * i + 1] + b[3 * i + 2] * b[3 * i + 2]); }

/* class: dense */
void two_rows(size_t n, const d *R a, const d *R b, const d *R x, d *R o) { d s = 0, t = 0; EACH { s += a[i] * x[i]; t += b[i] * x[i]; } o[0] = s; o[1] = t; }
void two_columns(size_t n, d *R y, const d *R a, const d *R b, d s, d t) { EACH y[i] += s * a[i] + t * b[i]; }
void rank_two(size_t n, f *R c, f *R e, const f *R x, f p, f q) { EACH { c[i] += p * x[i]; e[i] += q * x[i]; } }
void product_2x2(size_t n, const f *R a, const f *R b, f *R o) { f p = 0, q = 0, r = 0, s = 0; EACH { p += a[2 * i] * b[2 * i]; q += a[2 * i] * b[2 * i + 1]; r += a[2 * i + 1] * b[2 * i]; s += a[2 * i + 1] * b[2 * i + 1]; } o[0] = p; o[1] = q; o[2] = r; o[3] = s; }
void transform(size_t n, f *R x, f *R y, const f *R m) { f p = m[0], q = m[1], r = m[2], s = m[3]; EACH { f u = p * x[i] + q * y[i], v = r * x[i] + s * y[i]; x[i] = u; y[i] = v; } }
void gravity(size_t n, f *R ax, const f *R x, const f *R y, const f *R m, f px, f py) { EACH { f u = x[i] - px, v = y[i] - py, w = u * u + v * v + 0.01f; ax[i] += m[i] * u / (w * __builtin_sqrtf(w)); } }
