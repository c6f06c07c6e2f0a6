/* Loops whose running values may, or may not, be split over several accumulators.
 *
 * The comment before each function says which: "split" (a reduction), "order" (a recurrence: each iteration needs the
 * one before), and for floating point "fast", where -ffast-math makes a reduction of it. All have one signature, so
 * that one program can execute them; integers that result are stored in r[0].
 */
#include <stddef.h>

#define LOOP(name)                                                                                                 \
    double name(const double *restrict a, const double *restrict b, double *restrict d, const long *restrict k,    \
                long *restrict r, long n)

/* order */
LOOP(gauss_seidel) {
    for (long i = 1; i < n; i++) d[i] = .25 * (d[i - 1] + d[i + 1] + a[i] + b[i]);
    return 0;
}
/* order */
LOOP(winic) {
    for (long i = 1; i < n; i++) d[i] = d[i - 1] + a[i] * b[i];
    return 0;
}
/* order */
LOOP(prefix_sum) {
    double s = 0;
    for (long i = 0; i < n; i++) { s += a[i]; d[i] = s; }
    return s;
}
/* order */
LOOP(integer_prefix_sum) {
    long s = 0;
    for (long i = 0; i < n; i++) { s += k[i]; r[i] = s; }
    return 0;
}
/* order */
LOOP(sum_of_sums) {
    double s = 0, t = 0;
    for (long i = 0; i < n; i++) { s += a[i]; t += s; }
    return t;
}
/* order */
LOOP(scaled_by_powers) {
    double p = 1, x = b[0];
    for (long i = 0; i < n; i++) { d[i] *= p; p *= x; }
    return 0;
}
/* order */
LOOP(sum_until) {
    double s = 0, limit = n * .75;
    long i = 0;
    while (s < limit) s += a[i++];
    return s;
}
/* order */
LOOP(fnv) {
    const unsigned char *p = (const unsigned char *)k;
    unsigned long h = 14695981039346656037UL;
    for (long i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211UL;
    r[0] = (long)h;
    return 0;
}
/* order */
LOOP(logistic) {
    double x = .4, m = 3 + a[0] / 2;
    for (long i = 0; i < n; i++) x = m * x * (1 - x);
    return x;
}
/* order */
LOOP(running_maximum) {
    double m = a[0];
    for (long i = 0; i < n; i++) { m = a[i] > m ? a[i] : m; d[i] = m; }
    return 0;
}
/* order */
LOOP(fibonacci) {
    unsigned long x = 0, y = 1;
    for (long i = 0; i < n; i++) { unsigned long z = x + y; r[i] = (long)z; x = y; y = z; }
    return 0;
}
/* order */
LOOP(string_length) {
    const char *p = (const char *)k, *q = p;
    while (*q) q++;
    r[0] = q - p;
    return 0;
}
/* order */
LOOP(lcg) {
    unsigned long x = (unsigned long)k[0];
    for (long i = 0; i < n; i++) { x = x * 6364136223846793005UL + 1442695040888963407UL; r[i] = (long)x; }
    return 0;
}
/* order */
LOOP(horner) {
    double s = 0, x = b[0] / 2;
    for (long i = 0; i < n; i++) s = s * x + a[i];
    return s;
}
/* order */
LOOP(hash31) {
    const unsigned char *p = (const unsigned char *)k;
    unsigned h = 0;
    for (long i = 0; i < n; i++) h = 31 * h + p[i];
    r[0] = h;
    return 0;
}
/* order */
LOOP(moving_average) {
    double s = 0;
    for (long i = 16; i < n; i++) { s += a[i] - a[i - 16]; d[i] = s; }
    return 0;
}
/* order */
LOOP(one_pole_filter) {
    double y = 0;
    for (long i = 0; i < n; i++) { y += .1 * (a[i] - y); d[i] = y; }
    return 0;
}
/* order */
LOOP(xorshift) {
    unsigned long x = (unsigned long)k[0] | 1;
    for (long i = 0; i < n; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; r[i] = (long)x; }
    return 0;
}
/* order */
LOOP(crc) {
    const unsigned char *p = (const unsigned char *)a;
    unsigned long c = ~0UL;
    for (long i = 0; i < n; i++) c = (unsigned long)k[(c ^ p[i]) & 255] ^ (c >> 8);
    r[0] = (long)c;
    return 0;
}
/* order */
LOOP(pointer_chase) {
    const long *p = k;
    for (long i = 0; i < n; i++) p = k + (*p & 63);
    r[0] = *p;
    return 0;
}
struct node { struct node *next; long value; };
/* order */
LOOP(list_length) {
    long c = 0;
    for (const struct node *p = (const struct node *)k[0]; p; p = p->next) c++;
    r[0] = c;
    return 0;
}
/* split */
LOOP(sum) {
    double s = 0;
    for (long i = 0; i < n; i++) s += a[i];
    return s;
}
/* split */
LOOP(dot) {
    double s = 0;
    for (long i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
/* split */
LOOP(product) {
    double s = 1;
    for (long i = 0; i < n; i++) s *= a[i];
    return s;
}
/* split */
LOOP(integer_product) {
    long s = 1;
    for (long i = 0; i < n; i++) s *= k[i];
    r[0] = s;
    return 0;
}
/* split */
LOOP(two_sums) {
    double s = 0, t = 0;
    for (long i = 0; i < n; i++) { s += a[i]; t += b[i]; }
    return s - t;
}
/* split */
LOOP(sum_and_difference) {
    double s = 0;
    for (long i = 0; i < n; i++) s = s + a[i] - b[i];
    return s;
}
/* split */
LOOP(absolute_differences) {
    double s = 0;
    for (long i = 0; i < n; i++) s += __builtin_fabs(a[i] - b[i]);
    return s;
}
/* split */
LOOP(sums_beside_a_store) {
    double s = 0, t = 0;
    for (long i = 0; i < n; i++) { d[i] = a[i] - b[i]; s += a[i]; t += a[i] * b[i]; }
    return s - t;
}
/* split */
LOOP(maximum) {
    double m = a[0];
    for (long i = 1; i < n; i++) m = a[i] > m ? a[i] : m;
    return m;
}
/* split */
LOOP(exclusive_or) {
    long s = 0;
    for (long i = 0; i < n; i++) s ^= k[i];
    r[0] = s;
    return 0;
}
/* split */
LOOP(count_if) {
    long c = 0;
    double x = b[0];
    for (long i = 0; i < n; i++) c += a[i] > x;
    r[0] = c;
    return 0;
}
/* split */
LOOP(integer_maximum) {
    const int *p = (const int *)k;
    int m = p[0];
    for (long i = 1; i < n; i++) m = p[i] > m ? p[i] : m;
    r[0] = m;
    return 0;
}
/* split */
LOOP(pi) {
    double s = 0, h = 1.0 / n;
    for (long i = 0; i < n; i++) { double x = (i + .5) * h; s += 4 / (1 + x * x); }
    return s * h;
}
/* fast */
LOOP(kahan) {
    double s = 0, c = 0;
    for (long i = 0; i < n; i++) { double y = a[i] - c, t = s + y; c = (t - s) - y; s = t; }
    return s;
}
